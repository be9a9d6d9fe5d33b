package gateway

// This file: what one request of a caller hands to the calls that it makes:
// the credential, the parsed Query and the shape of the body. Only this
// travels on; the caller's own headers and cookies do not.

import (
	"bufio"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"equipment-platform/internal/edge"
)

const (
	tokenHeader = "X-Partner-Access-Token"
	keyHeader   = "X-Partner-Apikey"
)

// call is the part of a caller's request that upstream calls need. Check makes it,
// begin adds what is known once the request is validated, and from then on it does not
// change, but for the memory that its answer takes.
type call struct {
	operation *operation
	token     string // for the provider
	key       string // for the pass-through upstreams
	query     query
	// The body as it came, under the operation's limit, for forms that are passed
	// through byte for byte: the boundary stays the caller's.
	contentType   string
	contentLength int64 // -1: the caller did not tell
	body          io.Reader
	connection    *http.ResponseController // nil outside of requests
	// acceptEncoding is what the caller can unpack, for files.
	acceptEncoding string
	metrics        *metrics
	memory         share
}

type callKey struct{}

// callOf returns the call of a request, an empty one outside of requests.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{operation: &operation{}, contentLength: -1}
}

// queryOf returns the parsed Query string of a request.
func queryOf(ctx context.Context) query { return callOf(ctx).query }

// Check is the edge's hook between the credentials and the validation of
// parameters: it reads Query and what stands beside it, asks for the configured box, and puts an idle
// timeout on the body. An error here names the fields inside Query.
func (g *Gateway) Check(c echo.Context, id string) *edge.Problem {
	op := g.operations[id]
	if op == nil {
		return nil
	}
	given := &call{operation: op, metrics: g.metrics}
	r := c.Request()
	r = r.WithContext(context.WithValue(r.Context(), callKey{}, given))
	c.SetRequest(r)
	if op.hasQuery {
		parsed, rest, details := readQuery(r.URL.RawQuery, op)
		if len(details) > 0 {
			return edge.Invalid(details)
		}
		r.URL.RawQuery = rest // what was beside Query is checked, and travels on with it
		given.query = parsed
	}
	if op.stream && r.ContentLength == 0 {
		return edge.InvalidField("body", "is required")
	}
	if op.stream && r.Header.Get(echo.HeaderContentType) == "" {
		r.Header.Set(echo.HeaderContentType, binaryType) // what bytes without a type are (RFC 9110)
	}
	if op.upload && isForm(r.Header.Get(echo.HeaderContentType)) {
		return edge.ErrMediaType // the contract's */* takes it, but its bytes are a form and not the file (contract 8.15)
	}
	if op.needsBox && g.box == "" {
		return errNoBox
	}
	if r.ContentLength != 0 {
		body := &idleTimeoutBody{ReadCloser: r.Body, connection: http.NewResponseController(c.Response())}
		r.Body = body
		if op.stream && r.ContentLength < 0 {
			first := bufio.NewReader(body)
			switch _, err := first.Peek(1); {
			case errors.Is(err, io.EOF):
				return edge.InvalidField("body", "is required")
			case err != nil:
				return edge.InvalidField("body", "could not be read to its end").Because(err)
			}
			r.Body = struct {
				io.Reader
				io.Closer
			}{first, body}
		}
	}
	return nil
}

// isForm reports whether a content type is one of those that browsers give forms.
func isForm(contentType string) bool {
	mediaType, _, _ := mime.ParseMediaType(contentType) // it names the type of bad parameters too
	return mediaType == echo.MIMEMultipartForm || mediaType == echo.MIMEApplicationForm
}

// begin completes the call of a request that the edge has let through: validated,
// and with a body under the operation's limit.
func (g *Gateway) begin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		given, ok := r.Context().Value(callKey{}).(*call)
		if !ok {
			return next(c) // probes and docs
		}
		given.token, given.key = r.Header.Get(tokenHeader), r.Header.Get(keyHeader)
		given.contentType, given.contentLength, given.body = r.Header.Get(echo.HeaderContentType), r.ContentLength, r.Body
		given.connection, given.memory.ctx = http.NewResponseController(c.Response()), r.Context()
		given.acceptEncoding = strings.Join(r.Header.Values(echo.HeaderAcceptEncoding), ",")
		defer given.memory.release()
		if given.operation.file {
			c.Response().Header().Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
		}
		return next(c)
	}
}

// carryToken puts the partner token, and nothing of the caller, on a call of
// the provider.
func carryToken(ctx context.Context, req *http.Request) error {
	given := callOf(ctx)
	req.Header.Set("Authorization", "Bearer "+given.token)
	return carry(given, req)
}

// carryKey puts the partner key on a call of a pass-through upstream.
func carryKey(ctx context.Context, req *http.Request) error {
	given := callOf(ctx)
	req.Header.Set(keyHeader, given.key)
	return carry(given, req)
}

func carry(given *call, req *http.Request) error {
	req.Header["Accept"] = given.operation.accept
	if req.Header.Get("Content-Type") == "application/json" {
		req.Header.Set("Content-Type", "application/json; charset=utf-8") // the provider's default is another encoding
	}
	if req.Body != nil && req.ContentLength == 0 && given.contentLength > 0 {
		req.ContentLength = given.contentLength // a stream whose length the caller gave
	}
	return nil
}

// fillBox puts the configured box where a body leaves the caller's own box out
// (contract 8.3).
func (g *Gateway) fillBox(box *string) error {
	if *box != "" {
		return nil
	}
	if g.box == "" {
		return errNoBox
	}
	*box = g.box
	return nil
}
