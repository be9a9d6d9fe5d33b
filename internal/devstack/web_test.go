package devstack_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/devstack"
)

// TestWebHandler asks as browsers do: for the app's addresses, for assets of this
// release and of another, packed and not.
func TestWebHandler(t *testing.T) {
	t.Parallel()
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	root := fstest.MapFS{
		"index.html": file("page"), "index.html.br": file("page br"), "index.html.gz": file("page gz"),
		"assets/app-1.js": file("script"), "assets/app-1.js.br": file("script br"), "assets/app-1.js.gz": file("script gz"),
		"assets/photo-1.png": file("photo"), "robots.txt": file("robots"),
	}
	server := httptest.NewServer(devstack.WebHandler(root, devstack.WebSettings{CatalogURL: "http://catalog", GatewayURL: "http://gateway"}))
	t.Cleanup(server.Close)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	t.Cleanup(client.CloseIdleConnections)

	const forever, always = "public, max-age=31536000, immutable", "no-cache"
	for name, c := range map[string]struct {
		path, accept, body, coding, kind, cache string
		status                                  int
	}{
		"the page":                     {path: "/", body: "page", kind: "text/html; charset=utf-8", cache: always},
		"a path of the app":            {path: "/equipment/1", accept: "gzip, deflate, br", body: "page br", coding: "br", kind: "text/html; charset=utf-8", cache: always},
		"a script":                     {path: "/assets/app-1.js", body: "script", kind: "text/javascript; charset=utf-8", cache: forever},
		"a script packed":              {path: "/assets/app-1.js", accept: "gzip, br", body: "script br", coding: "br", kind: "text/javascript; charset=utf-8", cache: forever},
		"one without brotli":           {path: "/assets/app-1.js", accept: "gzip", body: "script gz", coding: "gzip", kind: "text/javascript; charset=utf-8", cache: forever},
		"one that refuses brotli":      {path: "/assets/app-1.js", accept: "br;q=0, GZIP;q=0.5", body: "script gz", coding: "gzip", kind: "text/javascript; charset=utf-8", cache: forever},
		"one that takes other codings": {path: "/assets/app-1.js", accept: "zstd, x-br", body: "script", kind: "text/javascript; charset=utf-8", cache: forever},
		"what is packed by itself":     {path: "/assets/photo-1.png", accept: "gzip, br", body: "photo", kind: "image/png", cache: forever},
		"another file":                 {path: "/robots.txt", body: "robots", kind: "text/plain; charset=utf-8", cache: always},
		"an asset of another release":  {path: "/assets/app-0.js", status: http.StatusNotFound},
		"a route that looks like one":  {path: "/assets/nothing", status: http.StatusNotFound},
		"a file that is not there":     {path: "/sitemap.xml", status: http.StatusNotFound},
		"a way out of the folder":      {path: "/../web.go", status: http.StatusNotFound},
		"a folder":                     {path: "/assets", body: "page", kind: "text/html; charset=utf-8", cache: always},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+c.path, http.NoBody)
			require.NoError(t, err)
			if c.accept != "" {
				request.Header.Set("Accept-Encoding", c.accept)
			}
			answer, err := client.Do(request)
			require.NoError(t, err)
			defer func() { require.NoError(t, answer.Body.Close()) }()
			if c.status != 0 {
				require.Equal(t, c.status, answer.StatusCode)
				return
			}
			require.Equal(t, http.StatusOK, answer.StatusCode)
			body, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			require.Equal(t, c.body, string(body))
			require.Equal(t, c.coding, answer.Header.Get("Content-Encoding"))
			require.Equal(t, c.kind, answer.Header.Get("Content-Type"))
			require.Equal(t, c.cache, answer.Header.Get("Cache-Control"))
			require.Equal(t, "Accept-Encoding", answer.Header.Get("Vary"))
			require.Contains(t, answer.Header.Get("Content-Security-Policy"), "connect-src 'self' http://catalog http://gateway;")
		})
	}
}
