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
	// mostInARow is how many texts may fail one after the other before the
	// endpoint counts as too busy for any, although it answers a short word.
	mostInARow = 3
)

// outcome is what became of the vehicles that have no vector after an attempt.
type outcome struct {
	// refused: the endpoint cannot embed this text. Attempts are counted, and end.
	refused map[uuid.UUID]error
	// late: a fault that passes met this text, while others may go through. It
	// is tried again later, for ever: nobody would know when to ask for it.
	late map[uuid.UUID]error
	// untried: nothing was learnt about these.
	untried map[uuid.UUID]bool
	// trouble says that the endpoint itself cannot embed now: all of it waits.
	trouble error
}

// embed makes the vectors in one call. When that fails although the endpoint
// answers, one text may be to blame: they are tried one by one. An error means
// that nothing can be done with the batch at all.
func (x *Indexer) embed(ctx context.Context, passages []passage) (vectors map[uuid.UUID][]float32, out outcome, err error) {
	vectors = map[uuid.UUID][]float32{}
	out = outcome{refused: map[uuid.UUID]error{}, late: map[uuid.UUID]error{}, untried: map[uuid.UUID]bool{}}
	if len(passages) == 0 {
		return vectors, out, nil
	}
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.text
		out.untried[p.id] = true
	}
	begun := time.Now()
	all, reason := x.ask(ctx, texts)
	x.metrics.embedded(time.Since(begun))
	if reason == nil {
		for i, p := range passages {
			vectors[p.id] = all[i]
			delete(out.untried, p.id)
		}
		return vectors, out, nil
	}
	out.trouble, err = x.trouble(ctx, reason)
	if err == nil && out.trouble == nil {
		err = x.embedSingly(ctx, passages, vectors, &out)
	}
	return vectors, out, err
}

// embedSingly makes the vectors one by one, until the endpoint is in trouble.
func (x *Indexer) embedSingly(ctx context.Context, passages []passage, vectors map[uuid.UUID][]float32, out *outcome) (err error) {
	begun := time.Now()
	inARow := 0
	for _, p := range passages {
		if time.Since(begun) > embedLimit {
			return nil
		}
		one, reason := x.ask(ctx, []string{p.text})
		delete(out.untried, p.id)
		switch {
		case reason == nil:
			inARow = 0
			vectors[p.id] = one[0]
			continue
		case errors.Is(reason, embedding.ErrRefused), errors.Is(reason, embedding.ErrBlank):
			inARow = 0
			out.refused[p.id] = reason
			x.log.ErrorContext(ctx, "a passage cannot be embedded", "vehicle", p.id, "error", reason)
			continue
		}
		if out.trouble, err = x.trouble(ctx, reason); err != nil {
			return err
		}
		// Also where the endpoint is the cause, this text goes behind the others:
		// should it be what brings the endpoint down, they get their turn.
		out.late[p.id] = reason
		x.log.WarnContext(ctx, "a passage is tried again later", "vehicle", p.id, "error", reason)
		if inARow++; inARow == mostInARow && out.trouble == nil {
			out.trouble = fmt.Errorf("embedder: %d texts in a row: %w", inARow, reason)
		}
		if out.trouble != nil {
			return nil //nolint:nilerr // the outcome has it: what was made so far is kept
		}
	}
	return nil
}

// trouble asks, after a failure, whether the endpoint can embed anything, and
// returns the reason when it cannot. An error ends the batch.
func (x *Indexer) trouble(ctx context.Context, reason error) (trouble, err error) {
	if errors.Is(reason, embedding.ErrTooLong) {
		return nil, reason
	}
	probe := x.embedder.Probe(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(probe, embedding.ErrTooLong):
		return nil, probe
	case probe != nil:
		return fmt.Errorf("embedder: %w", reason), nil
	default:
		return nil, nil
	}
}

// ask calls the embedder and holds what it gives against what can be stored:
// the database would refuse the whole batch for one vector.
func (x *Indexer) ask(ctx context.Context, texts []string) ([][]float32, error) {
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
