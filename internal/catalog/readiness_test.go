package catalog_test

// This file: readiness of the program while its requests have all the connections
// (contract 7.6).

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/catalog"
	"equipment-platform/internal/config"
	"equipment-platform/internal/testdb"
)

func TestReadyWhileBusy(t *testing.T) {
	t.Parallel()
	url, jwks := testdb.New(t), filepath.Join(t.TempDir(), "jwks.json")
	require.NoError(t, identity().WriteJWKS(jwks))
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := free.Addr().String()
	require.NoError(t, free.Close())
	c, err := config.From[config.Catalog](map[string]string{
		"DATABASE_URL": url, "DATABASE_MAX_CONNS": "1", "AUTH_JWKS_URL": "file://" + jwks, "HTTP_ADDR": address, "SHUTDOWN_TIMEOUT": "1s",
	})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- catalog.Serve(ctx, c, slog.New(slog.DiscardHandler)) }()
	defer func() {
		stop()
		require.NoError(t, <-ended)
	}()
	get := func(path string) (int, string) {
		resp, err := http.Get("http://" + address + path)
		if err != nil {
			return 0, ""
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, string(body)
	}
	require.Eventually(t, func() bool { status, _ := get("/readyz"); return status == 200 }, 20*time.Second, 20*time.Millisecond)

	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	tx, err := conn.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "LOCK TABLE groups IN ACCESS EXCLUSIVE MODE")
	require.NoError(t, err)
	answers := make(chan int, 3)
	for range cap(answers) { // the one connection, and two that wait for it
		go func() { status, _ := get(base + "/groups"); answers <- status }()
	}
	require.Eventually(t, func() bool {
		var waiting int
		require.NoError(t, tx.QueryRow(t.Context(), "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'groups'::regclass").Scan(&waiting))
		return waiting == 1
	}, 20*time.Second, 5*time.Millisecond)
	for range 3 {
		time.Sleep(1100 * time.Millisecond) // a look holds for a second
		status, body := get("/readyz")
		require.Equal(t, 200, status, body)
	}
	require.NoError(t, tx.Rollback(t.Context()))
	for range cap(answers) {
		require.Equal(t, 200, <-answers)
	}
}
