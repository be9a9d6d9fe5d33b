package edge

// This file: the published contract and its interactive page, from assets in
// the binary. All three are off in production (contract 13.2).

import (
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/swaggest/swgui"
	"github.com/swaggest/swgui/v5emb"
	"sigs.k8s.io/yaml"
)

// docsPolicy lets the page run its own packaged scripts and call this host
// only.
const docsPolicy = "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

func (s *Server) addDocs() error {
	asJSON, err := yaml.YAMLToJSON(s.options.SpecYAML)
	if err != nil {
		return err
	}
	s.handleGet("/openapi.yaml", func(c echo.Context) error {
		return c.Blob(http.StatusOK, "application/yaml", s.options.SpecYAML)
	})
	s.handleGet("/openapi.json", func(c echo.Context) error {
		return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, asJSON)
	})
	page := v5emb.NewHandlerWithConfig(swgui.Config{
		Title: s.options.Spec.Info.Title, SwaggerJSON: "/openapi.json", BasePath: "/docs/", HideCurl: false,
		SettingsUI: map[string]string{"persistAuthorization": "true", "tryItOutEnabled": "true", "validatorUrl": "null"},
	})
	guarded := func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderContentSecurityPolicy, docsPolicy)
		w := &foundOnly{ResponseWriter: c.Response()}
		page.ServeHTTP(w, c.Request())
		if w.missing {
			return ErrNotFound
		}
		return nil
	}
	s.handleGet("/docs", guarded)
	s.handleGet("/docs/*", guarded)
	return nil
}

// foundOnly keeps the file server's own text for a missing file back: errors
// are ApiErrorDto (contract 7.1).
type foundOnly struct {
	http.ResponseWriter
	missing bool
}

// WriteHeader implements http.ResponseWriter.
func (w *foundOnly) WriteHeader(status int) {
	if w.missing = status == http.StatusNotFound; !w.missing {
		w.ResponseWriter.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (w *foundOnly) Write(p []byte) (int, error) {
	if w.missing {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}
