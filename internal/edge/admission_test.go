package edge_test

// This file: what is refused so that others are served: rates, requests at once
// and bytes of bodies (D7.5).

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge"
)

func TestRateLimit(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.RateLimitRPS, o.RateLimitBurst = 0.001, 3
	c := start(t, o, nil)
	spend := func(header http.Header, by string) {
		for n := range 3 {
			a := get(t, c, "GET", things, header).Is(200)
			require.Equal(t, "3", a.Header.Get("RateLimit-Limit"))
			require.Equal(t, strconv.Itoa(2-n), a.Header.Get("RateLimit-Remaining"), by)
		}
		a := get(t, c, "GET", things, header).Fails(429, "rate_limited")
		require.Regexp(t, `^[1-9]\d*$`, a.Header.Get("Retry-After"))
		require.Equal(t, "0", a.Header.Get("RateLimit-Remaining"))
	}
	spend(http.Header{"Authorization": {"Bearer " + token(t, "one")}}, "one")
	spend(http.Header{"Authorization": {"Bearer " + token(t, "two")}}, "each subject has a bucket")
	spend(nil, "an address")
	// headers that anybody can write make no other caller
	get(t, c, "GET", things, http.Header{"X-Forwarded-For": {"192.0.2.1"}, "X-Real-Ip": {"192.0.2.1"}, "Forwarded": {"for=192.0.2.1"}}).Fails(429, "rate_limited")
	get(t, c, "GET", things, http.Header{"Authorization": {"Bearer " + token(t, "one", "ADMIN")}}).Fails(429, "rate_limited")
	c.Do(t, "GET", "/healthz", nil).Is(200) // probes are free
	off := start(t, optionsOf(t), nil)
	for range 50 {
		require.Empty(t, off.Do(t, "GET", things, nil).Is(200).Header.Get("RateLimit-Limit"))
	}
}

// MaxInFlight bounds the requests that run at once, not one by one.
func TestMaxInFlight(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.MaxInFlight = 2
	entered, leave := make(chan struct{}), make(chan struct{})
	c := start(t, o, func(c echo.Context) error {
		if c.Param("id") == "" {
			entered <- struct{}{}
			<-leave
		}
		return c.NoContent(http.StatusOK)
	})
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() { c.Do(t, "GET", things, nil).Is(200) })
		<-entered
	}
	a := c.Do(t, "GET", things+"/1", nil).Fails(503, "overloaded")
	require.Equal(t, "1", a.Header.Get("Retry-After"))
	c.Do(t, "GET", "/healthz", nil).Is(200)
	c.Do(t, "GET", "/readyz", nil).Is(200)
	close(leave)
	group.Wait()
	c.Do(t, "GET", things+"/1", nil).Is(200)
}

// Callers that send their bodies slowly keep nobody out.
func TestSlowBodiesKeepNobodyOut(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.MaxInFlight, o.Bodies = 2, 1<<20
	c := start(t, o, nil)
	bearer := token(t, "writer", "ADMIN")
	for range 10 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(c.Base, "http://"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{\"name\":\"", things, bearer)
		require.NoError(t, err)
		c.Do(t, "GET", things, nil).Is(200)
		c.As(bearer).Do(t, "POST", things, map[string]any{"name": "x"}).Is(200)
	}
}

// Bodies bounds the bytes of bodies in memory at once; small ones always fit.
func TestBodyBudget(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.Bodies = 6 << 20
	o.Check = func(c echo.Context, _ string) *edge.Problem { // as the gateway's does
		c.SetRequest(c.Request().WithContext(context.WithoutCancel(c.Request().Context())))
		return nil
	}
	entered, leave := make(chan struct{}), make(chan struct{})
	c := start(t, o, func(c echo.Context) error {
		if c.Request().Method == http.MethodPut && c.Request().ContentLength > 2<<20 {
			entered <- struct{}{}
			<-leave
		}
		return c.NoContent(http.StatusOK)
	}).As(token(t, "writer", "ADMIN"))
	body := func(size int) any { return map[string]any{"name": strings.Repeat("x", size)} }
	var group sync.WaitGroup
	group.Go(func() { c.Do(t, "PUT", things, body(5<<20)).Is(200) })
	<-entered
	a := c.Do(t, "PUT", things, body(4<<20)).Fails(503, "overloaded")
	require.Equal(t, "1", a.Header.Get("Retry-After"))
	c.Do(t, "PUT", things, body(1<<20)).Is(200) // what fits beside it
	c.Do(t, "PUT", things, body(60<<10)).Is(200)
	c.Do(t, "PUT", things, body(8<<20)).Fails(413, "payload_too_large")
	close(leave)
	group.Wait()
	group.Go(func() { c.Do(t, "PUT", things, body(6<<20)).Is(200) })
	<-entered
	group.Wait()
}
