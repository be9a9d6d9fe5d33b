package edge

// This file: which pages may call from a browser (contract 5.8).

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

// AllowedOrigin reports whether an origin is the https apex or an https
// subdomain of the platform's domain, or the web app in development.
func AllowedOrigin(domain, origin string) bool {
	if origin == "http://localhost:8087" || origin == "http://127.0.0.1:8087" {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "https" || origin != "https://"+u.Host || u.Port() != "" || domain == "" {
		return false
	}
	host := strings.ToLower(u.Host)
	domain = strings.ToLower(domain)
	sub, isSub := strings.CutSuffix(host, "."+domain)
	return host == domain || isSub && !slices.Contains(strings.Split(sub, "."), "")
}

// cors comes before routing: a preflight has no route of its own.
func (s *Server) cors() echo.MiddlewareFunc {
	return middleware.CORSWithConfig(middleware.CORSConfig{
		AllowOriginFunc: func(origin string) (bool, error) {
			return AllowedOrigin(s.options.CORSDomain, origin), nil
		},
		AllowMethods: []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions},
		// AllowHeaders is left empty: echo then allows whatever the browser asks for
		ExposeHeaders: []string{
			"ETag", echo.HeaderLocation, echo.HeaderRetryAfter, echo.HeaderXRequestID, "Idempotency-Replayed",
			echo.HeaderWWWAuthenticate, echo.HeaderContentDisposition, "Deprecation",
			"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
		},
		MaxAge: 600,
	})
}
