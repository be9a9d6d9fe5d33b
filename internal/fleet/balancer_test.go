package fleet_test

// This file: a load balancer, as small as one can be: in turn to all that are
// ready, no second try, connections kept.

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// lookEvery is how often the balancer asks /readyz: several times within the
// time that a server goes on answering after it has gone off.
const lookEvery = 100 * time.Millisecond

type balancer struct {
	url      string
	failures failures // requests that got no answer from a server

	mu      sync.Mutex
	servers []server
	ready   []*httputil.ReverseProxy
	turn    int
}

type server struct {
	addr  string
	proxy *httputil.ReverseProxy
}

func startBalancer(t *testing.T, addrs ...string) *balancer {
	t.Helper()
	b := &balancer{}
	for _, addr := range addrs {
		b.add(addr)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var looking sync.WaitGroup
	looking.Go(func() {
		for ctx.Err() == nil {
			b.look()
			select {
			case <-ctx.Done():
			case <-time.After(lookEvery):
			}
		}
	})
	front := httptest.NewServer(b)
	t.Cleanup(func() { stop(); looking.Wait(); front.Close() })
	b.url = front.URL
	return b
}

// add lets a server take part.
func (b *balancer) add(addr string) {
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: addr})
	proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 64}
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, err error) {
		b.failures.add(err.Error())
		w.WriteHeader(http.StatusBadGateway)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.servers = append(b.servers, server{addr, proxy})
}

func (b *balancer) look() {
	b.mu.Lock()
	servers := slices.Clone(b.servers)
	b.mu.Unlock()
	var ready []*httputil.ReverseProxy
	for _, s := range servers {
		if status(s.addr, "/readyz") == http.StatusOK {
			ready = append(ready, s.proxy)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ready = ready
}

// await waits until so many servers are ready.
func (b *balancer) await(t testing.TB, n int) {
	t.Helper()
	require.Eventually(t, func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return len(b.ready) == n
	}, patience, 10*time.Millisecond)
}

// ServeHTTP implements http.Handler.
func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	if len(b.ready) == 0 {
		b.mu.Unlock()
		b.failures.add("no server is ready")
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	b.turn++
	next := b.ready[b.turn%len(b.ready)]
	b.mu.Unlock()
	next.ServeHTTP(w, r)
}
