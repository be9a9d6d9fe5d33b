package sandbox

// This file: the identity host. It asks nobody for a password: whoever comes
// to authorize is the demo user.

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
)

const (
	codeLifetime  = time.Minute
	tokenLifetime = time.Hour
)

// grant is a code that was given out.
type grant struct {
	challenge, nonce, scope string
	expires                 time.Time
}

type identity struct {
	sandbox *Sandbox
	mu      sync.Mutex
	codes   map[string]grant
	refresh map[string]grant
}

func newIdentity(s *Sandbox) *identity {
	return &identity{sandbox: s, codes: map[string]grant{}, refresh: map[string]grant{}}
}

func (i *identity) register(g *echo.Group) {
	g.GET("/.well-known/openid-configuration", i.configuration)
	g.GET("/connect/authorize", i.authorize)
	g.POST("/connect/token", i.token)
}

func issuer(c echo.Context) string {
	return c.Scheme() + "://" + c.Request().Host + "/identity"
}

func (i *identity) configuration(c echo.Context) error {
	base := issuer(c)
	return c.JSON(http.StatusOK, map[string]any{
		"issuer": base, "authorization_endpoint": base + "/connect/authorize", "token_endpoint": base + "/connect/token",
		"response_types_supported": []string{"code"}, "grant_types_supported": []string{"authorization_code", "refresh_token"},
		"code_challenge_methods_supported": []string{"S256"}, "scopes_supported": []string{"openid", "profile", "email", "offline_access"},
		"id_token_signing_alg_values_supported": []string{"none"}, "subject_types_supported": []string{"public"},
	})
}

// authorize redirects at once with a code.
func (i *identity) authorize(c echo.Context) error {
	q := c.QueryParams()
	if q.Get("client_id") != ClientID || q.Get("redirect_uri") != RedirectURI {
		return fail(http.StatusBadRequest, "client_id or redirect_uri is not registered")
	}
	back := url.Values{"state": {q.Get("state")}}
	switch {
	case q.Get("response_type") != "code":
		back.Set("error", "unsupported_response_type")
	case q.Get("code_challenge") != "" && q.Get("code_challenge_method") != "S256":
		back.Set("error", "invalid_request")
	default:
		code := rand.Text()
		i.mu.Lock()
		i.codes[code] = grant{challenge: q.Get("code_challenge"), nonce: q.Get("nonce"), scope: q.Get("scope"), expires: time.Now().Add(codeLifetime)}
		i.mu.Unlock()
		back.Set("code", code)
	}
	return c.Redirect(http.StatusFound, RedirectURI+"?"+back.Encode())
}

// refused is a failure of the token endpoint (RFC 6749, section 5.2).
func refused(c echo.Context, code, description string) error {
	return c.JSON(http.StatusBadRequest, map[string]string{"error": code, "error_description": description})
}

// token exchanges a code or a refresh token, each of them once.
func (i *identity) token(c echo.Context) error {
	form, err := c.FormParams()
	if err != nil {
		return refused(c, "invalid_request", "The form cannot be read")
	}
	if form.Get("client_id") != ClientID || subtle.ConstantTimeCompare([]byte(form.Get("client_secret")), []byte(ClientSecret)) != 1 {
		return refused(c, "invalid_client", "The client is unknown or its secret is wrong")
	}
	var key string
	var from map[string]grant
	switch form.Get("grant_type") {
	case "authorization_code":
		key, from = form.Get("code"), i.codes
	case "refresh_token":
		key, from = form.Get("refresh_token"), i.refresh
	default:
		return refused(c, "unsupported_grant_type", "The grant type is not known")
	}
	i.mu.Lock()
	g, known := from[key]
	delete(from, key)
	i.mu.Unlock()
	if !known || time.Now().After(g.expires) {
		return refused(c, "invalid_grant", "The grant is unknown, used or expired")
	}
	if form.Get("grant_type") == "authorization_code" {
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		if form.Get("redirect_uri") != RedirectURI || g.challenge != "" && g.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
			return refused(c, "invalid_grant", "redirect_uri or code_verifier does not match")
		}
	}
	return c.JSON(http.StatusOK, i.issue(c, g))
}

// issue makes tokens of the demo user. The identity token has no signature: it
// goes straight to the client that asked.
func (i *identity) issue(c echo.Context, g grant) map[string]any {
	access, refresh := rand.Text(), rand.Text()
	i.sandbox.mu.Lock()
	i.sandbox.store.tokens[access] = i.sandbox.store.tokens[Token]
	i.sandbox.mu.Unlock()
	answer := map[string]any{"access_token": access, "token_type": "Bearer", "expires_in": int(tokenLifetime / time.Second), "scope": g.scope}
	scopes := strings.Fields(g.scope)
	if slices.Contains(scopes, "offline_access") {
		again := g
		again.expires = time.Now().AddDate(0, 1, 0)
		i.mu.Lock()
		i.refresh[refresh] = again
		i.mu.Unlock()
		answer["refresh_token"] = refresh
	}
	if slices.Contains(scopes, "openid") {
		now := time.Now()
		claims, err := json.Marshal(map[string]any{
			"iss": issuer(c), "aud": ClientID, "sub": demoUser, "nonce": g.nonce, "iat": now.Unix(), "exp": now.Add(tokenLifetime).Unix(),
		})
		if err == nil { // texts and numbers alone: it cannot fail
			head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`))
			answer["id_token"] = head + "." + base64.RawURLEncoding.EncodeToString(claims) + "."
		}
	}
	return answer
}
