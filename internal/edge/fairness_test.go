package edge_test

// This file: what is refused so that others are served: rates, requests at once,
// bytes of bodies and of answers (contract 7.5).

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge"
	"equipment-platform/internal/edge/edgetest"
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
	c.Do(t, "GET", "/healthz", nil).Is(200) // probes have a limit of their own
	off := start(t, optionsOf(t), nil)
	for range 50 {
		require.Empty(t, off.Do(t, "GET", things, nil).Is(200).Header.Get("RateLimit-Limit"))
	}
}

// blocking serves requests that wait where their path has no id.
func blocking(entered chan<- struct{}, leave <-chan struct{}) echo.HandlerFunc {
	return func(c echo.Context) error {
		if c.Param("id") == "" {
			entered <- struct{}{}
			<-leave
		}
		return c.NoContent(http.StatusOK)
	}
}

// MaxInFlight bounds the requests that run at once, not one by one; nobody has more
// than a quarter of the places.
func TestPlaces(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.MaxInFlight = 8
	entered, leave := make(chan struct{}), make(chan struct{})
	c := start(t, o, blocking(entered, leave))
	release := sync.OnceFunc(func() { close(leave) })
	t.Cleanup(release)
	var group sync.WaitGroup
	enter := func(who edgetest.Client) {
		group.Go(func() { who.Do(t, "GET", things, nil).Is(200) })
		<-entered
	}
	one := c.As(token(t, "one"))
	enter(one)
	enter(one)
	a := one.Do(t, "GET", things+"/1", nil).Fails(429, "rate_limited")
	require.Equal(t, "1", a.Header.Get("Retry-After"))
	c.As(token(t, "one", "ADMIN")).Do(t, "GET", things+"/1", nil).Fails(429, "rate_limited") // another token of the same
	c.As(token(t, "two")).Do(t, "GET", things+"/1", nil).Is(200)
	enter(c)
	enter(c) // nobody's, by address
	c.Do(t, "GET", things+"/1", nil).Fails(429, "rate_limited")
	for _, sub := range []string{"two", "three"} {
		enter(c.As(token(t, sub)))
		enter(c.As(token(t, sub)))
	}
	a = c.As(token(t, "four")).Do(t, "GET", things+"/1", nil).Fails(503, "overloaded")
	require.Equal(t, "1", a.Header.Get("Retry-After"))
	c.Do(t, "GET", "/healthz", nil).Is(200)
	c.Do(t, "GET", "/readyz", nil).Is(200)
	release()
	group.Wait()
	for _, who := range []edgetest.Client{one, c, c.As(token(t, "four"))} {
		who.Do(t, "GET", things+"/1", nil).Is(200)
	}
}

// Everybody may have one place, however few there are.
func TestOnePlace(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.MaxInFlight = 1
	entered, leave := make(chan struct{}), make(chan struct{})
	c := start(t, o, blocking(entered, leave))
	release := sync.OnceFunc(func() { close(leave) })
	t.Cleanup(release)
	done := make(chan struct{})
	go func() { defer close(done); c.Do(t, "GET", things, nil).Is(200) }()
	<-entered
	c.As(token(t, "other")).Do(t, "GET", things+"/1", nil).Fails(503, "overloaded")
	release()
	<-done
	c.Do(t, "GET", things+"/1", nil).Is(200)
}

// sendSlowly begins a request whose body does not come. It returns when the server
// reads it.
func sendSlowly(t *testing.T, address, method, bearer string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 100000\r\nExpect: 100-continue\r\n\r\n", method, things, bearer)
	require.NoError(t, err)
	line := make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))
	_, err = io.ReadFull(conn, line)
	require.NoError(t, err)
	require.Contains(t, string(line), " 100 ")
	return conn
}

// Callers that send their bodies slowly keep nobody else out, and are themselves
// bounded; also with a body that nobody asked for.
func TestSlowBodiesKeepNobodyOut(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"POST", "GET"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			o := optionsOf(t)
			o.MaxInFlight, o.Bodies = 8, 1<<20
			c := start(t, o, nil)
			for n := range 10 {
				bearer := token(t, fmt.Sprint("writer", n), "ADMIN")
				for range 2 {
					sendSlowly(t, strings.TrimPrefix(c.Base, "http://"), method, bearer)
				}
				c.As(bearer).Do(t, "GET", things, nil).Fails(429, "rate_limited")
				c.Do(t, "GET", things, nil).Is(200)
				c.As(token(t, "reader", "ADMIN")).Do(t, "POST", things, map[string]any{"name": "x"}).Is(200)
			}
		})
	}
}

// A body must come at a least rate, whether it is read into memory, streamed or
// thrown away; what is slow in the service does not count.
func TestBodiesThatComeTooSlowly(t *testing.T) {
	t.Parallel()
	server := newServer(t, optionsOf(t), func(c echo.Context) error {
		_, err := io.Copy(io.Discard, c.Request().Body)
		return err
	})
	server.SetBodyPatience(50 * time.Millisecond)
	address := listen(t, server)
	for _, method := range []string{"POST", "GET"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			conn := sendSlowly(t, address, method, token(t, "writer", "ADMIN"))
			stop := make(chan struct{})
			sent := make(chan struct{})
			go func() { // a byte now and then does not help
				defer close(sent)
				for {
					select {
					case <-stop:
						return
					case <-time.After(5 * time.Millisecond):
						_, _ = conn.Write([]byte(" ")) // the server may have closed
					}
				}
			}()
			r := bufio.NewReader(conn)
			resp, err := http.ReadResponse(r, nil)
			require.NoError(t, err)
			defer resp.Body.Close()
			require.Equal(t, http.StatusRequestTimeout, resp.StatusCode)
			require.True(t, resp.Close)
			var body struct{ Code string }
			require.NoError(t, json.NewDecoder(resp.Body).Decode(&body))
			require.Equal(t, "request_timeout", body.Code)
			close(stop)
			<-sent
		})
	}
}

// A body that comes may take longer than the request's own time, which begins after
// it.
func TestBodiesThatTakeLong(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.RequestTimeout = time.Second
	conn, err := net.Dial("tcp", listen(t, newServer(t, o, func(c echo.Context) error {
		if err := c.Request().Context().Err(); err != nil {
			return err
		}
		return c.NoContent(http.StatusOK)
	})))
	require.NoError(t, err)
	defer conn.Close()
	const pieces = 6
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", things, token(t, "w", "ADMIN"), pieces+2)
	require.NoError(t, err)
	for range pieces {
		time.Sleep(200 * time.Millisecond)
		_, err = io.WriteString(conn, " ")
		require.NoError(t, err)
	}
	_, err = io.WriteString(conn, "{}")
	require.NoError(t, err)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, http.StatusOK, resp.StatusCode)
}

// The deadline of a body does not outlive it: its passing would look as if the caller
// had left.
func TestDeadlinesEndWithTheBody(t *testing.T) {
	t.Parallel()
	const patience = 300 * time.Millisecond
	server := newServer(t, optionsOf(t), func(c echo.Context) error {
		select {
		case <-c.Request().Context().Done():
			return c.Request().Context().Err()
		case <-time.After(3 * patience):
			return c.NoContent(http.StatusOK)
		}
	})
	server.SetBodyPatience(patience)
	c := clientOf(t, "http://"+listen(t, server)).As(token(t, "w", "ADMIN"))
	c.Do(t, "POST", things, map[string]any{"name": "x"}).Is(200)
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
	})
	one, two := c.As(token(t, "one", "ADMIN")), c.As(token(t, "two", "ADMIN"))
	body := func(size int) any { return map[string]any{"name": strings.Repeat("x", size)} }
	var group sync.WaitGroup
	group.Go(func() { one.Do(t, "PUT", things, body(5<<20)).Is(200) }) // one alone may have more than a quarter
	<-entered
	a := two.Do(t, "PUT", things, body(4<<20)).Fails(503, "overloaded")
	require.Equal(t, "1", a.Header.Get("Retry-After"))
	one.Do(t, "PUT", things, body(1<<20)).Fails(429, "rate_limited")
	two.Do(t, "PUT", things, body(800<<10)).Is(200) // what fits beside it
	one.Do(t, "PUT", things, body(60<<10)).Is(200)
	two.Do(t, "PUT", things, body(8<<20)).Fails(413, "payload_too_large")
	close(leave)
	group.Wait()
	group.Go(func() { two.Do(t, "PUT", things, body(6<<20)).Is(200) })
	<-entered
	group.Wait()
}

// Answers bounds what answers hold at once, until they are written.
func TestAnswerBudget(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.Answers = 8 << 20
	entered, leave := make(chan struct{}), make(chan struct{})
	c := start(t, o, func(c echo.Context) error {
		kib, err := strconv.Atoi(c.Param("id"))
		if err != nil {
			return err
		}
		for range kib {
			if err := edge.Reserve(c.Request().Context(), 1<<10); err != nil {
				return fmt.Errorf("row: %w", err)
			}
		}
		if c.QueryParam("wait") != "" {
			entered <- struct{}{}
			<-leave
		}
		return c.NoContent(http.StatusOK)
	})
	var group sync.WaitGroup
	one, two, three := c.As(token(t, "one")), c.As(token(t, "two")), c.As(token(t, "three"))
	group.Go(func() { one.Do(t, "GET", things+"/6000?wait=1", nil).Is(200) })
	<-entered
	one.Do(t, "GET", things+"/100", nil).Fails(429, "rate_limited")
	group.Go(func() { two.Do(t, "GET", things+"/1500?wait=1", nil).Is(200) })
	<-entered
	a := three.Do(t, "GET", things+"/1000", nil).Fails(503, "overloaded")
	require.Equal(t, "1", a.Header.Get("Retry-After"))
	for _, who := range []edgetest.Client{one, two, three} {
		who.Do(t, "GET", things+"/64", nil).Is(200) // ordinary ones never meet the bound
	}
	close(leave)
	group.Wait()
	three.Do(t, "GET", things+"/8192", nil).Is(200)
	three.Do(t, "GET", things+"/9000", nil).Fails(503, "overloaded")
	three.Do(t, "GET", things+"/8192", nil).Is(200)
	require.NoError(t, edge.Reserve(t.Context(), 1<<40), "outside of a request")
}
