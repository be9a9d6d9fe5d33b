package edge

// This file: the published contract and its interactive page, from files in
// the program. All three are off in production (contract 13.2).

import (
	"net/http"

	"github.com/labstack/echo/v4"
	"sigs.k8s.io/yaml"

	"equipment-platform/internal/docspage"
)

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
	page := func(c echo.Context) error {
		gzipTaken := acceptedWeights(c.Request().Header.Values(echo.HeaderAcceptEncoding))["gzip"] > 0
		found, err := docspage.Serve(c.Response(), c.Request(), c.Param("*"), gzipTaken)
		if !found {
			return ErrNotFound
		}
		return err
	}
	s.handleGet("/docs", page)
	s.handleGet("/docs/*", page)
	return nil
}
