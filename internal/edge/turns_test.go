package edge_test

// This file: whose turn it is to work (contract 7.5).

import (
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge"
	"equipment-platform/internal/edge/edgetest"
)

// Where somebody else is there, one caller works at half of what works at once, however
// much it asks for; what it asked for waits, and all of it is done.
func TestTurns(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.Turns = 4
	entered, leave := make(chan struct{}, 100), make(chan struct{})
	var working, most atomic.Int32
	c := start(t, o, func(c echo.Context) error {
		if c.Param("id") == "" {
			if now := working.Add(1); now > most.Load() {
				most.Store(now)
			}
			defer working.Add(-1)
			entered <- struct{}{}
			<-leave
		}
		return c.NoContent(http.StatusOK)
	})
	release := sync.OnceFunc(func() { close(leave) })
	t.Cleanup(release)
	one, two := c.As(token(t, "one")), c.As(token(t, "two"))
	two.Do(t, "GET", things+"/1", nil).Is(200)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { one.Do(t, "GET", things, nil).Is(200) })
	}
	<-entered
	<-entered
	// one who leaves the line
	leaving, end := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(leaving, "GET", c.Base+things, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token(t, "one"))
	group.Go(func() {
		resp, err := http.DefaultClient.Do(req)
		if err == nil { // it had its turn before
			_ = resp.Body.Close()
		}
	})
	for range 20 {
		two.Do(t, "GET", things+"/1", nil).Is(200) // nobody else waits
	}
	end()
	require.Empty(t, entered)
	release()
	group.Wait()
	require.Equal(t, int32(2), most.Load())
}

// Who is alone has all turns.
func TestTurnsOfOneWhoIsAlone(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.Turns = 4
	entered, leave := make(chan struct{}), make(chan struct{})
	c := start(t, o, blocking(entered, leave))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { c.Do(t, "GET", things, nil).Is(200) })
	}
	for range 4 {
		<-entered
	}
	// another one is the next
	other, another := make(chan edgetest.Answer), c.As(token(t, "other"))
	go func() { other <- another.Do(t, "GET", things+"/1", nil) }()
	leave <- struct{}{}
	(<-other).Is(200)
	close(leave)
	group.Wait()
}

// A turn ends with the first byte of the answer: who reads slowly keeps nobody waiting.
func TestTurnsEndWithTheAnswer(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.Turns = 1
	read := make(chan struct{})
	c := start(t, o, func(c echo.Context) error {
		end, err := edge.Compute(c.Request().Context())
		if err != nil {
			return err
		}
		if _, err := c.Response().Write([]byte("x")); err != nil {
			return err
		}
		c.Response().Flush()
		if c.Param("id") == "" {
			<-read
		}
		end() // again
		return nil
	})
	resp, err := http.Get(c.Base + things)
	require.NoError(t, err)
	resp2, err := http.Get(c.Base + things + "/1")
	require.NoError(t, err)
	close(read)
	for _, r := range []*http.Response{resp2, resp} {
		_, err = io.Copy(io.Discard, r.Body)
		require.NoError(t, err)
		require.NoError(t, r.Body.Close())
		require.Equal(t, 200, r.StatusCode)
	}
}
