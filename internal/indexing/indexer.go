// Package indexing follows vehicle changes and writes their vectors (contract 4.5).
//
// Work comes from the outbox that every change fills in its own transaction.
// A batch is claimed, embedded and stored in one transaction: a process that
// is killed leaves its rows to the next one. Any number of indexers may run.
//
// This file: the loop, and what a batch is. What wakes the loop is in listen.go;
// how the texts become vectors, and whose fault it is when they do not, in
// embed.go.
package indexing

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgvector/pgvector-go"

	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/backoff"
	"equipment-platform/internal/database"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/telemetry"
)

const (
	batchSize   = 64
	pollEvery   = time.Second // the safety net behind LISTEN
	reportEvery = 5 * time.Second
	maxAttempts = 5 // of a rejected text, and of a batch of a rebuild while the endpoint is busy
	// The waits while the database or the embedding endpoint is down.
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = 30 * time.Second
)

// While a batch is embedded its transaction is idle, for minutes with a slow
// model. The pool's limit is for requests; with it PostgreSQL ended the
// connection, and the same batch began again indefinitely. What the limit is good
// for, that locks do not outlive their process, is had otherwise here. Of a
// process that is killed the server sees the connection close. Of a host that
// vanishes it sees nothing but lost keepalives: after a minute, where Linux
// would wait for two hours (client_connection_check_interval looks only while a
// statement runs). A process that hangs still answers keepalives, so idleness
// stays bounded: by more than a batch can take, see embedLimit.
const longBatches = `SELECT set_config('idle_in_transaction_session_timeout', '20min', true),
	set_config('tcp_keepalives_idle', '30', true), set_config('tcp_keepalives_interval', '10', true), set_config('tcp_keepalives_count', '3', true)`

// Indexer keeps the vectors of one model in step with the public vehicles.
type Indexer struct {
	db       *pgxpool.Pool
	queries  *catalogdb.Queries
	embedder embedding.Embedder
	log      *slog.Logger
	metrics  *Metrics
	tracing  *telemetry.Tracing
	progress Progress
}

// Progress hears of the work, for a person who watches.
type Progress interface {
	// Waiting says how many outbox rows wait now.
	Waiting(rows int64)
	// Done says that so many rows have been worked off.
	Done(rows int)
}

// New makes an indexer. metrics, tracing and progress may be nil.
func New(db *pgxpool.Pool, embedder embedding.Embedder, log *slog.Logger, metrics *Metrics, tracing *telemetry.Tracing, progress Progress) *Indexer {
	return &Indexer{db: db, queries: catalogdb.New(), embedder: embedder, log: log, metrics: metrics, tracing: tracing, progress: progress}
}

// Run works until ctx ends. It returns early only when the model's vectors are
// too long to be stored, which waiting cannot mend (contract 9.14).
func (x *Indexer) Run(ctx context.Context) error {
	if err := x.embedder.Probe(ctx); errors.Is(err, embedding.ErrTooLong) {
		return err
	}
	wake := make(chan struct{}, 1)
	var listener sync.WaitGroup
	defer listener.Wait() // its connection is closed when Run returns
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	listener.Go(func() { x.listen(ctx, wake) })
	listener.Go(func() { x.watch(ctx) })
	listener.Go(func() { x.keepLaidOut(ctx) })
	failures := 0
	prepared := false
	for ctx.Err() == nil {
		worked := 0
		var err error
		if !prepared {
			err = x.prepare(ctx)
			prepared = err == nil
		}
		if err == nil {
			worked, err = x.Step(ctx)
		}
		if worked > 0 {
			failures = 0
			if x.progress != nil {
				x.progress.Done(worked)
			}
		}
		switch {
		case errors.Is(err, embedding.ErrTooLong):
			return err
		case err != nil && ctx.Err() == nil:
			failures++
			x.metrics.failed()
			wait := backoff.Delay(failures, firstBackoff, maxBackoff)
			x.log.WarnContext(ctx, "indexing waits", "error", err, "wait", wait.String())
			sleep(ctx, wait, nil)
		case worked == 0:
			failures = 0
			sleep(ctx, pollEvery, wake)
		}
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration, wake <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-wake:
	}
}

// prepare queues every vehicle when the model is new, or when an indexer of
// another model has taken rows from the outbox meanwhile. Unchanged texts are
// recognised by their fingerprint and not embedded again.
func (x *Indexer) prepare(ctx context.Context) error {
	return database.InTx(ctx, x.db, func(tx pgx.Tx) error {
		// the row is locked: of several indexers that start, one queues
		current, err := x.queries.IndexModelClaim(ctx, tx, x.model())
		if err != nil || current {
			return err
		}
		x.log.InfoContext(ctx, "all vehicles are checked for this model", "model", x.embedder.Model())
		if err := x.queries.OutboxAddAll(ctx, tx); err != nil {
			return err
		}
		return x.queries.IndexModelCurrent(ctx, tx, x.model())
	})
}

// model is the name under which the state is kept: another version of the
// passage, or another lexicon, is another model to it.
func (x *Indexer) model() string {
	name := x.embedder.Model() + " passage " + embedding.PassageVersion
	if v := x.embedder.Vocabulary(); v != "" {
		name += " vocabulary " + v
	}
	return name
}

// inTx runs f in a transaction that may be idle while texts are embedded.
func (x *Indexer) inTx(ctx context.Context, f func(pgx.Tx) error) error {
	return database.InTx(ctx, x.db, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, longBatches); err != nil {
			return err
		}
		return f(tx)
	})
}

// Step works off one batch of the outbox and returns how many rows it took. With
// an error that is embedding.ErrUnavailable it may have taken rows too: what was
// done before the endpoint failed is kept.
func (x *Indexer) Step(ctx context.Context) (worked int, err error) {
	var endpointDown error
	err = x.inTx(ctx, func(tx pgx.Tx) error {
		worked, endpointDown = 0, nil
		rows, err := x.queries.OutboxClaim(ctx, tx, batchSize)
		if err != nil || len(rows) == 0 {
			return err
		}
		// behind the claim: most looks into the outbox find nothing
		ctx, end := x.tracing.Span(ctx, "index batch")
		worked, endpointDown, err = x.batch(ctx, tx, rows)
		end(cmp.Or(err, endpointDown))
		return err
	})
	if err != nil {
		return 0, err // rolled back, whatever had been done
	}
	return worked, endpointDown
}

// batch works off claimed rows and returns how many. An endpoint that is down
// keeps it from the others; what was done before stays.
func (x *Indexer) batch(ctx context.Context, tx pgx.Tx, rows []catalogdb.OutboxClaimRow) (worked int, endpointDown, err error) {
	done, err := x.expand(ctx, tx, rows)
	if err != nil {
		return 0, nil, err
	}
	vehicles, out, err := x.index(ctx, tx, rows)
	if err != nil {
		return 0, nil, err
	}
	done = append(done, vehicles...)
	if out.endpointDown != nil && len(done) == 0 && len(out.rejected) == 0 && len(out.deferred) == 0 {
		return 0, nil, out.endpointDown // nothing happened: another model's work is not out of date by this
	}
	// behind the embedding: other indexers would wait for the rows of their models
	if err := x.queries.IndexModelsOutdate(ctx, tx, x.model()); err != nil {
		return 0, nil, err
	}
	return len(done), out.endpointDown, x.queries.OutboxDone(ctx, tx, done)
}

// expand turns rows about something that many vehicles show into rows about
// those vehicles.
func (x *Indexer) expand(ctx context.Context, tx pgx.Tx, rows []catalogdb.OutboxClaimRow) (done []int64, err error) {
	by := map[string]func(context.Context, catalogdb.DBTX, uuid.UUID) error{
		"type": x.queries.OutboxAddOfType, "category": x.queries.OutboxAddOfCategory, "group": x.queries.OutboxAddOfGroup,
		"tag": x.queries.OutboxAddOfTag, "param": x.queries.OutboxAddOfParam, "unit": x.queries.OutboxAddOfUnit,
	}
	for _, row := range rows {
		add, ok := by[row.Entity]
		if !ok {
			continue
		}
		if err := add(ctx, tx, row.EntityID); err != nil {
			return nil, err
		}
		done = append(done, row.ID)
	}
	return done, nil
}

// index brings the vectors of the vehicles of the batch up to date. Vehicles
// that another indexer works on are left for later.
func (x *Indexer) index(ctx context.Context, tx pgx.Tx, rows []catalogdb.OutboxClaimRow) (done []int64, out outcome, err error) {
	byVehicle := map[uuid.UUID][]int64{}
	var ids []uuid.UUID // in the order in which they fell due
	for _, row := range rows {
		if row.Entity != "vehicle" {
			continue
		}
		if byVehicle[row.EntityID] == nil {
			ids = append(ids, row.EntityID)
		}
		byVehicle[row.EntityID] = append(byVehicle[row.EntityID], row.ID)
	}
	if len(ids) == 0 {
		return nil, outcome{}, nil
	}
	locked, err := x.queries.VehiclesTryLock(ctx, tx, ids)
	if err != nil {
		return nil, outcome{}, err
	}
	inOrder(locked, ids, func(id uuid.UUID) uuid.UUID { return id })
	if out, err = x.refresh(ctx, tx, locked, false); err != nil {
		return nil, outcome{}, err
	}
	for _, id := range locked {
		rows := byVehicle[id]
		if reason, is := out.rejected[id]; is {
			err = x.queries.OutboxRejected(ctx, tx, catalogdb.OutboxRejectedParams{Ids: rows, Reason: reason.Error(), MostAttempts: maxAttempts})
		} else if reason, is := out.deferred[id]; is {
			err = x.queries.OutboxDeferred(ctx, tx, catalogdb.OutboxDeferredParams{Ids: rows, Reason: reason.Error()})
		} else if !out.notAttempted[id] {
			done = append(done, rows...)
		}
		if err != nil {
			return nil, outcome{}, err
		}
	}
	return done, out, nil
}

// inOrder sorts a list by where the vehicles are in ids.
func inOrder[T any](list []T, ids []uuid.UUID, vehicle func(T) uuid.UUID) {
	rank := make(map[uuid.UUID]int, len(ids))
	for i, id := range ids {
		rank[id] = i
	}
	slices.SortStableFunc(list, func(a, b T) int { return rank[vehicle(a)] - rank[vehicle(b)] })
}

// passage is a vehicle whose vector is to be made.
type passage struct {
	id          uuid.UUID
	text        string
	fingerprint string
}

// refresh embeds the vehicles whose text has changed (all with force), and
// removes what is no longer public. The outcome names the vehicles for which
// that did not succeed.
func (x *Indexer) refresh(ctx context.Context, tx pgx.Tx, ids []uuid.UUID, force bool) (out outcome, err error) {
	read, err := x.queries.PassagesRead(ctx, tx, catalogdb.PassagesReadParams{Ids: ids, Model: x.embedder.Model()})
	if err != nil {
		return outcome{}, err
	}
	gone := slices.Clone(ids)
	var stale []passage
	for _, row := range read {
		gone = slices.DeleteFunc(gone, func(id uuid.UUID) bool { return id == row.ID })
		text := embedding.Passage(vehicleText(row))
		fingerprint := embedding.Fingerprint(x.embedder, text)
		if force || fingerprint != row.Fingerprint {
			stale = append(stale, passage{row.ID, text, fingerprint})
		}
	}
	inOrder(stale, ids, func(p passage) uuid.UUID { return p.id })
	vectors, out, err := x.embed(ctx, stale)
	if err != nil {
		return outcome{}, err
	}
	// behind the embedding: an owner who deletes the vehicle would wait for the removed row
	removed, err := x.queries.EmbeddingsRemove(ctx, tx, gone)
	if err != nil {
		return outcome{}, err
	}
	stored, err := x.store(ctx, tx, stale, vectors)
	if err != nil {
		return outcome{}, err
	}
	x.metrics.done(stored, len(read)-len(stale), int(removed))
	return out, nil
}

// store writes the vectors that there are, and returns how many.
func (x *Indexer) store(ctx context.Context, tx pgx.Tx, passages []passage, vectors map[uuid.UUID][]float32) (n int, err error) {
	var put []catalogdb.EmbeddingPutParams
	for _, p := range passages {
		if vector, made := vectors[p.id]; made {
			put = append(put, catalogdb.EmbeddingPutParams{
				VehicleID: p.id, Model: x.embedder.Model(), Fingerprint: p.fingerprint, Embedding: pgvector.NewVector(vector),
			})
		}
	}
	if len(put) == 0 {
		return 0, nil
	}
	x.queries.EmbeddingPut(ctx, tx, put).Exec(func(_ int, e error) { err = errors.Join(err, e) })
	return len(put), err
}

func vehicleText(row catalogdb.PassagesReadRow) embedding.VehicleText {
	v := embedding.VehicleText{
		Brand: row.BrandName, Model: row.ModelName, TypeTitle: row.Title, Categories: row.Categories, Groups: row.Groups,
		Tags: append(slices.Clone(row.VehicleTags), row.TypeTags...), ReleaseYear: int(row.ReleaseYear),
	}
	for i, name := range row.ParamNames {
		p := embedding.ParamText{Name: name, Value: row.ParamValues[i], Unit: row.ParamUnits[i], Boolean: row.ParamTypes[i] == "BOOLEAN"}
		var text string // texts and dates are stored with their JSON quotes
		if json.Unmarshal([]byte(p.Value), &text) == nil {
			p.Value = text
		}
		v.Params = append(v.Params, p)
	}
	return v
}

// watch keeps what is shown of the backlog true, whatever becomes of the batches:
// those that fail or take long are what it grows by.
func (x *Indexer) watch(ctx context.Context) {
	for ctx.Err() == nil {
		x.report(ctx)
		sleep(ctx, reportEvery, nil)
	}
}

// report shows how much waits, and since when.
func (x *Indexer) report(ctx context.Context) {
	if status, err := x.queries.OutboxStatus(ctx, x.db); err == nil {
		x.metrics.backlog(status.Waiting, status.Parked, status.Oldest)
		if x.progress != nil {
			x.progress.Waiting(status.Waiting)
		}
	}
}
