package fleet_test

// This file: the traces of a process, from a caller's header to the collector.

import (
	"encoding/hex"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"equipment-platform/internal/embedded"
	"equipment-platform/internal/testdb"
)

// spans is a collector that keeps what it gets.
type spans struct {
	mu  sync.Mutex
	all []*tracepb.Span
	err error
}

// ServeHTTP implements http.Handler: OTLP over HTTP.
func (s *spans) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	var request collector.ExportTraceServiceRequest
	if err == nil {
		err = proto.Unmarshal(raw, &request)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	for _, resource := range request.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			s.all = append(s.all, scope.GetSpans()...)
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// of returns the spans of a trace.
func (s *spans) of(trace string) (out []*tracepb.Span) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, span := range s.all {
		if hex.EncodeToString(span.GetTraceId()) == trace {
			out = append(out, span)
		}
	}
	return out
}

// A search is one trace: the caller's, with the request, the embedding of the
// query and the statements in it; the log line and the embedding server get the
// same trace id.
func TestTraceOfASearch(t *testing.T) {
	t.Parallel()
	const trace = "0af7651916cd43dd8448eb211c80319c"
	p := build(t)
	kept := &spans{}
	sink := httptest.NewServer(kept)
	t.Cleanup(sink.Close)
	models := startModelServer(t)
	x := p.start(t, []string{"catalog", "serve"}, map[string]string{
		"DATABASE_URL": testdb.New(t), "EMBEDDINGS_URL": models.URL + "/v1", "EMBEDDINGS_MODEL": "m",
		"OTEL_EXPORTER_OTLP_ENDPOINT": sink.URL, "SHUTDOWN_TIMEOUT": "1s",
	})
	x.awaitReady()
	req, err := http.NewRequest("POST", "http://"+x.addr+"/api/v1/vehicles/semantic-search", strings.NewReader(`{"query":"crane"}`))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("traceparent", "00-"+trace+"-b7ad6b7169203331-01")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 200, resp.StatusCode)
	x.stop() // the end of the process sends what is left

	require.NoError(t, kept.err)
	var server *tracepb.Span
	kinds := map[tracepb.Span_SpanKind]int{}
	for _, span := range kept.of(trace) {
		kinds[span.GetKind()]++
		if span.GetKind() == tracepb.Span_SPAN_KIND_SERVER {
			server = span
		}
	}
	require.NotNil(t, server)
	require.Equal(t, "searchVehicles", server.GetName())
	require.Equal(t, "b7ad6b7169203331", hex.EncodeToString(server.GetParentSpanId()))
	attributes := map[string]string{}
	for _, a := range server.GetAttributes() {
		attributes[a.GetKey()] = a.GetValue().GetStringValue()
	}
	require.Equal(t, "/api/v1/vehicles/semantic-search", attributes["http.route"])
	require.GreaterOrEqual(t, kinds[tracepb.Span_SPAN_KIND_CLIENT], 2, "the embedding and the statements")
	require.Contains(t, kept.names(trace), "embeddings POST")
	models.mu.Lock()
	defer models.mu.Unlock()
	require.Contains(t, models.traceparents[len(models.traceparents)-1], trace, "the trace context goes on to the embedding server")
	require.Regexp(t, `"msg":"request".*"operation":"searchVehicles".*"trace_id":"`+trace+`"`, x.log.String())
}

// names of the spans of a trace.
func (s *spans) names(trace string) map[string]bool {
	out := map[string]bool{}
	for _, span := range s.of(trace) {
		out[span.GetName()] = true
	}
	return out
}

// An event and a gateway call continue the traces that they come with.
func TestTracesOfAnEventAndAnUpstreamCall(t *testing.T) {
	t.Parallel()
	const eventTrace, callTrace = "11111111111111111111111111111111", "22222222222222222222222222222222"
	p := build(t)
	kept := &spans{}
	sink := httptest.NewServer(kept)
	t.Cleanup(sink.Close)
	broker, err := embedded.StartBroker(t.Context(), embedded.BrokerOptions{})
	require.NoError(t, err)
	t.Cleanup(broker.Stop)
	env := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": sink.URL, "SHUTDOWN_TIMEOUT": "1s"}
	url := testdb.New(t)
	catalogEnv := map[string]string{"DATABASE_URL": url, "KAFKA_BROKERS": broker.Address(), "CATALOG_API": "off"}
	maps.Copy(catalogEnv, env)
	catalog := p.start(t, []string{"catalog", "serve"}, catalogEnv)
	catalog.awaitReady() // without the API too
	require.Equal(t, 404, status(catalog.addr, "/api/v1/vehicles"))
	gatewayEnv := map[string]string{"PROVIDER_URL": "http://" + p.sandbox(t)}
	maps.Copy(gatewayEnv, env)
	gateway := p.start(t, []string{"gateway", "serve"}, gatewayEnv)

	gateway.awaitReady()
	code, answer := ask("GET", "http://"+gateway.addr+"/api/v1/exchange/organizations/my", p.token(t, "manager", "MANAGER"), nil,
		"X-Partner-Access-Token", "sandbox-token", "traceparent", "00-"+callTrace+"-b7ad6b7169203331-01")
	require.Equal(t, 200, code, answer)
	id := uuid.NewString()
	record(t, broker.Address(), "platform.order.events.v1",
		`{"orderId":"`+id+`","customerId":"c","vehicleId":"`+id+`","status":"Done","eventTimestamp":"2026-01-01T00:00:00Z"}`,
		kgo.RecordHeader{Key: "traceparent", Value: []byte("00-" + eventTrace + "-b7ad6b7169203331-01")})
	db := connect(t, url)
	require.Eventually(t, func() bool { return number(t, db, "SELECT count(*) FROM order_entitlements") == 1 }, patience, lookEvery)
	catalog.stop()
	gateway.stop()

	require.NoError(t, kept.err)
	require.Contains(t, kept.names(callTrace), "listMyOrganizations")
	require.Contains(t, kept.names(callTrace), "provider GET")
	require.Contains(t, kept.names(eventTrace), "platform.order.events.v1 process")
	require.Greater(t, len(kept.of(eventTrace)), 2, "the statements are in it")
}
