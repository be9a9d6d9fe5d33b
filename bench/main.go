// Command bench measures the catalog against a bare yardstick and against the
// database alone, interleaved, in one run: only ratios within a run mean
// anything on a shared machine.
//
// This file: starting the parts, running the rounds.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"equipment-platform/bench/seed"
	"equipment-platform/internal/auth"
	"equipment-platform/internal/database"
	"equipment-platform/internal/embedded"
	"equipment-platform/internal/process"
)

const (
	// startLimit is how long a part may take to answer, stopLimit to end.
	startLimit = 10 * time.Second
	stopLimit  = 30 * time.Second
)

type bench struct {
	dir                       string
	vehicles, vectors, rounds int
	seconds                   int
	only                      []string
	scaling, overload         bool
	source                    source
	queries                   map[string][]float32 // the vectors of searchTexts
	index                     string               // parameters of a graph of the vectors; empty: as the indexer lays them out
	built                     time.Duration        // of the index of the vectors; 0: it was there
	history                   string               // file that keeps what was measured; empty: none

	postgres    *embedded.Postgres
	databaseURL string
	token       string
	admin       string            // address of the service's metrics
	targets     map[string]string // name to base URL
	pids        map[string]int
	stops       []func() // of one catalogue
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b := &bench{targets: map[string]string{}, pids: map[string]int{}, source: wordsAlone()}
	var only string
	flag.StringVar(&b.dir, "dir", ".local/bench", "where the database lives")
	flag.IntVar(&b.vehicles, "vehicles", 100_000, "vehicles")
	flag.IntVar(&b.vectors, "vectors", 20_000, "vectors")
	flag.IntVar(&b.rounds, "rounds", 3, "rounds")
	flag.IntVar(&b.seconds, "seconds", 4, "seconds for each measurement")
	flag.BoolVar(&b.scaling, "scaling", false, "print what grows with the catalogue, of the service alone")
	flag.BoolVar(&b.overload, "overload", false, "send twice what the service can answer, and say what becomes of it")
	flag.StringVar(&b.history, "history", "", "add what was measured to this `file`")
	flag.StringVar(&b.index, "index", "", "make a graph of the vectors with these `parameters`, such as \"m = 32, ef_construction = 256\", where their index is made, however many there are")
	flag.StringVar(&only, "only", "", "workloads, find, recall, indexer, start, separated by commas; growth, million (or of it model, clusters) alone; empty: all but these")
	flag.Parse()
	sized := false
	flag.Visit(func(f *flag.Flag) { sized = sized || f.Name == "vectors" })
	if slices.Contains([]string{"million", "model", "clusters"}, only) && !sized {
		b.vectors = manyVectors
	}
	if only != "" {
		b.only = strings.Split(only, ",")
	}
	err := b.run(ctx)
	b.stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (b *bench) say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// run does what was asked for, on one size of the catalogue after the other.
func (b *bench) run(ctx context.Context) error {
	switch {
	case b.scaling:
		return b.with(ctx, b.vehicles, b.vectors, b.scalingTables)
	case b.overload:
		return b.with(ctx, b.vehicles, b.vectors, b.overloadTable)
	}
	if slices.Equal(b.only, []string{"growth"}) {
		return b.growth(ctx)
	}
	if len(b.only) == 1 && slices.Contains([]string{"million", "model", "clusters"}, b.only[0]) {
		return b.millionTables(ctx, b.vectors)
	}
	others := []string{"find", "recall", "indexer", "start"}
	if len(b.only) == 0 || slices.ContainsFunc(b.only, func(part string) bool { return !slices.Contains(others, part) }) {
		if err := b.with(ctx, b.vehicles, b.vectors, b.measureAll); err != nil {
			return err
		}
	}
	if b.wanted("find") {
		if err := b.with(ctx, b.vehicles, b.vectors, b.findTable); err != nil {
			return err
		}
	}
	if b.wanted("start") {
		if err := b.with(ctx, 1000, 100, b.startTable); err != nil {
			return err
		}
	}
	if b.wanted("recall") {
		for _, vectors := range []int{20_000, 100_000} {
			if err := b.with(ctx, b.vehicles, vectors, b.recallTable); err != nil {
				return err
			}
		}
	}
	if b.wanted("indexer") {
		return b.indexerTable(ctx)
	}
	return nil
}

// growth prints the table at three sizes of the catalogue.
func (b *bench) growth(ctx context.Context) error {
	b.only = nil
	for _, size := range []struct{ vehicles, vectors int }{{10_000, 10_000}, {100_000, 100_000}, {1_000_000, 100_000}} {
		if err := b.with(ctx, size.vehicles, size.vectors, b.measureAll); err != nil {
			return err
		}
	}
	return nil
}

// wanted reports whether a part is to be run.
func (b *bench) wanted(part string) bool {
	return len(b.only) == 0 || slices.Contains(b.only, part)
}

// with runs f on a catalogue of that size. Each size has a database of its own,
// so that nothing is seeded twice.
func (b *bench) with(ctx context.Context, vehicles, vectors int, f func(context.Context) error) (err error) {
	defer b.stop()
	root := b.dir
	defer func() { b.dir = root }()
	b.dir, b.vehicles, b.vectors = filepath.Join(b.dir, fmt.Sprintf("%d-%d%s", vehicles, vectors, b.source.name)), vehicles, vectors
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return err
	}
	options := embedded.PostgresOptions{Dir: filepath.Join(b.dir, "postgres"), Durable: true}
	if b.source.name != "" {
		options.SharedBuffers = max(256, vectors*4/1000) // holds the index, as whoever has so many would see to
	}
	b.postgres, err = embedded.StartPostgres(ctx, options)
	if err != nil {
		return err
	}
	b.stops = append(b.stops, func() { _ = b.postgres.Stop(context.Background()) })
	if err := b.postgres.CreateDatabase(ctx, "bench"); err != nil {
		return err
	}
	b.databaseURL = b.postgres.URL("bench")
	if err := database.MigrateUp(ctx, b.databaseURL); err != nil {
		return err
	}
	if b.built, err = b.catalogue().Fill(ctx, b.databaseURL); err != nil {
		return err
	}
	if err := b.startServers(ctx); err != nil {
		return err
	}
	if err := f(ctx); err != nil {
		return err
	}
	return b.removeCreated(ctx)
}

// removeCreated takes back what the measurements created, so that the next run
// finds the same catalogue.
func (b *bench) removeCreated(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, b.databaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	removed, err := conn.Exec(ctx, "DELETE FROM vehicles WHERE created_by <> 'bench'")
	if err != nil || removed.RowsAffected() == 0 {
		return err
	}
	for _, sql := range []string{"DELETE FROM index_outbox", "VACUUM ANALYZE"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// stop ends what was started, last first.
func (b *bench) stop() {
	for _, stop := range slices.Backward(b.stops) {
		stop()
	}
	b.stops = nil
}

// startServers starts the service and the yardstick on the same database.
func (b *bench) startServers(ctx context.Context) error {
	key, err := auth.LoadDevKey(filepath.Join(b.dir, "keys", "dev.pem"))
	if err != nil {
		return err
	}
	jwks, err := filepath.Abs(filepath.Join(b.dir, "keys", "jwks.json"))
	if err != nil {
		return err
	}
	if err := key.WriteJWKS(jwks); err != nil {
		return err
	}
	if b.token, err = key.Sign(auth.DevClaims{Subject: "caller", Roles: []string{"USER"}, TTL: 24 * time.Hour}); err != nil {
		return err
	}
	queries, err := b.writeQueries(ctx)
	if err != nil {
		return err
	}
	if b.admin, err = process.FreeAddress(); err != nil {
		return err
	}
	environment := map[string]string{
		"DATABASE_URL": b.databaseURL, "DATABASE_MAX_CONNS": "8", "AUTH_JWKS_URL": "file://" + jwks, "BENCH_QUERIES": queries, "BENCH_PROBES": strconv.Itoa(b.probes()),
		"LOG_FORMAT": "json", "APP_ENV": "production", "ADMIN_ADDR": b.admin,
	}
	if b.source.name != "" {
		endpoint, err := b.serveQueries(ctx)
		if err != nil {
			return err
		}
		environment["EMBEDDINGS_URL"], environment["EMBEDDINGS_MODEL"] = endpoint, "bench"
	}
	for name, command := range map[string][]string{"service": {"bin/catalog", "serve"}, "bare": {"bin/bench-bare"}} {
		if err := b.start(ctx, name, command, environment); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) start(ctx context.Context, name string, command []string, environment map[string]string) error {
	addr, err := process.FreeAddress()
	if err != nil {
		return err
	}
	log := filepath.Join(b.dir, name+".log")
	if err := os.RemoveAll(log); err != nil { // a line for each request of the last measurement
		return err
	}
	started, err := process.Start(process.Program{
		Name: name, Path: command[0], Args: command[1:], LogPath: log,
		Env: append(process.Environment(os.Environ(), environment), "HTTP_ADDR="+addr),
	})
	if err != nil {
		return err
	}
	b.stops = append(b.stops, func() { _ = started.Stop(stopLimit) })
	b.targets[name], b.pids[name] = "http://"+addr, started.PID()
	return started.AwaitReady(ctx, "http://"+addr+"/healthz", startLimit)
}

// searchTexts are what people look for in the benchmark.
func searchTexts() (texts []string) {
	for i, kind := range seed.Kinds {
		for j := range 8 {
			texts = append(texts, fmt.Sprintf("%s for %s %d t", kind, seed.Jobs[(i*3+j)%len(seed.Jobs)], 1+(i*7+j*13)%97))
		}
	}
	return texts
}

// writeQueries writes the vectors of the queries for the yardstick, which does
// not embed.
func (b *bench) writeQueries(ctx context.Context) (string, error) {
	b.queries = map[string][]float32{}
	for _, text := range searchTexts() {
		v, err := b.source.query(ctx, text)
		if err != nil {
			return "", err
		}
		b.queries[text] = v
	}
	raw, err := json.Marshal(b.queries)
	if err != nil {
		return "", err
	}
	path := filepath.Join(b.dir, "queries.json")
	return path, os.WriteFile(path, raw, 0o644)
}
