package catalog_test

// This file: what the catalog publishes of itself (contract 13.2), and its answers to
// pages of other origins (contract 5.8).

import (
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge"
	"equipment-platform/internal/edge/edgetest"
	"equipment-platform/openapi"
)

func TestPublishedSpec(t *testing.T) {
	t.Parallel()
	a := setup(t)
	require.Equal(t, string(openapi.Catalog), string(a.Do(t, "GET", "/openapi.yaml", nil).Is(200).Body))
	var spec struct {
		OpenAPI string
		Info    struct{ Version string }
		Paths   map[string]any
	}
	a.Do(t, "GET", "/openapi.json", nil).Is(200).JSON(&spec)
	require.Equal(t, "3.0.3", spec.OpenAPI)
	require.Equal(t, "1.0.0-SNAPSHOT", spec.Info.Version)
	for _, op := range goldenOperations(t) {
		require.Contains(t, spec.Paths, op.path)
	}
	a.Do(t, "GET", "/docs", nil).Is(200)
	off := setup(t, func(o *edge.Options) { o.Docs = false })
	for _, path := range []string{"/docs", "/docs/", "/docs/index.html", "/openapi.yaml", "/openapi.json"} {
		off.Do(t, "GET", path, nil).Fails(404, "not_found")
		off.admin.Do(t, "GET", path, nil).Fails(404, "not_found")
	}
	off.Do(t, "GET", base+"/groups", nil).Is(200)
}

func TestPagesOfOtherOrigins(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for _, s := range f.samples(t) {
		origin := edgetest.Header{Name: "Origin", Value: "https://app.platform.example"}
		preflight := f.Do(t, "OPTIONS", s.path, nil, origin, edgetest.Header{Name: "Access-Control-Request-Method", Value: s.method},
			edgetest.Header{Name: "Access-Control-Request-Headers", Value: "authorization,content-type,if-match,idempotency-key"}).Is(204)
		require.Equal(t, origin.Value, preflight.Header.Get("Access-Control-Allow-Origin"), s.operation)
		require.Contains(t, preflight.Header.Get("Access-Control-Allow-Methods"), s.method)
		require.Contains(t, preflight.Header.Get("Access-Control-Allow-Headers"), "idempotency-key")
		require.Equal(t, origin.Value, s.by.Do(t, s.method, s.path, s.body, origin).Is(s.status).Header.Get("Access-Control-Allow-Origin"))
		evil := edgetest.Header{Name: "Origin", Value: "https://evil.example"}
		require.Empty(t, f.Do(t, s.method, s.path, s.body, evil).Header.Get("Access-Control-Allow-Origin"))
	}
}
