package demo_test

// This file: what content codings cost and save on a page of the demo catalogue, as it
// is asked for, and what other levels would (contract 1.16).

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/catalog"
	"equipment-platform/internal/database"
	"equipment-platform/internal/demo"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/testdb"
)

func BenchmarkPageInCodings(b *testing.B) {
	log := slog.New(slog.DiscardHandler)
	pool, err := database.Open(b.Context(), testdb.New(b), 4, "bench")
	require.NoError(b, err)
	b.Cleanup(pool.Close)
	require.NoError(b, demo.LoadInto(b.Context(), pool, io.Discard, log))
	jwks := filepath.Join(b.TempDir(), "jwks.json")
	key, err := auth.LoadDevKey(filepath.Join(b.TempDir(), "key.pem"))
	require.NoError(b, err)
	require.NoError(b, key.WriteJWKS(jwks))
	keys, err := auth.NewKeySet("file://"+jwks, log)
	require.NoError(b, err)
	verifier, err := auth.NewVerifier(keys, auth.Settings{RolesClaim: "roles", Algorithms: []string{"RS256"}})
	require.NoError(b, err)
	server, _, err := catalog.NewServer(catalog.Options{DB: pool, Embedder: embedding.NewLexical()}, edge.Options{
		Verifier: verifier, Log: log, Metrics: edge.NewMetrics(), RequestTimeout: time.Minute,
		Ready: map[string]func(context.Context) error{"database": func(ctx context.Context) error { return database.Check(ctx, pool) }},
	})
	require.NoError(b, err)
	listener := httptest.NewServer(server.Echo)
	b.Cleanup(listener.Close)

	page := func(tb testing.TB, coding string) []byte {
		tb.Helper()
		req, err := http.NewRequestWithContext(tb.Context(), http.MethodGet, listener.URL+"/api/v1/vehicles?size=24", nil)
		require.NoError(tb, err)
		req.Header.Set("Accept-Encoding", coding)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(tb, err)
		defer resp.Body.Close()
		require.Equal(tb, http.StatusOK, resp.StatusCode)
		raw, err := io.ReadAll(resp.Body)
		require.NoError(tb, err)
		return raw
	}
	for _, coding := range []string{"identity", "gzip", "zstd"} {
		b.Run("asked for/"+coding, func(b *testing.B) {
			size := 0
			for b.Loop() {
				size = len(page(b, coding))
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
	plain := page(b, "identity")
	level := func(name string, encode func(into *bytes.Buffer)) {
		b.Helper()
		b.Run(name, func(b *testing.B) {
			var into bytes.Buffer
			for b.Loop() {
				into.Reset()
				encode(&into)
			}
			b.ReportMetric(float64(into.Len()), "bytes")
		})
	}
	for n := gzip.BestSpeed; n <= gzip.BestCompression; n++ {
		e, err := gzip.NewWriterLevel(nil, n)
		require.NoError(b, err)
		level(fmt.Sprint("gzip level/", n), func(into *bytes.Buffer) {
			e.Reset(into)
			_, _ = e.Write(plain) // into memory
			_ = e.Close()
		})
	}
	for n := zstd.SpeedFastest; n <= zstd.SpeedBestCompression; n++ {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(n))
		require.NoError(b, err)
		level(fmt.Sprint("zstd level/", n), func(into *bytes.Buffer) { into.Write(e.EncodeAll(plain, nil)) })
	}
}
