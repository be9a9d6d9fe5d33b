package edge_test

// This file: what the whole middleware costs on the smallest route, beside bare
// echo in the same run, with a token and a body that is validated.

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
)

type nothing struct{ header http.Header }

func (w *nothing) Header() http.Header       { return w.header }
func (*nothing) Write(p []byte) (int, error) { return len(p), nil }
func (*nothing) WriteHeader(int)             {}

func benchmarkHandler(b *testing.B, h http.Handler, method, path, token, body string) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		r.Header.Set("Content-Type", "application/json")
		h.ServeHTTP(&nothing{header: http.Header{}}, r)
	}
}

func BenchmarkSmallestRoute(b *testing.B) {
	ok := func(c echo.Context) error { return c.NoContent(http.StatusOK) }
	bare := echo.New()
	bare.GET(things, ok)
	b.Run("bare echo", func(b *testing.B) { benchmarkHandler(b, bare, "GET", things, "", "") })

	options := optionsOf(b)
	options.MaxInFlight = 512
	server := newServer(b, options, ok).Echo
	b.Run("edge", func(b *testing.B) { benchmarkHandler(b, server, "GET", things, "", "") })
	signed := token(b, "caller", "ADMIN")
	b.Run("edge with token", func(b *testing.B) { benchmarkHandler(b, server, "GET", things+"?n=3", signed, "") })
	b.Run("edge with token and body", func(b *testing.B) { benchmarkHandler(b, server, "POST", things, signed, `{"name":"x"}`) })
}
