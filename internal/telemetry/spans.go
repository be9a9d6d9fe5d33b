package telemetry

// This file: what is traced, one method for each kind of traffic. Each takes
// the plain thing and gives back the traced one, or the plain one when tracing
// is off.

import (
	"context"
	"net/http"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/plugin/kotel"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Request is the span of one HTTP request that a server answers.
type Request struct{ span trace.Span }

// StartRequest begins the span of a request, a child of the trace that its
// headers name. The context carries the span. Call it on a tracing that is on.
func (t *Tracing) StartRequest(r *http.Request) (context.Context, Request) {
	ctx := t.propagator.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	// the query string is not recorded: gateways get credentials and people's data in it
	ctx, span := t.tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("http.request.method", r.Method),
		attribute.String("url.path", r.URL.Path),
		attribute.String("network.protocol.version", r.Proto),
	))
	return ctx, Request{span}
}

// End names the span by the operation id and ends it. route is the path's
// template. Both are empty for what is in no spec. The status of a server error marks
// the span as failed; an error of the caller's does not.
func (r Request) End(operation, route, requestID string, status int, bytes int64) {
	if operation != "" {
		r.span.SetName(operation)
		r.span.SetAttributes(attribute.String("operation.id", operation), attribute.String("http.route", route))
	}
	r.span.SetAttributes(
		attribute.String("request.id", requestID),
		attribute.Int("http.response.status_code", status), attribute.Int64("http.response.body.size", bytes),
	)
	if status >= http.StatusInternalServerError {
		r.span.SetStatus(codes.Error, http.StatusText(status))
	}
	r.span.End()
}

// Transport traces requests to another server and sends the trace context with
// them. name names the spans, for example "embeddings".
func (t *Tracing) Transport(name string, next http.RoundTripper) http.RoundTripper {
	if t == nil {
		return next
	}
	return otelhttp.NewTransport(next, otelhttp.WithTracerProvider(t.provider), otelhttp.WithPropagators(t.propagator),
		otelhttp.WithSpanNameFormatter(func(_ string, r *http.Request) string { return name + " " + r.Method }))
}

// Database returns the tracer of a pool's statements, nil when tracing is off.
// Statements are recorded as they are written, arguments never.
func (t *Tracing) Database() pgx.QueryTracer {
	if t == nil {
		return nil
	}
	return otelpgx.NewTracer(otelpgx.WithTracerProvider(t.provider))
}

// Kafka returns the options that trace what a Kafka client consumes; none when
// tracing is off. Records that the client produces are left as they are: a
// dead letter must keep the headers it came with (contract 6.5).
func (t *Tracing) Kafka(group string) []kgo.Opt {
	if t == nil {
		return nil
	}
	return []kgo.Opt{kgo.WithHooks(kotel.NewKotel(kotel.WithTracer(kotel.NewTracer(
		kotel.TracerProvider(t.provider), kotel.TracerPropagator(extractOnly{t.propagator}), kotel.ConsumerGroup(group),
	))).Hooks()...)}
}

// Records begins the span of working off records in one go and returns how to
// end it; ctx bounds the work. One record: a child of the trace that its
// headers name. Several: a trace of its own with links to theirs.
func (t *Tracing) Records(ctx context.Context, records ...*kgo.Record) (context.Context, func(error)) {
	if t == nil || len(records) == 0 {
		return ctx, func(error) {}
	}
	first := records[0]
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(
		attribute.String("messaging.system", "kafka"), attribute.String("messaging.destination.name", first.Topic),
		attribute.Int("messaging.destination.partition.id", int(first.Partition)), attribute.Int64("messaging.kafka.offset", first.Offset),
		attribute.Int("messaging.batch.message_count", len(records)),
	)}
	if origin := originOf(first); len(records) == 1 && origin.IsValid() {
		ctx = trace.ContextWithSpanContext(ctx, origin)
	}
	for _, record := range records {
		if origin := originOf(record); len(records) > 1 && origin.IsValid() {
			options = append(options, trace.WithLinks(trace.Link{SpanContext: origin}))
		}
	}
	ctx, span := t.tracer.Start(ctx, first.Topic+" process", options...)
	return ctx, func(err error) { endSpan(span, err) }
}

// originOf is the trace of a record, as the client's hook has left it there.
func originOf(record *kgo.Record) trace.SpanContext {
	if record.Context == nil {
		return trace.SpanContext{}
	}
	return trace.SpanContextFromContext(record.Context)
}

// Span begins a span of the process's own work, such as a batch of the
// indexer, and returns how to end it. The context carries the span.
func (t *Tracing) Span(ctx context.Context, name string) (context.Context, func(error)) {
	if t == nil {
		return ctx, func(error) {}
	}
	ctx, span := t.tracer.Start(ctx, name)
	return ctx, func(err error) { endSpan(span, err) }
}

func endSpan(span trace.Span, err error) {
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	span.End()
}

// extractOnly reads the trace context of what comes in and adds none to what
// goes out.
type extractOnly struct{ propagation.TextMapPropagator }

// Inject implements propagation.TextMapPropagator.
func (extractOnly) Inject(context.Context, propagation.TextMapCarrier) {}
