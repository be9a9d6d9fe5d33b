package catalog_test

// This file: strict request bodies on every operation that has one (contract 1.4,
// contract 7.5), and what must come before they are read.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge/edgetest"
)

// malformed bodies that no operation takes, with the field that is named.
var malformed = []struct{ name, body, field string }{
	{"empty", "", "body"},
	{"only white space", " \n", "body"},
	{"null", "null", "body"},
	{"array", "[]", "body"},
	{"text", `"x"`, "body"},
	{"number", "1", "body"},
	{"cut off", `{"name":`, "body"},
	{"single quotes", `{'name':'x'}`, "body"},
	{"comment", `{} // x`, "body"},
	{"byte order mark", "\ufeff{}", "body"},
	{"two values", `{}{}`, "body"},
	{"trailing text", `{} x`, "body"},
	{"trailing comma", `{"name":"x",}`, "body"},
	{"NaN", `{"score":NaN}`, "body"},
	{"invalid UTF-8", "{\"name\":\"\xff\"}", "body"},
	{"surrogate in UTF-8", "{\"name\":\"\xed\xa0\x80\"}", "body"},
	{"overlong UTF-8", "{\"name\":\"\xc0\xaf\"}", "body"},
	{"raw control character", "{\"name\":\"a\x01\"}", "body"},
	{"lone high surrogate", `{"name":"\ud800"}`, "body"},
	{"lone low surrogate", `{"name":"a\udfff"}`, "body"},
	{"reversed surrogates", `{"name":"\ude00\ud83d"}`, "body"},
	{"U+0000", `{"name":"a\u0000b"}`, "name"},
	{"nested U+0000", `{"filters":{"brandName":["\u0000"]}}`, "filters.brandName[0]"},
	{"U+0000 in a key", `{"na\u0000me":"x"}`, "body"},
	{"duplicate key", `{"name":"x","name":"x"}`, "name"},
	{"duplicate key spelled otherwise", `{"name":"x","na\u006de":"x"}`, "name"},
	{"nested duplicate key", `{"params":[{"paramId":1,"paramId":2}]}`, "params[0].paramId"},
	{"deep nesting", strings.Repeat(`{"name":`, 5000) + "1" + strings.Repeat("}", 5000), "body"},
	{"deeper nesting", strings.Repeat("[", 500_000), "body"},
}

func withBody(samples []sample) []sample {
	return slices.DeleteFunc(samples, func(s sample) bool { return s.body == nil })
}

func TestMalformedBodies(t *testing.T) {
	t.Parallel()
	for _, s := range withBody(newFixture(t, setup(t)).samples(t)) {
		for _, c := range malformed {
			t.Log(s.operation, c.name)
			s.by.Do(t, s.method, s.path, []byte(c.body)).Fails(400, "validation_failed", c.field)
		}
	}
}

func TestUnknownFieldsOfEveryBody(t *testing.T) {
	t.Parallel()
	for _, s := range withBody(newFixture(t, setup(t)).samples(t)) {
		body := m{}
		require.NoError(t, json.Unmarshal([]byte(mustJSON(t, s.body)), &body))
		with := func(key string, value any) m {
			more := m{key: value}
			for k, v := range body {
				more[k] = v
			}
			return more
		}
		for _, unknown := range []string{"unknown", "id", "version", "createdAt", "ownerUserId", "", "a.b", "ключ", `quo"te`, "__proto__"} {
			s.by.Do(t, s.method, s.path, with(unknown, 1)).Fails(400, "validation_failed", nonEmpty(unknown))
		}
		for known := range body {
			variant := strings.ToUpper(known[:1]) + known[1:]
			s.by.Do(t, s.method, s.path, with(variant, body[known])).Fails(400, "validation_failed", variant)
			variant = strings.ToUpper(known)
			s.by.Do(t, s.method, s.path, with(variant, body[known])).Fails(400, "validation_failed", variant)
		}
		s.by.Do(t, s.method, s.path, s.body).Is(s.status)
	}
}

// nonEmpty is how details name a field without a name.
func nonEmpty(field string) string {
	if field == "" {
		return "body"
	}
	return field
}

func TestContentTypes(t *testing.T) {
	t.Parallel()
	for _, s := range withBody(newFixture(t, setup(t)).samples(t)) {
		send := func(contentType string, headers ...edgetest.Header) edgetest.Answer {
			return s.by.Do(t, s.method, s.path, s.body, append(headers, edgetest.Header{Name: "Content-Type", Value: contentType})...)
		}
		for _, refused := range []string{
			"", "text/plain", "text/json", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
			"application/jsonp", "application/json-patch+json", "application/problem+json", "nonsense", "*/*",
		} {
			send(refused).Fails(415, "unsupported_media_type")
		}
		if s.method != "PATCH" {
			send("application/merge-patch+json").Fails(415, "unsupported_media_type")
		}
	}
	f := newFixture(t, setup(t))
	coded := func(coding string) edgetest.Header { return edgetest.Header{Name: "Content-Encoding", Value: coding} }
	for _, s := range withBody(f.samples(t)) {
		for _, coding := range []string{"gzip", "br", "gzip, identity", "nonsense"} {
			a := s.by.Do(t, s.method, s.path, s.body, coded(coding)).Fails(415, "unsupported_media_type")
			require.Equal(t, "identity", a.Header.Get("Accept-Encoding"), "what would do: %s", a)
		}
		s.by.Do(t, s.method, s.path, s.body, coded("Identity")).Is(s.status)
	}
	f = newFixture(t, f.api)
	for _, accepted := range []string{"application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON"} {
		for _, s := range withBody(f.samples(t)) {
			s.by.Do(t, s.method, s.path, s.body, edgetest.Header{Name: "Content-Type", Value: accepted}).Is(s.status)
		}
		f = newFixture(t, f.api)
	}
	for _, s := range withBody(f.samples(t)) {
		if s.method == "PATCH" {
			a := s.by.Do(t, s.method, s.path, s.body, edgetest.Header{Name: "Content-Type", Value: "application/merge-patch+json"}).Is(s.status)
			require.NotEqual(t, `"1"`, a.Version(), "the patch was applied: %s", a)
			s.by.Do(t, s.method, s.path, m{"unknown": 1}, edgetest.Header{Name: "Content-Type", Value: "application/merge-patch+json"}).
				Is(400)
		}
	}
}

func TestLargeBodies(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	f := newFixture(t, setup(t))
	for _, s := range withBody(f.samples(t)) {
		// valid JSON all the way, so that nothing but the size is wrong
		large := bytes.Join([][]byte{[]byte(`{"name":"`), bytes.Repeat([]byte("x"), limit), []byte(`"}`)}, nil)
		s.by.Do(t, s.method, s.path, large).Fails(413, "payload_too_large")
		chunked(t, s.by, s.method, s.path, large).Is(413)
		exact := large[:limit]
		s.by.Do(t, s.method, s.path, exact).Fails(400, "validation_failed", "body")
		chunked(t, s.by, s.method, s.path, exact).Fails(400, "validation_failed", "body")
	}
	padded := append([]byte(`{"name":"Group"}`), bytes.Repeat([]byte(" "), limit-16)...)
	require.Len(t, padded, limit)
	f.admin.Do(t, "POST", base+"/groups", padded).Is(201)
	chunked(t, f.admin, "POST", base+"/groups", padded).Is(201)
	chunked(t, f.admin, "POST", base+"/groups", append(padded, ' ')).Fails(413, "payload_too_large")
}

func TestHugeNumbers(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	vehicle := func(field, number string) edgetest.Answer {
		return f.owner.Do(t, "POST", base+"/vehicles", []byte(`{"equipmentTypeId":"`+f.equipmentType+`","brandName":"B","modelName":"M","`+field+`":`+number+`}`))
	}
	for _, number := range []string{"1e400", "-1e400", "99999999999999999999", "2147483648", "1e2", "2019.5", "-1", "0", "1899", "2101", `"2019"`, "true", "{}", "[]"} {
		vehicle("releaseYear", number).Fails(400, "validation_failed", "releaseYear")
	}
	for _, number := range []string{"1900", "2100", "null"} {
		vehicle("releaseYear", number).Is(201)
	}
	long := "1" + strings.Repeat("0", 100_000)
	vehicle("releaseYear", long).Fails(400, "validation_failed", "releaseYear")
	for _, number := range []string{"1e400", long, "51", "0", "-1", "1.5", `"10"`, "null"} {
		f.Do(t, "POST", base+"/vehicles/semantic-search", []byte(`{"query":"x","topK":`+number+`}`)).Fails(400, "validation_failed", "topK")
	}
	for _, number := range []string{
		"1e400", "0.5", "5.5", "0", "-1", "4.25", "4.1", "1.0000001", `"5"`, "null", "true",
		// what a double takes for 4.5, 5 and 1
		"4.50000000000000000001", "4.4999999999999999999", "5.0000000000000001", "0.99999999999999999999", "45000000000000000001e-19", "4.5e-999999999", "4." + strings.Repeat("5", 2000),
	} {
		f.customer.Do(t, "POST", base+"/vehicles/"+f.vehicle+"/ratings",
			[]byte(`{"orderId":"a507d6fc-24e8-43a8-85c8-c303b3a6d40b","score":`+number+`}`)).Fails(400, "validation_failed", "score")
	}
}

// A body on an operation that has none is not looked at.
func TestBodiesWhereNoneIsExpected(t *testing.T) {
	t.Parallel()
	a := setup(t)
	group := a.newGroup(t)
	a.Do(t, "GET", base+"/groups/"+group, []byte("nonsense")).Is(200)
	a.admin.Do(t, "DELETE", base+"/groups/"+group, []byte("nonsense"), edgetest.Header{Name: "Content-Type", Value: "text/plain"}).Is(204)
}
