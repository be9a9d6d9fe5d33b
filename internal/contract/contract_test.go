package contract_test

// This file: a small spec, read and enforced without a server.

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/contract"
)

const head = `
openapi: 3.0.3
info: {title: Things, version: '1'}
x-role-groups: {WRITE: {anyOf: [ADMIN], noneOf: [BANNED]}}
`

const things = head + `
x-null-is-absent: true
paths:
  /things/{id}:
    put:
      operationId: replaceThing
      security: [{bearer: [], key: []}]
      x-roles: WRITE
      x-body-limit: 4096
      parameters:
        - {name: id, in: path, required: true, schema: {type: string, format: uuid}}
        - {name: step, in: query, schema: {type: number, minimum: 0, maximum: 5, multipleOf: 0.5}}
        - {name: page, in: query, schema: {type: integer, minimum: 1, default: 7}}
        - {name: X-Mode, in: header, schema: {type: string, enum: [fast, safe]}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              properties:
                name: {type: string, minLength: 1, maxLength: 5, x-trim: true}
                kind: {type: string, enum: [Small, Large], x-enum-numbers: [0, 1]}
                score: {type: number, minimum: 1, maximum: 5, multipleOf: 0.5}
                open: {anyOf: [{type: string}, {type: number}]}
                list: {type: array, items: {type: object, required: [a], properties: {a: {type: integer}}}}
      responses: {'200': {description: ok}}
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}, key: {type: apiKey, in: header, name: X-Key}}
`

func specOf(tb testing.TB, text string) *openapi3.T {
	tb.Helper()
	spec, err := openapi3.NewLoader().LoadFromData([]byte(text))
	require.NoError(tb, err)
	return spec
}

func operation(tb testing.TB) *contract.Operation {
	tb.Helper()
	list, err := contract.Operations(specOf(tb, things))
	require.NoError(tb, err)
	require.Len(tb, list, 1)
	return list[0]
}

func TestOperation(t *testing.T) {
	t.Parallel()
	op := operation(t)
	require.Equal(t, "replaceThing", op.ID)
	require.Equal(t, http.MethodPut, op.Method)
	require.Equal(t, "/things/{id}", op.Path)
	require.True(t, op.Protected)
	require.Equal(t, contract.RoleRule{AnyOf: []string{"ADMIN"}, NoneOf: []string{"BANNED"}}, op.Roles)
	require.EqualValues(t, 4096, op.BodyLimit)
	require.Equal(t, []string{"X-Key"}, op.KeyHeaders)
	require.True(t, op.HasBody())
	require.True(t, op.HasJSONBody())
}

func TestRoleRule(t *testing.T) {
	t.Parallel()
	rule, err := contract.RoleGroup(specOf(t, things), "WRITE")
	require.NoError(t, err)
	require.True(t, rule.Allows(auth.Caller{Roles: []string{"USER", "ADMIN"}}))
	require.False(t, rule.Allows(auth.Caller{Roles: []string{"ADMIN", "BANNED"}}))
	require.False(t, rule.Allows(auth.Caller{}))
	require.True(t, contract.RoleRule{}.Allows(auth.Caller{}))
}

// A spec that leaves open who may call is not served.
func TestSpecsThatAreRefused(t *testing.T) {
	t.Parallel()
	for roles, says := range map[string]string{
		``: "protected, but has no x-roles", `x-roles: READ`: `unknown group "READ"`, `x-roles: 5`: "neither a group nor a list",
	} {
		t.Run(says, func(t *testing.T) {
			t.Parallel()
			_, err := contract.Operations(specOf(t, head+`
paths:
  /things:
    get:
      security: [{bearer: []}]
      `+roles+`
      responses: {'200': {description: ok}}
components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}
`))
			require.ErrorContains(t, err, "GET /things: ")
			require.ErrorContains(t, err, says)
		})
	}
	_, err := contract.Operations(specOf(t, strings.Replace(head, "{anyOf: [ADMIN], noneOf: [BANNED]}", "ADMIN", 1)+"paths: {}"))
	require.ErrorContains(t, err, "x-role-groups.WRITE is not an object")
}

func fieldsOf(tb testing.TB, err error) map[string]string {
	tb.Helper()
	if err == nil {
		return nil
	}
	var violation *contract.Violation
	require.ErrorAs(tb, err, &violation)
	return violation.Fields
}

func TestCheckParams(t *testing.T) {
	t.Parallel()
	op := operation(t)
	const id = "0b6f3c52-8a4e-4f0e-8b8e-2f6f1f0c9a01"
	for name, c := range map[string]struct {
		id, query string
		modes     []string
		fields    map[string]string
	}{
		"good":               {id, "step=4.5&page=1", []string{"safe"}, nil},
		"bad id":             {"x", "", nil, map[string]string{"id": "must be a valid uuid"}},
		"id of another form": {strings.ReplaceAll(id, "-", ""), "", nil, map[string]string{"id": "must be a valid uuid"}},
		"several":            {id, "step=6&page=0&page=1", []string{"slow"}, map[string]string{"step": "must be at most 5", "page": "is there more than once", "X-Mode": "must be one of fast, safe"}},
		"a double would do":  {id, "step=5.0000000000000001", nil, map[string]string{"step": "must be at most 5"}},
		"off the step":       {id, "step=4.50000000000000000001", nil, map[string]string{"step": "must be a multiple of 0.5"}},
		"below zero":         {id, "step=-0.0000000000000000000001", nil, map[string]string{"step": "must be at least 0"}},
		"many digits":        {id, "step=4.5" + strings.Repeat("0", 2000), nil, map[string]string{"step": "has too many digits"}},
		"no plain number":    {id, "step=0x1p0&page=1e1", nil, map[string]string{"step": "is not a valid number", "page": "is not a valid integer"}},
		"header twice":       {id, "", []string{"fast", "fast"}, map[string]string{"X-Mode": "is there more than once"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodPut, "/things/x?"+c.query, nil)
			for _, mode := range c.modes {
				r.Header.Add("X-Mode", mode)
			}
			require.Equal(t, c.fields, fieldsOf(t, op.CheckParams(r, map[string]string{"id": c.id})))
		})
	}
	r := httptest.NewRequest(http.MethodPut, "/things/x", nil)
	require.NoError(t, op.CheckParams(r, map[string]string{"id": id}))
	require.Equal(t, "7", r.URL.Query().Get("page"), "the default")
}

func TestCheckKeyHeaders(t *testing.T) {
	t.Parallel()
	op := operation(t)
	for says, values := range map[string][]string{"": {"k"}, "is required": {" "}, "is there more than once": {"k", "k"}, "must not contain control characters": {"k\x01"}} {
		fields := fieldsOf(t, op.CheckKeyHeaders(http.Header{"X-Key": values}))
		require.Equal(t, says, fields["X-Key"])
	}
	require.Equal(t, map[string]string{"X-Key": "is required"}, fieldsOf(t, op.CheckKeyHeaders(nil)))
}

func TestReadBody(t *testing.T) {
	t.Parallel()
	op := operation(t)
	read := func(body string) (contract.Body, error) {
		r := httptest.NewRequest(http.MethodPut, "/things/x", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		return op.ReadBody(httptest.NewRecorder(), r)
	}
	for name, c := range map[string]struct{ sent, valid string }{
		"as it is":        {`{"name":"x", "score":4.50}`, `{"name":"x", "score":4.50}`},
		"trimmed":         {`{"name":" x "}`, `{"name":"x"}`},
		"named":           {`{"kind":1}`, `{"kind":"Large"}`},
		"without null":    {`{"name":null}`, `{}`},
		"any number":      {`{"open":1e400}`, `{"open":1e400}`},
		"with exact text": {`{"name":" x ","open":0.10000000000000000000001}`, `{"name":"x","open":0.10000000000000000000001}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, err := read(c.sent)
			require.NoError(t, err)
			require.Equal(t, c.sent, string(body.Sent))
			require.Equal(t, c.valid, string(body.Valid)) //nolint:testifylint // to the byte
		})
	}
	for name, c := range map[string]struct {
		sent   string
		fields map[string]string
	}{
		"nothing":            {``, map[string]string{"body": "is required"}},
		"no object":          {`[]`, map[string]string{"body": "must be an object"}},
		"duplicate":          {`{"list":[{"a":1,"a":2}]}`, map[string]string{"list[0].a": "is there twice"}},
		"several":            {`{"name":" ","kind":"x","list":[{"a":1},{}],"more":1}`, map[string]string{"name": "must not be blank", "kind": "must be one of Small, Large", "list[1].a": "is required", "more": "is not a known field"}},
		"unseen":             {`{"name":"\u200b \u3164\u2800"}`, map[string]string{"name": "must not be blank"}},
		"number of a name":   {`{"kind":2}`, map[string]string{"kind": "must be one of Small, Large"}},
		"a double would do":  {`{"score":4.50000000000000000001}`, map[string]string{"score": "must be a multiple of 0.5"}},
		"beyond every bound": {`{"score":1e400}`, map[string]string{"score": "must be at most 5"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := read(c.sent)
			require.Equal(t, c.fields, fieldsOf(t, err))
		})
	}
	var tooLarge *http.MaxBytesError
	r := httptest.NewRequest(http.MethodPut, "/things/x", struct{ *strings.Reader }{strings.NewReader(strings.Repeat(" ", 5000))})
	r.Header.Set("Content-Type", "application/json")
	_, err := op.ReadBody(httptest.NewRecorder(), r)
	require.ErrorAs(t, err, &tooLarge, "without a length that says so before")
	broken := errors.New("the connection broke")
	r = httptest.NewRequest(http.MethodPut, "/things/x", iotest.ErrReader(broken))
	r.Header.Set("Content-Type", "application/json")
	_, err = op.ReadBody(httptest.NewRecorder(), r)
	require.ErrorIs(t, err, broken)
	require.Equal(t, map[string]string{"body": "could not be read to its end"}, fieldsOf(t, err))
}

func TestNameEnums(t *testing.T) {
	t.Parallel()
	schema := &openapi3.Schema{Enum: []any{"Small", "Large", "Other"}, Extensions: map[string]any{"x-enum-numbers": []any{0, 1}}}
	list := &openapi3.Schema{Items: schema.NewRef()}
	named, changed := contract.NameEnums([]any{json.Number("1"), json.Number("2"), "Small"}, list)
	require.True(t, changed)
	require.Equal(t, []any{"Large", json.Number("2"), "Small"}, named)
	_, changed = contract.NameEnums([]any{"Large"}, list)
	require.False(t, changed)
}
