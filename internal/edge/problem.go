package edge

// This file: errors that callers see, and the one place where any error
// becomes an ApiErrorDto (contract 7.1).

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"equipment-platform/internal/contract"
)

// Problem is an error with a public face. Handlers return it (or wrap it) and
// never write an error status themselves.
type Problem struct {
	Status  int               // HTTP status
	Code    string            // stable machine-readable word of the spec's ErrorCode
	Message string            // text for people
	Details map[string]string // field name to message; nil answers null
	// RetryAfter is sent as a header in whole seconds when it is positive.
	RetryAfter time.Duration
	// Header holds further headers of the answer.
	Header http.Header
	// Cause is logged and never sent.
	Cause error
}

func (p *Problem) Error() string {
	if p.Cause != nil {
		return p.Code + ": " + p.Message + ": " + p.Cause.Error()
	}
	return p.Code + ": " + p.Message
}

func (p *Problem) Unwrap() error { return p.Cause }

// With returns a copy that names fields.
func (p *Problem) With(details map[string]string) *Problem {
	q := *p
	q.Details = details
	return &q
}

// Because returns a copy with a cause for the log.
func (p *Problem) Because(cause error) *Problem {
	q := *p
	q.Cause = cause
	return &q
}

// NewProblem makes a problem without details.
func NewProblem(status int, code, message string) *Problem {
	return &Problem{Status: status, Code: code, Message: message}
}

// Invalid is a 400 that names each field.
func Invalid(details map[string]string) *Problem {
	return &Problem{Status: http.StatusBadRequest, Code: "validation_failed", Message: "The request is not valid.", Details: details}
}

// InvalidField is a 400 that names one field.
func InvalidField(field, message string) *Problem {
	return Invalid(map[string]string{field: message})
}

// The problems that every service of the platform can answer.
var (
	ErrNotFound         = NewProblem(http.StatusNotFound, "not_found", "There is no such resource.")
	ErrForbidden        = NewProblem(http.StatusForbidden, "forbidden", "The token lacks the role for this operation.")
	ErrMethodNotAllowed = NewProblem(http.StatusMethodNotAllowed, "method_not_allowed", "The path does not have this method.")
	ErrTooLarge         = NewProblem(http.StatusRequestEntityTooLarge, "payload_too_large", "The body is larger than allowed.")
	ErrMediaType        = NewProblem(http.StatusUnsupportedMediaType, "unsupported_media_type", "The body has a content type that this operation does not take.")
	ErrInternal         = NewProblem(http.StatusInternalServerError, "internal_error", "Internal error.")
	ErrOverloaded       = &Problem{Status: http.StatusServiceUnavailable, Code: "overloaded", Message: "The service cannot answer now; try again later.", RetryAfter: time.Second}
)

// errContentCoding says which coding would do (RFC 9110, 15.5.16).
var errContentCoding = &Problem{
	Status: http.StatusUnsupportedMediaType, Code: "unsupported_media_type", Message: "The body has a Content-Encoding; bodies are taken as they are.",
	Header: http.Header{echo.HeaderAcceptEncoding: {"identity"}},
}

// Unauthorized is a 401. A reason is given when a token was sent.
func Unauthorized(reason string) *Problem {
	challenge := `Bearer realm="equipment-platform"`
	if reason != "" {
		challenge += `, error="invalid_token", error_description="` + reason + `"`
	}
	return &Problem{
		Status: http.StatusUnauthorized, Code: "unauthorized", Message: "A valid bearer token is required.",
		Header: http.Header{echo.HeaderWWWAuthenticate: {challenge}},
	}
}

// Mapping turns errors of a lower layer (a database constraint, say) into
// problems. It returns nil for an error that is not its business.
type Mapping func(error) *Problem

// problemOf is the ordered list of what errors mean. mappings are asked after
// the errors that know their own face.
func problemOf(err error, mappings []Mapping) *Problem {
	var p *Problem
	var tooLarge *http.MaxBytesError
	var violation *contract.Violation
	var he *echo.HTTPError
	switch {
	case errors.Is(err, errTooSlow):
		return errTooSlow // whatever else a reader of the body took it for
	case errors.As(err, &p):
		return p
	case errors.As(err, &tooLarge), errors.Is(err, contract.ErrTooLarge):
		return ErrTooLarge
	case errors.Is(err, contract.ErrMediaType):
		return ErrMediaType
	case errors.Is(err, contract.ErrContentCoding):
		return errContentCoding
	case errors.As(err, &violation):
		return Invalid(violation.Fields).Because(violation.Cause)
	}
	for _, m := range mappings {
		if p := m(err); p != nil {
			return p
		}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return ErrOverloaded.Because(err)
	case errors.As(err, &he):
		return problemOfEcho(he)
	default:
		return ErrInternal.Because(err)
	}
}

// problemOfEcho translates what the router and the generated wrappers raise.
func problemOfEcho(he *echo.HTTPError) *Problem {
	switch he.Code {
	case http.StatusNotFound:
		return ErrNotFound
	case http.StatusMethodNotAllowed:
		return ErrMethodNotAllowed
	case http.StatusRequestEntityTooLarge:
		return ErrTooLarge
	case http.StatusUnsupportedMediaType:
		return ErrMediaType
	case http.StatusBadRequest:
		// the validator runs first and names the field; what still comes here has no better name
		return InvalidField("request", "cannot be read").Because(he)
	default:
		return ErrInternal.Because(he)
	}
}

// NoNilResponse is a strict middleware: a handler that returns neither answer
// nor error would send an empty 200.
func NoNilResponse[H ~func(echo.Context, any) (any, error)](next H, operation string) H {
	return func(c echo.Context, request any) (any, error) {
		response, err := next(c, request)
		if err == nil && response == nil {
			return nil, ErrInternal.Because(fmt.Errorf("%s answered nothing", operation))
		}
		return response, err
	}
}

// errorBody is ApiErrorDto (contract 7.1).
type errorBody struct {
	Status    int               `json:"status"`
	Message   string            `json:"message"`
	Code      string            `json:"code"`
	Details   map[string]string `json:"details"`
	Path      string            `json:"path"`
	Timestamp time.Time         `json:"timestamp"`
}

// writeProblem answers a problem. An answer that has begun cannot be changed.
func writeProblem(c echo.Context, p *Problem) {
	if c.Response().Committed {
		return
	}
	r, h := c.Request(), c.Response().Header()
	// what a handler may have set for its success does not fit an error
	for _, name := range []string{echo.HeaderContentLength, echo.HeaderContentEncoding, echo.HeaderLocation, "ETag", echo.HeaderContentDisposition} {
		h.Del(name)
	}
	for name, values := range p.Header {
		h[name] = values
	}
	if p.RetryAfter > 0 {
		h.Set(echo.HeaderRetryAfter, strconv.FormatInt(int64((p.RetryAfter+time.Second-1)/time.Second), 10))
	}
	h.Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	h.Set(echo.HeaderCacheControl, "no-store")
	if r.Method == http.MethodHead {
		c.Response().WriteHeader(p.Status)
		return
	}
	body, err := json.Marshal(errorBody{
		Status: p.Status, Message: p.Message, Code: p.Code, Details: p.Details,
		Path: strings.ToValidUTF8(r.URL.Path, "\uFFFD"), Timestamp: time.Now().UTC().Truncate(time.Microsecond),
	})
	if err != nil {
		body = nil // a fixed structure cannot fail to marshal
	}
	// the length says where it ends: what is still read of the request comes after it
	h.Set(echo.HeaderContentLength, strconv.Itoa(len(body)))
	c.Response().WriteHeader(p.Status)
	_, _ = c.Response().Write(body) // the caller may be gone
}
