package catalog_test

// This file: reads from a real streaming replica: what may be stale and what
// not, a replica that stands still, one that is lost, and a primary that is.

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/catalog"
	"equipment-platform/internal/database"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/edge/edgetest"
	"equipment-platform/internal/embedded"
	"equipment-platform/internal/embedding"
)

// patience bounds what would hang; nothing here takes nearly as long.
const patience = time.Minute

// replicated is a catalog that reads from a replica.
type replicated struct {
	*api
	registry *prometheus.Registry
	reader   *database.Replica

	primary, replica *embedded.Postgres
	replicaDir       string
}

func setupReplicated(t *testing.T) *replicated {
	t.Helper()
	base, err := os.MkdirTemp("", "equipment-platform-replica-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	require.NoError(t, os.Chmod(base, 0o711)) // the server's user must get through
	r := &replicated{registry: prometheus.NewRegistry(), replicaDir: filepath.Join(base, "replica")}

	r.primary, err = embedded.StartPostgres(t.Context(), embedded.PostgresOptions{Dir: filepath.Join(base, "primary"), Durable: true})
	require.NoError(t, err)
	t.Cleanup(func() { stopPostgres(r.primary) })
	require.NoError(t, r.primary.CreateDatabase(t.Context(), "catalog"))
	require.NoError(t, database.MigrateUp(t.Context(), r.primary.URL("catalog")))
	require.NoError(t, embedded.PrepareReplica(t.Context(), r.primary, r.replicaDir, "replica"))
	r.startReplica(t)
	t.Cleanup(func() { stopPostgres(r.replica) })

	log := slog.New(slog.DiscardHandler)
	db, err := database.Open(t.Context(), r.primary.URL("catalog"), 8, "primary")
	require.NoError(t, err)
	t.Cleanup(db.Close)
	pool, err := database.Open(t.Context(), r.replica.URL("catalog"), 8, "replica")
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	r.reader, err = database.NewReplica(t.Context(), pool, db, r.registry, log)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan struct{})
	go func() { defer close(ended); r.reader.Run(ctx) }()
	t.Cleanup(func() { stop(); <-ended; r.reader.Close() })

	client := serve(t, catalog.Options{DB: db, Replica: r.reader, Embedder: embedding.NewLexical()}, func(o *edge.Options) { o.RequestTimeout = patience })
	r.api = &api{Client: client, db: db, admin: client.As(token(t, "admin", "ADMIN")), owner: client.As(token(t, "owner", "USER"))}
	r.await(t, true)
	return r
}

func stopPostgres(p *embedded.Postgres) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // at once: nothing of it is kept
	_ = p.Stop(ctx)
}

// startReplica starts the replica where the last one ran.
func (r *replicated) startReplica(t testing.TB) {
	t.Helper()
	var err error
	r.replica, err = embedded.StartPostgres(t.Context(), embedded.PostgresOptions{Dir: r.replicaDir, Durable: true})
	require.NoError(t, err)
}

// await waits until reads go to the replica, or do not.
func (r *replicated) await(t testing.TB, usable bool) {
	t.Helper()
	require.Eventually(t, func() bool { return r.reader.Usable() == usable }, patience, 10*time.Millisecond)
}

// onReplica runs a statement there.
func (r *replicated) onReplica(t testing.TB, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), r.replica.URL("catalog"))
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	_, err = conn.Exec(t.Context(), sql)
	require.NoError(t, err)
}

// answered is how many reads were answered so.
func (r *replicated) answered(t testing.TB, by string) float64 {
	t.Helper()
	families, err := r.registry.Gather()
	require.NoError(t, err)
	for _, f := range families {
		for _, metric := range f.GetMetric() {
			if f.GetName() == "db_replica_reads_total" && metric.GetLabel()[0].GetValue() == by {
				return metric.GetCounter().GetValue()
			}
		}
	}
	t.Fatalf("no metric for %s", by)
	return 0
}

func vehiclePath(id string) string { return base + "/vehicles/" + id }

func TestReplicaAnswersReads(t *testing.T) {
	t.Parallel()
	r := setupReplicated(t)
	typ := r.newType(t)
	var last string
	for n := range 50 { // the writer sees its write at once, whoever answers
		last = r.newVehicle(t, r.owner, m{"equipmentTypeId": typ, "modelName": fmt.Sprint("Model ", n)})
		require.Equal(t, fmt.Sprint("Model ", n), r.owner.Do(t, "GET", vehiclePath(last), nil).Is(200).Field("modelName"))
		require.Equal(t, fmt.Sprint(n+1), fmt.Sprint(r.owner.Do(t, "GET", base+"/vehicles/count", nil).Is(200).Field("count")))
	}
	require.Eventually(t, func() bool { return r.Do(t, "GET", vehiclePath(last), nil).Status == 200 }, patience, time.Millisecond)
	before := r.answered(t, "replica")
	for _, path := range []string{"/vehicles", "/vehicles/count", "/vehicles?licensePlate=abc", "/types", "/groups", "/categories", "/tags", "/vehicles/" + last + "/ratings"} {
		r.Do(t, "GET", base+path, nil).Is(200)
	}
	r.Do(t, "POST", base+"/vehicles/semantic-search", m{"query": "model"}).Is(200)
	require.Equal(t, before+9, r.answered(t, "replica"), "anonymous reads are the replica's")
	r.Do(t, "GET", vehiclePath("00000000-0000-4000-8000-000000000000"), nil).Is(404)
	require.Equal(t, before+10, r.answered(t, "replica"), "what is not there is an answer too")
	// nobody writes: a caller with a token may be answered by the replica too
	require.Eventually(t, func() bool {
		before := r.answered(t, "replica")
		r.owner.Do(t, "GET", vehiclePath(last), nil).Is(200)
		return r.answered(t, "replica") > before
	}, patience, 10*time.Millisecond)
}

func TestReplicaThatStandsStill(t *testing.T) {
	t.Parallel()
	r := setupReplicated(t)
	unit := r.newUnit(t)
	param := r.newParam(t, m{"name": "Old name", "unitId": unit})
	typ := r.newType(t, param)
	old := r.newVehicle(t, r.owner, m{"equipmentTypeId": typ, "params": []m{{"paramId": param, "value": 1}}})
	require.Eventually(t, func() bool { return r.Do(t, "GET", vehiclePath(old), nil).Status == 200 }, patience, time.Millisecond)
	name := func(c edgetest.Client) any {
		return c.Do(t, "GET", vehiclePath(old), nil).Is(200).Field("params").([]any)[0].(map[string]any)["name"]
	}

	r.onReplica(t, "SELECT pg_wal_replay_pause()")
	r.admin.Do(t, "PATCH", base+"/params/"+param, m{"name": "New name"}).Is(200)
	fresh := r.newVehicle(t, r.owner, m{"equipmentTypeId": typ})
	behind := r.answered(t, "primary_behind")
	for range 20 {
		r.owner.Do(t, "GET", vehiclePath(fresh), nil).Is(200)
		require.Equal(t, "New name", name(r.owner))
	}
	require.Equal(t, behind+40, r.answered(t, "primary_behind"))
	if r.reader.Usable() { // for five seconds an anonymous caller gets the old state, names and all
		stale, oldName := r.Do(t, "GET", vehiclePath(fresh), nil).Status, name(r.Client)
		if r.reader.Usable() {
			require.Equal(t, 404, stale)
			require.Equal(t, "Old name", oldName)
		}
	}

	r.await(t, false) // then it is too far behind
	r.Do(t, "GET", vehiclePath(fresh), nil).Is(200)
	require.Equal(t, "New name", name(r.Client))

	r.onReplica(t, "SELECT pg_wal_replay_resume()")
	r.await(t, true)
	before := r.answered(t, "replica")
	r.Do(t, "GET", vehiclePath(fresh), nil).Is(200)
	require.Equal(t, "New name", name(r.Client))
	require.Equal(t, before+2, r.answered(t, "replica"))
}

// No reader notices that the replica goes, whenever it goes.
func TestReplicaIsLostAndComesBack(t *testing.T) {
	t.Parallel()
	r := setupReplicated(t)
	id := r.newVehicle(t, r.owner, m{"equipmentTypeId": r.newType(t)})
	require.Eventually(t, func() bool { return r.Do(t, "GET", vehiclePath(id), nil).Status == 200 }, patience, time.Millisecond)

	var stop atomic.Bool
	var readers sync.WaitGroup
	var refused atomic.Int64
	for n := range 8 {
		readers.Go(func() {
			path := r.Base + []string{vehiclePath(id), base + "/vehicles?size=100"}[n%2]
			for !stop.Load() {
				resp, err := http.Get(path)
				if err != nil {
					refused.Add(1)
					continue
				}
				if resp.StatusCode != 200 {
					refused.Add(1)
				}
				_ = resp.Body.Close()
			}
		})
	}
	for range 2 {
		before := r.answered(t, "replica")
		require.Eventually(t, func() bool { return r.answered(t, "replica") > before+50 }, patience, time.Millisecond)
		stopPostgres(r.replica) // in the middle of it
		r.await(t, false)
		before = r.answered(t, "primary_unusable")
		require.Eventually(t, func() bool { return r.answered(t, "primary_unusable") > before+50 }, patience, time.Millisecond)
		r.startReplica(t) // on the port of before
		r.await(t, true)
	}
	stop.Store(true)
	readers.Wait()
	require.Zero(t, refused.Load())
}

// Without the primary nothing can be written, but anonymous callers can read.
func TestPrimaryIsLost(t *testing.T) {
	t.Parallel()
	r := setupReplicated(t)
	id := r.newVehicle(t, r.owner, m{"equipmentTypeId": r.newType(t)})
	require.Eventually(t, func() bool { return r.Do(t, "GET", vehiclePath(id), nil).Status == 200 }, patience, time.Millisecond)
	stopPostgres(r.primary)
	for range 20 {
		r.Do(t, "GET", vehiclePath(id), nil).Is(200)
	}
	r.owner.Do(t, "DELETE", vehiclePath(id), nil).Fails(503, "overloaded")
	r.owner.Do(t, "GET", vehiclePath(id), nil).Fails(503, "overloaded")
	require.True(t, r.reader.Usable())
}

// A database that is no replica of anything is not read: it could hold anything.
func TestReplicaURLOfThePrimary(t *testing.T) {
	t.Parallel()
	a := setup(t)
	// every look here says what it found: that the server cannot be read, or that it is read from now on
	var log looks
	reader, err := database.NewReplica(t.Context(), a.db, a.db, prometheus.NewRegistry(), slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	require.NoError(t, err)
	t.Cleanup(reader.Close)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); reader.Run(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
	require.Eventually(t, func() bool { return log.lines.Load() > 0 }, patience, 10*time.Millisecond, "it is never looked at")
	require.False(t, reader.Usable())
	stands, err := reader.Read(t.Context(), false, nil)
	require.False(t, stands)
	require.NoError(t, err)
}

// looks counts the lines of a log.
type looks struct{ lines atomic.Int32 }

func (l *looks) Write(line []byte) (int, error) {
	l.lines.Add(1)
	return len(line), nil
}
