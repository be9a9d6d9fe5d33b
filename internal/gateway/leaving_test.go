package gateway_test

// This file: callers that leave in the middle. Their calls end, and nothing of it
// is held against the upstream.

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
)

// calls counts the calls of the provider by the status that stands in the metric.
func (b *bed) calls() map[int]int {
	b.t.Helper()
	families, err := b.metrics.Registry.Gather()
	require.NoError(b.t, err)
	counted := map[int]int{}
	for _, f := range families {
		if f.GetName() != "gateway_upstream_duration_seconds" {
			continue
		}
		for _, m := range f.GetMetric() {
			for _, label := range m.GetLabel() {
				if label.GetName() == "status" {
					status, err := strconv.Atoi(label.GetValue())
					require.NoError(b.t, err)
					counted[status] += int(m.GetHistogram().GetSampleCount())
				}
			}
		}
	}
	return counted
}

// TestCallerGoesAway: a caller that leaves takes the upstream call along.
func TestCallerGoesAway(t *testing.T) {
	t.Parallel()
	arrived, gone := make(chan struct{}), make(chan struct{})
	up := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
		close(gone)
	}))
	t.Cleanup(up.Close)
	b := startGateway(t, config.Gateway{ProviderURL: up.URL, BoxID: box, UpstreamTimeout: time.Minute})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		<-arrived
		cancel()
	}()
	_, err := http.DefaultTransport.RoundTrip(b.request("GET", api+"/boxes", nil).WithContext(ctx))
	require.ErrorIs(t, err, context.Canceled)
	select {
	case <-gone:
	case <-time.After(testTimeout):
		t.Fatal("the upstream call goes on")
	}
	require.Eventually(t, func() bool { return b.calls()[499] > 0 }, testTimeout, time.Millisecond)
	require.Equal(t, map[int]int{499: 1}, b.calls(), "the upstream could be reached")
}

// TestBodyTooLargeIsNoFaultOfTheUpstream: nor is an upload that breaks off.
func TestBodyTooLargeIsNoFaultOfTheUpstream(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "name") })
	b.do(b.request("POST", api+"/shelves", io.LimitReader(zeros{}, 64<<20+1), "Content-Type", "application/octet-stream")).problem(t, 413, "payload_too_large")
	require.Equal(t, map[int]int{499: 1}, b.calls())
	b.upstream.Close()
	b.call("POST", api+"/key-value-storage/get", `{}`).problem(t, 502, "upstream_failed")
	require.Equal(t, map[int]int{499: 1, 0: 1}, b.calls())
}

// TestLeavingIsNoLastFailure: while the circuit is open callers get what the
// upstream's last failure gave, whoever leaves in the meantime.
func TestLeavingIsNoLastFailure(t *testing.T) {
	t.Parallel()
	uploading, end := make(chan struct{}), make(chan struct{})
	up := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			close(uploading)
		}
		select {
		case <-r.Context().Done():
		case <-end:
		}
	}))
	t.Cleanup(up.Close)
	t.Cleanup(func() { close(end) })
	b := startGateway(t, config.Gateway{ProviderURL: up.URL, BoxID: box, UpstreamTimeout: time.Second})
	body, writer := io.Pipe()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	left := make(chan struct{})
	go func() {
		defer close(left)
		_, err := http.DefaultTransport.RoundTrip(b.request("POST", api+"/shelves", body, "Content-Type", "application/octet-stream").WithContext(ctx))
		if err == nil {
			t.Error("the upload was answered")
		}
	}()
	_, err := writer.Write(make([]byte, 64<<10)) // more than net/http gathers before it sends
	require.NoError(t, err)
	<-uploading
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if got := b.call("GET", api+"/boxes", ""); got.StatusCode != http.StatusGatewayTimeout {
				t.Error(got.StatusCode, string(got.body))
			}
		})
	}
	group.Wait()
	leave()
	require.NoError(t, writer.CloseWithError(context.Canceled)) // net/http waits for the end of a body that it reads
	<-left
	require.Eventually(t, func() bool { return b.calls()[499] == 1 }, testTimeout, time.Millisecond)
	b.call("GET", api+"/boxes", "").problem(t, 504, "upstream_timeout")
}
