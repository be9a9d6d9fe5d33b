package gateway_test

// This file: what one small typed call costs inside the gateway.

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"equipment-platform/internal/config"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/gateway"
)

func BenchmarkListDocuments(b *testing.B) {
	document := marshal(b, sample(upstreamSpecs["exchange"]().Components.Schemas["DocumentList"].Value, 2))
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document)
	}))
	defer up.Close()
	_, verifier := keys()
	server, err := gateway.NewServer(config.Gateway{ProviderURL: up.URL, BoxID: box, UpstreamTimeout: 30 * time.Second}, edge.Options{Verifier: verifier, Metrics: edge.NewMetrics(), Log: slog.New(slog.DiscardHandler)})
	must(err)
	token := tokenFor(b, "bench", "MANAGER")
	b.ReportAllocs()
	b.SetBytes(int64(len(document)))
	for b.Loop() {
		req := httptest.NewRequest("GET", api+"/documents", nil)
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("X-Partner-Access-Token", partnerToken)
		w := httptest.NewRecorder()
		server.Echo.ServeHTTP(w, req)
		if w.Code != http.StatusOK {
			b.Fatal(w.Code, w.Body)
		}
	}
}
