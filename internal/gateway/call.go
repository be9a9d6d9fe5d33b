package gateway

// This file: what one request of a caller hands to the calls that it makes:
// the credential, the parsed Query and the shape of the body. Only this
// travels on; the caller's own headers and cookies do not.

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"equipment-platform/internal/edge"
)

const (
	tokenHeader = "X-Partner-Access-Token"
	keyHeader   = "X-Partner-Apikey"
)

// call is the part of a caller's request that upstream calls need.
type call struct {
	operation string
	answer    *openapi3.Schema // of JSON answers
	accept    string
	token     string // for the provider
	key       string // for the pass-through upstreams
	query     *query
	// The body as it came, for bodies that are passed through.
	body          *http.Request
	contentLength int64
	connection    *http.ResponseController
	metrics       *metrics
}

type callKey struct{}

// callOf returns the call of a request, an empty one outside of requests.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{query: &query{}, contentLength: -1}
}

// queryOf returns the parsed Query string of a request.
func queryOf(ctx context.Context) *query { return callOf(ctx).query }

// Check is the edge's hook between the credentials and the validation of
// parameters: it parses Query, asks for the configured box, and remembers what
// upstream calls need. An error here names the fields inside Query.
func (g *Gateway) Check(c echo.Context, id string) *edge.Problem {
	op := g.operations[id]
	if op == nil {
		return nil
	}
	r := c.Request()
	given := &call{
		operation: id, answer: op.answer, accept: op.accept, token: r.Header.Get(tokenHeader), key: r.Header.Get(keyHeader),
		query: &query{}, contentLength: r.ContentLength,
		connection: http.NewResponseController(c.Response()), metrics: g.metrics,
	}
	if op.hasQuery {
		raw, details := rawQuery(r.URL.RawQuery)
		if len(details) == 0 {
			given.query, details = parseQuery(raw, op)
		}
		if len(details) > 0 {
			return edge.Invalid(details)
		}
	}
	if op.stream && r.ContentLength == 0 {
		return edge.InvalidField("body", "is required")
	}
	if op.stream && r.Header.Get(echo.HeaderContentType) == "" {
		r.Header.Set(echo.HeaderContentType, binaryType) // what bytes without a type are (RFC 9110)
	}
	if op.needsBox && g.box == "" {
		return errNoBox
	}
	if r.ContentLength != 0 {
		body := &patientBody{ReadCloser: r.Body, connection: given.connection}
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
	c.SetRequest(r.WithContext(context.WithValue(r.Context(), callKey{}, given)))
	given.body = c.Request()
	return nil
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
	req.Header.Set("Accept", given.accept)
	req.URL.RawQuery = given.query.appendTo(req.URL.RawQuery)
	if req.Header.Get("Content-Type") == "application/json" {
		req.Header.Set("Content-Type", "application/json; charset=utf-8") // the provider's default is another encoding
	}
	if req.Body != nil && req.ContentLength == 0 && given.contentLength > 0 {
		req.ContentLength = given.contentLength // a stream whose length the caller gave
	}
	return nil
}

// fillBox puts the configured box where a body leaves the caller's own box out
// (D8.3).
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
