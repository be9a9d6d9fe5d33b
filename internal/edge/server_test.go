package edge_test

// This file: request ids, logs, panics, health and docs (contract 7.0).

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge"
)

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	c := start(t, optionsOf(t), nil)
	for _, good := range []string{"a", "A-b_c.9", strings.Repeat("x", 64)} {
		t.Run(good, func(t *testing.T) {
			t.Parallel()
			for _, path := range []string{things, things + "?n=0", "/nothing", "/healthz"} {
				require.Equal(t, good, get(t, c, "GET", path, http.Header{"X-Request-Id": {good}}).Header.Get("X-Request-Id"))
			}
		})
	}
	for _, bad := range []string{"", " ", strings.Repeat("x", 65), "a b", "a\tb", "é", `a"b`, "a/b", "<script>", "a,b", "a;b", "%0a", "${jndi:x}"} {
		t.Run(bad, func(t *testing.T) {
			t.Parallel()
			made := func() string {
				return get(t, c, "GET", things, http.Header{"X-Request-Id": {bad}}).Header.Get("X-Request-Id")
			}
			first := made()
			require.Regexp(t, `^[A-Za-z0-9._-]{1,64}$`, first)
			require.NotEqual(t, first, made(), "a new one for each request")
		})
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
	cases := []struct {
		name   string
		err    error
		status int
		code   string
	}{
		{"panic", nil, 500, "internal_error"},
		{"unknown", errors.New("secret of /etc/passwd at server.go:1"), 500, "internal_error"},
		{"deadline", fmt.Errorf("secret %w", context.DeadlineExceeded), 503, "overloaded"},
		{"mapped", fmt.Errorf("secret %w", io.ErrNoProgress), 409, "duplicate"},
		{"problem with a cause", edge.ErrNotFound.Because(errors.New("secret")), 404, "not_found"},
		{"wrapped problem", fmt.Errorf("secret %w", edge.ErrForbidden), 403, "forbidden"},
		{"echo 400", echo.NewHTTPError(400, "secret"), 400, "validation_failed"},
		{"echo 413", echo.NewHTTPError(413, "secret"), 413, "payload_too_large"},
		{"echo 415", echo.NewHTTPError(415, "secret"), 415, "unsupported_media_type"},
		{"echo 418", echo.NewHTTPError(418, "secret"), 500, "internal_error"},
		{"large body", &http.MaxBytesError{Limit: 1}, 413, "payload_too_large"},
	}
	c := start(t, o, func(c echo.Context) error {
		c.Response().Header().Set("ETag", `"1"`)
		c.Response().Header().Set("Location", "/x")
		n, err := strconv.Atoi(c.Param("id"))
		if err != nil || cases[n].err == nil {
			panic("secret")
		}
		return cases[n].err
	})
	for n, x := range cases {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			a := c.Do(t, "GET", things+"/"+strconv.Itoa(n), nil).Fails(x.status, x.code)
			require.NotContains(t, string(a.Body), "secret")
			require.NotContains(t, string(a.Body), ".go")
			require.Empty(t, a.Header.Get("ETag"), "what was meant for success does not fit an error")
			require.Empty(t, a.Header.Get("Location"))
			require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
			if x.status >= 500 {
				require.Regexp(t, a.Header.Get("X-Request-Id")+`.*secret`, log.text(), "the log has the cause")
			}
		})
	}
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
	require.NotContains(t, log.text(), `"status":499`)
	require.Contains(t, log.text(), "request failed")
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
		require.Contains(t, a.Header.Get("Content-Security-Policy"), "script-src 'self';", "no script of the page itself, none of another host")
		require.NotContains(t, string(a.Body), "//", "nothing of another host")
	}
	for _, script := range []string{"scalar.js", "page.js"} {
		a = c.Do(t, "GET", "/docs/"+script, nil).Is(200)
		require.Contains(t, a.Header.Get("Content-Type"), "javascript")
		require.Contains(t, string(a.Body), "createApiReference")
		require.Empty(t, c.Do(t, "HEAD", "/docs/"+script, nil).Is(200).Body)
	}
	for _, path := range []string{"/docs/nope.js", "/docs/a/b", "/docs/%2e%2e/x"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			c.Do(t, "GET", path, nil).Fails(404, "not_found")
		})
	}
	off := start(t, optionsOf(t), nil)
	for _, path := range []string{"/docs", "/docs/", "/docs/index.html", "/openapi.yaml", "/openapi.json"} {
		t.Run(path+" off", func(t *testing.T) {
			t.Parallel()
			off.Do(t, "GET", path, nil).Fails(404, "not_found")
		})
	}
}

// Load balancers and monitors probe with HEAD too; anything else is told what
// there is.
func TestProbesAnswerHead(t *testing.T) {
	t.Parallel()
	options := optionsOf(t)
	options.Docs = true
	c := start(t, options, func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	for _, path := range []string{"/healthz", "/readyz", "/docs", "/openapi.yaml", "/openapi.json"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, c.Do(t, "HEAD", path, nil).Is(200).Body)
			a := c.Do(t, "POST", path, nil).Fails(405, "method_not_allowed")
			require.Equal(t, "GET, HEAD, OPTIONS", a.Header.Get("Allow"))
		})
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
