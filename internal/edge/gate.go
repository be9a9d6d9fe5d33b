package edge

// This file: what every request passes after routing and before the generated
// wrapper: authentication, role, rate limit, key headers, the service's own check,
// parameters, body, place, in this order (contract 5.4). The wrappers bind parameters
// before strict middleware runs, so none of it can be there.

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/contract"
)

// gate is the middleware that enforces the spec.
func (s *Server) gate(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		op := s.operations.byRoute[route{r.Method, c.Path()}]
		if op == nil {
			// not of the spec: health, docs, or nothing at all
			return s.withAllow(c, next(c))
		}
		for name, words := range s.operations.literals[c.Path()] {
			if slices.Contains(words, c.Param(name)) {
				return s.withAllow(c, ErrMethodNotAllowed)
			}
		}
		if strings.HasSuffix(r.URL.EscapedPath(), "/") {
			// echo hands `a/` to the last parameter; no path of the spec ends in a slash
			return ErrNotFound
		}
		// who asks decides what is shown: no cache may hand an answer to somebody else, and a browser asks
		// again whether its copy is still the stored version
		h, answer := c.Response().Header(), answerOf(c)
		h.Add(echo.HeaderVary, echo.HeaderAuthorization)
		h[echo.HeaderCacheControl] = noCache
		if len(r.Header.Values(echo.HeaderAuthorization)) > 0 {
			h[echo.HeaderCacheControl] = privateNoCache
		}
		if op.Secret {
			h.Set(echo.HeaderCacheControl, "no-store")
			answer.secret = true
		}
		answer.operation = op
		if op.Deprecated {
			c.Response().Header().Set("Deprecation", s.options.DeprecatedSince)
		}
		caller, problem := s.authenticate(c, op)
		if problem != nil {
			return problem
		}
		if !caller.Anonymous() {
			answer.subject = caller.Subject
		}
		if !op.Roles.Allows(caller) {
			return s.failed(c, ErrForbidden)
		}
		who := callerKey(c, caller)
		if problem := s.limit.allow(c, who); problem != nil {
			return problem
		}
		s.there.see(who)
		if err := s.underWay.take(who, 1, 0); err != nil {
			return err
		}
		defer s.underWay.give(who, 1)
		r = s.introduce(c, caller, who)
		if err := op.CheckKeyHeaders(r.Header); err != nil {
			return err
		}
		if check := s.options.Check; check != nil {
			if problem := check(c, op.ID); problem != nil {
				return problem
			}
			r = c.Request() // it may have been replaced
		}
		if err := op.CheckParams(r, pathParams(c)); err != nil {
			return err
		}
		if op.HasBody() || r.ContentLength != 0 {
			counted := &budgetedBody{ReadCloser: r.Body, share: share{pool: s.bodies, caller: who}, ctx: r.Context(), turns: s.computing}
			defer counted.share.release()
			if err := s.readBody(c, op, counted); err != nil {
				return err
			}
		}
		if err := s.running.take("", 1, 0); err != nil {
			return err
		}
		defer s.running.give("", 1)
		if d := s.options.RequestTimeout; d > 0 {
			ctx, cancel := context.WithTimeout(c.Request().Context(), d)
			defer cancel()
			c.SetRequest(c.Request().WithContext(ctx))
		}
		asked := time.Now()
		turn, err := s.turns.wait(c.Request().Context(), who)
		s.options.Metrics.waited(time.Since(asked))
		if err != nil {
			return err
		}
		defer turn.end()
		answer.turn = turn
		defer func() { answer.computing.end() }()
		return next(c)
	}
}

// readBody reads and validates a JSON body before the request takes its place, and
// leaves any other for the handler to stream. What an operation does not ask for is
// thrown away here: the server would wait for it in the middle of the answer.
func (s *Server) readBody(c echo.Context, op *contract.Operation, counted *budgetedBody) error {
	r := c.Request()
	if s.options.RequestTimeout > 0 {
		defer func() { // the time that the body took is not the answer's
			_ = http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(s.writeTimeout()))
		}()
	}
	if !op.HasBody() {
		switch n, err := io.CopyN(io.Discard, r.Body, op.BodyLimit+1); {
		case n > op.BodyLimit:
			return ErrTooLarge
		case !errors.Is(err, io.EOF):
			return InvalidField("body", "could not be read to its end").Because(err)
		}
		return nil
	}
	if op.HasJSONBody() {
		r.Body = counted
	}
	body, err := op.ReadBody(c.Response(), r)
	counted.turn.end()
	if err != nil {
		return err
	}
	handOver(c, body)
	return nil
}

// authenticate checks the token. One that is sent must be valid, also where
// none is needed (contract 5.3). What was verified a moment ago costs nothing; an address
// that fails too often is told so before another signature is verified for it.
func (s *Server) authenticate(c echo.Context, op *contract.Operation) (auth.Caller, *Problem) {
	r := c.Request()
	values := r.Header.Values(echo.HeaderAuthorization)
	if len(values) == 0 {
		if op.Protected {
			return auth.Caller{}, s.failed(c, Unauthorized(""))
		}
		return auth.Caller{}, nil
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	if len(values) > 1 || !strings.EqualFold(scheme, "Bearer") || token == "" {
		return auth.Caller{}, s.failed(c, Unauthorized("one bearer token is expected"))
	}
	if caller, ok := s.options.Verifier.Recent(token); ok {
		return caller, nil
	}
	address := addressKey(c)
	if problem := s.failures.begin(address); problem != nil {
		return auth.Caller{}, problem
	}
	caller, err := s.options.Verifier.Verify(r.Context(), token)
	s.failures.end(address, err != nil)
	if err != nil {
		return auth.Caller{}, Unauthorized(err.Error()).Because(err)
	}
	return caller, nil
}

// failed counts a 401 or 403 that cost no signature.
func (s *Server) failed(c echo.Context, p *Problem) *Problem {
	if problem := s.failures.spend(addressKey(c)); problem != nil {
		return problem
	}
	return p
}

// introduce gives the handlers the caller and what it may claim.
func (s *Server) introduce(c echo.Context, caller auth.Caller, who string) *http.Request {
	r := c.Request()
	ctx := r.Context()
	if !caller.Anonymous() {
		ctx = auth.WithCaller(ctx, caller)
	}
	answer := answerOf(c)
	answer.share = share{pool: s.answers, caller: who}
	answer.turns = s.computing
	r = r.WithContext(context.WithValue(ctx, answerKey{}, answer))
	c.SetRequest(r)
	return r
}

// pathParams are the path parameters of a request, unescaped: echo leaves them as
// they are where a path has an escaped slash.
func pathParams(c echo.Context) map[string]string {
	names, values := c.ParamNames(), c.ParamValues()
	if len(names) == 0 {
		return nil
	}
	params := make(map[string]string, len(names))
	for i, name := range names {
		params[name] = values[i]
		if c.Request().URL.RawPath != "" {
			if unescaped, err := url.PathUnescape(values[i]); err == nil {
				params[name] = unescaped
			}
		}
	}
	return params
}

// handleGet serves what is not of the spec. HEAD is for load balancers and
// monitors, which ask so.
func (s *Server) handleGet(path string, h echo.HandlerFunc) {
	s.Echo.GET(path, h)
	s.Echo.HEAD(path, h)
}

// withAllow adds the Allow header to a 405.
func (s *Server) withAllow(c echo.Context, err error) error {
	if err == nil {
		return nil
	}
	if p := problemOf(err, s.options.Mappings); p.Status == http.StatusMethodNotAllowed {
		q := *p
		allowed := s.operations.allowed(c.Request().URL.Path)
		if routed, ok := c.Get(echo.ContextKeyHeaderAllow).(string); ok && allowed == nil {
			allowed = strings.Split(routed, ", ") // probes and docs, which are not of the spec
		}
		allowed = append(allowed, http.MethodOptions)
		slices.Sort(allowed)
		q.Header = http.Header{echo.HeaderAllow: {strings.Join(slices.Compact(allowed), ", ")}}
		return &q
	}
	return err
}

// OperationID returns the id of a request's operation, empty for what is in no
// spec.
func OperationID(c echo.Context) string {
	if w, ok := c.Response().Writer.(*answerWriter); ok && w.operation != nil {
		return w.operation.ID
	}
	return ""
}
