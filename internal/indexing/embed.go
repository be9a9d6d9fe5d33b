package indexing

// This file: texts to vectors, and whose fault it is when there is none.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"

	"equipment-platform/internal/embedding"
)

const (
	// embedLimit ends the attempts with single texts; the rest of the batch is
	// left to the next one. The call for the whole batch comes before and ends
	// by itself: each of its texts takes 5 seconds at most.
	embedLimit = 10 * time.Minute
	// maxConsecutive is how many texts may fail one after the other before the
	// endpoint counts as too busy for any, although it answers a short word.
	maxConsecutive = 3
)

// outcome is what became of the vehicles that have no vector after an attempt.
type outcome struct {
	// rejected: the endpoint cannot embed this text. Attempts are counted, and end.
	rejected map[uuid.UUID]error
	// deferred: a fault that passes met this text, while others may go through. It
	// is tried again later, indefinitely: nobody would know when to ask for it.
	deferred map[uuid.UUID]error
	// notAttempted: nothing was learnt about these.
	notAttempted map[uuid.UUID]bool
	// endpointDown is why the endpoint itself cannot embed now: all of it waits.
	endpointDown error
}

// embed makes the vectors in one call. When that fails although the endpoint
// answers, one text may be to blame: they are tried one by one. An error means
// that nothing can be done with the batch at all.
func (x *Indexer) embed(ctx context.Context, passages []passage) (vectors map[uuid.UUID][]float32, out outcome, err error) {
	vectors = map[uuid.UUID][]float32{}
	out = outcome{rejected: map[uuid.UUID]error{}, deferred: map[uuid.UUID]error{}, notAttempted: map[uuid.UUID]bool{}}
	if len(passages) == 0 {
		return vectors, out, nil
	}
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.text
		out.notAttempted[p.id] = true
	}
	begun := time.Now()
	all, reason := x.request(ctx, texts)
	x.metrics.embedded(time.Since(begun))
	if reason == nil {
		for i, p := range passages {
			vectors[p.id] = all[i]
			delete(out.notAttempted, p.id)
		}
		return vectors, out, nil
	}
	out.endpointDown, err = x.probe(ctx, reason)
	if err == nil && out.endpointDown == nil {
		err = x.embedSingly(ctx, passages, vectors, &out)
	}
	return vectors, out, err
}

// embedSingly makes the vectors one by one, until the endpoint is down.
func (x *Indexer) embedSingly(ctx context.Context, passages []passage, vectors map[uuid.UUID][]float32, out *outcome) (err error) {
	begun := time.Now()
	consecutive := 0
	for _, p := range passages {
		if time.Since(begun) > embedLimit {
			return nil
		}
		one, reason := x.request(ctx, []string{p.text})
		delete(out.notAttempted, p.id)
		switch {
		case reason == nil:
			consecutive = 0
			vectors[p.id] = one[0]
			continue
		case errors.Is(reason, embedding.ErrRefused), errors.Is(reason, embedding.ErrBlank):
			consecutive = 0
			out.rejected[p.id] = reason
			x.log.ErrorContext(ctx, "a passage cannot be embedded", "vehicle", p.id, "error", reason)
			continue
		}
		if out.endpointDown, err = x.probe(ctx, reason); err != nil {
			return err
		}
		// Also where the endpoint is the cause, this text goes behind the others:
		// should it be what brings the endpoint down, they get their turn.
		out.deferred[p.id] = reason
		x.log.WarnContext(ctx, "a passage is tried again later", "vehicle", p.id, "error", reason)
		if consecutive++; consecutive == maxConsecutive && out.endpointDown == nil {
			out.endpointDown = fmt.Errorf("embedder: %d texts in a row: %w", consecutive, reason)
		}
		if out.endpointDown != nil {
			return nil //nolint:nilerr // the outcome has it: what was made so far is kept
		}
	}
	return nil
}

// probe asks, after a failure, whether the endpoint can embed anything, and
// returns the reason when it cannot. An error ends the batch.
func (x *Indexer) probe(ctx context.Context, reason error) (endpointDown, err error) {
	if errors.Is(reason, embedding.ErrTooLong) {
		return nil, reason
	}
	failure := x.embedder.Probe(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(failure, embedding.ErrTooLong):
		return nil, failure
	case failure != nil:
		return fmt.Errorf("embedder: %w", reason), nil
	default:
		return nil, nil
	}
}

// request calls the embedder and validates that what it gives can be stored: the
// database would refuse the whole batch for one vector.
func (x *Indexer) request(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := x.embedder.EmbedPassages(ctx, texts)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("%w: %d vectors for %d texts", embedding.ErrRefused, len(vectors), len(texts))
	}
	for _, vector := range vectors {
		if len(vector) != embedding.Dimension {
			return nil, fmt.Errorf("%w: a vector of %d dimensions cannot be stored", embedding.ErrRefused, len(vector))
		}
		for _, component := range vector {
			if c := float64(component); math.IsNaN(c) || math.IsInf(c, 0) {
				return nil, fmt.Errorf("%w: a vector that is not finite cannot be stored", embedding.ErrRefused)
			}
		}
	}
	return vectors, nil
}
