package service_test

// This file: a process that starts while its identity service hangs, and is told to
// stop.

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/service"
)

const spec = `
openapi: 3.0.3
info: {title: Things, version: '1'}
paths:
  /things:
    get: {operationId: listThings, security: [{}, {bearer: []}], responses: {'200': {description: ok}}}
components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}
`

func freeAddr(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return listener.Addr().String()
}

func get(t *testing.T, url, bearer string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	if bearer != "" {
		req.Header.Set("Authorization", "Bearer "+bearer)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(raw)
}

func TestIdentityServiceThatHangs(t *testing.T) {
	t.Parallel()
	identity, err := net.Listen("tcp", "127.0.0.1:0") // takes connections, and that is all
	require.NoError(t, err)
	defer identity.Close()
	key, err := auth.LoadDevKey(filepath.Join(t.TempDir(), "dev.pem"))
	require.NoError(t, err)
	token, err := key.Sign(auth.DevClaims{Subject: "me", TTL: time.Hour})
	require.NoError(t, err)

	const drain = 8 * time.Second
	c := service.Config{
		Process: config.Process{ShutdownTimeout: drain}, HTTPAddr: freeAddr(t), Admin: config.Admin{Addr: freeAddr(t)},
		Auth: config.Auth{JWKSURL: "http://" + identity.Addr().String(), RolesClaim: "roles", Algorithms: []string{"RS256"}, JWKSRefresh: time.Hour},
		Edge: config.Edge{CORSDomain: "platform.example"},
	}
	ctx, stop := context.WithCancel(t.Context())
	s, err := service.Start(ctx, "things", c, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer s.Close()
	o, err := s.Edge()
	require.NoError(t, err)
	o.Spec, err = openapi3.NewLoader().LoadFromData([]byte(spec))
	require.NoError(t, err)
	o.SpecYAML = []byte(spec)
	server, err := edge.New(o)
	require.NoError(t, err)
	server.Echo.GET("/things", func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, server) }()
	main, admin := "http://"+c.HTTPAddr, "http://"+c.Admin.Addr
	require.Eventually(t, func() bool {
		status, _ := get(t, main+"/things", "")
		metrics, _ := get(t, admin+"/metrics", "")
		return status == 200 && metrics == 200
	}, 10*time.Second, 10*time.Millisecond)
	for _, url := range []string{main, admin} {
		status, body := get(t, url+"/readyz", "")
		require.Equal(t, 503, status)
		require.Contains(t, body, "Not ready: jwks.")
	}
	_, metrics := get(t, admin+"/metrics", "")
	require.Contains(t, metrics, "auth_key_set_failures_total 0")
	require.Contains(t, metrics, "auth_key_set_age_seconds")

	began := time.Now()
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			status, _ := get(t, main+"/things", token)
			require.Equal(t, 401, status)
		})
	}
	status, _ := get(t, main+"/things", "")
	require.Equal(t, 200, status, "who has no token is served meanwhile")
	stop()
	require.Eventually(t, func() bool {
		_, body := get(t, admin+"/readyz", "")
		return strings.Contains(body, "draining")
	}, drain, 5*time.Millisecond, "also beside the metrics")
	group.Wait()
	require.NoError(t, <-ended, "nothing is cut off")
	require.Less(t, time.Since(began), drain)
}
