package gateway_test

// This file: who may call what, and what bad input gives.

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
)

// TestRoles is the whole matrix: every endpoint, every role.
func TestRoles(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	roles := []string{"ADMIN", "SUPERADMIN", "MODERATOR", "SUPERVISOR", "MANAGER", "USER", "admin"}
	tokens := map[string]string{}
	for _, role := range roles {
		tokens[role] = tokenFor(t, "caller-"+role, role)
	}
	tokens["none"] = tokenFor(t, "caller-none")
	for _, row := range readTable(t, "endpoints.tsv") {
		path := row["path"]
		for _, name := range pathParams(row) {
			path = strings.ReplaceAll(path, "{"+name+"}", pathSegment(name))
		}
		call := func(token string) answer {
			return b.do(b.request(row["method"], path, nil, "Authorization", token, "X-Partner-Access-Token", "", "x-partner-apikey", ""))
		}
		call("").problem(t, 401, "unauthorized")
		require.NotEmpty(t, call("").Header.Get("WWW-Authenticate"))
		call("Bearer wrong").problem(t, 401, "unauthorized")
		for role, token := range tokens {
			got := call("Bearer " + token)
			if strings.Contains(","+row["roles"]+",", ","+role+",") {
				require.NotContains(t, []int{401, 403}, got.StatusCode, "%s as %s", row["operationId"], role)
				if header := map[string]string{"exchange": "X-Partner-Access-Token", "logistics": "x-partner-apikey", "waybill": "x-partner-apikey", "transport": "x-partner-apikey"}[row["upstream"]]; header != "" {
					require.Contains(t, got.problem(t, 400, "validation_failed").Details, header)
				}
			} else {
				got.problem(t, 403, "forbidden")
			}
		}
	}
	calls, _ := b.upstream.take()
	require.Empty(t, calls, "nothing reaches an upstream without credentials")
}

func pathSegment(name string) string { return url.PathEscape(pathValue(name)) }

func TestBadInput(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	q := func(s string) string { return "?Query=" + url.QueryEscape(s) }
	big := `{"Keys":["` + strings.Repeat("x", 1<<20) + `"]}`
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		code, field              string
		header                   []string
	}{
		{"bad escape in Query", "GET", "/documents?Query=count%3D%25zz", "", 400, "validation_failed", "Query", nil},
		{"semicolon in Query", "GET", "/documents" + q("count=1;page=2"), "", 400, "validation_failed", "Query", nil},
		{"NUL in Query", "GET", "/documents" + q("documentNumber=%00"), "", 400, "validation_failed", "Query", nil},
		{"invalid UTF-8 in Query", "GET", "/documents" + q("documentNumber=%ff"), "", 400, "validation_failed", "Query", nil},
		{"Query twice", "GET", "/documents?Query=a&Query=b", "", 400, "validation_failed", "Query", nil},
		{"bad escape around Query", "GET", "/documents?Query=%zz", "", 400, "validation_failed", "Query", nil},
		{"semicolon around Query", "GET", "/documents?Query=count=1;page=2", "", 400, "validation_failed", "Query", nil},
		{"bad escape beside Query", "GET", "/documents?x=%zz", "", 400, "validation_failed", "query", nil},
		{"no number", "GET", "/documents" + q("count=many"), "", 400, "validation_failed", "Query.count", nil},
		{"number out of range", "GET", "/documents" + q("timestampFromTicks=9223372036854775808"), "", 400, "validation_failed", "Query.timestampFromTicks", nil},
		{"known name twice", "GET", "/documents" + q("count=1&count=2"), "", 400, "validation_failed", "Query.count", nil},
		{"mark with a value", "GET", "/documents" + q("excludeSubdepartments=7"), "", 400, "validation_failed", "Query.excludeSubdepartments", nil},
		{"no bool", "GET", "/organizations/my" + q("autoRegister=perhaps"), "", 400, "validation_failed", "Query.autoRegister", nil},
		{"required name missing", "GET", "/organizations/by-inn-kpp" + q("kpp=1"), "", 400, "validation_failed", "Query.inn", nil},
		{"required name empty", "GET", "/organizations/by-inn-kpp" + q("inn="), "", 400, "validation_failed", "Query.inn", nil},
		{"required Query missing", "GET", "/organizations/by-inn-kpp", "", 400, "validation_failed", "Query.inn", nil},
		{"unknown enum in Query", "GET", "/document-types/schema" + q("typeNamedId=a&function=b&version=c&titleIndex=0&contentType=Pdf"), "", 400, "validation_failed", "Query.contentType", nil},
		{"required name missing everywhere", "GET", "/organizations/by-inn-kpp?kpp=1", "", 400, "validation_failed", "inn", nil},
		{"required name empty beside Query", "GET", "/organizations/by-inn-kpp?inn=", "", 400, "validation_failed", "inn", nil},
		{"one name in Query and beside it", "GET", "/documents" + q("count=1") + "&count=1", "", 400, "validation_failed", "count", nil},
		{"one name beside Query and in it", "GET", "/documents" + q("count=1") + "&count=2", "", 400, "validation_failed", "Query.count", nil},
		{"one name twice beside Query", "GET", "/documents?count=1&count=1", "", 400, "validation_failed", "count", nil},
		{"no number beside Query", "GET", "/documents?count=many", "", 400, "validation_failed", "count", nil},
		{"no number at all beside Query", "GET", "/documents?count=", "", 400, "validation_failed", "count", nil},
		{"number out of range beside Query", "GET", "/documents?timestampFromTicks=9223372036854775808", "", 400, "validation_failed", "timestampFromTicks", nil},
		{"no boolean beside Query", "GET", "/documents?excludeSubdepartments=7", "", 400, "validation_failed", "excludeSubdepartments", nil},
		{"mark beside Query", "GET", "/documents?excludeSubdepartments", "", 400, "validation_failed", "excludeSubdepartments", nil},
		{"list in several values", "GET", "/organizations/by-inn-list?inn=1&inn=2", "", 400, "validation_failed", "inn", nil},
		{"unknown enum beside Query", "GET", "/document-types/schema?typeNamedId=a&function=b&version=c&titleIndex=0&contentType=Pdf", "", 400, "validation_failed", "contentType", nil},
		{"bad escape in a name's value", "GET", "/documents?documentNumber=%zz", "", 400, "validation_failed", "documentNumber", nil},
		{"semicolon in a name's value", "GET", "/documents?documentNumber=1;2", "", 400, "validation_failed", "documentNumber", nil},
		{"NUL beside Query", "GET", "/documents?documentNumber=%00", "", 400, "validation_failed", "documentNumber", nil},
		{"invalid UTF-8 beside Query", "GET", "/documents?documentNumber=%ff", "", 400, "validation_failed", "documentNumber", nil},
		{"messageId missing", "GET", "/documents/details?entityId=e", "", 400, "validation_failed", "messageId", nil},
		{"messageId empty", "GET", "/documents/details?messageId=&entityId=e", "", 400, "validation_failed", "messageId", nil},
		{"messageId twice", "GET", "/documents/details?messageId=a&messageId=b&entityId=e", "", 400, "validation_failed", "messageId", nil},
		{"malformed id", "GET", "/documents/details?messageId=a%20b&entityId=e", "", 400, "validation_failed", "messageId", nil},
		{"dots for an id", "GET", "/events/..%2e", "", 400, "validation_failed", "eventId", nil},
		{"pair incomplete without a body", "POST", "/docflows/v5?messageId=m", "", 400, "validation_failed", "entityId", nil},
		{"pair and body missing", "POST", "/docflows/prepare-to-sign", "", 400, "validation_failed", "messageId", nil},
		{"unknown field", "POST", "/key-value-storage/get", `{"Keys":[],"More":1}`, 400, "validation_failed", "More", nil},
		{"letter case of a field", "POST", "/key-value-storage/get", `{"keys":[]}`, 400, "validation_failed", "keys", nil},
		{"nested unknown field", "POST", "/key-value-storage/put", `{"Entries":[{"Key":"a","Value":"b","x":1}]}`, 400, "validation_failed", "Entries[0].x", nil},
		{"required field missing", "POST", "/key-value-storage/put", `{"Entries":[{"Key":"a"}]}`, 400, "validation_failed", "Entries[0].Value", nil},
		{"duplicate key", "POST", "/key-value-storage/get", `{"Keys":[],"Keys":[]}`, 400, "validation_failed", "Keys", nil},
		{"trailing data", "POST", "/key-value-storage/get", `{"Keys":[]} {}`, 400, "validation_failed", "body", nil},
		{"wrong type", "POST", "/key-value-storage/get", `{"Keys":"a"}`, 400, "validation_failed", "Keys", nil},
		{"unknown number of an enum", "POST", "/messages", `{"ToBoxId":"b","LockMode":4}`, 400, "validation_failed", "LockMode", nil},
		{"no whole number of an enum", "POST", "/messages", `{"ToBoxId":"b","LockMode":1.0}`, 400, "validation_failed", "LockMode", nil},
		{"number of an enum as a text", "POST", "/messages", `{"ToBoxId":"b","LockMode":"1"}`, 400, "validation_failed", "LockMode", nil},
		{"unknown number of an enum in Query", "GET", "/document-types/schema" + q("typeNamedId=a&function=b&version=c&titleIndex=0&contentType=3"), "", 400, "validation_failed", "Query.contentType", nil},
		{"null for a required field", "POST", "/key-value-storage/put", `{"Entries":[{"Key":"a","Value":null}]}`, 400, "validation_failed", "Entries[0].Value", nil},
		{"null in a list", "POST", "/key-value-storage/get", `{"Keys":[null]}`, 400, "validation_failed", "Keys[0]", nil},
		{"null for the body", "POST", "/key-value-storage/get", `null`, 400, "validation_failed", "body", nil},
		{"null for an unknown field", "POST", "/key-value-storage/get", `{"More":null}`, 400, "validation_failed", "More", nil},
		{"unknown enum", "POST", "/messages", `{"ToBoxId":"b","LockMode":"Sometimes"}`, 400, "validation_failed", "LockMode", nil},
		{"not Base64", "POST", "/receipts/generate", `{"MessageId":"m","AttachmentId":"a","SignerContent":"###"}`, 400, "validation_failed", "SignerContent", nil},
		{"number that does not fit", "POST", "/docflows/search", `{"QueryString":"a","Count":3000000000}`, 400, "validation_failed", "Count", nil},
		{"body missing", "POST", "/key-value-storage/get", "", 400, "validation_failed", "body", nil},
		{"file missing", "POST", "/shelves", "", 400, "validation_failed", "body", []string{"Content-Type", "application/octet-stream"}},
		{"content type of JSON", "POST", "/key-value-storage/get", `{}`, 415, "unsupported_media_type", "", []string{"Content-Type", "text/plain"}},
		{"form for a file", "POST", "/shelves", "a=b", 415, "unsupported_media_type", "", []string{"Content-Type", "application/x-www-form-urlencoded"}},
		{"form with parts for a file", "POST", "/shelves", "--x", 415, "unsupported_media_type", "", []string{"Content-Type", "multipart/form-data; boundary=x"}},
		{"form with a bad parameter for XML", "POST", "/signature-rejections/parse", "--x", 415, "unsupported_media_type", "", []string{"Content-Type", "Multipart/Form-Data; boundary"}},
		{"too large", "POST", "/key-value-storage/get", big, 413, "payload_too_large", "", nil},
		{"control character in the token", "GET", "/boxes", "", 400, "validation_failed", "X-Partner-Access-Token", []string{"X-Partner-Access-Token", "a\tb"}},
		{"token missing", "GET", "/boxes", "", 400, "validation_failed", "X-Partner-Access-Token", []string{"X-Partner-Access-Token", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := b.call(c.method, api+c.path, c.body, c.header...).problem(t, c.status, c.code)
			if c.field != "" {
				require.Contains(t, p.Details, c.field)
			}
		})
	}
	b.call("GET", "/api/v1/transport/gateway/documents/no-uuid/status", "").problem(t, 400, "validation_failed")
	require.Contains(t, b.call("GET", "/api/v1/vendor/logistics/transportations?From=yesterday", "").problem(t, 400, "validation_failed").Details, "From")
	b.call("POST", "/api/v1/vendor/logistics/documents/waybill", "x", "Content-Type", "multipart/form-data").problem(t, 400, "validation_failed")
	b.call("POST", "/api/v1/vendor/logistics/documents/waybill", "x").problem(t, 415, "unsupported_media_type")
	b.call("GET", api+"/nothing", "").problem(t, 404, "not_found")
	require.Contains(t, b.call("DELETE", api+"/boxes", "").Header.Get("Allow"), "GET")
	calls, _ := b.upstream.take()
	require.Empty(t, calls, "bad input stays here")
}

// TestNumbersAndNulls: an enumeration may be sent by its number, and a field
// that is null counts as not sent.
func TestNumbersAndNulls(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{}`) })
	for sent, want := range map[string]string{
		`{"QueryString":"q","Scope":0}`:                                `{"QueryString":"q","Scope":"SearchScopeAny"}`,
		`{"QueryString":"q","Scope":"SearchScopeDeleted"}`:             `{"QueryString":"q","Scope":"SearchScopeDeleted"}`,
		`{"QueryString":"q","Scope":4,"Count":null,"FirstIndex":null}`: `{"QueryString":"q","Scope":"SearchScopeInternal"}`,
		`{"QueryString":"q","Scope":null,"Count":10}`:                  `{"QueryString":"q","Count":10}`,
	} {
		got := b.call("POST", api+"/docflows/search", sent)
		calls, faults := b.upstream.take()
		require.Empty(t, faults)
		require.Len(t, calls, 1, string(got.body))
		require.JSONEq(t, want, string(calls[0].Body))
	}
	// the box of the configuration stands in for one that is null
	b.call("POST", api+"/messages", `{"FromBoxId":null,"ToBoxId":"b","LockMode":1,"IsDraft":null}`)
	calls, faults := b.upstream.take()
	require.Empty(t, faults)
	require.Len(t, calls, 1)
	require.JSONEq(t, `{"FromBoxId":"`+box+`","ToBoxId":"b","LockMode":"None"}`, string(calls[0].Body))
	// what is passed through unread keeps its nulls
	b.call("POST", "/api/v1/vendor/waybill/waybills", `{"a":null,"b":{"c":null}}`)
	calls, _ = b.upstream.take()
	require.Len(t, calls, 1)
	require.JSONEq(t, `{"a":null,"b":{"c":null}}`, string(calls[0].Body))
	b.call("GET", api+"/document-types/schema?typeNamedId=a&function=b&version=c&titleIndex=0&contentType=1", "")
	calls, faults = b.upstream.take()
	require.Empty(t, faults)
	require.Contains(t, calls[0].RawQuery, "contentType=UserContractXsd")
	b.call("GET", api+"/document-types/schema?Query="+url.QueryEscape("typeNamedId=a&function=b&version=c&titleIndex=0&contentType=1"), "")
	calls, faults = b.upstream.take()
	require.Empty(t, faults)
	require.Contains(t, calls[0].RawQuery, "contentType=UserContractXsd")
}

// TestUploadLimit streams one byte too many without telling the length first.
func TestUploadLimit(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "name") })
	req := b.request("POST", api+"/shelves", io.LimitReader(zeros{}, 64<<20+1), "Content-Type", "application/octet-stream")
	b.do(req).problem(t, 413, "payload_too_large")
	req = b.request("POST", api+"/shelves", strings.NewReader("x")) // bytes without a type
	require.Equal(t, 200, b.do(req).StatusCode)
	req = b.request("POST", api+"/shelves", bytes.NewReader(make([]byte, 64<<20+1)), "Content-Type", "application/octet-stream")
	b.do(req).problem(t, 413, "payload_too_large")
	req = b.request("POST", api+"/shelves", io.LimitReader(zeros{}, 0), "Content-Type", "application/octet-stream") // empty, without telling so
	require.Contains(t, b.do(req).problem(t, 400, "validation_failed").Details, "body")
	req = b.request("POST", api+"/shelves", strings.NewReader("x"), "Content-Type", "application/octet-stream", "Content-Encoding", "gzip")
	b.do(req).problem(t, 415, "unsupported_media_type") // stored as it came, the provider would hold other bytes than the caller means
}

// TestAnyTypeOfFile: a browser sends the type of the file; the provider gets the one
// that it asks for (contract 8.15).
func TestAnyTypeOfFile(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json") // for the operation that answers so
		_, _ = io.WriteString(w, `{}`)
	})
	title := "?Query=" + url.QueryEscape("documentTypeNamedId=t&documentFunction=f&documentVersion=v&titleIndex=0")
	for path, want := range map[string]string{
		"/shelves": "application/octet-stream", "/shelves/parts/init": "application/octet-stream", "/document-titles/detect": "application/octet-stream",
		"/document-titles/parse" + title: "application/xml", "/signature-rejections/parse": "application/xml",
	} {
		for _, sent := range []string{"application/pdf", "image/png", "text/plain; charset=windows-1251", "application/json", "application/vnd.ms-excel", "text/xml", "application/octet-stream", "no media type", ""} {
			got := b.do(b.request("POST", api+path, strings.NewReader("%PDF"), "Content-Type", sent))
			require.Equal(t, 200, got.StatusCode, "%s as %s: %s", path, sent, got.body)
			calls, faults := b.upstream.take()
			require.Empty(t, faults)
			require.Equal(t, []any{want, "%PDF"}, []any{calls[0].Header.Get("Content-Type"), string(calls[0].Body)}, sent)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestBoxNotConfigured(t *testing.T) {
	t.Parallel()
	b := newBed(t, func(c *config.Gateway) { c.BoxID, c.TransportURL = "", "" })
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"Organizations":[]}`)
	})
	require.Equal(t, 200, b.call("GET", api+"/organizations/my", "").StatusCode)
	for _, path := range []string{"/boxes", "/documents", "/organizations/lookup", "/organizations/by-inn-list?Query=inn%3D1", "/counteragents"} {
		b.call("GET", api+path, "").problem(t, 503, "box_not_configured")
	}
	b.call("POST", api+"/messages", `{"ToBoxId":"b"}`).problem(t, 503, "box_not_configured")
	b.call("GET", "/api/v1/transport/gateway/uuid", "").problem(t, 503, "upstream_not_configured")
}

// TestBodyWinsOverPair: the pair stands in for an empty body alone.
func TestBodyWinsOverPair(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"Documents":[]}`) })
	for _, path := range []string{"/docflows", "/docflows/v5"} {
		require.Equal(t, 200, b.call("POST", api+path+"?messageId=m&entityId=e", `{"Requests":[]}`).StatusCode)
		require.Equal(t, 200, b.call("POST", api+path+"?messageId=m&entityId=e", "").StatusCode)
		calls, faults := b.upstream.take()
		require.Empty(t, faults)
		require.JSONEq(t, `{"Requests":[]}`, string(calls[0].Body))
		require.JSONEq(t, `{"Requests":[{"DocumentId":{"MessageId":"m","EntityId":"e"}}]}`, string(calls[1].Body))
	}
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{}`) })
	require.Equal(t, 200, b.call("POST", api+"/docflows/prepare-to-sign", `{"BoxId":"kept@x"}`).StatusCode)
	require.Equal(t, 200, b.call("POST", api+"/docflows/prepare-to-sign", `{"BoxId":""}`).StatusCode)
	calls, _ := b.upstream.take()
	require.JSONEq(t, `{"BoxId":"kept@x"}`, string(calls[0].Body))
	require.JSONEq(t, `{"BoxId":"`+box+`"}`, string(calls[1].Body))
}

// TestDefaultsOfQuery: filterCategory, autoRegister, the own box, stand-ins.
func TestDefaultsOfQuery(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{}`) })
	q := func(s string) string { return "?Query=" + url.QueryEscape(s) }
	for _, c := range []struct {
		path, name string
		want       []string
	}{
		{"/documents", "filterCategory", []string{"Any.InboundNotRevoked"}},
		{"/documents" + q("filterCategory=Any.Outbound"), "filterCategory", []string{"Any.Outbound"}},
		{"/organizations/my", "autoRegister", []string{"false"}},
		{"/organizations/my" + q("autoRegister=true"), "autoRegister", []string{"true"}},
		{"/organizations/lookup", "boxId", []string{box}},
		{"/organizations/lookup" + q("inn=7700000016&boxId="+evil), "boxId", nil},
		{"/documents/details" + q("messageId=other&injectEntityContent=true") + "&messageId=m&entityId=e", "messageId", []string{"m"}},
		{"/documents" + q("FilterCategory=Any.Outbound"), "FilterCategory", nil},
		{"/documents?filterCategory=Any.Outbound" + strings.Replace(q("count=7"), "?", "&", 1), "filterCategory", []string{"Any.Outbound"}},
		{"/documents?filterCategory=Any.Outbound" + strings.Replace(q("count=7"), "?", "&", 1), "count", []string{"7"}},
		{"/documents?excludeSubdepartments=true", "excludeSubdepartments", []string{""}},
		{"/documents?excludeSubdepartments=false", "excludeSubdepartments", nil},
		{"/organizations/my?autoRegister=true", "autoRegister", []string{"true"}},
		{"/organizations/lookup?inn=7700000016", "boxId", nil},
		{"/events?messageType=Letter,Draft", "messageType", []string{"Letter,Draft"}},
		{"/events?messageType=Letter%2CDraft", "messageType", []string{"Letter,Draft"}},
		{"/counteragents" + q("query=in") + "&pageSize=3", "query", []string{"in"}},
		{"/counteragents?query=beside", "query", []string{"beside"}},
	} {
		require.Equal(t, 200, b.call("GET", api+c.path, "").StatusCode)
		calls, faults := b.upstream.take()
		require.Empty(t, faults)
		sent, err := url.ParseQuery(calls[0].RawQuery)
		require.NoError(t, err)
		require.Equal(t, c.want, sent[c.name], c.path)
	}
	title := q("documentTypeNamedId=t&documentFunction=f&documentVersion=v&titleIndex=1")
	require.Equal(t, 200, b.call("POST", api+"/document-titles/generate"+title+"&messageId=m&entityId=e", "<a/>", "Content-Type", "application/xml").StatusCode)
	calls, faults := b.upstream.take()
	require.Empty(t, faults)
	sent, err := url.ParseQuery(calls[0].RawQuery)
	require.NoError(t, err)
	require.Equal(t, "m e", sent.Get("letterId")+" "+sent.Get("documentId"))
	require.Empty(t, sent["messageId"])
}
