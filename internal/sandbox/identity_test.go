package sandbox_test

// This file: the identity host: its answers have the forms of OAuth 2.0 (RFC 6749),
// PKCE (RFC 7636) and OpenID Connect.

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/sandbox"
)

// host is an identity host and a browser in front of it.
type host struct {
	t    *testing.T
	base string
}

// authorize goes to sign in and returns what the callback gets.
func (h host) authorize(change ...string) url.Values {
	h.t.Helper()
	query := url.Values{
		"client_id": {sandbox.ClientID}, "redirect_uri": {sandbox.RedirectURI}, "response_type": {"code"},
		"scope": {"openid offline_access"}, "state": {"s"}, "nonce": {"n"},
	}
	for i := 0; i < len(change); i += 2 {
		query.Set(change[i], change[i+1])
	}
	status, header, text := ask(h.t, "GET", h.base+"/connect/authorize?"+query.Encode(), "")
	require.Equal(h.t, 302, status, text)
	back, err := url.Parse(header.Get("Location"))
	require.NoError(h.t, err)
	require.Equal(h.t, sandbox.RedirectURI, back.Scheme+"://"+back.Host+back.Path)
	require.Equal(h.t, "s", back.Query().Get("state"))
	return back.Query()
}

// token calls the token endpoint.
func (h host) token(want int, form url.Values) object {
	h.t.Helper()
	status, header, text := ask(h.t, "POST", h.base+"/connect/token", form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	require.Equal(h.t, want, status, text)
	require.Equal(h.t, "application/json", header.Get("Content-Type"))
	var answer object
	require.NoError(h.t, json.Unmarshal([]byte(text), &answer))
	return answer
}

// redeem is the form of a code.
func redeem(code string) url.Values {
	return url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {sandbox.RedirectURI},
		"client_id": {sandbox.ClientID}, "client_secret": {sandbox.ClientSecret},
	}
}

func TestIdentityHost(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	h := host{t, b.url + "/identity"}
	status, _, text := ask(t, "GET", h.base+"/.well-known/openid-configuration", "")
	require.Equal(t, 200, status)
	var configuration object
	require.NoError(t, json.Unmarshal([]byte(text), &configuration))
	require.Equal(t, []any{h.base, h.base + "/connect/authorize", h.base + "/connect/token"},
		[]any{configuration["issuer"], configuration["authorization_endpoint"], configuration["token_endpoint"]})

	verifier := "0123456789012345678901234567890123456789012"
	challenge := sha256.Sum256([]byte(verifier))
	form := redeem(h.authorize("code_challenge", base64.RawURLEncoding.EncodeToString(challenge[:]), "code_challenge_method", "S256").Get("code"))
	form.Set("code_verifier", verifier)
	answer := h.token(200, form)
	require.ElementsMatch(t, []string{"access_token", "token_type", "expires_in", "scope", "refresh_token", "id_token"}, keysOf(answer))
	require.Equal(t, []any{"Bearer", 3600.0, "openid offline_access"}, []any{answer["token_type"], answer["expires_in"], answer["scope"]})
	b.provider(answer["access_token"].(string)).get(200, "/GetMyOrganizations")

	_, rest, _ := strings.Cut(answer["id_token"].(string), ".")
	payload, _, _ := strings.Cut(rest, ".")
	raw, err := base64.RawURLEncoding.DecodeString(payload)
	require.NoError(t, err)
	var claims struct {
		Iss, Aud, Sub, Nonce string
		Exp                  int64
	}
	require.NoError(t, json.Unmarshal(raw, &claims))
	require.Equal(t, []string{h.base, sandbox.ClientID, "n"}, []string{claims.Iss, claims.Aud, claims.Nonce})
	require.Greater(t, claims.Exp, time.Now().Unix())
	me := b.own().get(200, "/V2/GetMyUser")
	require.Equal(t, at(me, "UserId"), claims.Sub)

	// a refresh token serves once, and brings the next
	refresh := func(token any) url.Values {
		return url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token.(string)}, "client_id": {sandbox.ClientID}, "client_secret": {sandbox.ClientSecret}}
	}
	second := h.token(200, refresh(answer["refresh_token"]))
	require.NotEqual(t, answer["access_token"], second["access_token"])
	b.provider(second["access_token"].(string)).get(200, "/GetMyOrganizations")
	require.Equal(t, "invalid_grant", h.token(400, refresh(answer["refresh_token"]))["error"])
	h.token(200, refresh(second["refresh_token"]))

	plain := h.token(200, redeem(h.authorize("scope", "profile").Get("code")))
	require.ElementsMatch(t, []string{"access_token", "token_type", "expires_in", "scope"}, keysOf(plain), "only what was asked for")
}

func keysOf(o object) []string {
	var out []string
	for name := range maps.Keys(o) {
		out = append(out, name)
	}
	return out
}

func TestIdentityHostRefuses(t *testing.T) {
	t.Parallel()
	h := host{t, newBed(t).url + "/identity"}
	for _, wrong := range []url.Values{
		{"client_id": {sandbox.ClientID}, "redirect_uri": {"https://evil.example"}, "response_type": {"code"}},
		{"client_id": {"another"}, "redirect_uri": {sandbox.RedirectURI}, "response_type": {"code"}},
	} {
		status, _, _ := ask(t, "GET", h.base+"/connect/authorize?"+wrong.Encode(), "")
		require.Equal(t, 400, status, "no redirect to an address that is not registered")
	}
	require.Equal(t, "unsupported_response_type", h.authorize("response_type", "token").Get("error"))
	require.Equal(t, "invalid_request", h.authorize("code_challenge", "x", "code_challenge_method", "plain").Get("error"))

	for _, c := range []struct{ name, value, want string }{
		{"client_secret", "wrong", "invalid_client"},
		{"client_id", "another", "invalid_client"},
		{"code", "unknown", "invalid_grant"},
		{"redirect_uri", "https://evil.example", "invalid_grant"},
		{"grant_type", "password", "unsupported_grant_type"},
	} {
		form := redeem(h.authorize().Get("code"))
		form.Set(c.name, c.value)
		require.Equal(t, c.want, h.token(400, form)["error"], c.name)
	}
	form := redeem(h.authorize("code_challenge", "of another verifier", "code_challenge_method", "S256").Get("code"))
	form.Set("code_verifier", "x")
	require.Equal(t, "invalid_grant", h.token(400, form)["error"])
	form = redeem(h.authorize().Get("code"))
	h.token(200, form)
	require.Equal(t, "invalid_grant", h.token(400, form)["error"], "a code serves once")
}
