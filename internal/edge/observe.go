package edge

// This file: request id, one log line and the metrics of each request, panics.

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

const maxRequestIDLength = 64

func requestID(c echo.Context) string {
	return c.Response().Header().Get(echo.HeaderXRequestID)
}

// isSafeID reports whether a caller's request id is safe to log and to send back
// (contract 7.4).
func isSafeID(id string) bool {
	return id != "" && len(id) <= maxRequestIDLength && strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == ""
}

// Values of headers that every answer shares; nothing writes into them.
var noSniff, noCache, privateNoCache = []string{"nosniff"}, []string{"no-cache"}, []string{"private, no-cache"}

// observe is the outermost middleware.
func (s *Server) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (failed error) {
		start := time.Now()
		r := c.Request()
		body := newArrivingBody(c.Response().Writer, r, s.bodyPatience)
		if r.ContentLength != 0 {
			// a copy: by the body of its own the server knows whether the connection can go on
			r = r.WithContext(r.Context())
			r.Body = body
			c.SetRequest(r)
		}
		answer := &answerWriter{ResponseWriter: c.Response().Writer, r: r, body: body}
		c.Response().Writer = answer
		defer answer.share.release()
		id := r.Header.Get(echo.HeaderXRequestID)
		if !isSafeID(id) {
			id = rand.Text()
		}
		r.Header.Set(echo.HeaderXRequestID, id) // several, one by each proxy, are no fault of the request
		h := c.Response().Header()
		h.Set(echo.HeaderXRequestID, id)
		h[echo.HeaderXContentTypeOptions] = noSniff
		h[echo.HeaderVary] = make([]string, 0, 3) // room for what nearly every answer adds
		if s.isDraining() {
			// a load balancer that keeps connections must not find one closed under a request
			h.Set(echo.HeaderConnection, "close")
		}
		defer func() {
			if v := recover(); v != nil {
				if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					s.record(c, start)
					panic(v) // the connection must break: the body is not whole
				}
				s.options.Log.ErrorContext(r.Context(), "panic", "request_id", id, "operation", OperationID(c),
					"panic", fmt.Sprint(v), "stack", string(debug.Stack()))
				if !c.Response().Committed || answer.reset(c) {
					s.Echo.HTTPErrorHandler(ErrInternal, c)
				}
			}
			answer.finish(c)
			if callerGone(r) && c.Response().Status >= http.StatusInternalServerError {
				c.Response().Status = statusClientClosedRequest
			}
			s.record(c, start)
			if c.Response().Status >= http.StatusBadRequest {
				answer.drain()
			}
			failed = nil // answered above, once
		}()
		if err := next(c); err != nil {
			if errors.Is(err, http.ErrAbortHandler) {
				panic(http.ErrAbortHandler)
			}
			s.answerError(err, c, callerGone(r))
		}
		return nil
	}
}

// statusClientClosedRequest is in log and metrics the status of a request whose
// caller closed the connection before it failed: its failure is nobody's fault.
// (nginx has the number; nobody gets this answer.)
const statusClientClosedRequest = 499

// callerGone reports whether the caller has closed the connection. It takes the
// request as it arrived: the contexts made for the handlers end with them.
func callerGone(r *http.Request) bool { return errors.Is(r.Context().Err(), context.Canceled) }

// maxLogged is in bytes. It keeps what a caller can make long from breaking log
// drivers, which split lines of 16 KiB and more.
const maxLogged = 1024

func truncated(text string) string {
	if len(text) <= maxLogged {
		return text
	}
	return strings.ToValidUTF8(text[:maxLogged], "") + "…"
}

// record writes the log line. It never holds tokens, bodies or query strings.
func (s *Server) record(c echo.Context, start time.Time) {
	r, took := c.Request(), time.Since(start)
	operation, status := OperationID(c), c.Response().Status
	s.options.Metrics.observe(operation, status, took)
	if isProbe(c) {
		return
	}
	// A record of our own: Logger would look up the calling line, which no handler
	// prints and which costs more than all the rest of this function.
	log, line := s.options.Log.Handler(), slog.NewRecord(start.Add(took), slog.LevelInfo, "request", 0)
	if !log.Enabled(r.Context(), line.Level) {
		return
	}
	line.AddAttrs(slog.String("request_id", requestID(c)), slog.String("operation", operation), slog.String("method", truncated(r.Method)), slog.String("path", truncated(r.URL.Path)),
		slog.Int("status", status), slog.Int64("bytes", c.Response().Size), slog.Float64("duration_ms", float64(took.Microseconds())/1000), slog.String("sub", answerOf(c).subject))
	_ = log.Handle(r.Context(), line) // as Logger does: there is nowhere to tell of it
}
