package gateway_test

// This file: what the tests stand on: a gateway over real HTTP, tokens, and a
// recording upstream that checks every request against the upstream's spec.

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/stretchr/testify/require"

	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/logisticsapi"
	"equipment-platform/gen/providerapi"
	"equipment-platform/gen/transportapi"
	"equipment-platform/gen/waybillapi"
	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/gateway"
	"equipment-platform/openapi"
)

const (
	box          = "00000000-0000-4000-8000-0000000000b1@exchange.example"
	partnerToken = "partner-token-4711"
	partnerKey   = "partner-key-0815"
)

// loadSpec parses a bundled document.
var loadSpec = func(raw []byte) *openapi3.T {
	spec, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		panic(err)
	}
	spec.Servers = nil
	return spec
}

var (
	gatewaySpec   = sync.OnceValue(func() *openapi3.T { s, err := openapi.Load(gatewayapi.Spec); must(err); s.Servers = nil; return s })
	upstreamSpecs = map[string]func() *openapi3.T{
		"exchange":  sync.OnceValue(func() *openapi3.T { return loadSpec(providerapi.Spec) }),
		"logistics": sync.OnceValue(func() *openapi3.T { return loadSpec(logisticsapi.Spec) }),
		"waybill":   sync.OnceValue(func() *openapi3.T { return loadSpec(waybillapi.Spec) }),
		"transport": sync.OnceValue(func() *openapi3.T { return loadSpec(transportapi.Spec) }),
	}
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// jwksURL is where the public half of the test key stands, once keys ran.
var jwksURL string

// keys signs test tokens for all tests: making an RSA key takes a while.
var keys = sync.OnceValues(func() (*auth.DevKey, *auth.Verifier) {
	dir, err := tempDir()
	must(err)
	key, err := auth.LoadDevKey(filepath.Join(dir, "dev.pem"))
	must(err)
	jwks := filepath.Join(dir, "jwks.json")
	jwksURL = "file://" + jwks
	must(key.WriteJWKS(jwks))
	set, err := auth.NewKeySet("file://"+jwks, slog.New(slog.DiscardHandler))
	must(err)
	go set.Run(context.Background(), time.Hour)
	for set.Ready(context.Background()) != nil {
		time.Sleep(time.Millisecond)
	}
	verifier, err := auth.NewVerifier(set, auth.Settings{RolesClaim: "roles", Algorithms: []string{"RS256"}})
	must(err)
	return key, verifier
})

// tokenFor signs a token of a caller.
func tokenFor(t testing.TB, subject string, roles ...string) string {
	t.Helper()
	key, _ := keys()
	token, err := key.Sign(auth.DevClaims{Subject: subject, Roles: roles, TTL: time.Hour})
	require.NoError(t, err)
	return token
}

// bed is one gateway and the recorder behind it.
type bed struct {
	provider string
	t        testing.TB
	URL      string
	upstream *recorder
	logs     *bytes.Buffer
	metrics  *edge.Metrics
}

// newBed starts a gateway whose upstreams are all the recorder. change adapts
// its settings.
func newBed(t testing.TB, change ...func(*config.Gateway)) *bed {
	t.Helper()
	up := newRecorder(t)
	c := config.Gateway{
		ProviderURL: up.URL + "/exchange", BoxID: box,
		LogisticsURL: up.URL + "/logistics", WaybillURL: up.URL + "/waybill", TransportURL: up.URL + "/transport",
		OIDCIssuer: up.URL + "/identity", ClientID: "client", ClientSecret: "client-secret-0042",
		RedirectURI: "http://127.0.0.1:8087/callback", UpstreamTimeout: 30 * time.Second,
	}
	for _, f := range change {
		f(&c)
	}
	b := startGateway(t, c)
	b.upstream = up
	return b
}

// startGateway serves a gateway with the given settings.
func startGateway(t testing.TB, c config.Gateway) *bed {
	t.Helper()
	logs := &lockedBuffer{}
	_, verifier := keys()
	metrics := edge.NewMetrics()
	server, err := gateway.NewServer(c, edge.Options{
		Verifier: verifier, Metrics: metrics, Log: slog.New(slog.NewJSONHandler(logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	require.NoError(t, err)
	web := httptest.NewServer(server.Echo)
	t.Cleanup(web.Close)
	return &bed{provider: c.ProviderURL, t: t, URL: web.URL, logs: &logs.Buffer, metrics: metrics}
}

// lockedBuffer takes log lines of many requests.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

// request makes a request with an admin's token and both partner credentials.
func (b *bed) request(method, path string, body io.Reader, header ...string) *http.Request {
	b.t.Helper()
	req, err := http.NewRequest(method, b.URL+path, body)
	require.NoError(b.t, err)
	req.Header.Set("Authorization", "Bearer "+tokenFor(b.t, "tester", "ADMIN"))
	req.Header.Set("X-Partner-Access-Token", partnerToken)
	req.Header.Set("x-partner-apikey", partnerKey)
	for i := 0; i < len(header); i += 2 {
		if header[i+1] == "" {
			req.Header.Del(header[i])
		} else {
			req.Header.Set(header[i], header[i+1])
		}
	}
	return req
}

// answer is a whole answer.
type answer struct {
	*http.Response
	body []byte
}

// do sends a request and reads its answer, without following redirects.
func (b *bed) do(req *http.Request) answer {
	b.t.Helper()
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(b.t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(b.t, err)
	return answer{resp, body}
}

// call is request and do.
func (b *bed) call(method, path, body string, header ...string) answer {
	b.t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
		header = append([]string{"Content-Type", "application/json"}, header...)
	}
	return b.do(b.request(method, path, reader, header...))
}

// problem is ApiErrorDto.
type problem struct {
	Status    int
	Message   string
	Code      string
	Details   map[string]string
	Path      string
	Timestamp time.Time
}

// problem checks that an answer is a failure of the contract.
func (a answer) problem(t testing.TB, status int, code string) problem {
	t.Helper()
	require.Equal(t, status, a.StatusCode, string(a.body))
	require.Equal(t, "application/json", a.Header.Get("Content-Type"))
	var p problem
	require.NoError(t, json.Unmarshal(a.body, &p))
	require.Equal(t, code, p.Code, string(a.body))
	require.Equal(t, status, p.Status)
	require.NotEmpty(t, p.Message)
	require.NotZero(t, p.Timestamp)
	var value any
	require.NoError(t, json.Unmarshal(a.body, &value))
	schema := gatewaySpec().Components.Schemas["ApiErrorDto"].Value
	require.NoError(t, schema.VisitJSON(value))
	require.Contains(t, schema.Properties["code"].Value.Extensions["x-extensible-enum"], code, "open for partners, but not before it is written down")
	return p
}

// seen is one request as the upstream saw it.
type seen struct {
	Method, Path, RawQuery string
	Header                 http.Header
	Body                   []byte
	Upstream               string
}

// recorder is the upstream: it keeps what it sees, checks it against the
// upstream's spec, and answers what it is told.
type recorder struct {
	*httptest.Server
	mu      sync.Mutex
	calls   []seen
	faults  []string // what does not fit the upstream's spec
	handler http.HandlerFunc
}

func newRecorder(t testing.TB) *recorder {
	t.Helper()
	r := &recorder{}
	r.Server = httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(r.Close)
	return r
}

// answer sets what the upstream does from now on.
func (r *recorder) answer(h http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.handler = h
}

// take returns the requests since the last take, and what was wrong with them.
func (r *recorder) take() (calls []seen, faults []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	calls, faults = r.calls, r.faults
	r.calls, r.faults = nil, nil
	return calls, faults
}

func (r *recorder) serve(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	upstream, rest, _ := strings.Cut(strings.TrimPrefix(req.URL.EscapedPath(), "/"), "/")
	s := seen{req.Method, "/" + rest, req.URL.RawQuery, req.Header.Clone(), body, upstream}
	r.mu.Lock()
	r.calls = append(r.calls, s)
	if err != nil {
		r.faults = append(r.faults, "body: "+err.Error())
	} else if fault := checkAgainstSpec(s); fault != nil {
		r.faults = append(r.faults, fault.Error())
	}
	handler := r.handler
	r.mu.Unlock()
	if handler == nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	handler(w, req)
}

var specRouters sync.Map

func routerOf(upstream string) (routers.Router, error) {
	if r, ok := specRouters.Load(upstream); ok {
		return r.(routers.Router), nil
	}
	router, err := legacy.NewRouter(upstreamSpecs[upstream]())
	if err == nil {
		specRouters.Store(upstream, router)
	}
	return router, err
}

// checkAgainstSpec validates a request that the gateway sent.
func checkAgainstSpec(s seen) error {
	if upstreamSpecs[s.Upstream] == nil {
		return nil
	}
	router, err := routerOf(s.Upstream)
	if err != nil {
		return err
	}
	path := strings.ReplaceAll(s.Path, "%2F", "-") // the router looks at the unescaped path
	req, err := http.NewRequest(s.Method, path+"?"+s.RawQuery, bytes.NewReader(s.Body))
	if err != nil {
		return err
	}
	req.Header = s.Header
	route, params, err := router.FindRoute(req)
	if err != nil {
		return err
	}
	_, isJSON := jsonBody(route.Operation)
	return openapi3filter.ValidateRequest(context.Background(), &openapi3filter.RequestValidationInput{
		Request: req, PathParams: params, Route: route,
		Options: &openapi3filter.Options{
			ExcludeRequestBody: !isJSON, MultiError: true,
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
		},
	})
}

func jsonBody(op *openapi3.Operation) (*openapi3.Schema, bool) {
	if op.RequestBody == nil || op.RequestBody.Value.Content["application/json"] == nil {
		return nil, false
	}
	return op.RequestBody.Value.Content["application/json"].Schema.Value, true
}

// bytesOf is a value as a JSON body.
func bytesOf(t testing.TB, v any) io.Reader {
	t.Helper()
	return bytes.NewReader(marshal(t, v))
}
