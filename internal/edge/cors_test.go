package edge_test

// This file: which pages may call from a browser (contract 5.8).

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge"
)

var origins = map[string]bool{
	"https://platform.example": true, "https://app.platform.example": true, "https://a.b.platform.example": true, "https://APP.Platform.Example": true,
	"http://localhost:8087": true, "http://127.0.0.1:8087": true,
	"http://platform.example": false, "http://app.platform.example": false, "https://platform.example:8443": false, "https://app.platform.example:443": false,
	"https://evilplatform.example": false, "https://platform.example.evil.com": false, "https://platform.example@evil.com": false, "https://evil.com/platform.example": false,
	"https://evil.com#.platform.example": false, "https://evil.com?.platform.example": false, "https://.platform.example": false, "https://a..platform.example": false,
	"https://platform.example/": false, "https://user@app.platform.example": false, "https://localhost:8087": false, "http://localhost": false, "http://localhost:8088": false,
	"http://127.0.0.1:8087/": false, "http://127.0.0.2:8087": false, "http://[::1]:8087": false, "http://localhost:8087.evil.com": false, "null": false, "": false, "*": false,
	"file://": false, "https://": false, "https://com": false, "https://platform.example%2eevil.com": false, "https://app.platform.example.": false,
}

func TestAllowedOrigin(t *testing.T) {
	t.Parallel()
	for origin, allowed := range origins {
		t.Run(origin, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, allowed, edge.AllowedOrigin("platform.example", origin))
			require.Equal(t, allowed, edge.AllowedOrigin("Platform.Example", origin))
			local := strings.HasPrefix(origin, "http://") && allowed
			require.Equal(t, local, edge.AllowedOrigin("", origin))
		})
	}
}

func TestCORS(t *testing.T) {
	t.Parallel()
	c := start(t, optionsOf(t), nil)
	for origin, allowed := range origins {
		if origin == "" {
			continue
		}
		t.Run(origin, func(t *testing.T) {
			t.Parallel()
			preflight := get(t, c, "OPTIONS", things, http.Header{"Origin": {origin}, "Access-Control-Request-Method": {"PATCH"},
				"Access-Control-Request-Headers": {"authorization, content-type, x-anything"}}).Is(204)
			// an answer of every kind can be read by the page
			answers := map[int]http.Header{
				200: {"Origin": {origin}}, 400: {"Origin": {origin}}, 401: {"Origin": {origin}, "Authorization": {"Bearer x"}}, 404: {"Origin": {origin}}, 405: {"Origin": {origin}},
			}
			for status, headers := range answers {
				method, path := "GET", things
				switch status {
				case 400:
					path += "?n=0"
				case 404:
					path = "/nothing"
				case 405:
					method = "DELETE"
				}
				a := get(t, c, method, path, headers).Is(status)
				require.Contains(t, a.Header.Values("Vary"), "Origin")
				if allowed {
					require.Equal(t, origin, a.Header.Get("Access-Control-Allow-Origin"))
					for _, exposed := range []string{"ETag", "Location", "Retry-After", "X-Request-Id", "Idempotency-Replayed", "WWW-Authenticate"} {
						require.Contains(t, strings.ToLower(a.Header.Get("Access-Control-Expose-Headers")), strings.ToLower(exposed))
					}
				} else {
					require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"), origin)
				}
			}
			if !allowed {
				require.Empty(t, preflight.Header.Get("Access-Control-Allow-Origin"), origin)
				return
			}
			require.Equal(t, origin, preflight.Header.Get("Access-Control-Allow-Origin"))
			methods := strings.Split(strings.ReplaceAll(preflight.Header.Get("Access-Control-Allow-Methods"), " ", ""), ",")
			require.ElementsMatch(t, []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, methods)
			require.Equal(t, "authorization, content-type, x-anything", preflight.Header.Get("Access-Control-Allow-Headers"), "all headers")
			require.Empty(t, preflight.Body)
		})
	}
	// without an Origin nothing is said
	a := c.Do(t, "GET", things, nil).Is(200)
	require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"))
	// a preflight needs no token, also of a protected operation and of an unknown path
	get(t, c, "OPTIONS", "/nothing", http.Header{"Origin": {"https://platform.example"}, "Access-Control-Request-Method": {"GET"}}).Is(204)
}
