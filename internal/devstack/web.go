// The web app's static server. What belongs here: built assets, the entry page
// for every route of the app, and the settings that the app reads at start.

package devstack

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
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
	FilesURL     string   `json:"filesUrl,omitempty"`
	UsersURL     string   `json:"usersUrl,omitempty"`
	PartnerToken string   `json:"partnerToken"`
	People       []Person `json:"people"`
}

// WebHandler serves the app from root. A path of the app gets the app's page; a
// name of a file that is not there is 404, so that a browser with the page of
// another release does not take that page for a script. Assets have content
// hashes in their names and are kept for good; everything else is asked for again.
func WebHandler(root fs.FS, settings WebSettings) http.Handler {
	policy := contentPolicy(settings)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /settings.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(settings) // the client has gone: nothing to do
	})
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", policy)
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		switch {
		case isFile(root, name):
		case strings.HasPrefix(name, "assets/"), path.Ext(name) != "":
			http.NotFound(w, r)
			return
		default:
			name = "index.html"
		}
		if strings.HasPrefix(name, "assets/") {
			h.Set("Cache-Control", "public, max-age=31536000, immutable")
		} else {
			h.Set("Cache-Control", "no-cache")
		}
		servePacked(w, r, root, name)
	})
	return mux
}

// contentPolicy lets the app reach the services of its settings alone.
func contentPolicy(settings WebSettings) string {
	files, users := originOf(settings.FilesURL), originOf(settings.UsersURL)
	reached := []string{"'self'", settings.CatalogURL, settings.GatewayURL, files, users}
	shown := []string{"'self'", "data:", "blob:", files}
	return "default-src 'self'; connect-src " + sources(reached) + "; img-src " + sources(shown) +
		"; style-src 'self' 'unsafe-inline'; frame-src blob:; frame-ancestors 'none'"
}

func sources(list []string) string {
	return strings.Join(slices.DeleteFunc(list, func(one string) bool { return one == "" }), " ")
}

// originOf is the scheme and host of a URL; empty for none.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// packings are the forms that the build leaves beside a file, the smallest
// first: content coding and what it adds to the name.
var packings = []struct{ coding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// servePacked serves a file in the smallest form that the build made and the
// client takes.
func servePacked(w http.ResponseWriter, r *http.Request, root fs.FS, name string) {
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		h.Set("Content-Type", kind) // else it would be that of the packed file
	}
	accepted := r.Header.Values("Accept-Encoding")
	for _, p := range packings {
		if isFile(root, name+p.suffix) && accepts(accepted, p.coding) {
			h.Set("Content-Encoding", p.coding)
			name += p.suffix
			break
		}
	}
	http.ServeFileFS(w, r, root, name)
}

// accepts reports whether a client names a content coding without refusing it.
func accepts(accepted []string, coding string) bool {
	for entry := range strings.SplitSeq(strings.Join(accepted, ","), ",") {
		name, weight, _ := strings.Cut(entry, ";")
		if strings.EqualFold(strings.TrimSpace(name), coding) {
			q, given := strings.CutPrefix(strings.ReplaceAll(weight, " ", ""), "q=")
			value, err := strconv.ParseFloat(q, 64)
			return !given || (err == nil && value > 0)
		}
	}
	return false
}

func isFile(root fs.FS, name string) bool {
	info, err := fs.Stat(root, name)
	return name != "" && err == nil && !info.IsDir()
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
	settings := WebSettings{CatalogURL: "http://" + catalogAddr, GatewayURL: "http://" + gatewayAddr, FilesURL: s.FilesURL, UsersURL: s.UsersURL, People: people}
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
