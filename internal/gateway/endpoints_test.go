package gateway_test

// This file: each of the 137 endpoints once over real HTTP: what goes out is
// right and complete, and nothing of the caller leaks into it.

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

const (
	messageID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
	entityID  = "9c1f2a34-5b6d-4e7f-8a90-b1c2d3e4f506"
	stateUUID = "3f1d7a52-6c0e-4b8a-9d21-7e5f4c3b2a19"
	bigNumber = "638990208000000001" // no float64 holds it
	evil      = "evil@exchange.example"
)

// sample makes a value of a schema: everything down to a depth, then what is
// required.
func sample(s *openapi3.Schema, depth int) any {
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type.Is("string") && s.Format == "byte":
		return "AQID"
	case s.Type.Is("string"):
		return "text <&> \u00e4"
	case s.Type.Is("boolean"):
		return true
	case s.Type.Is("integer") && s.Format == "int64":
		return json.Number(bigNumber)
	case s.Type.Is("integer"):
		return json.Number("7")
	case s.Type.Is("array"):
		if depth <= 0 {
			return []any{}
		}
		return []any{sample(s.Items.Value, depth-1)}
	}
	out := map[string]any{}
	for name, p := range s.Properties {
		if depth > 0 || slices.Contains(s.Required, name) {
			out[name] = sample(p.Value, depth-1)
		}
	}
	return out
}

// memberValue is a value for a name inside Query, as the upstream must see it.
func memberValue(p tableParam) string {
	switch p.kind {
	case "int":
		return "7"
	case "long":
		return bigNumber
	case "bool":
		return "true"
	case "csv":
		return "a,b"
	case "flag":
		return ""
	case "datetime":
		return "2026-06-01T09:30:00Z"
	case "XsdContentType":
		return "UserContractXsd"
	case "DocumentType":
		return "XmlAcceptanceCertificate"
	default:
		return "v " + p.name + " ä&=+%"
	}
}

// pathValue is a value of a path parameter; a slash and a space must survive.
func pathValue(name string) string {
	if name == "uuid" {
		return stateUUID
	}
	return "id/" + name + "@x"
}

// caseOf is an endpoint's request and what the upstream must see.
type endpointCase struct {
	row                    map[string]string
	target                 string
	body                   []byte
	contentType            string
	wantMethod, wantPath   string
	wantQuery              url.Values
	wantBody               []byte // nil: none
	wantType               string
	answer                 []byte
	answerType, answerName string
}

// newEndpointCase makes the case of an endpoint. beside puts what is known inside
// Query beside it.
func newEndpointCase(t *testing.T, row map[string]string, operations map[string]map[string]string, beside bool) *endpointCase {
	t.Helper()
	c := &endpointCase{row: row, target: row["path"], wantQuery: url.Values{}}
	for _, name := range pathParams(row) {
		c.target = strings.ReplaceAll(c.target, "{"+name+"}", url.PathEscape(pathValue(name)))
	}
	plain, inside := queryOf(row)
	query := url.Values{"boxId": {evil}, "MyBoxId": {evil}, "unasked": {"1"}}
	for _, p := range plain {
		query.Set(p.name, map[string]string{"messageId": messageID, "entityId": entityID}[p.name])
	}
	if inside != nil {
		parts := []string{"boxId=" + evil, "%62ox%49D=" + evil, "MYBOXID=" + evil, "unknown=1&unknown=2%3B", "alone"}
		for _, p := range inside {
			if value := memberValue(p); beside {
				query.Set(p.name, map[bool]string{true: "true", false: value}[p.kind == "flag"])
			} else if p.kind == "flag" {
				parts = append(parts, p.name)
			} else {
				parts = append(parts, p.name+"="+url.QueryEscape(value))
			}
			c.wantQuery.Set(p.name, memberValue(p))
		}
		c.wantQuery["unknown"], c.wantQuery["alone"] = []string{"1", "2;"}, []string{""}
		query.Set("Query", strings.Join(parts, "&"))
	}
	c.target += "?" + query.Encode()
	c.expect(t, plain, operations)
	c.fillBodies(t)
	return c
}

// expect works out method, path and query of the upstream's side.
func (c *endpointCase) expect(t *testing.T, plain []tableParam, operations map[string]map[string]string) {
	t.Helper()
	prefix := map[string]string{"logistics": "/api/v1/vendor/logistics", "waybill": "/api/v1/vendor/waybill", "transport": "/api/v1/transport/gateway"}
	if p, ok := prefix[c.row["upstream"]]; ok {
		target, _, _ := strings.Cut(c.target, "?")
		c.wantMethod, c.wantPath = c.row["method"], strings.TrimPrefix(target, p)
		return
	}
	op := operations[c.row["provider_operation"]]
	c.wantMethod, c.wantPath = op["method"], op["path"]
	if c.row["operationId"] == "detectTitlesOnShelf" {
		c.wantMethod = "GET"
	}
	for _, p := range parseParams(op["query"], ",") {
		switch {
		case p.name == "boxId" && c.row["operationId"] == "lookupOrganization":
			// an identity is given, so the box is not sent
		case strings.EqualFold(p.name, "boxId"), p.name == "myBoxId":
			c.wantQuery.Set(p.name, box)
		case slices.Contains(pathParams(c.row), p.name):
			c.wantQuery.Set(p.name, pathValue(p.name))
		case p.name == "messageId" && slices.ContainsFunc(plain, func(q tableParam) bool { return q.name == "messageId" }):
			c.wantQuery.Set(p.name, messageID)
		case p.name == "entityId", (p.name == "documentId" || p.name == "attachmentId") && !c.wantQuery.Has(p.name) && strings.Contains(c.row["notes"], "entityId becomes"):
			c.wantQuery.Set(p.name, entityID)
		}
	}
	switch c.row["operationId"] { // names of Query that travel in a body
	case "findOrganizationsByInnList":
		c.wantQuery.Del("inn")
	case "deleteEmployeePowerOfAttorney":
		for _, name := range []string{"registrationNumber", "issuerInn", "representativeInn"} {
			c.wantQuery.Del(name)
		}
	}
}

// fillBodies makes the request's body, the one that must go out, and the
// upstream's answer.
func (c *endpointCase) fillBodies(t *testing.T) {
	t.Helper()
	spec := gatewaySpec().Paths.Find(c.row["path"]).GetOperation(c.row["method"])
	switch c.row["request_body"] {
	case "-":
	case "binary":
		c.body, c.contentType = []byte("<File>\x00\xff</File>"), "application/octet-stream"
		c.wantBody = c.body
	case "multipart":
		var form bytes.Buffer
		w := multipart.NewWriter(&form)
		part, err := w.CreateFormFile("formFiles", "title.xml")
		require.NoError(t, err)
		_, err = io.WriteString(part, "<Title/>")
		require.NoError(t, err)
		require.NoError(t, w.Close())
		c.body, c.contentType = form.Bytes(), w.FormDataContentType()
		c.wantBody, c.wantType = c.body, c.contentType
	default:
		schema, _ := jsonBody(spec)
		value := sample(schema, 3)
		if c.row["operationId"] == "createWaybill" {
			value = map[string]any{"any": []any{json.Number(bigNumber)}}
		}
		c.body, c.contentType = marshal(t, value), "application/json"
		c.wantBody, c.wantType = c.body, "application/json; charset=utf-8"
		if c.row["upstream"] != "exchange" {
			c.wantType = "application/json; charset=utf-8"
		}
	}
	pair := map[string]any{"MessageId": messageID, "EntityId": entityID}
	switch c.row["operationId"] { // bodies that the gateway builds
	case "findOrganizationsByInnList":
		c.wantBody = marshal(t, map[string]any{"InnList": []any{"a", "b"}})
	case "getDocflowByDocument", "getDocflowByDocumentV5":
		c.wantBody = marshal(t, map[string]any{"Requests": []any{map[string]any{"DocumentId": pair}}})
	case "prepareDocumentToSign":
		c.wantBody = marshal(t, map[string]any{"BoxId": box, "Documents": []any{map[string]any{"DocumentId": pair}}})
	case "deleteEmployeePowerOfAttorney":
		c.wantBody = marshal(t, map[string]any{"RegistrationNumber": "v registrationNumber ä&=+%", "IssuerInn": "v issuerInn ä&=+%", "RepresentativeInn": "v representativeInn ä&=+%"})
	}
	switch c.row["response"] {
	case "-":
	case "binary":
		c.answer, c.answerType, c.answerName = []byte("%PDF \x00\xfe"), "application/pdf", `attachment; filename="f.pdf"`
	case "text":
		c.answer, c.answerType = []byte("name-1"), "text/plain"
	case "gateway.JsonObject":
		c.answer, c.answerType = []byte(`{"n":`+bigNumber+`,"o":{"deep":[1.50]}}`), "application/json"
	default:
		c.answer, c.answerType = marshal(t, sample(spec.Responses.Status(200).Value.Content["application/json"].Schema.Value, 3)), "application/json"
	}
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return raw
}

// exact decodes JSON with numbers as they are written.
func exact(t testing.TB, raw []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v), string(raw))
	return v
}

func providerOperations(t *testing.T) map[string]map[string]string {
	operations := map[string]map[string]string{}
	for _, row := range readTable(t, "provider-operations.tsv") {
		operations[row["operation"]] = row
	}
	return operations
}

func TestEveryEndpoint(t *testing.T) {
	t.Parallel()
	operations := providerOperations(t)
	rows := readTable(t, "endpoints.tsv")
	b := newBed(t)
	tried := 0
	for _, row := range rows {
		if row["upstream"] == "local" || row["upstream"] == "oidc" {
			tried++ // stories of their own in signin_test.go
			continue
		}
		_, inside := queryOf(row)
		for _, beside := range []bool{false, true}[:1+min(len(inside), 1)] {
			c := newEndpointCase(t, row, operations, beside)
			b.upstream.answer(func(w http.ResponseWriter, r *http.Request) {
				if c.answerType != "" {
					w.Header().Set("Content-Type", c.answerType)
				}
				if c.answerName != "" {
					w.Header().Set("Content-Disposition", c.answerName)
				}
				w.Header().Set("Set-Cookie", "upstream=1")
				_, _ = w.Write(c.answer)
			})
			req := b.request(row["method"], c.target, bytes.NewReader(c.body), "Cookie", "session=secret", "X-Forwarded-For", "10.0.0.1", "X-Custom", "x")
			if c.contentType != "" {
				req.Header.Set("Content-Type", c.contentType)
			}
			got := b.do(req)
			calls, faults := b.upstream.take()
			require.Empty(t, faults, string(got.body))
			c.checkCall(t, calls, strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer "))
			c.checkAnswer(t, got)
		}
		tried++
	}
	require.Equal(t, 137, tried)
	require.NotContains(t, b.logs.String(), partnerToken)
	require.NotContains(t, b.logs.String(), partnerKey)
}

// TestEveryEndpointPassesWaitingOn: 204, 202 or an empty 200 with Retry-After is
// an answer of any upstream call (contract 8.6).
func TestEveryEndpointPassesWaitingOn(t *testing.T) {
	t.Parallel()
	operations := map[string]map[string]string{}
	for _, row := range readTable(t, "provider-operations.tsv") {
		operations[row["operation"]] = row
	}
	b := newBed(t)
	tried := 0
	for _, row := range readTable(t, "endpoints.tsv") {
		if row["upstream"] == "local" || row["upstream"] == "oidc" {
			continue
		}
		c := newEndpointCase(t, row, operations, false)
		for _, status := range []int{204, 202, 200} {
			b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", "7")
				w.WriteHeader(status)
			})
			var header []string
			if c.contentType != "" {
				header = []string{"Content-Type", c.contentType}
			}
			got := b.do(b.request(row["method"], c.target, bytes.NewReader(c.body), header...))
			require.Equal(t, 204, got.StatusCode, "%s: %s", row["operationId"], got.body)
			require.Equal(t, "7", got.Header.Get("Retry-After"), "%s after %d", row["operationId"], status)
			calls, _ := b.upstream.take()
			require.Len(t, calls, 1, row["operationId"])
		}
		tried++
	}
	require.Equal(t, 135, tried)
}

func (c *endpointCase) checkCall(t *testing.T, calls []seen, callerToken string) {
	t.Helper()
	require.Len(t, calls, 1)
	call := calls[0]
	require.Equal(t, c.row["upstream"], call.Upstream)
	require.Equal(t, c.wantMethod, call.Method)
	require.Equal(t, c.wantPath, strings.ReplaceAll(call.Path, "%40", "@"))
	gotQuery, err := url.ParseQuery(call.RawQuery)
	require.NoError(t, err)
	require.Equal(t, c.wantQuery, gotQuery)
	require.NotContains(t, call.RawQuery, evil)
	for name := range c.wantQuery { // a mark stays a mark
		if name == "alone" || name == "excludeSubdepartments" || name == "disableValidation" || name == "originalSignature" {
			require.NotContains(t, call.RawQuery, name+"=")
		}
	}
	allowed := []string{"Accept", "Accept-Encoding", "Authorization", "Content-Length", "Content-Type", "User-Agent", "X-Partner-Apikey"}
	for name := range maps.Keys(call.Header) {
		require.Contains(t, allowed, name)
	}
	if c.row["upstream"] == "exchange" {
		require.Equal(t, []string{"Bearer " + partnerToken}, call.Header.Values("Authorization"))
		require.Empty(t, call.Header.Values("x-partner-apikey"))
	} else {
		require.Equal(t, []string{partnerKey}, call.Header.Values("x-partner-apikey"))
		require.Empty(t, call.Header.Values("Authorization"))
	}
	require.NotContains(t, strings.Join(slices.Concat(slices.Collect(maps.Values(call.Header))...), "\n")+call.RawQuery, callerToken)
	switch {
	case c.wantBody == nil:
		require.Empty(t, call.Body)
	case strings.HasPrefix(call.Header.Get("Content-Type"), "application/json"):
		require.Equal(t, "application/json; charset=utf-8", call.Header.Get("Content-Type"))
		require.Equal(t, exact(t, c.wantBody), exact(t, call.Body))
	default:
		require.Equal(t, c.wantBody, call.Body)
		if c.wantType != "" {
			require.Equal(t, c.wantType, call.Header.Get("Content-Type"))
		}
	}
}

func (c *endpointCase) checkAnswer(t *testing.T, got answer) {
	t.Helper()
	require.Empty(t, got.Header.Values("Set-Cookie"))
	require.NotContains(t, string(got.body), partnerToken)
	require.Equal(t, c.row["group"] == "forwarded documents", got.Header.Get("Deprecation") == "@1780272000")
	declared := gatewaySpec().Paths.Find(c.row["path"]).GetOperation(c.row["method"]).Responses.Status(got.StatusCode).Value.Headers
	for name := range got.Header {
		switch name {
		case "Cache-Control", "Content-Length", "Content-Type", "Date", "Vary", "X-Content-Type-Options": // HTTP's own
		default:
			require.Contains(t, declared, name)
		}
	}
	switch c.row["response"] {
	case "-":
		require.Equal(t, http.StatusNoContent, got.StatusCode, string(got.body))
		require.Empty(t, got.body)
	case "binary":
		require.Equal(t, http.StatusOK, got.StatusCode, string(got.body))
		require.Equal(t, c.answer, got.body)
		require.Equal(t, c.answerType, got.Header.Get("Content-Type"))
		require.Equal(t, c.answerName, got.Header.Get("Content-Disposition"))
	case "text":
		require.Equal(t, http.StatusOK, got.StatusCode, string(got.body))
		require.Equal(t, string(c.answer), string(got.body))
	default:
		require.Equal(t, http.StatusOK, got.StatusCode, string(got.body))
		require.Equal(t, "application/json", got.Header.Get("Content-Type"))
		require.Equal(t, exact(t, c.answer), exact(t, got.body))
		schema := gatewaySpec().Paths.Find(c.row["path"]).GetOperation(c.row["method"]).Responses.Status(200).Value.Content["application/json"].Schema.Value
		require.NoError(t, schema.VisitJSON(exact(t, got.body), openapi3.VisitAsResponse(), openapi3.EnableFormatValidation()))
	}
}
