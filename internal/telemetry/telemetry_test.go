package telemetry_test

// This file: on and off, Kafka records, log lines. The spans of a whole process
// are tested in internal/fleet.

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"equipment-platform/internal/embedded"
	"equipment-platform/internal/telemetry"
)

const (
	traceID     = "0af7651916cd43dd8448eb211c80319c"
	traceparent = "00-" + traceID + "-b7ad6b7169203331-01"
)

func newTracing(t *testing.T) (*telemetry.Tracing, *tracetest.InMemoryExporter) {
	t.Helper()
	kept := tracetest.NewInMemoryExporter()
	tracing, err := telemetry.New(t.Context(), "test", sdktrace.NewSimpleSpanProcessor(kept))
	require.NoError(t, err)
	return tracing, kept
}

func TestEnabled(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		variables map[string]string
		on        bool
	}{
		{nil, false},
		{map[string]string{"OTEL_SERVICE_NAME": "x"}, false},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector"}, true},
		{map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://collector/v1/traces"}, true},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector", "OTEL_TRACES_EXPORTER": "otlp"}, true},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector", "OTEL_TRACES_EXPORTER": "none"}, false},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector", "OTEL_SDK_DISABLED": "true"}, false},
	} {
		require.Equal(t, x.on, telemetry.Enabled(func(name string) string { return x.variables[name] }), x.variables)
	}
}

// Off gives back what it gets.
func TestOff(t *testing.T) {
	t.Parallel()
	var off *telemetry.Tracing
	log := slog.New(slog.DiscardHandler)
	require.Same(t, log, off.Logger(log))
	require.Equal(t, http.DefaultTransport, off.Transport("x", http.DefaultTransport))
	require.Nil(t, off.Database())
	require.Empty(t, off.Kafka("group"))
	ctx, end := off.Records(t.Context(), &kgo.Record{})
	require.Equal(t, t.Context(), ctx)
	end(nil)
	ctx, end = off.Span(t.Context(), "x")
	require.Equal(t, t.Context(), ctx)
	end(errors.New("x"))
	off.Close()
}

func TestKafkaRecords(t *testing.T) {
	t.Parallel()
	broker, err := embedded.StartBroker(t.Context(), embedded.BrokerOptions{Topics: []string{"in", "dead"}})
	require.NoError(t, err)
	t.Cleanup(broker.Stop)
	tracing, kept := newTracing(t)
	plain, err := kgo.NewClient(kgo.SeedBrokers(broker.Address()))
	require.NoError(t, err)
	defer plain.Close()
	traced, err := kgo.NewClient(append(tracing.Kafka("group"), kgo.SeedBrokers(broker.Address()), kgo.ConsumeTopics("in"))...)
	require.NoError(t, err)
	defer traced.Close()
	headers := []kgo.RecordHeader{{Key: "traceparent", Value: []byte(traceparent)}, {Key: "x", Value: []byte("y")}}
	for _, with := range [][]kgo.RecordHeader{headers, nil} {
		require.NoError(t, plain.ProduceSync(t.Context(), &kgo.Record{Topic: "in", Value: []byte("v"), Headers: with}).FirstErr())
	}
	limited, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var records []*kgo.Record
	for len(records) < 2 {
		fetches := traced.PollFetches(limited)
		require.NoError(t, fetches.Err())
		records = append(records, fetches.Records()...)
	}
	if len(records[0].Headers) == 0 {
		records[0], records[1] = records[1], records[0]
	}
	for _, batch := range [][]*kgo.Record{records[:1], records} {
		_, end := tracing.Records(t.Context(), batch...)
		end(errors.New("refused"))
	}
	var processed tracetest.SpanStubs
	for _, span := range kept.GetSpans() {
		if span.Name == "in process" {
			processed = append(processed, span)
		}
	}
	require.Len(t, processed, 2)
	require.Equal(t, traceID, processed[0].SpanContext.TraceID().String(), "one record: in its trace")
	require.Equal(t, codes.Error, processed[0].Status.Code)
	require.NotEqual(t, traceID, processed[1].SpanContext.TraceID().String())
	require.Len(t, processed[1].Links, 2, "several: linked to theirs")

	// a dead letter keeps the headers that it came with, and gets no more
	require.NoError(t, traced.ProduceSync(t.Context(), &kgo.Record{Topic: "dead", Headers: headers}).FirstErr())
	require.NoError(t, traced.ProduceSync(t.Context(), &kgo.Record{Topic: "dead", Headers: nil}).FirstErr())
	plain.AddConsumeTopics("dead")
	for seen := 0; seen < 2; {
		fetches := plain.PollFetches(limited)
		require.NoError(t, fetches.Err())
		fetches.EachRecord(func(record *kgo.Record) {
			seen++
			if len(record.Headers) > 0 {
				require.Equal(t, headers, record.Headers)
			}
		})
	}
}

func TestLogLinesHaveTheTrace(t *testing.T) {
	t.Parallel()
	tracing, _ := newTracing(t)
	var text bytes.Buffer
	log := tracing.Logger(slog.New(slog.NewJSONHandler(&text, nil))).With("a", "b").WithGroup("g")
	ctx, end := tracing.Span(t.Context(), "work")
	log.InfoContext(ctx, "inside")
	end(nil)
	require.Contains(t, text.String(), `"trace_id"`)
	text.Reset()
	log.InfoContext(t.Context(), "outside")
	require.NotContains(t, text.String(), "trace_id")
}
