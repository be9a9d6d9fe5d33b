// Package edge is what every HTTP server of the platform shares: request ids,
// logs, authentication, validation against the spec, limits, CORS, errors,
// health, docs and metrics.
//
// This file: putting the parts together, and the server's life.
package edge

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/contract"
	"equipment-platform/internal/telemetry"
)

// maxDeregistration is how long a server goes on taking requests after its
// readiness went off: two checks of a load balancer that checks every two seconds.
const maxDeregistration = 5 * time.Second

// Options is what a server needs.
type Options struct {
	Name     string      // of the service, for docs and metrics
	Spec     *openapi3.T // parsed contract that is enforced
	SpecYAML []byte      // the same contract as written, for publication
	Verifier *auth.Verifier
	Mappings []Mapping // errors of lower layers
	Log      *slog.Logger
	Metrics  *Metrics
	Tracing  *telemetry.Tracing // nil: off

	// Check is the service's own check of a request of an operation, between the
	// credentials and the validation of parameters. It may replace the request.
	Check func(c echo.Context, operationID string) *Problem

	CORSDomain     string
	RateLimitRPS   float64
	RateLimitBurst int
	Docs           bool
	// FailuresRPS and FailuresBurst bound the 401 and 403 that an address gets, and
	// with them the signatures that are verified for it in vain; beyond it the answer
	// is an immediate 429. 0: no bound.
	FailuresRPS   float64
	FailuresBurst int
	// TrustedProxies are the networks whose X-Forwarded-For is believed.
	TrustedProxies []*net.IPNet
	// Ready lists the checks of /readyz by name.
	Ready map[string]func(context.Context) error
	// RequestTimeout bounds the work of a request, from the end of its JSON body on;
	// 0: no bound (downloads).
	RequestTimeout time.Duration
	// MaxInFlight bounds the requests that run at once, from the end of their JSON
	// body on; beyond it the answer is an immediate 503. One caller has a quarter of
	// it at most, at least 1, bodies that still come included; beyond that the answer
	// is a 429. 0: no bound.
	MaxInFlight int
	// Bodies bounds the bytes of JSON bodies that are in memory at once, the first
	// 64 KiB of each apart; beyond it the answer is an immediate 503, beyond the
	// caller's quarter a 429. A byte takes some five while its body is parsed, decoded
	// and sent on. 0: no bound.
	Bodies int64
	// Answers bounds the bytes that answers hold in memory at once, as far as
	// handlers say (Reserve), the first 64 KiB of each apart; beyond it the answer is
	// an immediate 503, beyond the caller's quarter a 429. 0: no bound.
	Answers int64
	// Turns bounds the requests that work at once, from when they have their place to the
	// first byte of their answer, and one caller's at an even part of it: all for one who is
	// alone, a quarter where four or more came in the last 5 s, at least 1. The others wait,
	// each caller's in their order, so that nobody waits for what another has asked for.
	// 0: no bound (where requests wait for others, as for an upstream).
	Turns int
	// DeprecatedSince is the Deprecation header (RFC 9745) of deprecated
	// operations, such as "@1767225600".
	DeprecatedSince string
}

// Server is an echo server with the shared middleware.
type Server struct {
	Echo *echo.Echo

	options    Options
	operations *operations
	limit      *limiter // of requests, by caller
	failures   *limiter // of 401 and 403, by address
	probes     *limiter // by address
	checks     checks

	underWay  *pool  // requests of one caller, from before their body on
	running   *pool  // requests of all, from the end of their body on
	bodies    *pool  // bytes of bodies in memory
	answers   *pool  // bytes of answers in memory
	turns     *turns // of requests that work
	there     *presence
	computing *turns // at the processors: large bodies, Compute

	bodyPatience time.Duration
	draining     chan struct{}
}

// New makes a server without routes of the spec: register the generated
// handlers on Echo.
func New(o Options) (*Server, error) {
	list, err := contract.Operations(o.Spec)
	if err != nil {
		return nil, err
	}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.IPExtractor = extractAddress(o.TrustedProxies)
	e.Binder = binder{}
	there := &presence{}
	s := &Server{
		Echo: e, options: o, operations: indexOperations(list),
		limit: newLimiter(o.RateLimitRPS, o.RateLimitBurst), failures: newLimiter(o.FailuresRPS, o.FailuresBurst), probes: newLimiter(probesRPS, probesBurst),
		bodies: newPool(o.Bodies), answers: newPool(o.Answers), turns: newTurns(o.Turns, there), computing: newTurns(runtime.GOMAXPROCS(0), there),
		there: there, bodyPatience: bodyPatience, draining: make(chan struct{}),
	}
	if o.MaxInFlight > 0 {
		s.underWay, s.running = newPlaces(o.MaxInFlight)
	}
	e.HTTPErrorHandler = s.handleError
	if o.Tracing != nil {
		e.Pre(s.trace)
	}
	e.Pre(s.observe, s.cors())
	e.Use(s.gate)
	s.addHealth()
	if o.Docs {
		if err := s.addDocs(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// handleError is echo's way to the one error mapper.
func (s *Server) handleError(err error, c echo.Context) { s.answerError(err, c, false) }

// answerError answers an error, and logs what is the service's own: not that a
// caller went away in the middle.
func (s *Server) answerError(err error, c echo.Context, callerGone bool) {
	p := problemOf(err, s.options.Mappings)
	c.Response().Header().Del("Deprecation") // the contract has it on answers that succeed
	if p.Status >= http.StatusInternalServerError && p.Cause != nil && !callerGone {
		s.options.Log.ErrorContext(c.Request().Context(), "request failed",
			"request_id", requestID(c), "operation", OperationID(c), "status", p.Status, "error", p.Cause)
	}
	writeProblem(c, p)
}

// writeTimeout is what an answer may take from the end of the body on.
func (s *Server) writeTimeout() time.Duration { return s.options.RequestTimeout + 5*time.Second }

// Serve answers requests on addr until ctx ends. Then it turns readiness off,
// goes on answering for a quarter of drain (5 s at most) so that load balancers
// notice, and lets the requests that still run finish in the rest of drain.
func (s *Server) Serve(ctx context.Context, addr string, drain time.Duration) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	return s.ServeListener(ctx, listener, drain)
}

// lastRequests is how long a connection that came last may stay without a request.
const lastRequests = 2 * time.Second

// waitFor waits until all are done, but no longer than limit.
func waitFor(all *sync.WaitGroup, limit time.Duration) {
	done := make(chan struct{})
	go func() {
		all.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(limit):
	}
}

// ServeListener is Serve on a listener that is there already.
func (s *Server) ServeListener(ctx context.Context, listener net.Listener, drain time.Duration) error {
	server := &http.Server{
		Handler:           s.Echo,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.options.Log.Handler(), slog.LevelDebug),
	}
	if s.options.RequestTimeout > 0 {
		server.WriteTimeout = s.writeTimeout() // the gate sets it anew where there is a body
	}
	var unasked sync.WaitGroup
	listener = rewritePlainErrors(server, listener, &unasked)
	s.options.Log.InfoContext(ctx, "listening", "service", s.options.Name, "address", listener.Addr().String())
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	close(s.draining)
	deregistration := min(drain/4, maxDeregistration)
	s.options.Log.InfoContext(ctx, "draining", "service", s.options.Name, "deregistration", deregistration.String())
	select {
	case err := <-failed:
		return err
	case <-time.After(deregistration):
	}
	// Shutdown drops a request that comes on a connection which was accepted shortly before
	// (golang/go#75591), and a proxy may not send it again: so first nobody is let in any more,
	// and then what was let in gets its handler.
	_ = listener.Close()
	if err := <-failed; !errors.Is(err, net.ErrClosed) {
		return err
	}
	waitFor(&unasked, min(drain/4, lastRequests))
	if err := server.Shutdown(stop); err != nil {
		_ = server.Close()
		return errors.New("requests were still running at the end of the drain time")
	}
	return nil
}
