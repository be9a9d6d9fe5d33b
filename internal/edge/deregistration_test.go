package edge_test

// This file: the order in which a server stops: readiness first, the listener
// later.

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestReadinessGoesOffFirst(t *testing.T) {
	t.Parallel()
	s := newServer(t, optionsOf(t), nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.ServeListener(ctx, listener, time.Minute) }()
	c := clientOf(t, "http://"+listener.Addr().String())
	kept := c.Do(t, "GET", things, nil).Is(200)
	require.Empty(t, kept.Header.Get("Connection"))
	stop()
	require.Eventually(t, func() bool { return c.Do(t, "GET", "/readyz", nil).Status == http.StatusServiceUnavailable }, time.Minute, time.Millisecond)
	// a request that a load balancer sends before it has looked: on a connection of its own
	resp, err := (&http.Client{Transport: &http.Transport{}}).Get(c.Base + things)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.True(t, resp.Close, "the connection is not to be kept")
	require.NoError(t, <-ended)
	_, err = net.Dial("tcp", listener.Addr().String())
	require.Error(t, err, "then it is closed")
}
