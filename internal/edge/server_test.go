package edge_test

// This file: request ids, logs, panics, limits, health, docs and the end of a
// server's life (D7).

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge"
)

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	c := start(t, optionsOf(t), nil)
	seen := map[string]bool{}
	for _, good := range []string{"a", "A-b_c.9", strings.Repeat("x", 64)} {
		for _, path := range []string{things, things + "?n=0", "/nothing", "/healthz"} {
			require.Equal(t, good, get(t, c, "GET", path, http.Header{"X-Request-Id": {good}}).Header.Get("X-Request-Id"))
		}
	}
	for _, bad := range []string{"", " ", strings.Repeat("x", 65), "a b", "a\tb", "é", `a"b`, "a/b", "<script>", "a,b", "a;b", "%0a", "${jndi:x}"} {
		id := get(t, c, "GET", things, http.Header{"X-Request-Id": {bad}}).Header.Get("X-Request-Id")
		require.Regexp(t, `^[A-Za-z0-9._-]{1,64}$`, id)
		require.False(t, seen[id], "a new one")
		seen[id] = true
	}
}

// logs is a log that tests read.
type logs struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.Write(p)
}

func (l *logs) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.String()
}

func TestPanicsAndErrorsAreOpaque(t *testing.T) {
	t.Parallel()
	var log logs
	o := optionsOf(t)
	o.Log = slog.New(slog.NewJSONHandler(&log, nil))
	o.Mappings = []edge.Mapping{func(err error) *edge.Problem {
		if errors.Is(err, io.ErrNoProgress) {
			return edge.NewProblem(409, "duplicate", "Mapped.")
		}
		return nil
	}}
	var turn atomic.Value // func() error
	c := start(t, o, func(c echo.Context) error {
		c.Response().Header().Set("ETag", `"1"`)
		c.Response().Header().Set("Location", "/x")
		return turn.Load().(func() error)()
	})
	for _, x := range []struct {
		err    error
		status int
		code   string
	}{
		{nil, 500, "internal_error"},
		{errors.New("secret of /etc/passwd at server.go:1"), 500, "internal_error"},
		{fmt.Errorf("secret %w", context.DeadlineExceeded), 503, "overloaded"},
		{fmt.Errorf("secret %w", io.ErrNoProgress), 409, "duplicate"},
		{edge.ErrNotFound.Because(errors.New("secret")), 404, "not_found"},
		{fmt.Errorf("secret %w", edge.ErrForbidden), 403, "forbidden"},
		{echo.NewHTTPError(400, "secret"), 400, "validation_failed"},
		{echo.NewHTTPError(413, "secret"), 413, "payload_too_large"},
		{echo.NewHTTPError(415, "secret"), 415, "unsupported_media_type"},
		{echo.NewHTTPError(418, "secret"), 500, "internal_error"},
		{&http.MaxBytesError{Limit: 1}, 413, "payload_too_large"},
	} {
		turn.Store(func() error {
			if x.err == nil {
				panic("secret")
			}
			return x.err
		})
		a := c.Do(t, "GET", things, nil).Fails(x.status, x.code)
		require.NotContains(t, string(a.Body), "secret")
		require.NotContains(t, string(a.Body), ".go")
		require.Empty(t, a.Header.Get("ETag"), "what was meant for success does not fit an error")
		require.Empty(t, a.Header.Get("Location"))
		require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
		if x.status >= 500 {
			require.Contains(t, log.text(), a.Header.Get("X-Request-Id"))
		}
	}
	require.Contains(t, log.text(), "secret of /etc/passwd", "the log has the cause")
}

// The log line has what helps and no token, body or query.
func TestLogLine(t *testing.T) {
	t.Parallel()
	var log logs
	o := optionsOf(t)
	o.Log = slog.New(slog.NewJSONHandler(&log, nil))
	c := start(t, o, nil)
	bearer := token(t, "somebody", "ADMIN")
	a := c.As(bearer).Do(t, "POST", things+"?secret=1", map[string]any{"name": "body-text"}).Is(200)
	require.Contains(t, log.text(), `"operation":"createThing"`)
	require.Contains(t, log.text(), `"sub":"somebody"`)
	require.Contains(t, log.text(), a.Header.Get("X-Request-Id"))
	for _, secret := range []string{bearer, "secret", "body-text"} {
		require.NotContains(t, log.text(), secret)
	}
	c.Do(t, "GET", "/nothing", nil).Is(404)
	require.Contains(t, log.text(), `"operation":"","method":"GET","path":"/nothing"`)
	before := len(log.text())
	c.Do(t, "GET", "/healthz", nil).Is(200)
	require.Len(t, log.text(), before, "probes do not fill the log")
	c.Do(t, "GET", things+"/"+strings.Repeat("é", 5000), nil).Is(200)
	require.Less(t, len(log.text())-before, 3000, "log drivers split long lines")
}

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

// A caller that left is nobody's fault: no error in the log, and its own number
// in the metrics.
func TestCallerThatLeft(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	var log logs
	o.Log = slog.New(slog.NewJSONHandler(&log, nil))
	o.Metrics = edge.NewMetrics()
	entered := make(chan struct{})
	c := start(t, o, func(c echo.Context) error {
		close(entered)
		<-c.Request().Context().Done()
		return fmt.Errorf("query: %w", c.Request().Context().Err())
	})
	ctx, leave := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Base+things, nil)
	require.NoError(t, err)
	go func() {
		<-entered
		leave()
	}()
	_, err = http.DefaultClient.Do(req)
	require.ErrorIs(t, err, context.Canceled)
	require.Eventually(t, func() bool { return strings.Contains(log.text(), `"status":499`) }, 10*time.Second, time.Millisecond)
	require.NotContains(t, log.text(), "ERROR")
	families, err := o.Metrics.Registry.Gather()
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(families), `value:"499"`)
}

// A request that takes too long is the service's fault and not the caller's: it
// is in log and metrics what the caller got.
func TestRequestTimeoutIsNoCallerThatLeft(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	var log logs
	o.Log = slog.New(slog.NewJSONHandler(&log, nil))
	o.RequestTimeout = time.Second
	o.Mappings = []edge.Mapping{func(err error) *edge.Problem {
		if errors.Is(err, context.DeadlineExceeded) {
			return edge.ErrOverloaded.Because(err)
		}
		return nil
	}}
	s := newServer(t, o, func(c echo.Context) error {
		<-c.Request().Context().Done()
		return fmt.Errorf("query: %w", c.Request().Context().Err())
	})
	resp, err := http.Get("http://" + listen(t, s) + things)
	require.NoError(t, err)
	resp.Body.Close()
	require.Equal(t, 503, resp.StatusCode)
	require.Eventually(t, func() bool { return strings.Contains(log.text(), `"status":503`) }, 10*time.Second, time.Millisecond)
	require.NotContains(t, log.text(), "499")
	require.Contains(t, log.text(), "request failed")
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

func TestDocs(t *testing.T) {
	t.Parallel()
	on := optionsOf(t)
	on.Docs = true
	c := start(t, on, nil)
	a := c.Do(t, "GET", "/openapi.yaml", nil).Is(200)
	require.Equal(t, smallSpec, string(a.Body))
	var spec map[string]any
	a = c.Do(t, "GET", "/openapi.json", nil).Is(200)
	a.JSON(&spec)
	require.Equal(t, "3.0.3", spec["openapi"])
	require.Equal(t, "application/json", a.Header.Get("Content-Type"))
	for _, path := range []string{"/docs", "/docs/"} {
		a = c.Do(t, "GET", path, nil).Is(200)
		require.Contains(t, a.Header.Get("Content-Type"), "text/html")
		require.Contains(t, string(a.Body), "/openapi.json")
		require.Contains(t, a.Header.Get("Content-Security-Policy"), "default-src 'self'")
	}
	require.Contains(t, c.Do(t, "GET", "/docs/swagger-ui.css", nil).Is(200).Header.Get("Content-Type"), "text/css")
	for _, path := range []string{"/docs/nope.js", "/docs/a/b", "/docs/%2e%2e/x"} {
		c.Do(t, "GET", path, nil).Fails(404, "not_found")
	}
	off := start(t, optionsOf(t), nil)
	for _, path := range []string{"/docs", "/docs/", "/docs/index.html", "/openapi.yaml", "/openapi.json"} {
		off.Do(t, "GET", path, nil).Fails(404, "not_found")
	}
}

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
	require.JSONEq(t, `{"status":"ok","checks":{"database":"ok","other":"ok"}}`, string(c.Do(t, "GET", "/readyz", nil).Is(200).Body))
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
	require.Eventually(t, func() bool { // no new connection
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	}, 10*time.Second, time.Millisecond)
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

// Load balancers and monitors probe with HEAD too; anything else is told what
// there is.
func TestProbesAnswerHead(t *testing.T) {
	t.Parallel()
	options := optionsOf(t)
	options.Docs = true
	c := start(t, options, func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	for _, path := range []string{"/healthz", "/readyz", "/docs", "/openapi.yaml", "/openapi.json"} {
		require.Empty(t, c.Do(t, "HEAD", path, nil).Is(200).Body, path)
		a := c.Do(t, "POST", path, nil).Fails(405, "method_not_allowed")
		require.Equal(t, "GET, HEAD, OPTIONS", a.Header.Get("Allow"), path)
	}
	require.Equal(t, "GET, OPTIONS, POST, PUT", c.Do(t, "DELETE", things, nil).Fails(405, "method_not_allowed").Header.Get("Allow"))
}

// A body that breaks off must not look whole.
func TestAbortedAnswerBreaksTheConnection(t *testing.T) {
	t.Parallel()
	c := start(t, optionsOf(t), func(c echo.Context) error {
		c.Response().WriteHeader(http.StatusOK)
		_, _ = c.Response().Write([]byte("half"))
		c.Response().Flush()
		return fmt.Errorf("upstream: %w", http.ErrAbortHandler)
	})
	resp, err := http.Get(c.Base + things)
	require.NoError(t, err)
	defer resp.Body.Close()
	_, err = io.ReadAll(resp.Body)
	require.Error(t, err)
}
