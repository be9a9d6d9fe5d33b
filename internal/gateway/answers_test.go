package gateway_test

// This file: what other companies' servers send, read as far as it can be
// (contract 8.4, contract 8.16).

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Enumerations are answered by name; an upstream that gives the number is
// understood all the same.
func TestNumbersForNamesInAnswers(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"BoxId":"b","Title":"t","InvoiceFormatVersion":1,"Newer":2,"Organization":{"OrgId":"o","OrganizationType":2,"InvitationCount":3}}`)
	})
	got := b.call("GET", api+"/boxes", "")
	require.Equal(t, 200, got.StatusCode, string(got.body))
	require.Contains(t, string(got.body), `"InvoiceFormatVersion":"v5_01"`)
	require.Contains(t, string(got.body), `"OrganizationType":"Juridical"`)
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"BoxId":"b","InvoiceFormatVersion":77}`)
	})
	b.call("GET", api+"/boxes", "").problem(t, 502, "upstream_failed")
}

// TestUnknownFieldsAreDroppedAndCounted (contract 8.4).
func TestUnknownFieldsAreDroppedAndCounted(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"BoxId":"b","BoxIdGuid":"g","Title":null,"New":1,"Organization":{"OrgId":"o","Newer":{"a":1},"Sociability":"Tomorrow","Departments":[{"Newest":1}]}}`)
	})
	got := b.call("GET", api+"/boxes", "")
	require.Equal(t, 200, got.StatusCode)
	require.NotContains(t, string(got.body), "New")
	require.Contains(t, string(got.body), `"Sociability":"Tomorrow"`, "enumerations of answers are open")
	families, err := b.metrics.Registry.Gather()
	require.NoError(t, err)
	counted := map[string]float64{}
	for _, f := range families {
		if f.GetName() == "gateway_unknown_answer_fields_total" {
			for _, m := range f.GetMetric() {
				counted[m.GetLabel()[0].GetValue()] = m.GetCounter().GetValue()
			}
		}
	}
	require.Equal(t, map[string]float64{"getBox": 3}, counted)
}

// TestAnswersAreReadLeniently: other companies' servers write them.
func TestAnswersAreReadLeniently(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	answer := ` {"boxid":"first","BOXID":"b","BoxIdGuid":"half \ud800 and ` + "\xff" + `","Title":null,"Box-Id":"another name"} `
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) })
	got := b.call("GET", api+"/boxes", "")
	require.Equal(t, 200, got.StatusCode)
	require.JSONEq(t, `{"BoxId":"b","BoxIdGuid":"half \ufffd and \ufffd","Title":""}`, string(got.body))
	answer = `{"BoxId":4711.25}`
	b.call("GET", api+"/boxes", "").problem(t, 502, "upstream_failed")
	require.Contains(t, b.logs.String(), "/BoxId")
	require.NotContains(t, b.logs.String(), "4711.25", "values of answers are not for logs")
}

const bom = "\uFEFF"

// TestByteOrderMarks: they are no part of an answer, wherever they stand.
func TestByteOrderMarks(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	answer := func(status int, contentType, body string) {
		b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})
	}
	answer(200, "application/json; charset=utf-8", bom+`{"BoxId":"b","Title":"`+bom+`"}`)
	require.Equal(t, []any{"b", bom}, []any{at(exact(t, b.call("GET", api+"/boxes", "").body), "BoxId"), at(exact(t, b.call("GET", api+"/boxes", "").body), "Title")})
	answer(200, "text/plain", bom+"name-1")
	require.Equal(t, "name-1", string(b.call("POST", api+"/shelves", "x", "Content-Type", "application/octet-stream").body))
	answer(404, "text/plain", bom+"Box unknown")
	require.Equal(t, "Box unknown", b.call("GET", api+"/boxes", "").problem(t, 404, "not_found").Message)
	answer(404, "application/json", bom+`{"message":"No such box"}`)
	require.Equal(t, "No such box", b.call("GET", api+"/boxes", "").problem(t, 404, "not_found").Message)
	answer(200, "application/json", bom)
	b.call("GET", api+"/boxes", "").problem(t, 502, "upstream_failed")
	answer(200, "application/octet-stream", bom+"file")
	require.Equal(t, bom+"file", string(b.call("GET", filePath, "").body), "a file is left as it is")
}

// TestCharsets: texts are read in the charset that they name.
func TestCharsets(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	const said = "Документ не найден: №7"
	cyrillic, err := charmap.Windows1251.NewEncoder().String(said)
	require.NoError(t, err)
	koi, err := charmap.KOI8R.NewEncoder().String("Документ не найден")
	require.NoError(t, err)
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(said)
	require.NoError(t, err)
	for _, c := range []struct{ contentType, body, want string }{
		{"text/plain; charset=windows-1251", cyrillic, said},
		{`text/plain; charset="CP1251"`, cyrillic, said},
		{"text/plain;charset=koi8-r", koi, "Документ не найден"},
		{"text/plain; charset=utf-16le", wide, said},
		{"text/plain; charset=UTF-8", said, said},
		{"text/plain", said, said},
		{"text/plain; charset=klingon", said, said},
		{"application/json; charset=windows-1251", `{"message":"` + cyrillic + `"}`, said},
		{"text/plain; charset=utf-8", "half \xd0", "half \uFFFD"},
		{"text/html; charset=windows-1251", cyrillic, "The provider does not know it."},
	} {
		b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", c.contentType)
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, c.body)
		})
		require.Equal(t, c.want, b.call("GET", api+"/boxes", "").problem(t, 404, "not_found").Message, c.contentType)
	}
}

// TestComeAgainAtOnce: 0 is a wait like any other.
func TestComeAgainAtOnce(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	for _, wait := range []string{"0", "000", "Mon, 01 Jan 1900 00:00:00 GMT"} {
		for _, status := range []int{429, 503, 204} {
			b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", wait)
				w.WriteHeader(status)
			})
			for _, got := range []answer{b.call("GET", api+"/boxes", ""), b.call("POST", api+"/key-value-storage/get", `{}`)} {
				require.Equal(t, []any{status, []string{"0"}}, []any{got.StatusCode, got.Header.Values("Retry-After")}, wait)
			}
		}
		b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
		require.Empty(t, b.call("POST", api+"/key-value-storage/get", `{}`).Header.Values("Retry-After"), "where the upstream says nothing")
	}
}
