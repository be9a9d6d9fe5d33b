package gateway

// This file: every call to the outside. The generated clients send through
// here, so timeouts, retries, circuit breaking and the rule that no redirect
// is followed hold for each of them.

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"

	"equipment-platform/internal/backoff"
)

const (
	// maxAttempts is the first attempt and at most 2 retries, for GET only (contract 8.6).
	maxAttempts = 3
	// maxRetryWait is the longest Retry-After that a retry waits for; a longer
	// one goes to the caller (contract 8.6).
	maxRetryWait = 2 * time.Second
	firstBackoff = 150 * time.Millisecond

	// An upstream that failed this often in a row is left alone for a while.
	breakerFailures = 20
	breakerPause    = 2 * time.Second
)

// upstream is one host behind the gateway. It is the generated clients' Doer.
type upstream struct {
	name       string // in metrics and logs
	label      string // in texts for callers
	configured bool
	sender     http.RoundTripper // traced when tracing is on
	breaker    *gobreaker.TwoStepCircuitBreaker[struct{}]
	metrics    *metrics
	// lastFailure is the status that the last failure of this upstream gave the caller.
	lastFailure atomic.Int32
}

func newUpstream(name, label string, configured bool, timeout time.Duration, m *metrics, log *slog.Logger) *upstream {
	dialer := &net.Dialer{Timeout: min(timeout, 10*time.Second), KeepAlive: 30 * time.Second}
	// shown before anything happens: an alert on a series that is not there stays silent
	m.breaker.WithLabelValues(name).Set(0)
	m.retries.WithLabelValues(name)
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := dialer.DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return &writeTimeoutConn{Conn: conn, timeout: timeout}, nil
		},
		TLSHandshakeTimeout: min(timeout, 10*time.Second),
		// counts from the end of the request's body (contract 8.7)
		ResponseHeaderTimeout:  timeout,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost:    256, // fewer than concurrent callers means a new connection for many of them
		IdleConnTimeout:        90 * time.Second,
		// it would ask for gzip and unpack that alone; exchange says what is asked
		DisableCompression: true,
	}
	return &upstream{
		name: name, label: label, configured: configured, metrics: m,
		sender: idleTimeoutTransport{transport},
		breaker: gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
			Name: name, Timeout: breakerPause,
			// what the caller did says nothing about the upstream; an answer (nil) does
			IsExcluded: func(err error) bool {
				return err != nil && !errors.Is(err, errUnreachable) && !errors.Is(err, errTimeout)
			},
			ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= breakerFailures },
			OnStateChange: func(name string, from, to gobreaker.State) {
				log.Warn("circuit breaker", "upstream", name, "from", from.String(), "to", to.String())
				m.breaker.WithLabelValues(name).Set(float64(to))
			},
		}),
	}
}

// Do sends a request of a generated client and returns the answer when it is
// one: status 200 to 299. Anything else is a problem as contract 8.8 says. The caller
// closes the body.
func (u *upstream) Do(req *http.Request) (*http.Response, error) {
	resp, err := u.exchange(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, u.refusal(req, resp)
}

// Values of headers that every call shares; nothing writes into them.
var userAgent, identity = []string{"equipment-platform"}, []string{"identity"}

// exchange sends a request, with retries where they are allowed, and returns whatever
// the upstream answers.
func (u *upstream) exchange(req *http.Request) (*http.Response, error) {
	if !u.configured {
		return nil, errNotConfigured(u.label)
	}
	req.Header["User-Agent"] = userAgent
	req.Header["Accept-Encoding"] = identity // lengths and bytes of downloads stay the upstream's, see coding.go
	if req.Header.Get("Accept") == "" {
		req.Header.Set("Accept", "application/json")
	}
	for attempt := 1; ; attempt++ {
		resp, err := u.attempt(req)
		wait, retry := u.shouldRetry(req, resp, err, attempt)
		if !retry {
			return resp, err
		}
		if resp != nil {
			drain(resp)
		}
		u.metrics.retries.WithLabelValues(u.name).Inc()
		select {
		case <-req.Context().Done():
			return nil, req.Context().Err()
		case <-time.After(wait):
		}
	}
}

// shouldRetry reports whether an attempt that failed is worth another one, and
// after what wait.
func (u *upstream) shouldRetry(req *http.Request, resp *http.Response, err error, attempt int) (time.Duration, bool) {
	if req.Method != http.MethodGet || attempt >= maxAttempts || req.Context().Err() != nil {
		return 0, false
	}
	wait := backoff.Delay(attempt, firstBackoff, maxRetryWait)
	if err != nil {
		// after a timeout the caller has waited long enough already
		return wait, errors.Is(err, errUnreachable)
	}
	if resp.StatusCode != http.StatusTooManyRequests && !isDown(resp.StatusCode) {
		return 0, false
	}
	asked, ok := retryAfter(resp)
	if ok && asked > maxRetryWait {
		return 0, false
	}
	return max(wait, asked), true
}

// isDown reports whether a status says that the upstream as a whole does not
// work now. 500 is one operation's trouble.
func isDown(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

// attempt sends a request once.
func (u *upstream) attempt(req *http.Request) (*http.Response, error) {
	report, err := u.breaker.Allow()
	if err != nil {
		return nil, u.circuitOpen()
	}
	body := recordBodyErrors(req)
	operation, start := callOf(req.Context()).operation.id, time.Now()
	// RoundTrip follows no redirect: a token must not reach another host
	resp, err := u.sender.RoundTrip(req)
	if err != nil {
		failed := u.failure(req, body, err)
		status := statusCallerFirst
		switch {
		case errors.Is(failed, errTimeout):
			u.lastFailure.Store(http.StatusGatewayTimeout)
			status = statusNoAnswer
		case errors.Is(failed, errUnreachable):
			u.lastFailure.Store(http.StatusBadGateway)
			status = statusNoAnswer
		}
		u.metrics.observe(u.name, operation, status, time.Since(start))
		report(failed)
		return nil, failed
	}
	u.metrics.observe(u.name, operation, resp.StatusCode, time.Since(start))
	report(nil) // an upstream that answers is there, whatever it says of one operation
	resp.Body = answerBody{resp.Body}
	return resp, nil
}

// drain reads a short rest so that the connection can serve again.
func drain(resp *http.Response) {
	_, _ = io.CopyN(io.Discard, resp.Body, 64<<10)
	_ = resp.Body.Close()
}
