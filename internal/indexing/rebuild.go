package indexing

// This file: making all vectors again, and what an operator is shown.

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/backoff"
	"equipment-platform/internal/database"
)

// Rebuild embeds every public vehicle again, whatever is stored. Vectors of
// other models stay: search goes on with the model in use until it is switched
// to the new one. step is called with each batch's size, total once.
func (x *Indexer) Rebuild(ctx context.Context, total func(int64), step func(int)) error {
	n, err := x.queries.VehiclesPublicCount(ctx, x.db)
	if err != nil {
		return err
	}
	total(n)
	after := uuid.Nil
	for {
		ids, err := x.queries.VehiclesPublicAfter(ctx, x.db, catalogdb.VehiclesPublicAfterParams{After: after, Most: batchSize})
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			break
		}
		if err := x.rebuildBatch(ctx, ids); err != nil {
			return err
		}
		after = ids[len(ids)-1]
		step(len(ids))
	}
	// what changed while the walk went on is found by fingerprint
	return database.InTx(ctx, x.db, func(tx pgx.Tx) error {
		if _, err := x.queries.IndexModelClaim(ctx, tx, x.model()); err != nil {
			return err
		}
		if err := x.queries.OutboxAddAll(ctx, tx); err != nil {
			return err
		}
		return x.queries.IndexModelCurrent(ctx, tx, x.model())
	})
}

// rebuildBatch repeats a batch until every vehicle of it was tried. What has no
// vector then, the outbox brings again at the end of the rebuild. It waits for
// an endpoint that is busy, and gives up when that does not pass.
func (x *Indexer) rebuildBatch(ctx context.Context, ids []uuid.UUID) error {
	failures := 0
	for len(ids) > 0 {
		var tried []uuid.UUID
		var out outcome
		err := x.inTx(ctx, func(tx pgx.Tx) error {
			locked, err := x.queries.VehiclesTryLock(ctx, tx, ids)
			if err != nil {
				return err
			}
			if out, err = x.refresh(ctx, tx, locked, true); err != nil {
				return err
			}
			tried = slices.DeleteFunc(locked, func(id uuid.UUID) bool { return out.notAttempted[id] })
			return nil
		})
		if err != nil {
			return err
		}
		ids = without(ids, tried)
		wait := 50 * time.Millisecond
		if out.endpointDown != nil {
			if failures++; failures == maxAttempts {
				return out.endpointDown
			}
			wait = backoff.Delay(failures, firstBackoff, maxBackoff)
			x.log.WarnContext(ctx, "the rebuild waits", "error", out.endpointDown, "wait", wait.String())
		}
		if len(ids) > 0 {
			sleep(ctx, wait, nil)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

func without(ids, drop []uuid.UUID) (rest []uuid.UUID) {
	gone := make(map[uuid.UUID]bool, len(drop))
	for _, id := range drop {
		gone[id] = true
	}
	for _, id := range ids {
		if !gone[id] {
			rest = append(rest, id)
		}
	}
	return rest
}

// Drain works off the outbox until nothing is due.
func (x *Indexer) Drain(ctx context.Context) error {
	for {
		worked, err := x.Step(ctx)
		if err != nil || worked == 0 {
			return err
		}
	}
}

// Prune removes the vectors of all other models: after the catalog has been
// switched to this one. While many vehicles have no vector of this model it
// refuses: then another model may well be in use. (A few are always on their way.)
func (x *Indexer) Prune(ctx context.Context) (removed int64, err error) {
	err = database.InTx(ctx, x.db, func(tx pgx.Tx) error {
		public, err := x.queries.VehiclesPublicCount(ctx, tx)
		if err != nil {
			return err
		}
		outbox, err := x.queries.OutboxStatus(ctx, tx)
		if err != nil {
			return err
		}
		models, err := x.queries.EmbeddingsByModel(ctx, tx)
		if err != nil {
			return err
		}
		own := int64(0)
		for _, m := range models {
			if m.Model == x.embedder.Model() {
				own = m.Vectors
			}
		}
		if own == 0 && public > 0 || own+outbox.Parked < public-public/100-batchSize {
			return fmt.Errorf("%d of %d public vehicles have a vector of %s: run `indexer rebuild` or wait for `indexer run` first, or set the EMBEDDINGS_ variables of the catalog", own, public, x.embedder.Model())
		}
		if removed, err = x.queries.EmbeddingsPruneModels(ctx, tx, x.embedder.Model()); err != nil {
			return err
		}
		return x.queries.IndexModelsForget(ctx, tx, x.model())
	})
	return removed, err
}

// RetryParked puts parked rows back to work.
func (x *Indexer) RetryParked(ctx context.Context) (int64, error) {
	return x.queries.OutboxRetryParked(ctx, x.db)
}

// WriteStatus writes what is indexed, what waits and what is parked.
func (x *Indexer) WriteStatus(ctx context.Context, w io.Writer) error {
	public, err := x.queries.VehiclesPublicCount(ctx, x.db)
	if err != nil {
		return err
	}
	outbox, err := x.queries.OutboxStatus(ctx, x.db)
	if err != nil {
		return err
	}
	models, err := x.queries.EmbeddingsByModel(ctx, x.db)
	if err != nil {
		return err
	}
	parked, err := x.queries.OutboxParked(ctx, x.db)
	if err != nil {
		return err
	}
	index, err := x.queries.SearchIndexed(ctx, x.db)
	if err != nil {
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "public vehicles\t%d\n", public)
	fmt.Fprintf(tw, "waiting\t%d\n", outbox.Waiting)
	if outbox.Waiting > 0 {
		fmt.Fprintf(tw, "oldest waits since\t%s\n", outbox.Oldest.UTC().Format(time.RFC3339))
	}
	fmt.Fprintf(tw, "parked\t%d\n", outbox.Parked)
	searched := "as a graph"
	if index.Lists > 0 {
		searched = fmt.Sprintf("in %d lists", index.Lists)
	}
	fmt.Fprintf(tw, "searched\t%s\n", searched)
	for _, m := range models {
		inUse := ""
		if m.Model == x.embedder.Model() {
			inUse = " (in use)"
		}
		fmt.Fprintf(tw, "model %s%s\t%d vectors, newest %s\n", m.Model, inUse, m.Vectors, m.Newest.UTC().Format(time.RFC3339))
	}
	for _, row := range parked {
		fmt.Fprintf(tw, "parked %s\t%d attempts: %s\n", row.EntityID, row.Attempts, row.LastError)
	}
	return tw.Flush()
}
