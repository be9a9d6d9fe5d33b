package edge

// This file: what every request passes after routing and before the generated
// wrapper: authentication, role, rate limit, key headers, the service's own check,
// parameters, body, admission, in this order (D5.4). The wrappers bind parameters
// before strict middleware runs, so none of it can be there.

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/contract"
)

const (
	operationKey = "edge.operation"
	subjectKey   = "edge.subject"
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
		h := c.Response().Header()
		h.Add(echo.HeaderVary, echo.HeaderAuthorization)
		h[echo.HeaderCacheControl] = noCache
		if len(r.Header.Values(echo.HeaderAuthorization)) > 0 {
			h[echo.HeaderCacheControl] = privateNoCache
		}
		if op.Secret {
			h.Set(echo.HeaderCacheControl, "no-store")
			withoutCompression(c)
		}
		c.Set(operationKey, op)
		if op.Deprecated {
			c.Response().Header().Set("Deprecation", s.options.DeprecatedSince)
		}
		caller, problem := s.authenticate(r, op)
		if problem != nil {
			return problem
		}
		if !caller.Anonymous() {
			c.Set(subjectKey, caller.Subject)
			r = r.WithContext(auth.WithCaller(r.Context(), caller))
			c.SetRequest(r)
		}
		if !op.Roles.Allows(caller) {
			return ErrForbidden
		}
		if problem := s.limit.allow(c, caller); problem != nil {
			return problem
		}
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
		if op.HasBody() {
			if s.bodyBudget != nil && op.HasJSONBody() {
				body := &budgetedBody{ReadCloser: r.Body, budget: s.bodyBudget, started: time.Now()}
				r.Body = body
				defer body.release()
			}
			body, err := op.ReadBody(c.Response(), r)
			if err != nil {
				return err
			}
			handOver(c, body)
		}
		if !s.admit() {
			return ErrOverloaded
		}
		defer s.release()
		return next(c)
	}
}

// authenticate checks the token. One that is sent must be valid, also where
// none is needed (D5.3).
func (s *Server) authenticate(r *http.Request, op *contract.Operation) (auth.Caller, *Problem) {
	values := r.Header.Values(echo.HeaderAuthorization)
	if len(values) == 0 {
		if op.Protected {
			return auth.Caller{}, Unauthorized("")
		}
		return auth.Caller{}, nil
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	if len(values) > 1 || !strings.EqualFold(scheme, "Bearer") || token == "" {
		return auth.Caller{}, Unauthorized("one bearer token is expected")
	}
	caller, err := s.options.Verifier.Verify(r.Context(), token)
	if err != nil {
		return auth.Caller{}, Unauthorized(err.Error()).Because(err)
	}
	return caller, nil
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
	if op, ok := c.Get(operationKey).(*contract.Operation); ok {
		return op.ID
	}
	return ""
}
