package main

// This file: the search among very many vectors: what their index costs to build,
// to keep and to insert into, how wide it must be walked, and how quickly service and
// yardstick answer at the same recall, fresh and after three in ten were replaced.

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgvector/pgvector-go"

	"equipment-platform/bench/load"
	"equipment-platform/bench/seed"
	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/database"
)

const (
	manyVectors = 1_000_000
	// inserted are timed one by one.
	inserted = 200
	// sampled rows get an index of 32-bit numbers, whose size at full length follows.
	sampled = 10_000
	// leastSeconds of a measurement: 32 searches at once may take some of them each.
	leastSeconds = 10
	// replacedShare of the vectors are replaced.
	replacedShare = 0.3
)

// widthsOfGraph and widthsOfLists are tried of the walk through the index; the yardstick gets the
// least that reaches the service's recall, or the widest where none does.
var widthsOfGraph, widthsOfLists = []int{40, 100, 200, 400, 800}, []int{5, 10, 20, 40, 80}

// shares are those of the vectors that pass the filters; 1: there is none.
var shares = []float64{1, 0.1, 0.01, 0.001}

// millionTables prints the tables for vectors of both sources.
func (b *bench) millionTables(ctx context.Context, vectors int) error {
	defer func() { b.source = wordsAlone() }()
	model, err := ofTheModel(vectors)
	if err != nil {
		return err
	}
	for _, of := range []source{model, inClusters(vectors)} {
		if b.source = of; !b.wanted(of.name) && !b.wanted("million") {
			continue
		}
		if err := b.with(ctx, vectors, vectors, b.millionTable); err != nil {
			return err
		}
	}
	return nil
}

// many is a catalogue of very many vectors under measurement.
type many struct {
	*bench
	pool  *pgxpool.Pool
	conn  *pgx.Conn
	out   *tabwriter.Writer
	width []int               // that are tried
	brand map[float64]string  // the filter for a share
	left  map[float64]float64 // what it leaves indeed
}

func (b *bench) millionTable(ctx context.Context) error {
	pool, err := database.Open(ctx, b.databaseURL, callers, "bench")
	if err != nil {
		return err
	}
	defer pool.Close()
	conn, err := b.connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	x := &many{bench: b, pool: pool, conn: conn, out: tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0), brand: map[float64]string{}, left: map[float64]float64{}}
	for _, share := range shares[1:] {
		var brand string
		var is float64
		if brand, is, err = b.brandOf(ctx, conn, share); err != nil {
			return err
		}
		x.brand[share], x.left[share] = brand, is
	}
	index, err := catalogdb.New().SearchIndexed(ctx, conn)
	if err != nil {
		return err
	}
	x.width = widthsOfGraph
	if index.Lists > 0 {
		x.width = widthsOfLists
	}
	fmt.Fprintf(x.out, "\n%d vectors (%s) in %d lists (0: a graph)\n", b.vectors, b.source.name, index.Lists)
	if b.built > 0 {
		fmt.Fprintf(x.out, "build of the index\t%s\n", b.built.Round(time.Second/10))
	}
	for _, step := range []func(context.Context) error{
		x.sizes,
		func(ctx context.Context) error { return x.search(ctx, "fresh") },
		x.insert,
		x.replace,
		func(ctx context.Context) error { return x.search(ctx, "replaced") },
		x.vacuum,
		func(ctx context.Context) error { return x.search(ctx, "vacuumed") },
		x.sizes,
	} {
		if err := step(ctx); err != nil {
			return err
		}
		if err := x.out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// sizes prints what the index needs beside one of 32-bit numbers, whose size is
// that over a sample times what the sample is of all.
func (x *many) sizes(ctx context.Context) error {
	var rows, index, other int64
	err := x.conn.QueryRow(ctx, "SELECT pg_table_size('vehicle_embeddings'), ("+vectorsIndexSize+")::bigint").Scan(&rows, &index)
	if err != nil {
		return err
	}
	n := min(sampled, x.vectors)
	for _, sql := range []string{
		fmt.Sprintf("CREATE TEMP TABLE sample AS SELECT embedding FROM vehicle_embeddings LIMIT %d", n),
		"CREATE INDEX sample_idx ON sample USING hnsw (embedding vector_cosine_ops)",
	} {
		if _, err := x.conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	if err := x.conn.QueryRow(ctx, "SELECT pg_relation_size('sample_idx')").Scan(&other); err != nil {
		return err
	}
	if _, err := x.conn.Exec(ctx, "DROP TABLE sample"); err != nil {
		return err
	}
	other = other * int64(x.vectors) / int64(n)
	fmt.Fprintf(x.out, "rows\t%d MiB\nindex\t%d MiB\nindex over vector, from %d rows\t%d MiB\n", rows>>20, index>>20, n, other>>20)
	fmt.Fprintf(x.out, "peak memory of the service\t%s\n", load.PeakMemory(x.pids[service]))
	return nil
}

// search prints recall and rates of the catalogue as it is now.
func (x *many) search(ctx context.Context, when string) error {
	exact := map[float64][][]float64{}
	texts := searchTexts()[:recallQueries]
	for _, share := range shares {
		for _, text := range texts {
			scores, err := x.scores(ctx, x.conn, byVectors, text, x.brand[share], "SET LOCAL enable_indexscan = off")
			if err != nil {
				return err
			}
			exact[share] = append(exact[share], scores)
		}
	}
	fmt.Fprintf(x.out, "%s: the index walked as by the service, recall@%d and time alone", when, nearestFew)
	for _, width := range x.width {
		fmt.Fprintf(x.out, "\t%d", width)
	}
	fmt.Fprintln(x.out)
	for _, share := range shares {
		fmt.Fprint(x.out, x.label(share))
		for _, width := range x.width {
			var sum float64
			begun := time.Now()
			for i, text := range texts {
				scores, err := x.nearest(ctx, text, x.brand[share], width)
				if err != nil {
					return err
				}
				sum += recall(exact[share][i], scores)
			}
			fmt.Fprintf(x.out, "\t%.3f %.1f ms", sum/float64(len(texts)), float64(time.Since(begun).Microseconds())/1000/float64(len(texts)))
		}
		fmt.Fprintln(x.out)
	}
	fmt.Fprintln(x.out, "filter\trecall\tshort\tyardstick's recall\tits width\tservice/s\tyardstick/s\t× bare\tper round\terrors")
	for _, share := range shares {
		if err := x.compare(ctx, share, exact[share]); err != nil {
			return err
		}
	}
	return nil
}

func (x *many) label(share float64) string {
	if share == 1 {
		return "none"
	}
	return fmt.Sprintf("%.2g %%", 100*x.left[share])
}

// compare prints a filter's line: the yardstick walks as narrowly as it can at the
// service's recall.
func (x *many) compare(ctx context.Context, share float64, exact [][]float64) error {
	texts, brand := searchTexts()[:recallQueries], x.brand[share]
	answered, short, err := x.answers(ctx, service, brand, exact)
	if err != nil {
		return err
	}
	var tuned int
	var reached float64
	for _, tuned = range x.width {
		if err := x.tuneYardstick(ctx, tuned); err != nil {
			return err
		}
		if reached, _, err = x.answers(ctx, bare, brand, exact); err != nil {
			return err
		}
		if reached >= answered-0.001 {
			break
		}
	}
	w := workload{name: "search", status: http.StatusOK}
	for _, text := range texts {
		body := fmt.Sprintf(`{"query":%q,"topK":%d`, text, nearestFew)
		if brand != "" {
			body += fmt.Sprintf(`,"filters":{"brandName":%q}`, brand)
		}
		w.requests = append(w.requests, request{method: http.MethodPost, path: "/api/v1/vehicles/semantic-search", body: body + "}"})
	}
	results, failed := map[string][]load.Result{}, 0
	for range x.rounds {
		for _, name := range []string{bare, service} {
			r, err := x.wrk(ctx, w, name, callers, max(leastSeconds, x.seconds))
			if err != nil {
				return err
			}
			results[name] = append(results[name], r)
			failed += r.Errors
		}
	}
	perRound, middle := load.Ratios(results[service], results[bare])
	fmt.Fprintf(x.out, "%s\t%.3f\t%d\t%.3f\t%d\t%s\t%s\t%.2f\t%s\t%d\n", x.label(share), answered, short, reached, tuned,
		perSecond(load.Median(results[service], load.Rate)), perSecond(load.Median(results[bare], load.Rate)), middle, perRound, failed)
	return nil
}

// answers gives the recall of what service or yardstick answer, and how many answers
// are short.
func (x *many) answers(ctx context.Context, target, brand string, exact [][]float64) (mean float64, short int, err error) {
	for i, wanted := range exact {
		found, err := x.searchScores(ctx, target, searchTexts()[i], brand)
		if err != nil {
			return 0, 0, err
		}
		if len(found) < len(wanted) {
			short++
		}
		mean += recall(wanted, found) / float64(len(exact))
	}
	return mean, short, nil
}

// tuneYardstick tells the yardstick how widely to walk.
func (x *many) tuneYardstick(ctx context.Context, width int) error {
	w := workload{status: http.StatusOK, items: func([]byte) (int, error) { return 0, nil }}
	_, err := x.ask(ctx, x.targets[bare], w, request{method: http.MethodPost, path: fmt.Sprintf("/width/%d", width)})
	return err
}

// nearest runs the service's statement in a walk of that width.
func (x *many) nearest(ctx context.Context, text, brand string, width int) (list []float64, err error) {
	// as internal/catalog has it
	p := catalogdb.SearchNearestParams{Query: pgvector.NewVector(x.queries[text]), Model: x.source.model, Top: nearestFew, Ranked: nearestFew + 10}
	if brand != "" {
		p.Brand, p.Ranked = &brand, nearestFew+90
	}
	err = pgx.BeginFunc(ctx, x.pool, func(tx pgx.Tx) error {
		settings := fmt.Sprintf("SET LOCAL hnsw.iterative_scan = relaxed_order; SET LOCAL ivfflat.iterative_scan = relaxed_order; SET LOCAL enable_sort = off; SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL hnsw.ef_search = %d; SET LOCAL ivfflat.probes = %[1]d", width)
		if _, err := tx.Exec(ctx, settings); err != nil {
			return err
		}
		rows, err := catalogdb.New().SearchNearest(ctx, tx, p)
		for _, r := range rows {
			list = append(list, r.Score)
		}
		return err
	})
	return list, err
}

// others are other vectors for the vehicles.
func (x *many) others(ctx context.Context, rows []seed.Vehicle) ([]catalogdb.EmbeddingPutParams, error) {
	other := slices.Clone(rows)
	for i := range other {
		other[i].N += 2_000_003
	}
	vectors, err := x.source.passages(ctx, other)
	if err != nil {
		return nil, err
	}
	out := make([]catalogdb.EmbeddingPutParams, len(rows))
	for i, r := range rows {
		out[i] = catalogdb.EmbeddingPutParams{Model: x.source.model, Fingerprint: "other", Embedding: pgvector.NewVector(vectors[i]), VehicleID: r.ID}
	}
	return out, nil
}

// put stores vectors as an indexer would, in one transaction.
func (x *many) put(ctx context.Context, batch []catalogdb.EmbeddingPutParams) (err error) {
	catalogdb.New().EmbeddingPut(ctx, x.pool, batch).Exec(func(_ int, failed error) {
		if failed != nil {
			err = failed
		}
	})
	return err
}

// insert prints how long one durable insertion takes.
func (x *many) insert(ctx context.Context) error {
	rows, err := x.catalogue().WithVectors(ctx, x.conn)
	if err != nil {
		return err
	}
	others, err := x.others(ctx, rows[len(rows)-min(inserted, len(rows)):])
	if err != nil {
		return err
	}
	var times []time.Duration
	for i := range others {
		begun := time.Now()
		if err := x.put(ctx, others[i:i+1]); err != nil {
			return err
		}
		times = append(times, time.Since(begun))
	}
	slices.Sort(times)
	fmt.Fprintf(x.out, "one insertion\tp50 %s\tp99 %s\n", times[len(times)/2].Round(10*time.Microsecond), times[len(times)*99/100].Round(10*time.Microsecond))
	return nil
}

// replace gives every vehicle of the share another vector, two writers at a time.
func (x *many) replace(ctx context.Context) error {
	rows, err := x.catalogue().WithVectors(ctx, x.conn)
	if err != nil {
		return err
	}
	rows = rows[:int(replacedShare*float64(len(rows)))]
	begun := time.Now()
	const chunk = 100
	failed := make([]error, 2)
	var writers sync.WaitGroup
	for w := range failed {
		writers.Go(func() {
			for from := w * chunk; from < len(rows) && failed[w] == nil; from += len(failed) * chunk {
				others, err := x.others(ctx, rows[from:min(from+chunk, len(rows))])
				if err == nil {
					err = x.put(ctx, others)
				}
				failed[w] = err
			}
		})
	}
	writers.Wait()
	// with what their vectors take to make: little, as the model has seen the texts
	fmt.Fprintf(x.out, "%d replaced by two writers\t%s\t%.0f/s\n", len(rows), time.Since(begun).Round(time.Second/10), float64(len(rows))/time.Since(begun).Seconds())
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// vacuum prints how long it takes to take the replaced ones out of the index.
func (x *many) vacuum(ctx context.Context) error {
	begun := time.Now()
	if _, err := x.conn.Exec(ctx, "VACUUM ANALYZE vehicle_embeddings"); err != nil {
		return err
	}
	fmt.Fprintf(x.out, "VACUUM\t%s\n", time.Since(begun).Round(time.Second/10))
	return nil
}
