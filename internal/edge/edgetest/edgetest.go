// Package edgetest is the client of the integration tests: it calls a server
// over HTTP and validates every answer against its spec, status, headers and
// body. A test that forgets to look is still a test of the contract.
package edgetest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// Contract is a spec with its routes, shared by the tests of a package.
type Contract struct {
	Spec   *openapi3.T
	router routers.Router
	common func(a Answer, path string) // what all answers have beyond the spec

	mu   sync.Mutex
	seen map[string]map[int]int // operation id to status to times
}

// NewContract prepares the spec of a service of the platform, whose answers have
// a request id and whose failures are an ApiErrorDto.
func NewContract(spec *openapi3.T) (*Contract, error) {
	for _, schema := range spec.Components.Schemas {
		closeWords(schema.Value)
	}
	return newContract(spec, nil, func(a Answer, path string) {
		a.t.Helper()
		require.NotEmpty(a.t, a.Header.Get("X-Request-Id"), a.String())
		if a.Status >= 400 {
			a.checkError(path)
		}
	})
}

// NewUpstreamContract prepares the spec of an upstream that is mounted at a path,
// and whose failures are plain text.
func NewUpstreamContract(spec *openapi3.T, mount string) (*Contract, error) {
	return newContract(spec, openapi3.Servers{{URL: mount}}, func(a Answer, _ string) {
		a.t.Helper()
		if a.Status >= 400 {
			require.Contains(a.t, a.Header.Get("Content-Type"), "text/plain", a.String())
			require.NotEmpty(a.t, a.Body, a.String())
		}
	})
}

func newContract(spec *openapi3.T, servers openapi3.Servers, common func(Answer, string)) (*Contract, error) {
	spec.Servers = servers // none: any address
	router, err := gorillamux.NewRouter(spec)
	if err != nil {
		return nil, err
	}
	return &Contract{Spec: spec, router: router, common: common, seen: map[string]map[int]int{}}, nil
}

// closeWords holds our own answers to the words that the spec lists: others may
// come for partners, but not before they are written down.
func closeWords(schema *openapi3.Schema) {
	if words, ok := schema.Extensions["x-extensible-enum"].([]any); ok {
		schema.Enum = words
	}
	for _, property := range schema.Properties {
		if property.Ref == "" {
			closeWords(property.Value)
		}
	}
}

// Seen returns how often an operation answered a status, for coverage checks.
func (c *Contract) Seen(operation string, status int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen[operation][status]
}

func (c *Contract) note(operation string, status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen[operation] == nil {
		c.seen[operation] = map[int]int{}
	}
	c.seen[operation][status]++
}

// Client calls one server as one caller. The zero token is an anonymous one.
type Client struct {
	Base     string
	Token    string
	Contract *Contract
}

// As returns the client of another caller.
func (c Client) As(token string) Client {
	c.Token = token
	return c
}

// Answer is what came back.
type Answer struct {
	t       testing.TB
	Request string
	Status  int
	Header  http.Header
	Body    []byte
}

// Header is a request header, for Do.
type Header struct{ Name, Value string }

// IfMatch is an If-Match header.
func IfMatch(etag string) Header { return Header{"If-Match", etag} }

// IfNoneMatch is an If-None-Match header.
func IfNoneMatch(etag string) Header { return Header{"If-None-Match", etag} }

// Do sends a request. A body is encoded as JSON unless it is []byte (sent as
// it is) or nil (none).
func (c Client) Do(tb testing.TB, method, path string, body any, headers ...Header) Answer {
	tb.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case []byte:
		reader = bytes.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		require.NoError(tb, err)
		reader = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(tb.Context(), method, c.Base+path, reader)
	require.NoError(tb, err)
	if reader != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	for _, h := range headers {
		if h.Value == "" {
			req.Header.Del(h.Name)
			continue
		}
		req.Header.Set(h.Name, h.Value)
	}
	return c.Send(tb, req)
}

// Send sends a prepared request and validates the answer against the spec.
func (c Client) Send(tb testing.TB, req *http.Request) Answer {
	tb.Helper()
	resp, err := http.DefaultClient.Do(req)
	require.NoError(tb, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(uncoded(tb, resp))
	require.NoError(tb, err)
	a := Answer{t: tb, Request: req.Method + " " + req.URL.RequestURI(), Status: resp.StatusCode, Header: resp.Header, Body: raw}
	c.check(tb, req, a)
	return a
}

// uncoded reads a body whose coding was asked for; what net/http asks for by
// itself it reads by itself.
func uncoded(tb testing.TB, resp *http.Response) io.Reader {
	tb.Helper()
	switch coding := resp.Header.Get("Content-Encoding"); coding {
	case "":
		return resp.Body
	case "gzip":
		r, err := gzip.NewReader(resp.Body)
		require.NoError(tb, err)
		return r
	case "zstd":
		r, err := zstd.NewReader(resp.Body)
		require.NoError(tb, err)
		tb.Cleanup(r.Close)
		return r
	default:
		require.Fail(tb, "an unknown coding", coding)
		return nil
	}
}

// check validates the answer. An answer to a path or method that the spec does
// not have must be an ApiErrorDto all the same.
func (c Client) check(tb testing.TB, req *http.Request, a Answer) {
	tb.Helper()
	c.Contract.common(a, req.URL.Path)
	route, params, err := c.Contract.router.FindRoute(req)
	if err != nil {
		// health, docs and the like are not of the spec
		if strings.HasPrefix(req.URL.Path, "/api/") {
			require.Contains(tb, []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNoContent}, a.Status, a.String())
		}
		return
	}
	if a.Status == http.StatusMethodNotAllowed {
		return // a fixed word at a parameter's place
	}
	c.Contract.note(route.Operation.OperationID, a.Status)
	response := route.Operation.Responses.Status(a.Status)
	if response == nil {
		response = route.Operation.Responses.Default()
	}
	require.NotNil(tb, response, "the spec of %s has no status %d: %s", route.Operation.OperationID, a.Status, a)
	for name, h := range response.Value.Headers {
		if h.Value.Required {
			require.NotEmpty(tb, a.Header.Get(name), "%s lacks the header %s", a, name)
		}
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route},
		Status:                 a.Status, Header: a.Header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true, ExcludeResponseBody: isFile(response.Value, a)},
	}
	input.SetBodyBytes(a.Body)
	require.NoError(tb, openapi3filter.ValidateResponse(req.Context(), input), a.String())
	if content := response.Value.Content["application/json"]; content != nil && len(a.Body) > 0 {
		var value any
		require.NoError(tb, json.Unmarshal(a.Body, &value), a.String())
		require.Empty(tb, undocumented("", value, content.Schema.Value), "%s has fields that the spec does not know", a)
	}
}

// isFile reports whether an answer is of a media type whose bytes the spec does
// not describe.
func isFile(response *openapi3.Response, a Answer) bool {
	content := response.Content.Get(a.Header.Get("Content-Type"))
	return content != nil && content.Schema != nil && content.Schema.Value.Format == "binary"
}

// undocumented lists the fields of a value that its schema does not know.
func undocumented(at string, value any, s *openapi3.Schema) (out []string) {
	if s == nil {
		return nil
	}
	switch v := value.(type) {
	case map[string]any:
		open := s.AdditionalProperties.Schema != nil || len(s.Properties) == 0
		for key, item := range v {
			property := s.Properties[key]
			if property == nil {
				if !open {
					out = append(out, at+"."+key)
				}
				continue
			}
			out = append(out, undocumented(at+"."+key, item, property.Value)...)
		}
	case []any:
		for i, item := range v {
			if s.Items != nil {
				out = append(out, undocumented(fmt.Sprintf("%s[%d]", at, i), item, s.Items.Value)...)
			}
		}
	}
	return out
}

// checkError validates an error answer against ApiErrorDto (contract 7.1).
func (a Answer) checkError(path string) {
	a.t.Helper()
	require.Equal(a.t, "application/json", a.Header.Get("Content-Type"), a.String())
	var e struct {
		Status    int               `json:"status"`
		Message   string            `json:"message"`
		Code      string            `json:"code"`
		Details   map[string]string `json:"details"`
		Path      string            `json:"path"`
		Timestamp string            `json:"timestamp"`
	}
	d := json.NewDecoder(bytes.NewReader(a.Body))
	d.DisallowUnknownFields()
	require.NoError(a.t, d.Decode(&e), a.String())
	require.Equal(a.t, a.Status, e.Status, a.String())
	require.NotEmpty(a.t, e.Message, a.String())
	require.NotEmpty(a.t, e.Code, a.String())
	require.Equal(a.t, strings.ToValidUTF8(path, "\uFFFD"), e.Path, a.String())
	require.Regexp(a.t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$`, e.Timestamp, a.String())
	if a.Status == http.StatusUnauthorized {
		require.Regexp(a.t, `^Bearer( |$)`, a.Header.Get("WWW-Authenticate"), a.String())
	}
	if a.Status == http.StatusBadRequest {
		require.NotEmpty(a.t, e.Details, "a 400 names its fields: %s", a)
	} else if a.Status != http.StatusUnprocessableEntity {
		require.Nil(a.t, e.Details, "details are for 400 and 422: %s", a)
	}
}

func (a Answer) String() string { return fmt.Sprintf("%s → %d %s", a.Request, a.Status, a.Body) }

// Is requires a status and returns the answer.
func (a Answer) Is(status int) Answer {
	a.t.Helper()
	require.Equal(a.t, status, a.Status, a.String())
	return a
}

// Fails requires an error with a status and code that names fields (all of
// them, when any are given).
func (a Answer) Fails(status int, code string, fields ...string) Answer {
	a.t.Helper()
	a.Is(status)
	require.Equal(a.t, code, a.Text("code"), a.String())
	if len(fields) > 0 {
		details, _ := a.Field("details").(map[string]any)
		names := make([]string, 0, len(details))
		for name := range details {
			names = append(names, name)
		}
		require.ElementsMatch(a.t, fields, names, a.String())
	}
	return a
}

// JSON decodes the body.
func (a Answer) JSON(into any) {
	a.t.Helper()
	require.NoError(a.t, json.Unmarshal(a.Body, into), a.String())
}

// Field returns a field of the body's object; numbers are json.Number, so that
// no digit is lost.
func (a Answer) Field(name string) any {
	a.t.Helper()
	var object map[string]any
	d := json.NewDecoder(bytes.NewReader(a.Body))
	d.UseNumber()
	require.NoError(a.t, d.Decode(&object), a.String())
	return object[name]
}

// Text returns a text field of the body's object.
func (a Answer) Text(name string) string {
	a.t.Helper()
	s, ok := a.Field(name).(string)
	require.True(a.t, ok, "%s is not a text in %s", name, a)
	return s
}

// ID returns the id of the body's object.
func (a Answer) ID() string {
	a.t.Helper()
	return a.Text("id")
}

// ETag returns the ETag header.
func (a Answer) ETag() string { return a.Header.Get("ETag") }

// Version returns the version that the answer's tag begins with, in quotes as
// If-Match takes it.
func (a Answer) Version() string {
	version, _, _ := strings.Cut(a.ETag(), ".")
	return version + `"`
}
