package main

// This file: recall@10 of the search against exact distances: the share of the
// ten nearest vehicles that are among the ten found, of vectors that are as far
// away as those counting as found too.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
	pgxvector "github.com/pgvector/pgvector-go/pgx"
)

const (
	recallQueries = 100
	nearestFew    = 10
	// sameDistance is the rounding of a distance, which is computed in numbers of 32 bits
	sameDistance = 1e-7
)

// The orders that vectors are read in: all of them computed, or from the index.
const (
	byVectors = "e.embedding <=> $1"
	byIndex   = "e.embedding::halfvec(1024) <=> $1::vector::halfvec(1024)"
)

// throughTheIndex has the planner walk the index, however few rows there are.
var throughTheIndex = []string{
	"SET LOCAL hnsw.iterative_scan = strict_order", "SET LOCAL enable_seqscan = off", "SET LOCAL enable_hashjoin = off", "SET LOCAL enable_mergejoin = off",
	"SET LOCAL enable_sort = off", "SET LOCAL enable_bitmapscan = off",
}

// recallTable prints recall without a filter and with one that leaves about one
// in a hundred: of what the service answers, and of the index asked without the
// service's exact pass for few candidates.
func (b *bench) recallTable(ctx context.Context) error {
	conn, err := b.connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	brand, share, err := b.brandOf(ctx, conn, 0.01)
	if err != nil {
		return err
	}
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "\n%d vehicles, %d vectors: recall@%d of %d queries against exact distances\n", b.vehicles, b.vectors, nearestFew, recallQueries)
	fmt.Fprintln(tw, "filter\tservice\tindex alone\tshort answers")
	for _, filter := range []string{"", brand} {
		name := "none"
		if filter != "" {
			name = fmt.Sprintf("%s, %.1f %%", filter, 100*share)
		}
		var answered, indexed float64
		short := 0
		for _, text := range searchTexts()[:recallQueries] {
			exact, err := b.scores(ctx, conn, byVectors, text, filter, "SET LOCAL enable_indexscan = off")
			if err != nil {
				return err
			}
			index, err := b.scores(ctx, conn, byIndex, text, filter, append(slices.Clone(throughTheIndex), "SET LOCAL ivfflat.iterative_scan = relaxed_order", "SET LOCAL hnsw.ef_search = 200", fmt.Sprintf("SET LOCAL ivfflat.probes = %d", b.probes()))...)
			if err != nil {
				return err
			}
			found, err := b.searchScores(ctx, service, text, filter)
			if err != nil {
				return err
			}
			if len(found) < len(exact) {
				short++
			}
			answered += recall(exact, found)
			indexed += recall(exact, index)
		}
		fmt.Fprintf(tw, "%s\t%.3f\t%.3f\t%d\n", name, answered/recallQueries, indexed/recallQueries, short)
	}
	return tw.Flush()
}

// connect opens a connection that knows vectors.
func (b *bench) connect(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.Connect(ctx, b.databaseURL)
	if err != nil {
		return nil, err
	}
	return conn, pgxvector.RegisterTypes(ctx, conn)
}

// brandOf finds the brand whose share of the vectors is nearest to the wanted one.
func (b *bench) brandOf(ctx context.Context, conn *pgx.Conn, wanted float64) (brand string, share float64, err error) {
	err = conn.QueryRow(ctx, `SELECT brand_name, count(*)::float8 / $1 FROM vehicles v JOIN vehicle_embeddings e ON e.vehicle_id = v.id
WHERE is_active GROUP BY 1 ORDER BY abs(count(*)::float8 / $1 - $2) LIMIT 1`, float64(b.vectors), wanted).Scan(&brand, &share)
	return brand, share, err
}

// recall is the share of the exact answer's places that are filled as well.
func recall(exact, found []float64) float64 {
	if len(exact) == 0 {
		return 1
	}
	hits, last := 0, exact[len(exact)-1]
	for _, score := range found {
		if score >= last-sameDistance {
			hits++
		}
	}
	return float64(min(hits, len(exact))) / float64(len(exact))
}

// scores asks the database, in a transaction with the given settings.
func (b *bench) scores(ctx context.Context, conn *pgx.Conn, order, text, brand string, settings ...string) (list []float64, err error) {
	sql, args := `SELECT 1 - (e.embedding <=> $1) FROM vehicle_embeddings e JOIN vehicles v ON v.id = e.vehicle_id WHERE v.is_active`, []any{pgvector.NewVector(b.queries[text]), nearestFew}
	if brand != "" {
		sql, args = sql+" AND v.brand_name = $3", append(args, brand)
	}
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		// a cached plan would keep the settings of the call that it was made for
		for _, s := range append(settings, "SET LOCAL plan_cache_mode = force_custom_plan") {
			if _, err := tx.Exec(ctx, s); err != nil {
				return err
			}
		}
		rows, err := tx.Query(ctx, sql+" ORDER BY "+order+" LIMIT $2", args...)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowTo[float64])
		return err
	})
	return list, err
}

// searchScores asks the service or the yardstick.
func (b *bench) searchScores(ctx context.Context, target, text, brand string) (list []float64, err error) {
	body := fmt.Sprintf(`{"query":%q,"topK":%d`, text, nearestFew)
	if brand != "" {
		body += fmt.Sprintf(`,"filters":{"brandName":%q}`, brand)
	}
	w := workload{name: "recall", status: http.StatusOK, items: func(raw []byte) (int, error) {
		var answer struct{ Matches []struct{ Score float64 } }
		err := json.Unmarshal(raw, &answer)
		for _, m := range answer.Matches {
			list = append(list, m.Score)
		}
		return len(list), err
	}}
	_, err = b.ask(ctx, b.targets[target], w, request{method: http.MethodPost, path: "/api/v1/vehicles/semantic-search", body: body + "}"})
	return list, err
}
