package edge_test

// This file: how a server stops: readiness first, the listener later, what runs
// last.

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
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

// requireClosed waits until the address takes no connection any more.
func requireClosed(t *testing.T, address string) {
	t.Helper()
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	}, 10*time.Second, time.Millisecond)
}

// A proxy connects, the server takes nobody in any more, and then the request comes.
func TestTheLastConnectionIsAnswered(t *testing.T) {
	t.Parallel()
	s := newServer(t, optionsOf(t), nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.ServeListener(ctx, listener, 8*time.Second) }()
	address := listener.Addr().String()
	clientOf(t, "http://"+address).Do(t, "GET", "/readyz", nil).Is(200)
	stop()
	last, err := net.Dial("tcp", address)
	require.NoError(t, err, "it goes on for two seconds")
	defer func() { _ = last.Close() }()
	requireClosed(t, address)
	_, err = io.WriteString(last, "GET "+things+" HTTP/1.1\r\nHost: things\r\n\r\n")
	require.NoError(t, err)
	resp, err := http.ReadResponse(bufio.NewReader(last), nil)
	require.NoError(t, err, "it is not dropped")
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.True(t, resp.Close)
	require.NoError(t, <-ended)
}

// At the end a server is not ready, lets what runs finish, and takes no more.
func TestDraining(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}), make(chan struct{})
	s := newServer(t, optionsOf(t), func(c echo.Context) error {
		entered <- struct{}{}
		<-leave
		return c.String(http.StatusOK, "finished")
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.ServeListener(ctx, listener, 8*time.Second) }()
	c := clientOf(t, "http://"+listener.Addr().String())
	c.Do(t, "GET", "/readyz", nil).Is(200)
	var group sync.WaitGroup
	group.Go(func() { require.Equal(t, "finished", string(c.Do(t, "GET", things, nil).Is(200).Body)) })
	<-entered
	stop()
	// load balancers are told before the listener closes
	require.Eventually(t, func() bool {
		resp, err := http.Get(c.Base + "/readyz")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		return err == nil && resp.StatusCode == http.StatusServiceUnavailable && strings.Contains(string(body), "draining")
	}, 10*time.Second, time.Millisecond)
	requireClosed(t, listener.Addr().String())
	close(leave)
	group.Wait()
	require.NoError(t, <-ended)

	// what still runs at the end of the drain time is ended, and said
	running := make(chan struct{})
	s = newServer(t, optionsOf(t), func(c echo.Context) error {
		close(running)
		<-c.Request().Context().Done()
		return nil
	})
	listener, err = net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop = context.WithCancel(t.Context())
	go func() { ended <- s.ServeListener(ctx, listener, time.Millisecond) }()
	go func() {
		if resp, err := http.Get("http://" + listener.Addr().String() + things); err == nil {
			_ = resp.Body.Close()
		}
	}()
	<-running
	stop()
	require.ErrorContains(t, <-ended, "requests were still running at the end of the drain time")
}
