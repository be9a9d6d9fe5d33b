package auth_test

// This file: an identity service that takes connections and does not answer.

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/auth"
)

// hanging is an identity service that answers when it is let go.
type hanging struct {
	url     string
	fetches atomic.Int32
	asked   chan struct{} // one for each fetch
	answer  func()
}

func newHanging(t *testing.T, jwks ...m) *hanging {
	t.Helper()
	raw, err := json.Marshal(m{"keys": jwks})
	require.NoError(t, err)
	h, leave := &hanging{asked: make(chan struct{}, 100)}, make(chan struct{})
	h.answer = sync.OnceFunc(func() { close(leave) })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.fetches.Add(1)
		h.asked <- struct{}{}
		select {
		case <-leave:
		case <-r.Context().Done():
		}
		_, _ = w.Write(raw)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(h.answer)
	h.url = server.URL
	return h
}

// hung is less than one caller after another would take, and less than a fetch.
const hung = 8 * time.Second

// Those who wait do so together, each with its own patience.
func TestUnknownKidWhileTheIdentityServiceHangs(t *testing.T) {
	t.Parallel()
	h := newHanging(t, jwkOf(keys().ed, m{"kid": "k"}))
	set, err := auth.NewKeySet(h.url, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	v := newVerifier(t, set, auth.Settings{})
	token := sign(t, m{"alg": "EdDSA", "kid": "k"}, claimsWith(nil), "EdDSA", keys().ed)
	began := time.Now()
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			_, err := v.Verify(t.Context(), token)
			require.ErrorContains(t, err, "signing key is not known")
		})
	}
	<-h.asked
	left, leave := context.WithCancel(t.Context())
	leave()
	_, err = v.Verify(left, token)
	require.Error(t, err, "a caller that left waits for nothing")
	group.Wait()
	require.Less(t, time.Since(began), hung)
	require.EqualValues(t, 1, h.fetches.Load())
	// who still waits when it answers has the keys
	for range 10 {
		group.Go(func() {
			_, err := v.Verify(t.Context(), token)
			require.NoError(t, err)
		})
	}
	h.answer()
	group.Wait()
	require.EqualValues(t, 1, h.fetches.Load())
}

// At the start it is no other: nobody waits long, and the end is not waited for.
func TestIdentityServiceHangsAtTheStart(t *testing.T) {
	t.Parallel()
	h := newHanging(t)
	set, err := auth.NewKeySet(h.url, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); set.Run(ctx, time.Hour) }()
	<-h.asked
	v := newVerifier(t, set, auth.Settings{})
	began := time.Now()
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			_, err := v.Verify(t.Context(), sign(t, m{"alg": "EdDSA", "kid": "k"}, claimsWith(nil), "EdDSA", keys().ed))
			require.Error(t, err)
		})
	}
	group.Wait()
	stop()
	<-ended
	require.Less(t, time.Since(began), hung)
	require.EqualValues(t, 1, h.fetches.Load(), "what was under way is waited for")
}

func TestKeySetMetrics(t *testing.T) {
	t.Parallel()
	p := newIDP(t, jwkOf(keys().ed, m{"kid": "k"}))
	p.status.Store(http.StatusServiceUnavailable)
	set, err := auth.NewKeySet(p.URL, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	registry := prometheus.NewPedanticRegistry()
	require.NoError(t, registry.Register(set))
	value := func(name string) float64 {
		families, err := registry.Gather()
		require.NoError(t, err)
		for _, f := range families {
			if f.GetName() == name {
				return f.GetMetric()[0].GetCounter().GetValue() + f.GetMetric()[0].GetGauge().GetValue()
			}
		}
		require.Fail(t, "no "+name)
		return 0
	}
	go set.Run(t.Context(), 5*time.Millisecond)
	require.Eventually(t, func() bool { return value("auth_key_set_failures_total") > 2 }, 10*time.Second, time.Millisecond)
	old := value("auth_key_set_age_seconds")
	require.Positive(t, old)
	p.status.Store(http.StatusOK)
	require.Eventually(t, func() bool { return value("auth_key_set_age_seconds") < old }, 10*time.Second, time.Millisecond)
}

// A refresh that brings the same keys does not make callers verify again.
func TestTheSameKeysStayTheSame(t *testing.T) {
	t.Parallel()
	p := newIDP(t, jwkOf(keys().ed, m{"kid": "k"}))
	v, token := followed(t, p)
	before := p.fetches.Load()
	require.Eventually(t, func() bool { return p.fetches.Load() > before+3 }, 10*time.Second, time.Millisecond)
	caller, recent := v.Recent(token)
	require.True(t, recent)
	require.Equal(t, "user-1", caller.Subject)
	_, recent = v.Recent(strings.ToUpper(token))
	require.False(t, recent)
	p.publish(t, jwkOf(keys().ed, m{"kid": "k"}), jwkOf(keys().ec, m{"kid": "new"}))
	require.Eventually(t, func() bool { _, recent := v.Recent(token); return !recent }, 10*time.Second, time.Millisecond)
}
