package edge_test

// This file: a server of a small spec, and its callers.

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/edge/edgetest"
)

const things = "/api/v1/things"

const smallSpec = `
openapi: 3.0.3
info: {title: Things, version: '1'}
x-role-groups: {WRITE: {anyOf: [ADMIN], noneOf: [BANNED]}}
paths:
  /api/v1/things:
    get:
      operationId: listThings
      security: [{}, {bearer: []}]
      parameters:
        - {name: n, in: query, schema: {type: integer, format: int32, minimum: 1}}
      responses: &all
        '200': {description: ok}
        default: {description: error}
    post:
      operationId: createThing
      security: [{bearer: []}]
      x-roles: WRITE
      requestBody: {required: true, content: {application/json: {schema: {type: object, additionalProperties: false, properties: {name: {type: string}}}}}}
      responses: *all
    put:
      operationId: replaceThings
      security: [{bearer: []}]
      x-roles: WRITE
      x-body-limit: 8388608
      requestBody: {required: true, content: {application/json: {schema: {type: object, additionalProperties: false, properties: {name: {type: string}}}}}}
      responses: *all
  /api/v1/things/{id}:
    get:
      operationId: getThing
      deprecated: true
      security: [{}, {bearer: []}]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: *all
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}}
`

var identity = sync.OnceValue(func() *auth.DevKey {
	dir, err := os.MkdirTemp("", "edge-test")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	key, err := auth.LoadDevKey(filepath.Join(dir, "dev.pem"))
	if err != nil {
		panic(err)
	}
	return key
})

func token(tb testing.TB, sub string, roles ...string) string {
	tb.Helper()
	signed, err := identity().Sign(auth.DevClaims{Subject: sub, Roles: roles, TTL: time.Hour})
	require.NoError(tb, err)
	return signed
}

func specOf(tb testing.TB) *openapi3.T {
	tb.Helper()
	spec, err := openapi3.NewLoader().LoadFromData([]byte(smallSpec))
	require.NoError(tb, err)
	return spec
}

func optionsOf(tb testing.TB) edge.Options {
	tb.Helper()
	jwks := filepath.Join(tb.TempDir(), "jwks.json")
	require.NoError(tb, identity().WriteJWKS(jwks))
	keys, err := auth.NewKeySet("file://"+jwks, slog.New(slog.DiscardHandler))
	require.NoError(tb, err)
	verifier, err := auth.NewVerifier(keys, auth.Settings{RolesClaim: "roles", Algorithms: []string{"RS256"}})
	require.NoError(tb, err)
	_, _ = verifier.Verify(tb.Context(), token(tb, "warm-up")) // an unknown key is fetched
	return edge.Options{
		Name: "things", Spec: specOf(tb), SpecYAML: []byte(smallSpec), Verifier: verifier, Log: slog.New(slog.DiscardHandler),
		Metrics: edge.NewMetrics(), CORSDomain: "platform.example", DeprecatedSince: "@1767225600",
		Ready: map[string]func(context.Context) error{},
	}
}

// newServer makes a server whose operations all run handle.
func newServer(tb testing.TB, o edge.Options, handle echo.HandlerFunc) *edge.Server {
	tb.Helper()
	s, err := edge.New(o)
	require.NoError(tb, err)
	if handle == nil {
		handle = func(c echo.Context) error { return c.NoContent(http.StatusOK) }
	}
	s.Echo.GET(things, handle)
	s.Echo.POST(things, handle)
	s.Echo.PUT(things, handle)
	s.Echo.GET(things+"/:id", handle)
	return s
}

func start(tb testing.TB, o edge.Options, handle echo.HandlerFunc) edgetest.Client {
	tb.Helper()
	listener := httptest.NewServer(newServer(tb, o, handle).Echo)
	tb.Cleanup(listener.Close)
	return clientOf(tb, listener.URL)
}

// listen serves on a real listener, with net/http's own limits, until the test
// ends.
func listen(tb testing.TB, s *edge.Server) (address string) {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.ServeListener(ctx, listener, time.Second) }()
	tb.Cleanup(func() {
		stop()
		require.NoError(tb, <-ended)
	})
	return listener.Addr().String()
}

func clientOf(tb testing.TB, url string) edgetest.Client {
	tb.Helper()
	contract, err := edgetest.NewContract(specOf(tb))
	require.NoError(tb, err)
	return edgetest.Client{Base: url, Contract: contract}
}

// get sends headers as they are.
func get(tb testing.TB, c edgetest.Client, method, path string, headers http.Header) edgetest.Answer {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), method, c.Base+path, nil)
	require.NoError(tb, err)
	req.Header = headers.Clone()
	return c.Send(tb, req)
}
