package indexing_test

// This file: the span of a batch.

import (
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"equipment-platform/internal/database"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/indexing"
	"equipment-platform/internal/telemetry"
)

// observed notes the span that it is called in.
type observed struct {
	embedding.Embedder
	in []trace.SpanContext
}

func (o *observed) EmbedPassages(ctx context.Context, texts []string) ([][]float32, error) {
	o.in = append(o.in, trace.SpanContextFromContext(ctx))
	return o.Embedder.EmbedPassages(ctx, texts)
}

func TestABatchIsASpan(t *testing.T) {
	t.Parallel()
	f := setup(t)
	kept := tracetest.NewInMemoryExporter()
	tracing, err := telemetry.New(t.Context(), "test", sdktrace.NewSimpleSpanProcessor(kept))
	require.NoError(t, err)
	db, err := database.Open(t.Context(), f.url, 2, "indexer of the test", tracing.Database())
	require.NoError(t, err)
	t.Cleanup(db.Close)
	model := newSpy("m")
	e := &observed{Embedder: model}
	x := indexing.New(db, e, slog.New(slog.DiscardHandler), nil, tracing, nil)
	batches := func() (spans tracetest.SpanStubs) {
		for _, span := range kept.GetSpans() {
			if span.Name == "index batch" {
				spans = append(spans, span)
			}
		}
		return spans
	}

	worked, err := x.Step(t.Context())
	require.NoError(t, err)
	require.Zero(t, worked)
	require.Empty(t, batches(), "a look that finds nothing is no batch")

	f.vehicle(t, "U17", true)
	worked, err = x.Step(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, worked)
	require.Len(t, batches(), 1)
	batch := batches()[0]
	require.Equal(t, codes.Unset, batch.Status.Code)
	require.Len(t, e.in, 1)
	require.Equal(t, batch.SpanContext.SpanID(), e.in[0].SpanID(), "what the embedder sends is below the batch")
	statements := 0
	for _, span := range kept.GetSpans() {
		if span.Parent.SpanID() == batch.SpanContext.SpanID() {
			statements++
		}
	}
	require.Greater(t, statements, 2, "the statements are below the batch")

	f.vehicle(t, "U27", true)
	model.set(func(s *spy) { s.down = true })
	_, err = x.Step(t.Context())
	require.ErrorIs(t, err, embedding.ErrUnavailable)
	require.Len(t, batches(), 2)
	require.Equal(t, codes.Error, batches()[1].Status.Code)
}
