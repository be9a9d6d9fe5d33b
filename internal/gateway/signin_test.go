package gateway_test

// This file: the sign-in, end to end against the sandbox and against identity
// hosts that misbehave (contract 8.10).

import (
	"encoding/base64"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
	"equipment-platform/internal/sandbox"
)

const (
	settingsPath = "/api/v1/vendor/auth/settings"
	tokenPath    = "/api/v1/vendor/auth/token"
)

// authorize plays the browser: it follows the settings to the identity host
// and returns the code and state of the callback.
func authorize(t *testing.T, settings map[string]any) (code, state string) {
	t.Helper()
	q := url.Values{
		"response_type": {settings["responseType"].(string)}, "client_id": {settings["clientId"].(string)}, "redirect_uri": {settings["redirectUri"].(string)},
		"scope": {settings["scope"].(string)}, "state": {settings["state"].(string)}, "nonce": {settings["nonce"].(string)},
		"code_challenge": {settings["codeChallenge"].(string)}, "code_challenge_method": {settings["codeChallengeMethod"].(string)},
	}
	req, err := http.NewRequest("GET", settings["authorizationEndpoint"].(string)+"?"+q.Encode(), nil)
	require.NoError(t, err)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusFound, resp.StatusCode)
	back, err := url.Parse(resp.Header.Get("Location"))
	require.NoError(t, err)
	return back.Query().Get("code"), back.Query().Get("state")
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	settings := s.ask(200, "GET", settingsPath, nil, "X-Partner-Access-Token", "", "x-partner-apikey", "")
	require.Equal(t, sandbox.ClientID, settings["clientId"])
	require.Equal(t, "S256", settings["codeChallengeMethod"])
	require.NotContains(t, string(marshal(t, settings)), sandbox.ClientSecret)
	code, state := authorize(t, settings)
	tokens := s.ask(200, "POST", tokenPath, map[string]any{"code": code, "state": state, "redirectUri": sandbox.RedirectURI})
	require.Equal(t, "Bearer", tokens["tokenType"])
	require.NotEmpty(t, tokens["refreshToken"])
	require.NotEmpty(t, tokens["idToken"])
	require.NotEmpty(t, s.askAs(tokens["accessToken"].(string), 200, "GET", api+"/organizations/my", nil), "the token opens the provider")
	s.raw("", "POST", tokenPath, map[string]any{"code": code, "state": state}).problem(t, 400, "code_invalid")
}

func TestSignInRefusals(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	settings := s.ask(200, "GET", settingsPath, nil)
	code, state := authorize(t, settings)
	body := func(code, state string) map[string]any { return map[string]any{"code": code, "state": state} }
	foreign := "Bearer " + tokenFor(t, "somebody else", "ADMIN")
	s.raw("", "POST", tokenPath, body(code, state), "Authorization", foreign).problem(t, 400, "state_invalid")
	s.raw("", "POST", tokenPath, body(code, "forged")).problem(t, 400, "state_invalid")
	s.raw("", "POST", tokenPath, body(code, state[:len(state)-4]+"AAAA")).problem(t, 400, "state_invalid")
	elsewhere := startGateway(t, sandboxSettings(s.provider)) // another key
	elsewhere.do(elsewhere.request("POST", tokenPath, bytesOf(t, body(code, state)), "Content-Type", "application/json")).problem(t, 400, "state_invalid")
	p := s.raw("", "POST", tokenPath, map[string]any{"code": code, "state": state, "redirectUri": "https://evil.example/"}).problem(t, 400, "validation_failed")
	require.Contains(t, p.Details, "redirectUri")
	s.raw("", "POST", tokenPath, map[string]any{"code": code}).problem(t, 400, "validation_failed")
	other, _ := authorize(t, s.ask(200, "GET", settingsPath, nil)) // a code of another sign-in: its verifier does not fit
	s.raw("", "POST", tokenPath, body(other, state)).problem(t, 400, "code_invalid")
}

// TestSignInAcrossReplicas: with one key, any replica finishes the flow.
func TestSignInAcrossReplicas(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	c := sandboxSettings(s.provider)
	c.StateKey = base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef"))
	first, second := startGateway(t, c), startGateway(t, c)
	code, state := authorize(t, exact(t, first.call("GET", settingsPath, "").body).(map[string]any))
	require.Equal(t, 200, second.do(second.request("POST", tokenPath, bytesOf(t, map[string]any{"code": code, "state": state}), "Content-Type", "application/json")).StatusCode)
}

// TestOddTokenAnswers: the tokens reach the caller, whatever the optional fields
// are; what is odd is left out (contract 8.16).
func TestOddTokenAnswers(t *testing.T) {
	t.Parallel()
	var body string
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }))
	t.Cleanup(host.Close)
	b := startGateway(t, sandboxSettings(host.URL))
	for sent, want := range map[string]string{
		`"expires_in":3600`:          `"expiresIn":3600`,
		`"expires_in":"3600"`:        `"expiresIn":3600`,
		`"expires_in":3599.75`:       `"expiresIn":3599`,
		`"expires_in":"3599.75"`:     `"expiresIn":3599`,
		`"expires_in":36e2`:          `"expiresIn":3600`,
		`"expires_in":0`:             `"expiresIn":0`,
		`"expires_in":2147483647`:    `"expiresIn":2147483647`,
		`"expires_in":2147483648`:    ``,
		`"expires_in":1e400`:         ``,
		`"expires_in":-1`:            ``,
		`"expires_in":"soon"`:        ``,
		`"expires_in":"NaN"`:         ``,
		`"expires_in":""`:            ``,
		`"expires_in":null`:          ``,
		`"expires_in":{"a":1}`:       ``,
		`"scope":"openid profile"`:   `"scope":"openid profile"`,
		`"scope":["openid"]`:         ``,
		`"scope":""`:                 ``,
		`"id_token":""`:              ``,
		`"id_token":null`:            ``,
		`"id_token":{"nonce":"n"}`:   ``,
		`"refresh_token":"r"`:        `"refreshToken":"r"`,
		`"refresh_token":7`:          ``,
		`"refresh_token":[]`:         ``,
		`"token_type":"bearer"`:      `"tokenType":"bearer"`,
		`"token_type":7`:             ``,
		`"error":false,"new":[[{}]]`: ``,
	} {
		for _, mark := range []string{"", bom} {
			body = mark + `{"access_token":"a",` + sent + `}`
			state := exact(t, b.call("GET", settingsPath, "").body).(map[string]any)["state"]
			got := b.do(b.request("POST", tokenPath, bytesOf(t, map[string]any{"code": "c", "state": state}), "Content-Type", "application/json"))
			require.Equal(t, 200, got.StatusCode, "%s: %s", sent, got.body)
			expected := exact(t, []byte(`{"tokenType":"Bearer","accessToken":"a"}`)).(map[string]any)
			if want != "" {
				maps.Copy(expected, exact(t, []byte(`{`+want+`}`)).(map[string]any))
			}
			require.Equal(t, expected, exact(t, got.body), sent)
		}
	}
	for _, sent := range []string{`{"access_token":7}`, `{"access_token":""}`, `{"access_token":null}`, `["a"]`, `{"access_token":"a"`} {
		body = sent
		state := exact(t, b.call("GET", settingsPath, "").body).(map[string]any)["state"]
		b.do(b.request("POST", tokenPath, bytesOf(t, map[string]any{"code": "c", "state": state}), "Content-Type", "application/json")).problem(t, 502, "upstream_failed")
	}
}

func TestIdentityHostMisbehaves(t *testing.T) {
	t.Parallel()
	var handler http.HandlerFunc
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler(w, r) }))
	t.Cleanup(host.Close)
	c := sandboxSettings(host.URL)
	b := startGateway(t, c)
	head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"ES256","typ":"JWT","kid":"theirs"}`))
	now := time.Now()
	// identified is a good answer whose identity token lacks what is dropped and has what is changed
	identified := func(drop string, change ...any) func(nonce string) string {
		return func(nonce string) string {
			claims := map[string]any{"iss": host.URL + "/identity", "aud": sandbox.ClientID, "sub": "u", "nonce": nonce, "exp": now.Add(time.Hour).Unix()}
			delete(claims, drop)
			for i := 0; i < len(change); i += 2 {
				claims[change[i].(string)] = change[i+1]
			}
			token := head + "." + base64.RawURLEncoding.EncodeToString(marshal(t, claims)) + ".c2lnbmF0dXJl"
			return string(marshal(t, map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": token}))
		}
	}
	said := func(body string) func(string) string { return func(string) string { return body } }
	for _, tc := range []struct {
		name   string
		status int
		body   func(nonce string) string
		want   int
		code   string
	}{
		{"good identity token", 200, identified(""), 200, ""},
		{"among other audiences", 200, identified("", "aud", []string{"other", sandbox.ClientID}), 200, ""},
		{"issuer with a slash", 200, identified("", "iss", host.URL+"/identity/"), 200, ""},
		{"just expired", 200, identified("", "exp", now.Add(-5*time.Second).Unix()), 200, ""}, // clocks differ
		{"wrong nonce", 200, identified("", "nonce", "x"), 400, "code_invalid"},
		{"no nonce", 200, identified("nonce"), 400, "code_invalid"},
		{"other issuer", 200, identified("", "iss", "https://evil.example"), 400, "code_invalid"},
		{"no issuer", 200, identified("iss"), 400, "code_invalid"},
		{"other audience", 200, identified("", "aud", "other"), 400, "code_invalid"},
		{"no audience", 200, identified("aud"), 400, "code_invalid"},
		{"expired", 200, identified("", "exp", now.Add(-time.Hour).Unix()), 400, "code_invalid"},
		{"expired in 1970", 200, identified("", "exp", 0), 400, "code_invalid"},
		{"without an expiry", 200, identified("exp"), 400, "code_invalid"},
		{"garbled identity token", 200, said(`{"access_token":"a","id_token":"nonsense"}`), 502, "upstream_failed"},
		{"garbled claims", 200, said(`{"access_token":"a","id_token":"e30.W10."}`), 502, "upstream_failed"},
		{"no token", 200, said(`{}`), 502, "upstream_failed"},
		{"garbage", 200, said(`<html>`), 502, "upstream_failed"},
		{"used code", 400, said(`{"error":"invalid_grant"}`), 400, "code_invalid"},
		{"wrong secret", 400, said(`{"error":"invalid_client"}`), 502, "upstream_unauthorized"},
		{"wrong secret, 401", 401, said(`{"error":"invalid_client"}`), 502, "upstream_unauthorized"},
		{"down", 503, said(``), 503, "upstream_unavailable"},
		{"broken", 500, said(``), 502, "upstream_failed"},
		{"redirect", 302, said(``), 502, "upstream_failed"},
		{"plain", 200, said(`{"access_token":"a"}`), 200, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			asked := 0
			settings := exact(t, b.call("GET", settingsPath, "").body).(map[string]any)
			handler = func(w http.ResponseWriter, r *http.Request) {
				asked++
				if err := r.ParseForm(); err != nil || r.PostForm.Get("client_secret") != sandbox.ClientSecret || r.PostForm.Get("code_verifier") == "" {
					w.WriteHeader(http.StatusTeapot)
					return
				}
				w.Header().Set("Location", host.URL)
				w.WriteHeader(tc.status)
				_, _ = io.WriteString(w, tc.body(settings["nonce"].(string)))
			}
			got := b.do(b.request("POST", tokenPath, bytesOf(t, map[string]any{"code": "c", "state": settings["state"]}), "Content-Type", "application/json"))
			require.Equal(t, 1, asked, "a code goes out once")
			if tc.code != "" {
				got.problem(t, tc.want, tc.code)
			} else {
				require.Equal(t, []any{200, "a"}, []any{got.StatusCode, at(exact(t, got.body), "accessToken")}, string(got.body))
			}
			require.NotContains(t, string(got.body), sandbox.ClientSecret)
		})
	}
	require.NotContains(t, b.logs.String(), sandbox.ClientSecret)
	unset := newBed(t, func(c *config.Gateway) { c.OIDCIssuer = "" })
	unset.call("GET", settingsPath, "").problem(t, 503, "upstream_not_configured")
}
