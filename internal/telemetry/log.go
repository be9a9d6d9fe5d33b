package telemetry

// This file: the trace id in log lines.

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
)

// Logger adds trace_id and span_id to the lines of a logger that are written
// with the context of a span.
func (t *Tracing) Logger(log *slog.Logger) *slog.Logger {
	if t == nil {
		return log
	}
	return slog.New(logHandler{log.Handler()})
}

type logHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h logHandler) Handle(ctx context.Context, record slog.Record) error {
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		record.AddAttrs(slog.String("trace_id", span.TraceID().String()), slog.String("span_id", span.SpanID().String()))
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return logHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h logHandler) WithGroup(name string) slog.Handler { return logHandler{h.Handler.WithGroup(name)} }
