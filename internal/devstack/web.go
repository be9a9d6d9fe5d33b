// The web app's static server. What belongs here: built assets, the entry page
// for every route of the app, and the settings that the app reads at start.

package devstack

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"strings"
	"time"
)

// Person is somebody that the development token picker offers.
type Person struct {
	Name    string   `json:"name"`
	Subject string   `json:"subject"`
	Roles   []string `json:"roles"`
	Token   string   `json:"token"`
}

// WebSettings is what the app reads from /settings.json.
type WebSettings struct {
	CatalogURL   string   `json:"catalogUrl"`
	GatewayURL   string   `json:"gatewayUrl"`
	PartnerToken string   `json:"partnerToken"`
	People       []Person `json:"people"`
}

// WebHandler serves the app from root. A path without a file is a route of the
// app and gets its page; assets have content hashes in their names and are kept.
func WebHandler(root fs.FS, settings WebSettings) http.Handler {
	files := http.FileServerFS(root)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /settings.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(settings) // the client has gone: nothing to do
	})
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'self'; connect-src 'self' "+settings.CatalogURL+" "+settings.GatewayURL+
			"; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'")
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if info, err := fs.Stat(root, name); name != "" && err == nil && !info.IsDir() {
			if strings.HasPrefix(name, "assets/") {
				h.Set("Cache-Control", "public, max-age=31536000, immutable")
			}
			files.ServeHTTP(w, r)
			return
		}
		if strings.HasPrefix(name, "assets/") {
			http.NotFound(w, r)
			return
		}
		h.Set("Cache-Control", "no-cache")
		http.ServeFileFS(w, r, root, "index.html")
	})
	return mux
}

// web serves the app on an origin of its own, so that CORS is exercised as in
// production.
func (s Stack) web(ctx context.Context, r *running) error {
	root := os.DirFS(s.WebRoot)
	if _, err := fs.Stat(root, "index.html"); err != nil {
		return errNoWebRoot
	}
	people, err := s.people()
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.WebAddr)
	if err != nil {
		return err
	}
	settings := WebSettings{CatalogURL: "http://" + catalogAddr, GatewayURL: "http://" + gatewayAddr, People: people}
	if s.Variables["PROVIDER_URL"] == "" { // at another provider people sign in
		settings.PartnerToken = "sandbox-token"
	}
	server := &http.Server{
		Handler:           WebHandler(root, settings),
		ReadHeaderTimeout: 5 * time.Second,
	}
	r.onStop(func() { _ = server.Close() })
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			r.died <- err
		}
	}()
	return nil
}
