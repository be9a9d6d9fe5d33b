package gateway_test

// This file: what an upstream's failures, silences and nonsense give (contract 8.6,
// contract 8.7, contract 8.8).

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
)

// testTimeout is longer than any answer of a test takes.
const testTimeout = 30 * time.Second

// silentAfter is for upstreams that say nothing more: long enough that one which
// answers is not taken for silent on a busy machine.
const silentAfter = 3 * time.Second

func shortUpstreamTimeout(c *config.Gateway) { c.UpstreamTimeout = silentAfter }

func TestUpstreamStatuses(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	leak := "Failed for " + partnerToken + " and Bearer abc.def and eyJhbGciOiJub25lIn0.e30.x\r\nnext"
	clean := "Failed for [removed] and [removed] and [removed] next"
	for _, c := range []struct {
		status              int
		contentType, text   string
		want                int
		code, message, wait string
		retryAfter          string
	}{
		{400, "text/plain", leak, 400, "validation_failed", clean, "", ""},
		{404, "text/plain; charset=utf-8", "Box unknown", 404, "not_found", "Box unknown", "", ""},
		{404, "", "Box unknown", 404, "not_found", "Box unknown", "", ""},
		{404, "text/html", "<html>secret page</html>", 404, "not_found", "The provider does not know it.", "", ""},
		{404, "application/json", `{"message":"No such box"}`, 404, "not_found", "No such box", "", ""},
		{409, "text/plain", "Already deleted", 409, "conflict", "Already deleted", "", ""},
		{410, "text/plain", "Removed", 410, "gone", "Removed", "", ""},
		{422, "text/plain", strings.Repeat("ä", 5000), 422, "unprocessable", strings.Repeat("ä", 1000) + "…", "", ""},
		{413, "text/plain", "Too large", 413, "payload_too_large", "Too large", "", ""},
		{402, "text/plain", "secret", 402, "subscription_required", "", "", ""},
		{401, "text/plain", "secret", 502, "upstream_unauthorized", "", "", ""},
		{403, "text/plain", "secret", 502, "upstream_unauthorized", "", "", ""},
		{405, "text/plain", "secret", 502, "upstream_failed", "", "", ""},
		{500, "text/plain", "secret", 502, "upstream_failed", "", "", ""},
		{302, "text/plain", "secret", 502, "upstream_failed", "", "", ""},
		{429, "text/plain", "secret", 429, "rate_limited", "", "60", "60"},
		{503, "text/plain", "secret", 503, "upstream_unavailable", "", "120", "120"},
		{504, "text/plain", "secret", 504, "upstream_timeout", "", "", "30"},
	} {
		t.Run(strconv.Itoa(c.status)+" "+c.contentType, func(t *testing.T) {
			b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
				w.Header()["Content-Type"] = nil
				if c.contentType != "" {
					w.Header().Set("Content-Type", c.contentType)
				}
				if c.retryAfter != "" {
					w.Header().Set("Retry-After", c.retryAfter)
				}
				w.Header().Set("Location", b.upstream.URL+"/elsewhere")
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.text)
			})
			for _, call := range []answer{b.call("GET", api+"/boxes", ""), b.call("POST", api+"/key-value-storage/get", `{}`)} {
				p := call.problem(t, c.want, c.code)
				if c.message != "" {
					require.Equal(t, c.message, p.Message)
				}
				require.Equal(t, c.wait, call.Header.Get("Retry-After"))
				require.NotContains(t, string(call.body), "secret")
				require.NotContains(t, string(call.body), partnerToken)
			}
			calls, _ := b.upstream.take()
			require.Len(t, calls, 2, "no retry, no redirect followed")
		})
	}
	require.NotContains(t, b.logs.String(), partnerToken)
}

func TestRetries(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	var n atomic.Int32
	failing := func(times int32, status int, wait string) {
		n.Store(0)
		b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
			if n.Add(1) <= times {
				if wait != "" {
					w.Header().Set("Retry-After", wait)
				}
				w.WriteHeader(status)
				return
			}
			_, _ = io.WriteString(w, `{"Entries":[]}`)
		})
	}
	failing(2, 503, "")
	require.Equal(t, 200, b.call("GET", api+"/boxes", "").StatusCode)
	require.EqualValues(t, 3, n.Load())
	failing(9, 502, "")
	b.call("GET", api+"/boxes", "").problem(t, 502, "upstream_failed")
	require.EqualValues(t, 3, n.Load(), "two more tries at most")
	failing(1, 429, "1")
	start := time.Now()
	require.Equal(t, 200, b.call("GET", api+"/boxes", "").StatusCode)
	require.GreaterOrEqual(t, time.Since(start), time.Second)
	failing(1, 429, "3")
	require.Equal(t, "3", b.call("GET", api+"/boxes", "").Header.Get("Retry-After"))
	require.EqualValues(t, 1, n.Load(), "a longer wait is the caller's")
	for _, call := range []func() answer{
		func() answer { return b.call("POST", api+"/key-value-storage/get", `{}`) },
		func() answer { return b.call("POST", api+"/messages?Query=operationId%3D1", `{"ToBoxId":"b"}`) },
		func() answer { return b.call("POST", api+"/shelves", "x", "Content-Type", "application/octet-stream") },
	} {
		failing(1, 503, "")
		call().problem(t, 503, "upstream_unavailable")
		require.EqualValues(t, 1, n.Load(), "a POST goes out once")
	}
	failing(1, 500, "")
	b.call("GET", api+"/boxes", "").problem(t, 502, "upstream_failed")
	require.EqualValues(t, 1, n.Load())
}

func TestNotYet(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	pair := "?messageId=m&entityId=e"
	for _, c := range []struct {
		status int
		wait   string
	}{{204, "7"}, {202, "7"}, {200, "7"}, {204, ""}} {
		b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
			if c.wait != "" {
				w.Header().Set("Retry-After", c.wait)
			}
			w.WriteHeader(c.status)
		})
		for _, call := range []answer{
			b.call("GET", api+"/documents/print-form"+pair, ""), b.call("GET", api+"/documents/protocol"+pair, ""),
			b.call("GET", api+"/documents/zip"+pair+"&Query=fullDocflow%3Dtrue", ""), b.call("GET", api+"/print-forms/p", ""),
			b.call("GET", api+"/dss/results/t", ""), b.call("GET", api+"/counteragents/acquire/results/t", ""),
			b.call("GET", api+"/powers-of-attorney/registrations/t", ""), b.call("POST", api+"/messages", `{}`),
			b.call("POST", api+"/messages/patches", `{"MessageId":"m"}`), b.call("POST", api+"/drafts/send", `{"DraftId":"d"}`),
			b.call("POST", api+"/document-templates/t/patches", `{}`), b.call("POST", api+"/document-templates/transform", `{"TemplateId":"t"}`),
		} {
			require.Equal(t, 204, call.StatusCode, call.Request.URL.Path+string(call.body))
			require.Empty(t, call.body)
			require.Equal(t, c.wait, call.Header.Get("Retry-After"))
		}
		calls, _ := b.upstream.take()
		require.Len(t, calls, 12, "not a fault, so never tried again")
		if c.status != 200 {
			last := b.call("GET", api+"/events/last", "")
			require.Equal(t, 204, last.StatusCode)
			require.Equal(t, c.wait, last.Header.Get("Retry-After"))
			// where the contract foresees no waiting, only an upstream that says when to come again makes the caller wait
			if unforeseen := b.call("GET", api+"/boxes", ""); c.wait != "" {
				require.Equal(t, 204, unforeseen.StatusCode)
				require.Equal(t, c.wait, unforeseen.Header.Get("Retry-After"))
			} else {
				unforeseen.problem(t, 502, "upstream_failed")
			}
			b.upstream.take()
		}
	}
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3")
		_, _ = io.WriteString(w, `{"OperationStatus":"InProgress"}`)
	})
	require.Equal(t, "3", b.call("GET", api+"/dss/results/t", "").Header.Get("Retry-After"))
}

func TestNonsenseAndSilence(t *testing.T) {
	t.Parallel()
	b := newBed(t, shortUpstreamTimeout)
	for name, body := range map[string]string{"text": "nonsense", "array": `[]`, "null": `null`, "wrong type": `{"BoxId":1}`, "cut": `{"BoxId":"a`, "more": `{} {}`, "empty": ""} {
		b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
		p := b.call("GET", api+"/boxes", "").problem(t, 502, "upstream_failed")
		require.NotContains(t, p.Message, "nonsense", name)
	}
	hang := func(before string) {
		b.upstream.answer(func(w http.ResponseWriter, r *http.Request) {
			if before != "" {
				_, _ = io.WriteString(w, before)
				w.(http.Flusher).Flush()
			}
			select {
			case <-r.Context().Done():
			case <-time.After(30 * time.Second):
			}
		})
	}
	hang("")
	b.call("GET", api+"/boxes", "").problem(t, 504, "upstream_timeout")
	hang(`{"BoxId":`)
	b.call("GET", api+"/boxes", "").problem(t, 504, "upstream_timeout")
	// a download that goes on slowly, for longer than a silence may be, is no silence
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
		for range 5 {
			_, _ = io.WriteString(w, "slow ")
			w.(http.Flusher).Flush()
			time.Sleep(silentAfter / 4)
		}
	})
	require.Equal(t, strings.Repeat("slow ", 5), string(b.call("GET", api+"/messages/entity-content?messageId=m&entityId=e", "").body))
}

// TestBrokenStream: a stream that breaks off must not look whole.
func TestBrokenStream(t *testing.T) {
	t.Parallel()
	b := newBed(t, shortUpstreamTimeout)
	chunk := strings.Repeat("x", 100<<10)
	for name, broken := range map[string]http.HandlerFunc{
		"cut": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, chunk)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		},
		"cut with a length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000000")
			_, _ = io.WriteString(w, chunk)
			panic(http.ErrAbortHandler)
		},
		"silent": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, chunk)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
	} {
		b.upstream.answer(broken)
		resp, err := http.DefaultTransport.RoundTrip(b.request("GET", api+"/messages/entity-content?messageId=m&entityId=e", nil))
		require.NoError(t, err, name)
		require.Equal(t, 200, resp.StatusCode)
		_, err = io.ReadAll(resp.Body)
		require.Error(t, err, name)
		require.NoError(t, resp.Body.Close())
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.upstream.Close()
	b.call("GET", api+"/boxes", "").problem(t, 502, "upstream_failed")
	b.call("POST", "/api/v1/vendor/waybill/waybills", `{}`).problem(t, 502, "upstream_failed")
}

// breakOff ends a call without an answer.
func breakOff(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

// TestCircuitBreaker: an upstream that cannot be reached many times in a row is
// left alone, the others are not, and it comes back for everybody.
func TestCircuitBreaker(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	failing := func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/exchange") {
			breakOff(w)
			return
		}
		_, _ = io.WriteString(w, `{"result":"u"}`)
	}
	working := func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"Entries":[]}`) }
	call := func() answer { return b.call("POST", api+"/key-value-storage/get", `{}`) }
	for range 25 { // not in a row
		b.upstream.answer(failing)
		call().problem(t, 502, "upstream_failed")
		b.upstream.answer(working)
		require.Equal(t, 200, call().StatusCode)
	}
	b.upstream.answer(failing)
	b.upstream.take()
	for range 20 {
		call().problem(t, 502, "upstream_failed")
	}
	calls, _ := b.upstream.take()
	require.Len(t, calls, 20)
	open := call()
	open.problem(t, 502, "upstream_failed")
	require.NotEmpty(t, open.Header.Get("Retry-After"))
	calls, _ = b.upstream.take()
	require.Empty(t, calls)
	require.Equal(t, 200, b.call("GET", "/api/v1/transport/gateway/uuid", "").StatusCode)
	b.upstream.answer(working)
	require.Eventually(t, func() bool { return call().StatusCode == 200 }, 5*time.Second, 100*time.Millisecond)
	// closed again: many may call at once, and one failure opens nothing
	var arrived atomic.Int32
	all := make(chan struct{})
	b.upstream.answer(func(w http.ResponseWriter, r *http.Request) {
		if arrived.Add(1) == 16 {
			close(all)
		}
		<-all
		working(w, r)
	})
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			if got := call(); got.StatusCode != 200 {
				t.Error(got.StatusCode, string(got.body))
			}
		})
	}
	group.Wait()
	b.upstream.answer(failing)
	call().problem(t, 502, "upstream_failed")
	b.upstream.answer(working)
	require.Equal(t, 200, call().StatusCode)
}

// An upstream that answers is there: one operation's 5xx must not cut off the
// others.
func TestAnswersOpenNoCircuit(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	for _, status := range []int{500, 502, 503, 504, 429} {
		b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		b.upstream.take()
		for range 22 {
			require.GreaterOrEqual(t, b.call("POST", api+"/key-value-storage/get", `{}`).StatusCode, 400)
		}
		calls, _ := b.upstream.take()
		require.Len(t, calls, 22)
		b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"Entries":[]}`) })
		require.Equal(t, 200, b.call("POST", api+"/key-value-storage/get", `{}`).StatusCode)
	}
}

// A wait longer than any that a retry honours is the caller's, however long.
func TestLongWaits(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	for wait, want := range map[string]string{
		"99999999999": "2147483647", "2147483648": "2147483647", "2147483647": "2147483647", "86400": "86400",
		"Fri, 31 Dec 9999 23:59:59 GMT": "2147483647", "Mon, 01 Jan 1900 00:00:00 GMT": "",
	} {
		for _, status := range []int{429, 503, 204} {
			b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", wait)
				w.WriteHeader(status)
			})
			got := b.call("GET", api+"/boxes", "")
			require.Equal(t, status, got.StatusCode, string(got.body))
			calls, _ := b.upstream.take()
			if want != "" {
				require.Equal(t, want, got.Header.Get("Retry-After"), wait)
				require.Len(t, calls, 1)
			}
		}
	}
}
