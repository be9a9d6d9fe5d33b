package gateway_test

// This file: what the stories stand on: a gateway in front of a sandbox, and
// the check of each answer against the published spec.

import (
	"bytes"
	"encoding/base64"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
	"equipment-platform/internal/sandbox"
)

// story is a gateway in front of a fresh sandbox.
type story struct {
	*bed
	t *testing.T
}

func sandboxSettings(url string) config.Gateway {
	return config.Gateway{
		ProviderURL: url, BoxID: sandbox.BoxID, LogisticsURL: url + "/logistics", WaybillURL: url + "/waybill", TransportURL: url + "/transport",
		OIDCIssuer: url + "/identity", ClientID: sandbox.ClientID, ClientSecret: sandbox.ClientSecret, RedirectURI: sandbox.RedirectURI,
		UpstreamTimeout: 30 * time.Second,
	}
}

func newStory(t *testing.T) *story {
	t.Helper()
	handler, err := sandbox.New(slog.New(slog.DiscardHandler)).Handler()
	require.NoError(t, err)
	up := httptest.NewServer(handler)
	t.Cleanup(up.Close)
	return &story{bed: startGateway(t, sandboxSettings(up.URL)), t: t}
}

// ask calls as the demo user and decodes the answer, whose status must be want.
func (s *story) ask(want int, method, path string, body any, header ...string) map[string]any {
	s.t.Helper()
	return s.askAs(sandbox.Token, want, method, path, body, header...)
}

func (s *story) askAs(token string, want int, method, path string, body any, header ...string) map[string]any {
	s.t.Helper()
	got := s.raw(token, method, path, body, header...)
	require.Equal(s.t, want, got.StatusCode, string(got.body))
	if len(got.body) == 0 || got.Header.Get("Content-Type") != "application/json" {
		return nil
	}
	return exact(s.t, got.body).(map[string]any)
}

func (s *story) raw(token, method, path string, body any, header ...string) answer {
	s.t.Helper()
	var reader io.Reader
	header = append([]string{"X-Partner-Access-Token", token, "x-partner-apikey", sandbox.APIKey}, header...)
	switch b := body.(type) {
	case nil:
	case []byte:
		reader, header = bytes.NewReader(b), append([]string{"Content-Type", "application/octet-stream"}, header...)
	default:
		reader, header = bytes.NewReader(marshal(s.t, b)), append([]string{"Content-Type", "application/json"}, header...)
	}
	req := s.request(method, path, reader, header...)
	got := s.do(req)
	checkAnswerAgainstSpec(s.t, req, got)
	return got
}

var gatewayRouter = sync.OnceValues(func() (routers.Router, error) { return legacy.NewRouter(gatewaySpec()) })

// checkAnswerAgainstSpec validates an answer against the published spec.
func checkAnswerAgainstSpec(t *testing.T, req *http.Request, got answer) {
	t.Helper()
	router, err := gatewayRouter()
	require.NoError(t, err)
	local := req.Clone(req.Context())
	local.URL = &url.URL{Path: req.URL.Path, RawQuery: req.URL.RawQuery}
	route, params, err := router.FindRoute(local)
	require.NoError(t, err)
	isJSON := got.Header.Get("Content-Type") == "application/json"
	err = openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: local, PathParams: params, Route: route},
		Status:                 got.StatusCode, Header: got.Header, Body: io.NopCloser(bytes.NewReader(got.body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, ExcludeResponseBody: !isJSON},
	})
	require.NoError(t, err, "%s %s: %s", req.Method, req.URL.Path, got.body)
}

// at follows names and indexes into a decoded answer.
func at(v any, path ...any) any {
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

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

const api = "/api/v1/exchange"

// post sends one document to the counteragent and returns its ids.
func (s *story) post(name string, needsSignature bool) (message, entity string) {
	s.t.Helper()
	m := s.ask(200, "POST", api+"/messages", map[string]any{
		"ToBoxId": sandbox.CounteragentBoxID,
		"DocumentAttachments": []any{map[string]any{
			"SignedContent": map[string]any{"Content": b64("<Document>" + name + "</Document>"), "SignWithTestSignature": true},
			"TypeNamedId":   "XmlAcceptanceCertificate", "Function": "default", "Version": "rusal_05_01_01", "NeedRecipientSignature": needsSignature,
			"Metadata": []any{map[string]any{"Key": "FileName", "Value": name}},
		}},
	})
	require.Equal(s.t, sandbox.BoxID, at(m, "FromBoxId"), "the own box is filled from configuration")
	return at(m, "MessageId").(string), at(m, "Entities", 0, "EntityId").(string)
}

// TestSandboxKnowsEveryOperation makes sure that no operation of the provider
// is left out of the stories' stage: each answers something other than a
// failure of its own.
func TestSandboxKnowsEveryOperation(t *testing.T) {
	t.Parallel()
	handler, err := sandbox.New(slog.New(slog.DiscardHandler)).Handler()
	require.NoError(t, err)
	up := httptest.NewServer(handler)
	t.Cleanup(up.Close)
	for path, item := range upstreamSpecs["exchange"]().Paths.Map() {
		for method, op := range item.Operations() {
			q := url.Values{}
			for _, p := range op.Parameters {
				if p.Value.Required {
					q.Set(p.Value.Name, paramSample(p.Value))
				}
			}
			var body io.Reader
			contentType := ""
			if schema, ok := jsonBody(op); ok {
				body, contentType = bytes.NewReader(marshal(t, sample(schema, 2))), "application/json"
			} else if op.RequestBody != nil {
				body, contentType = strings.NewReader("<a/>"), "application/octet-stream"
			}
			req, err := http.NewRequest(method, up.URL+path+"?"+q.Encode(), body)
			require.NoError(t, err)
			req.Header.Set("Authorization", "Bearer "+sandbox.Token)
			req.Header.Set("Content-Type", contentType)
			resp, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			text, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Contains(t, []int{200, 204, 400, 403, 404, 409}, resp.StatusCode, "%s %s: %s", method, path, text)
			req, err = http.NewRequest(method, up.URL+path, nil)
			require.NoError(t, err)
			resp, err = http.DefaultClient.Do(req)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, 401, resp.StatusCode, path)
		}
	}
}

func paramSample(p *openapi3.Parameter) string {
	switch {
	case strings.EqualFold(p.Name, "boxId"), p.Name == "myBoxId":
		return sandbox.BoxID
	case p.Schema.Value.Type.Is("integer"):
		return "0"
	case p.Schema.Value.Type.Is("boolean"):
		return "true"
	case len(p.Schema.Value.Enum) > 0:
		return p.Schema.Value.Enum[0].(string)
	default:
		return "x"
	}
}
