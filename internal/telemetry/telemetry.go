// Package telemetry makes the traces of a process: OpenTelemetry spans, W3C
// trace context in and out, sent by OTLP. It is off, and costs nothing, unless
// the standard OTEL_ variables name an endpoint.
//
// This file: on or off, the exporter, the end. What is traced is in spans.go,
// the trace id of log lines in log.go.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// scope names this program's own spans.
const scope = "equipment-platform"

// flushLimit bounds the sending of the last spans at the end of a process.
const flushLimit = 3 * time.Second

// Tracing is where spans come from. A nil one is off: all its methods work,
// give back what they got, and cost nothing.
type Tracing struct {
	provider   trace.TracerProvider
	propagator propagation.TextMapPropagator
	tracer     trace.Tracer
	shutdown   func(context.Context) error
}

// enabled reports whether the standard variables ask for traces: an OTLP endpoint
// is named, the SDK is not disabled, and the exporter is not another one than
// OTLP.
func enabled(getenv func(string) string) bool {
	if strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") {
		return false
	}
	if exporter := getenv("OTEL_TRACES_EXPORTER"); exporter != "" && exporter != "otlp" {
		return false
	}
	return getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// Start makes the tracing of a process as the standard variables say
// (OTEL_EXPORTER_OTLP_ENDPOINT, _HEADERS, _PROTOCOL, OTEL_TRACES_SAMPLER,
// OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES and their like); nil where they
// ask for none. service is the name of the process where they give none. An
// endpoint that is down costs spans, never requests.
func Start(ctx context.Context, service string, log *slog.Logger) (*Tracing, error) {
	if !enabled(os.Getenv) {
		return nil, nil
	}
	var client otlptrace.Client
	protocol := os.Getenv("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
	if protocol == "" {
		protocol = os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL")
	}
	switch protocol {
	case "", "http/protobuf":
		client = otlptracehttp.NewClient()
	case "grpc":
		client = otlptracegrpc.NewClient()
	default:
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is neither http/protobuf nor grpc")
	}
	exporter, err := otlptrace.New(ctx, client)
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	// what the exporter has to complain about goes to the log, not to standard error as it likes
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces", "error", err) }))
	return New(ctx, service, sdktrace.NewBatchSpanProcessor(exporter))
}

// New makes a tracing that hands its spans to the processor.
func New(ctx context.Context, service string, processor sdktrace.SpanProcessor) (*Tracing, error) {
	described, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", service)),
		resource.WithTelemetrySDK(), resource.WithHost(), resource.WithProcessPID(),
		resource.WithFromEnv(), // last: the deployment has the last word on the name
	)
	if err != nil && !errors.Is(err, resource.ErrPartialResource) {
		return nil, err
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(processor), sdktrace.WithResource(described))
	return &Tracing{
		provider: provider,
		// no baggage: what callers put there would go on to other companies' servers
		propagator: propagation.TraceContext{},
		tracer:     provider.Tracer(scope),
		shutdown:   provider.Shutdown,
	}, nil
}

// Close sends what is left, for at most three seconds. Ending requests come
// first: call it last.
func (t *Tracing) Close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushLimit)
	defer cancel()
	_ = t.shutdown(ctx) // the error handler has logged it
}
