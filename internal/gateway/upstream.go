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
	// maxTries is the first try and at most 2 more, for GET only (D8.6).
	maxTries = 3
	// maxPatience is the longest Retry-After that a retry waits for; a longer
	// one goes to the caller (D8.6).
	maxPatience  = 2 * time.Second
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
	// lastFailure is the status that the last failure gave the caller.
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
			return &impatientConn{Conn: conn, timeout: timeout}, nil
		},
		TLSHandshakeTimeout: min(timeout, 10*time.Second),
		// counts from the end of the request's body (D8.7)
		ResponseHeaderTimeout:  timeout,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost:    256, // fewer than callers at once means dialling anew for many of them
		IdleConnTimeout:        90 * time.Second,
		// lengths and bytes of downloads stay the upstream's
		DisableCompression: true,
	}
	return &upstream{
		name: name, label: label, configured: configured, metrics: m,
		sender: watched{transport},
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
// one: status 200 to 299. Anything else is a problem as D8.8 says. The caller
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

// exchange sends a request, again where that is allowed, and returns whatever
// the upstream answers.
func (u *upstream) exchange(req *http.Request) (*http.Response, error) {
	if !u.configured {
		return nil, errNotConfigured(u.label)
	}
	req.Header.Set("User-Agent", "equipment-platform")
	if req.Header.Get("Accept") == "" {
		req.Header.Set("Accept", "application/json")
	}
	for try := 1; ; try++ {
		resp, err := u.attempt(req)
		wait, again := u.again(req, resp, err, try)
		if !again {
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

// again tells whether a try that went wrong is worth another, and after what
// wait.
func (u *upstream) again(req *http.Request, resp *http.Response, err error, try int) (time.Duration, bool) {
	if req.Method != http.MethodGet || try >= maxTries || req.Context().Err() != nil {
		return 0, false
	}
	wait := backoff.Delay(try, firstBackoff, maxPatience)
	if err != nil {
		// a timeout has cost the caller its patience already
		return wait, errors.Is(err, errUnreachable)
	}
	if resp.StatusCode != http.StatusTooManyRequests && !isDown(resp.StatusCode) {
		return 0, false
	}
	asked, ok := retryAfter(resp)
	if ok && asked > maxPatience {
		return 0, false
	}
	return max(wait, asked), true
}

// isDown tells whether a status says that the upstream as a whole does not
// work now. 500 is one operation's trouble.
func isDown(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

// attempt is one try.
func (u *upstream) attempt(req *http.Request) (*http.Response, error) {
	report, err := u.breaker.Allow()
	if err != nil {
		return nil, u.circuitOpen()
	}
	body := watchBody(req)
	start := time.Now()
	// RoundTrip follows no redirect: a token must not reach another host
	resp, err := u.sender.RoundTrip(req)
	u.metrics.observe(u.name, callOf(req.Context()).operation, resp, time.Since(start))
	if err != nil {
		failed := u.failure(req, body, err)
		u.lastFailure.Store(http.StatusBadGateway)
		if errors.Is(failed, errTimeout) {
			u.lastFailure.Store(http.StatusGatewayTimeout)
		}
		report(failed)
		return nil, failed
	}
	report(nil) // an upstream that answers is there, whatever it says of one operation
	resp.Body = answerBody{resp.Body}
	return resp, nil
}

// drain reads a short rest so that the connection can serve again.
func drain(resp *http.Response) {
	_, _ = io.CopyN(io.Discard, resp.Body, 64<<10)
	_ = resp.Body.Close()
}
