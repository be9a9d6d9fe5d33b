package sandbox

// This file: what every request passes first: faults on demand, credentials,
// the spec. Failures are plain text, as the provider's are.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"equipment-platform/openapi"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/labstack/echo/v4"
)

// failure is an answer that is not what was asked for.
type failure struct {
	status     int
	text       string
	retryAfter int // seconds; 0: none
}

func (f *failure) Error() string { return f.text }

func fail(status int, format string, args ...any) error {
	return &failure{status: status, text: fmt.Sprintf(format, args...)}
}

// writeFailure is the one place where an error becomes an answer.
func (s *Sandbox) writeFailure(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	var f *failure
	var he *echo.HTTPError
	switch {
	case errors.As(err, &f):
	case errors.As(err, &he):
		f = &failure{status: he.Code, text: fmt.Sprint(he.Message)}
	default:
		s.log.Error("sandbox", "path", c.Request().URL.Path, "error", err)
		f = &failure{status: http.StatusInternalServerError, text: "Unexpected failure"}
	}
	if f.retryAfter > 0 {
		c.Response().Header().Set("Retry-After", strconv.Itoa(f.retryAfter))
	}
	if err := c.String(f.status, f.text); err != nil {
		s.log.Debug("sandbox", "error", err)
	}
}

// slowness is how long X-Sandbox-Fault: slow waits before each piece.
const slowness = 300 * time.Millisecond

// faults does what the header X-Sandbox-Fault asks for: a status from 400 to
// 599 (with an optional Retry-After as in "503;2"), timeout (no answer until
// the caller gives up), slow (an answer after a wait), garbage (bytes that are
// no answer), or cut (the answer's connection breaks in the middle).
func faults(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		fault, argument, _ := strings.Cut(c.Request().Header.Get("X-Sandbox-Fault"), ";")
		switch fault {
		case "":
			return next(c)
		case "timeout":
			<-c.Request().Context().Done()
			return nil
		case "slow":
			select {
			case <-time.After(slowness):
			case <-c.Request().Context().Done():
			}
			return next(c)
		case "garbage":
			return c.Blob(http.StatusOK, "application/json", []byte("\x00\x01<garbage"))
		case "cut":
			c.Response().Header().Set("Content-Type", "application/octet-stream")
			c.Response().WriteHeader(http.StatusOK)
			_, _ = c.Response().Write(make([]byte, 64<<10))
			c.Response().Flush()
			panic(http.ErrAbortHandler)
		}
		status, err := strconv.Atoi(fault)
		if err != nil || status < 400 || status > 599 {
			return fail(http.StatusBadRequest, "X-Sandbox-Fault %q is not known", fault)
		}
		seconds, _ := strconv.Atoi(argument)
		return &failure{status: status, text: "As asked for by X-Sandbox-Fault", retryAfter: seconds}
	}
}

// guard checks the requests of one API.
type guard struct {
	router      routers.Router
	prefix      string
	credentials func(*http.Request) (context.Context, error)
}

func newGuard(raw []byte, credentials func(*http.Request) (context.Context, error)) (*guard, error) {
	spec, err := openapi.Load(raw)
	if err != nil {
		return nil, err
	}
	spec.Servers = nil
	router, err := legacy.NewRouter(spec)
	if err != nil {
		return nil, err
	}
	return &guard{router: router, credentials: credentials}, nil
}

func (g *guard) check(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		ctx, err := g.credentials(r)
		if err != nil {
			return err
		}
		r = r.WithContext(ctx)
		if err := g.validate(r); err != nil {
			return err
		}
		c.SetRequest(r)
		return next(c)
	}
}

// validate checks a request against the spec. The bodies of streams are left
// alone.
func (g *guard) validate(r *http.Request) error {
	local := r.Clone(r.Context())
	local.URL.Path = strings.TrimPrefix(local.URL.Path, g.prefix)
	route, params, err := g.router.FindRoute(local)
	if err != nil {
		return fail(http.StatusNotFound, "No such operation")
	}
	local.Body = r.Body
	isJSON := route.Operation.RequestBody != nil && route.Operation.RequestBody.Value.Content["application/json"] != nil
	err = openapi3filter.ValidateRequest(r.Context(), &openapi3filter.RequestValidationInput{
		Request: local, PathParams: params, Route: route,
		Options: &openapi3filter.Options{ExcludeRequestBody: !isJSON, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	})
	r.Body = local.Body // read, and put back
	if err == nil {
		return nil
	}
	var param *openapi3filter.RequestError
	var schema *openapi3.SchemaError
	switch {
	case errors.As(err, &param) && param.Parameter != nil:
		return fail(http.StatusBadRequest, "Parameter %s: %s", param.Parameter.Name, param.Reason)
	case errors.As(err, &schema):
		return fail(http.StatusBadRequest, "Body, %s: %s", strings.Join(schema.JSONPointer(), "."), schema.Reason)
	default:
		return fail(http.StatusBadRequest, "Malformed request")
	}
}

// user is who an access token stands for.
type user struct {
	id    string
	boxes []string // where the user may act
}

type userKey struct{}

func userOf(ctx context.Context) user {
	u, _ := ctx.Value(userKey{}).(user)
	return u
}

// checkToken finds the user of the access token.
func (s *Sandbox) checkToken(r *http.Request) (context.Context, error) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.mu.Lock()
	u, known := s.store.tokens[token]
	s.mu.Unlock()
	if !ok || !known {
		return nil, fail(http.StatusUnauthorized, "The access token is missing or not valid")
	}
	return context.WithValue(r.Context(), userKey{}, u), nil
}

func checkKey(r *http.Request) (context.Context, error) {
	if r.Header.Get("x-partner-apikey") != APIKey {
		return nil, fail(http.StatusUnauthorized, "The API key is missing or not valid")
	}
	return r.Context(), nil
}
