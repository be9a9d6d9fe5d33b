package sandbox_test

// This file: what the tests stand on: a sandbox behind its HTTP door, and callers
// whose every answer is validated against the spec of the upstream that they call.

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"mime/multipart"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"equipment-platform/gen/logisticsapi"
	"equipment-platform/gen/providerapi"
	"equipment-platform/gen/transportapi"
	"equipment-platform/gen/waybillapi"
	"equipment-platform/internal/edge/edgetest"
	"equipment-platform/internal/sandbox"
)

// object is a JSON object of a request.
type object = map[string]any

// contracts are the specs that answers are validated against, by the path that the
// upstream is mounted at.
var contracts = sync.OnceValue(func() map[string]*edgetest.Contract {
	out := map[string]*edgetest.Contract{}
	for mount, raw := range map[string][]byte{"/": providerapi.Spec, "/logistics": logisticsapi.Spec, "/waybill": waybillapi.Spec, "/transport": transportapi.Spec} {
		spec, err := openapi3.NewLoader().LoadFromData(raw)
		if err != nil {
			panic(err)
		}
		if out[mount], err = edgetest.NewUpstreamContract(spec, mount); err != nil {
			panic(err)
		}
	}
	return out
})

// bed is one sandbox.
type bed struct {
	t   *testing.T
	url string
}

func newBed(t *testing.T) bed {
	t.Helper()
	handler, err := sandbox.New(slog.New(slog.DiscardHandler)).Handler()
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return bed{t, server.URL}
}

// caller is somebody with credentials for one upstream.
type caller struct {
	t      *testing.T
	client edgetest.Client
	header []edgetest.Header
}

// provider is a caller of the exchange provider.
func (b bed) provider(token string) caller {
	return caller{t: b.t, client: edgetest.Client{Base: b.url, Token: token, Contract: contracts()["/"]}}
}

// own is the demo user.
func (b bed) own() caller { return b.provider(sandbox.Token) }

// other is the user on the other side.
func (b bed) other() caller { return b.provider(sandbox.CounteragentToken) }

// partner is a caller of a pass-through upstream.
func (b bed) partner(mount, key string) caller {
	return caller{
		t: b.t, client: edgetest.Client{Base: b.url + mount, Contract: contracts()[mount]},
		header: []edgetest.Header{{Name: "x-partner-apikey", Value: key}},
	}
}

// form is a multipart body.
type form struct {
	contentType string
	data        []byte
}

func newForm(t *testing.T, part, content string) form {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	f, err := w.CreateFormFile(part, "title.xml")
	require.NoError(t, err)
	_, err = f.Write([]byte(content))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return form{w.FormDataContentType(), b.Bytes()}
}

// get calls with names and values of a query; the answer's status must be want.
func (c caller) get(want int, path string, query ...string) edgetest.Answer {
	c.t.Helper()
	return c.client.Do(c.t, "GET", target(path, query), nil, c.header...).Is(want)
}

// post is get with a body: []byte and forms as they are, anything else as JSON.
func (c caller) post(want int, path string, body any, query ...string) edgetest.Answer {
	c.t.Helper()
	header := c.header
	switch b := body.(type) {
	case []byte:
		header = append(header, edgetest.Header{Name: "Content-Type", Value: "application/octet-stream"})
	case form:
		header = append(header, edgetest.Header{Name: "Content-Type", Value: b.contentType})
		body = b.data
	}
	return c.client.Do(c.t, "POST", target(path, query), body, header...).Is(want)
}

func target(path string, query []string) string {
	values := url.Values{}
	for i := 0; i < len(query); i += 2 {
		values.Add(query[i], query[i+1])
	}
	return path + "?" + values.Encode()
}

// at follows names and indexes into an answer; nil where there is nothing.
func at(a edgetest.Answer, path ...any) any {
	var v any
	d := json.NewDecoder(bytes.NewReader(a.Body))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	for _, step := range path {
		switch s := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[s]
		case int:
			l, _ := v.([]any)
			if s >= len(l) {
				return nil
			}
			v = l[s]
		}
	}
	return v
}

// text is at where a text must be.
func text(t *testing.T, a edgetest.Answer, path ...any) string {
	t.Helper()
	s, ok := at(a, path...).(string)
	require.True(t, ok, "no text at %v in %s", path, a)
	return s
}

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// own is the demo user's box, there the one on the other side.
var (
	mine   = []string{"boxId", sandbox.BoxID}
	theirs = []string{"boxId", sandbox.CounteragentBoxID}
)

// with adds names and values to a query.
func with(query []string, more ...string) []string {
	return append(query[:len(query):len(query)], more...)
}

// letter is a document as the tests refer to it.
type letter struct{ message, entity string }

func (l letter) id() object { return object{"MessageId": l.message, "EntityId": l.entity} }

// pair is the letter in a query; name is what the operation calls the document.
func (l letter) pair(name string) []string { return with(mine, "messageId", l.message, name, l.entity) }

// inbound is the document of the demo that waits for the demo user.
var inbound = letter{"00000000-0000-4000-8000-000000000101", "00000000-0000-4000-8000-000000000201"}

// send sends a document to the other side.
func (b bed) send(name string, needsSignature bool) letter {
	b.t.Helper()
	sent := b.own().post(200, "/V3/PostMessage", object{
		"FromBoxId": sandbox.BoxID, "ToBoxId": sandbox.CounteragentBoxID,
		"DocumentAttachments": []object{{
			"SignedContent": object{"Content": b64("<Document>" + name + "</Document>"), "SignWithTestSignature": true},
			"TypeNamedId":   "XmlAcceptanceCertificate", "Function": "default", "Version": "rusal_05_01_01", "NeedRecipientSignature": needsSignature,
			"Metadata": []object{{"Key": "FileName", "Value": name}},
		}},
	})
	return letter{text(b.t, sent, "MessageId"), text(b.t, sent, "Entities", 0, "EntityId")}
}
