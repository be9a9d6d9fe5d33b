package indexing_test

// This file: the indexer against a real database: what it follows, what it
// leaves, and that nothing is lost when it is stopped anywhere.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/database"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/indexing"
	"equipment-platform/internal/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }

// fixture is a database with one type in one category, ready for vehicles.
type fixture struct {
	url                                  string
	db                                   *pgxpool.Pool
	group, category, typ, tag, unit, num string
}

func setup(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{url: testdb.New(t)}
	f.db = f.pool(t, 8, nil)
	db := f.db
	one := func(sql string, args ...any) (id string) {
		t.Helper()
		require.NoError(t, db.QueryRow(t.Context(), sql, args...).Scan(&id))
		return id
	}
	f.group = one("INSERT INTO groups (name, created_by, updated_by) VALUES ('Earthmoving', 'x', 'x') RETURNING id::text")
	f.category = one("INSERT INTO categories (group_id, name, created_by, updated_by) VALUES ($1, 'Excavators', 'x', 'x') RETURNING id::text", f.group)
	f.typ = one("INSERT INTO types (title, created_by, updated_by) VALUES ('Crawler excavator', 'x', 'x') RETURNING id::text")
	f.tag = one("INSERT INTO tags (name, created_by, updated_by) VALUES ('trenching', 'x', 'x') RETURNING id::text")
	f.unit = one("INSERT INTO units (code, label, unit_system, created_by, updated_by) VALUES ('t', 'tonne', 'SI', 'x', 'x') RETURNING id::text")
	f.num = one("INSERT INTO params (name, value_type, unit_id, created_by, updated_by) VALUES ('Weight', 'NUMBER', $1, 'x', 'x') RETURNING id::text", f.unit)
	f.exec(t, "INSERT INTO type_categories VALUES ($1, $2, 0)", f.typ, f.category)
	f.exec(t, "INSERT INTO type_params VALUES ($1, $2, 0)", f.typ, f.num)
	f.exec(t, "INSERT INTO type_tags VALUES ($1, $2, 0)", f.typ, f.tag)
	return f
}

// pool opens the database; settings go with the URL.
func (f *fixture) pool(t *testing.T, conns int32, settings map[string]string) *pgxpool.Pool {
	t.Helper()
	address, err := url.Parse(f.url)
	require.NoError(t, err)
	query := address.Query()
	for name, value := range settings {
		query.Set(name, value)
	}
	address.RawQuery = query.Encode()
	pool, err := database.Open(t.Context(), address.String(), conns, "indexer of the test")
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

func (f *fixture) exec(t testing.TB, sql string, args ...any) {
	t.Helper()
	_, err := f.db.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

func (f *fixture) vehicle(t testing.TB, model string, active bool) (id string) {
	t.Helper()
	require.NoError(t, f.db.QueryRow(t.Context(), `INSERT INTO vehicles (type_id, brand_name, model_name, is_active, owner_user_id, created_by, updated_by)
VALUES ($1, 'Kubota', $2, $3, 'o', 'o', 'o') RETURNING id::text`, f.typ, model, active).Scan(&id))
	f.exec(t, "INSERT INTO vehicle_params VALUES ($1, $2, 0, '2.5')", id, f.num)
	return id
}

// indexed returns vehicle ids with the fingerprints of their vectors.
func (f *fixture) indexed(t testing.TB, model string) map[string]string {
	t.Helper()
	rows, err := f.db.Query(t.Context(), "SELECT vehicle_id::text, fingerprint FROM vehicle_embeddings WHERE model = $1", model)
	require.NoError(t, err)
	defer rows.Close()
	out := map[string]string{}
	for rows.Next() {
		var id, print string
		require.NoError(t, rows.Scan(&id, &print))
		out[id] = print
	}
	return out
}

func (f *fixture) public(t testing.TB) (ids []string) {
	t.Helper()
	rows, err := f.db.Query(t.Context(), "SELECT id::text FROM vehicles WHERE is_active")
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var id string
		require.NoError(t, rows.Scan(&id))
		ids = append(ids, id)
	}
	return ids
}

func (f *fixture) indexer(e embedding.Embedder) *indexing.Indexer {
	return indexerOn(f.db, e)
}

func indexerOn(db *pgxpool.Pool, e embedding.Embedder) *indexing.Indexer {
	return indexing.New(db, e, slog.New(slog.DiscardHandler), nil, nil, nil)
}

func keys(m map[string]string) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}

// spy is an embedder that counts and can fail.
type spy struct {
	embedding.Embedder
	name   string
	texts  atomic.Int64  // embedded
	failed atomic.Int64  // attempts that could not be made
	called chan struct{} // holds one token after an attempt has begun
	mu     sync.Mutex
	down   bool
	poison string                    // texts with this word cannot be embedded,
	reason error                     // for this reason, or
	spoil  func([]float32) []float32 // their vectors are spoilt
	slow   time.Duration
}

func newSpy(name string) *spy {
	return &spy{Embedder: embedding.NewLexical(), name: name, called: make(chan struct{}, 1)}
}

func (s *spy) Model() string { return s.name }

func (s *spy) set(f func(*spy)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(s)
}

func (s *spy) Probe(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down {
		return embedding.ErrUnavailable
	}
	return nil
}

func (s *spy) EmbedPassages(ctx context.Context, texts []string) ([][]float32, error) {
	s.mu.Lock()
	down, poison, reason, spoil, slow := s.down, s.poison, s.reason, s.spoil, s.slow
	s.mu.Unlock()
	select {
	case s.called <- struct{}{}:
	default:
	}
	if slow > 0 {
		select {
		case <-time.After(slow):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	poisoned := func(text string) bool { return poison != "" && strings.Contains(text, poison) }
	switch {
	case down:
		s.failed.Add(1)
		return nil, embedding.ErrUnavailable
	case spoil == nil && slices.ContainsFunc(texts, poisoned):
		return nil, reason
	}
	s.texts.Add(int64(len(texts)))
	vectors, err := s.Embedder.EmbedPassages(ctx, texts)
	for i, text := range texts {
		if err == nil && poisoned(text) {
			vectors[i] = spoil(vectors[i])
		}
	}
	return vectors, err
}

func TestFollowsEveryChangeThatAltersAPassage(t *testing.T) {
	t.Parallel()
	f := setup(t)
	id := f.vehicle(t, "U17", true)
	hidden := f.vehicle(t, "U27", false)
	x := f.indexer(newSpy("m"))
	require.NoError(t, x.Drain(t.Context()))
	require.Equal(t, []string{id}, keys(f.indexed(t, "m")), "only the public set")

	bump := ", version = version + 1, updated_by = 'y' WHERE id = $1"
	for _, change := range []struct{ name, sql, id string }{
		{"vehicle's model", "UPDATE vehicles SET model_name = 'U18'" + bump, id},
		{"type's title", "UPDATE types SET title = 'Mini excavator'" + bump, f.typ},
		{"category's name", "UPDATE categories SET name = 'Diggers'" + bump, f.category},
		{"group's name", "UPDATE groups SET name = 'Earthworks'" + bump, f.group},
		{"tag's name", "UPDATE tags SET name = 'ditching'" + bump, f.tag},
		{"tag's activity", "UPDATE tags SET is_active = false" + bump, f.tag},
		{"param's name", "UPDATE params SET name = 'Mass'" + bump, f.num},
		{"unit's code", "UPDATE units SET code = 'tonne'" + bump, f.unit},
	} {
		before := f.indexed(t, "m")[id]
		f.exec(t, change.sql, change.id)
		require.NoError(t, x.Drain(t.Context()))
		require.NotEqual(t, before, f.indexed(t, "m")[id], change.name)
	}
	f.exec(t, "UPDATE vehicles SET is_active = NOT is_active, version = version + 1 WHERE id IN ($1, $2)", id, hidden)
	require.NoError(t, x.Drain(t.Context()))
	require.Equal(t, []string{hidden}, keys(f.indexed(t, "m")), "what became public came, what became hidden went")
	f.exec(t, "DELETE FROM vehicles WHERE id = $1", hidden)
	require.Empty(t, f.indexed(t, "m"))
}

func TestUnchangedTextIsNotEmbeddedAgain(t *testing.T) {
	t.Parallel()
	f := setup(t)
	id := f.vehicle(t, "U17", true)
	e := newSpy("m")
	x := f.indexer(e)
	require.NoError(t, x.Drain(t.Context()))
	require.EqualValues(t, 1, e.texts.Load())
	f.exec(t, "UPDATE vehicles SET license_plate = 'A1', version = version + 1 WHERE id = $1", id)
	f.exec(t, "UPDATE vehicles SET rating_halves = 8, rating_count = 1, version = version + 1 WHERE id = $1", id)
	require.NoError(t, x.Drain(t.Context()))
	require.EqualValues(t, 1, e.texts.Load())
}

func TestRunPicksUpChangesAndSurvivesTheEndpoint(t *testing.T) {
	t.Parallel()
	f := setup(t)
	e := newSpy("m")
	e.set(func(s *spy) { s.down = true })
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	first := f.vehicle(t, "U17", true)
	registry := prometheus.NewRegistry()
	x := indexing.New(f.db, e, slog.New(slog.DiscardHandler), indexing.NewMetrics(registry), nil, nil)
	go func() { ended <- x.Run(ctx) }()
	require.Eventually(t, func() bool { return e.failed.Load() > 0 }, 30*time.Second, 10*time.Millisecond)
	require.Empty(t, f.indexed(t, "m"))
	require.Eventually(t, func() bool { return gauge(t, registry, "indexer_outbox_oldest_seconds") > 0 }, 30*time.Second, 10*time.Millisecond,
		"what waits is shown while nothing succeeds")
	e.set(func(s *spy) { s.down = false })
	require.Eventually(t, func() bool { return f.indexed(t, "m")[first] != "" }, 30*time.Second, 10*time.Millisecond)
	second := f.vehicle(t, "U27", true)
	f.exec(t, "NOTIFY "+database.OutboxChannel)
	require.Eventually(t, func() bool { return f.indexed(t, "m")[second] != "" }, 30*time.Second, 10*time.Millisecond)
	stop()
	require.NoError(t, <-ended)
}

// gauge is the value of a metric without labels.
func gauge(t *testing.T, registry *prometheus.Registry, name string) float64 {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	at := slices.IndexFunc(families, func(f *dto.MetricFamily) bool { return f.GetName() == name })
	require.GreaterOrEqual(t, at, 0, name)
	return families[at].GetMetric()[0].GetGauge().GetValue()
}

// Notifications have a connection of their own: a pool of one is enough for the
// work. It is made again when it is lost, and gone when the indexer is.
func TestRunNeedsOneConnectionOfItsPool(t *testing.T) {
	t.Parallel()
	f := setup(t)
	e := newSpy("m")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	x := indexerOn(f.pool(t, 1, map[string]string{"application_name": "one"}), e)
	go func() { ended <- x.Run(ctx) }()
	listeners := func() (pids []int32) {
		rows, err := f.db.Query(t.Context(), `SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND application_name = 'one' AND state = 'idle' AND query LIKE 'LISTEN%'`)
		require.NoError(t, err)
		pids, err = pgx.CollectRows(rows, pgx.RowTo[int32])
		require.NoError(t, err)
		return pids
	}
	var first int32
	require.Eventually(t, func() bool {
		pids := listeners()
		if len(pids) == 1 {
			first = pids[0]
		}
		return first != 0
	}, 30*time.Second, 10*time.Millisecond)
	id := f.vehicle(t, "U17", true)
	require.Eventually(t, func() bool { return f.indexed(t, "m")[id] != "" }, 30*time.Second, 10*time.Millisecond)

	f.exec(t, "SELECT pg_terminate_backend($1)", first)
	require.Eventually(t, func() bool { pids := listeners(); return len(pids) == 1 && pids[0] != first }, 30*time.Second, 10*time.Millisecond)
	id = f.vehicle(t, "U27", true)
	require.Eventually(t, func() bool { return f.indexed(t, "m")[id] != "" }, 30*time.Second, 10*time.Millisecond)
	stop()
	require.NoError(t, <-ended)
	require.Eventually(t, func() bool { return len(listeners()) == 0 }, 30*time.Second, 10*time.Millisecond)
}

func TestTooLongModelStopsTheIndexer(t *testing.T) {
	t.Parallel()
	f := setup(t)
	err := f.indexer(tooLong{embedding.NewLexical()}).Run(t.Context())
	require.ErrorIs(t, err, embedding.ErrTooLong)
}

type tooLong struct{ embedding.Embedder }

func (tooLong) Probe(context.Context) error { return embedding.ErrTooLong }

func TestSeveralIndexersShareTheWorkAndAnyMayBeStopped(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for i := range 300 {
		f.vehicle(t, fmt.Sprint("U", i), i%7 != 0)
	}
	e := newSpy("m")
	e.set(func(s *spy) { s.slow = 5 * time.Millisecond })
	// stopped in the middle of a batch, again and again
	for range 5 {
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- f.indexer(e).Run(ctx) }()
		<-e.called
		stop()
		err := <-ended
		require.True(t, err == nil || errors.Is(err, context.Canceled), "%v", err)
	}
	e.texts.Store(0)
	already := len(f.indexed(t, "m"))
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() { _ = f.indexer(e).Run(ctx) })
	}
	require.Eventually(t, func() bool {
		var waiting int
		require.NoError(t, f.db.QueryRow(ctx, "SELECT count(*) FROM index_outbox").Scan(&waiting))
		return waiting == 0
	}, time.Minute, 10*time.Millisecond)
	stop()
	group.Wait()
	require.ElementsMatch(t, f.public(t), keys(f.indexed(t, "m")))
	require.EqualValues(t, len(f.public(t))-already, e.texts.Load(), "each text was embedded once")
}

func TestAnotherModelIsBuiltBesideTheOneInUse(t *testing.T) {
	t.Parallel()
	f := setup(t)
	id := f.vehicle(t, "U17", true)
	old, new := f.indexer(newSpy("old")), f.indexer(newSpy("new"))
	require.NoError(t, old.Drain(t.Context()))
	var total int64
	done := 0
	require.NoError(t, new.Rebuild(t.Context(), func(n int64) { total = n }, func(n int) { done += n }))
	require.EqualValues(t, 1, total)
	require.Equal(t, 1, done)
	require.Len(t, f.indexed(t, "old"), 1)
	require.Len(t, f.indexed(t, "new"), 1)

	// a change that the old model's indexer takes is not lost for the new one: it looks everything over at its start
	f.exec(t, "UPDATE vehicles SET model_name = 'U18', version = version + 1 WHERE id = $1", id)
	require.NoError(t, old.Drain(t.Context()))
	before := f.indexed(t, "new")[id]
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- new.Run(ctx) }()
	require.Eventually(t, func() bool { return f.indexed(t, "new")[id] != before }, 30*time.Second, 10*time.Millisecond)
	stop()
	require.NoError(t, <-ended)

	// a slip in the settings must not empty the search
	_, err := f.indexer(newSpy("slip")).Prune(t.Context())
	require.ErrorContains(t, err, "0 of 1 public vehicles have a vector of")
	require.Len(t, f.indexed(t, "old"), 1)
	require.Len(t, f.indexed(t, "new"), 1)
	removed, err := new.Prune(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, removed)
	require.Empty(t, f.indexed(t, "old"))
	require.Len(t, f.indexed(t, "new"), 1)
}

func TestAStaleTextIsNeverStoredAfterANewerOne(t *testing.T) {
	t.Parallel()
	f := setup(t)
	id := f.vehicle(t, "U0", true)
	e := newSpy("m")
	e.set(func(s *spy) { s.slow = 2 * time.Millisecond })
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() { _ = f.indexer(e).Run(ctx) })
	}
	for i := range 100 {
		f.exec(t, "UPDATE vehicles SET model_name = $2, version = version + 1 WHERE id = $1", id, "U"+uuid.NewString()[:8])
		if i%10 == 0 {
			f.exec(t, "NOTIFY "+database.OutboxChannel)
		}
	}
	f.exec(t, "UPDATE vehicles SET model_name = 'last', version = version + 1 WHERE id = $1", id)
	want := embedding.Fingerprint(e, embedding.Passage(embedding.VehicleText{
		Brand: "Kubota", Model: "last", TypeTitle: "Crawler excavator", Categories: []string{"Excavators"}, Groups: []string{"Earthmoving"},
		Tags: []string{"trenching"}, Params: []embedding.ParamText{{Name: "Weight", Value: "2.5", Unit: "t"}},
	}))
	require.Eventually(t, func() bool {
		var waiting int
		require.NoError(t, f.db.QueryRow(ctx, "SELECT count(*) FROM index_outbox").Scan(&waiting))
		return waiting == 0
	}, time.Minute, 10*time.Millisecond)
	stop()
	group.Wait()
	require.Equal(t, want, f.indexed(t, "m")[id])
}
