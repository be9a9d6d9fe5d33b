package edge_test

// This file: probes (contract 7.6).

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge"
)

func TestReadiness(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	var up atomic.Bool
	o.Ready = map[string]func(context.Context) error{"database": func(context.Context) error {
		if up.Load() {
			return nil
		}
		return errors.New("secret: no connection")
	}, "other": func(context.Context) error { return nil }}
	c := start(t, o, nil)
	a := c.Do(t, "GET", "/readyz", nil).Fails(503, "overloaded")
	require.Contains(t, a.Text("message"), "database")
	require.NotContains(t, string(a.Body), "secret")
	c.Do(t, "GET", "/healthz", nil).Is(200)
	up.Store(true)
	require.Eventually(t, func() bool { return c.Do(t, "GET", "/readyz", nil).Status == 200 }, 10*time.Second, 20*time.Millisecond, "a look holds for a second")
	require.JSONEq(t, `{"status":"ok","checks":{"database":"ok","other":"ok"}}`, string(c.Do(t, "GET", "/readyz", nil).Is(200).Body))
}

// However many ask, on both listeners, the process is looked at once; a check that
// hangs delays no other one.
func TestReadinessIsLookedAtOnce(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	var looks atomic.Int32
	begun, leave := make(chan struct{}), make(chan struct{})
	o.Ready = map[string]func(context.Context) error{
		"slow": func(context.Context) error {
			if looks.Add(1) == 1 {
				close(begun)
			}
			<-leave
			return nil
		},
		"hung": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	}
	s := newServer(t, o, nil)
	listener := httptest.NewServer(s.Echo)
	t.Cleanup(listener.Close)
	admin := httptest.NewServer(http.HandlerFunc(s.ReadyHandler))
	t.Cleanup(admin.Close)
	c := clientOf(t, listener.URL)
	ctx, give := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Base+"/readyz", nil)
	require.NoError(t, err)
	var group sync.WaitGroup
	group.Go(func() {
		_, err := http.DefaultClient.Do(req)
		require.ErrorIs(t, err, context.Canceled)
	})
	<-begun
	give() // the first leaves: the others want to know all the same
	for range 30 {
		group.Go(func() {
			a := c.Do(t, "GET", "/readyz", nil).Fails(503, "overloaded")
			require.Equal(t, "Not ready: hung.", a.Text("message"))
		})
		group.Go(func() {
			resp, err := http.Get(admin.URL + "/readyz")
			require.NoError(t, err)
			defer resp.Body.Close()
			require.Equal(t, 503, resp.StatusCode)
		})
	}
	close(leave)
	group.Wait()
	require.LessOrEqual(t, looks.Load(), int32(2))
}

// Anybody can ask the main listener, so probes are limited there, for each address
// and apart from everything else.
func TestProbesAreLimited(t *testing.T) {
	t.Parallel()
	s := newServer(t, optionsOf(t), nil)
	listener := httptest.NewServer(s.Echo)
	t.Cleanup(listener.Close)
	c := clientOf(t, listener.URL)
	var group sync.WaitGroup
	var refused atomic.Int32
	for range 20 {
		group.Go(func() {
			for refused.Load() == 0 {
				if a := c.Do(t, "GET", "/readyz", nil); a.Status != 200 {
					require.NotEmpty(t, a.Fails(429, "rate_limited").Header.Get("Retry-After"))
					refused.Add(1)
				}
			}
		})
	}
	group.Wait()
	c.Do(t, "GET", things, nil).Is(200)
	admin := httptest.NewRecorder()
	s.ReadyHandler(admin, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	require.Equal(t, 200, admin.Code, "not beside the metrics")
}

// The listener of the metrics has the probes too.
func TestProbesBesideTheMetrics(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	s := newServer(t, optionsOf(t), nil)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- edge.NewMetrics().ServeAdmin(ctx, address, s.ReadyHandler) }()
	status := func(path string) int {
		resp, err := http.Get("http://" + address + path)
		if err != nil {
			return 0
		}
		defer resp.Body.Close()
		return resp.StatusCode
	}
	require.Eventually(t, func() bool { return status("/healthz") == 204 }, 10*time.Second, 5*time.Millisecond)
	require.Equal(t, 200, status("/readyz"))
	require.Equal(t, 200, status("/metrics"))
	stop()
	require.NoError(t, <-ended)
}
