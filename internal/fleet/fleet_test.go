package fleet_test

// This file: two catalogs and two indexers on one database and one broker.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"
	"golang.org/x/time/rate"

	"equipment-platform/internal/database"
	"equipment-platform/internal/embedded"
	"equipment-platform/internal/testdb"
)

// ask sends a request, with names and values of further headers, and returns
// status and body; status 0: no answer.
func ask(method, url, token string, body any, headers ...string) (int, map[string]any) {
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return 0, nil
		}
	}
	req, err := http.NewRequest(method, url, bytes.NewReader(raw))
	if err != nil {
		return 0, nil
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil
	}
	defer resp.Body.Close()
	if raw, err = io.ReadAll(resp.Body); err != nil {
		return 0, nil
	}
	var out map[string]any
	_ = json.Unmarshal(raw, &out)
	return resp.StatusCode, out
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func number(t testing.TB, conn *pgx.Conn, sql string, args ...any) (n int) {
	t.Helper()
	require.NoError(t, conn.QueryRow(context.Background(), sql, args...).Scan(&n), sql)
	return n
}

// A rolling restart of both catalogs under load: no request fails, no event is
// lost, and each partition has one reader.
func TestRollingRestart(t *testing.T) {
	t.Parallel()
	p, url := build(t), testdb.New(t)
	broker, err := embedded.StartBroker(t.Context(), embedded.BrokerOptions{})
	require.NoError(t, err)
	t.Cleanup(broker.Stop)
	env := map[string]string{"DATABASE_URL": url, "DATABASE_MAX_CONNS": "8", "KAFKA_BROKERS": broker.Address()}
	catalogs := []*instance{p.start(t, []string{"catalog", "serve"}, env), p.start(t, []string{"catalog", "serve"}, env)}
	b := startBalancer(t, catalogs[0].addr, catalogs[1].addr)
	b.await(t, 2)

	admin, owner := p.token(t, "admin", "ADMIN"), p.token(t, "owner", "USER")
	create := func(path string, body any) string {
		t.Helper()
		code, made := ask("POST", b.url+"/api/v1"+path, admin, body)
		require.Equal(t, 201, code, made)
		return made["id"].(string)
	}
	group := create("/groups", map[string]any{"name": "Earthmoving"})
	category := create("/groups/"+group+"/categories", map[string]any{"name": "Excavators"})
	typ := create("/types", map[string]any{"title": "Excavator", "categoryIds": []string{category}})
	code, vehicle := ask("POST", b.url+"/api/v1/vehicles", owner, map[string]any{"equipmentTypeId": typ, "brandName": "A", "modelName": "B"})
	require.Equal(t, 201, code)

	var stop atomic.Bool
	var created, published atomic.Int64
	var refused failures
	var load sync.WaitGroup
	t.Cleanup(func() { stop.Store(true); load.Wait() })
	for n := range 6 {
		load.Go(func() {
			for !stop.Load() {
				method, path, token, want := "GET", "/vehicles?size=20", "", 200
				var body any
				switch n % 3 {
				case 0:
					method, path, token, want = "POST", "/vehicles", owner, 201
					body = map[string]any{"equipmentTypeId": typ, "brandName": "A", "modelName": "B"}
				case 1:
					path = "/vehicles/" + vehicle["id"].(string)
				}
				code, answer := ask(method, b.url+"/api/v1"+path, token, body)
				if code != want {
					refused.add(fmt.Sprint(method, " ", path, " ", code, " ", answer))
				} else if want == 201 {
					created.Add(1)
				}
			}
		})
	}
	load.Go(func() {
		if err := publish(broker.Address(), vehicle["id"].(string), &stop, &published); err != nil {
			refused.add(err.Error())
		}
	})

	for _, c := range catalogs {
		partitionsShared(t, catalogs)
		c.stop()
		c.run()
		b.await(t, 2)
	}
	partitionsShared(t, catalogs)
	stop.Store(true)
	load.Wait()
	require.Empty(t, refused.list())
	require.Empty(t, b.failures.list())
	db := connect(t, url)
	require.EqualValues(t, created.Load()+1, number(t, db, "SELECT count(*) FROM vehicles"), "each create once")
	require.Eventually(t, func() bool {
		return number(t, db, "SELECT count(*) FROM order_entitlements") == int(published.Load())
	}, patience, 50*time.Millisecond)
	require.Equal(t, number(t, db, "SELECT count(*) FROM handled_events"), int(published.Load()))
}

// failures are the first things that went wrong.
type failures struct {
	mu  sync.Mutex
	all []string
}

func (f *failures) add(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.all) < 10 {
		f.all = append(f.all, what)
	}
}

func (f *failures) list() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.all)
}

// record produces one record.
func record(t *testing.T, broker, topic, value string, headers ...kgo.RecordHeader) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(broker))
	require.NoError(t, err)
	defer client.Close()
	require.NoError(t, client.ProduceSync(t.Context(), &kgo.Record{Topic: topic, Value: []byte(value), Headers: headers}).FirstErr())
}

// publish produces order events, each of an order of its own, and deletions of
// files of other services, until stop.
func publish(broker, vehicle string, stop *atomic.Bool, published *atomic.Int64) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(broker))
	if err != nil {
		return err
	}
	defer client.Close()
	pace := rate.NewLimiter(200, 1) // the consumers are not to be busy with nothing else
	for !stop.Load() {
		if err := pace.Wait(context.Background()); err != nil {
			return err
		}
		order := uuid.NewString()
		value := fmt.Sprintf(`{"eventId":%q,"orderId":%q,"customerId":"c","vehicleId":%q,"status":"Done","eventTimestamp":"2026-01-01T00:00:00Z"}`, uuid.NewString(), order, vehicle)
		err := client.ProduceSync(context.Background(),
			&kgo.Record{Topic: "platform.order.events.v1", Key: []byte(order), Value: []byte(value)},
			// of another service: read and passed over
			&kgo.Record{Topic: "platform.file.deleted.v1", Key: []byte(order), Value: []byte(`{"entityType":"OTHER","fileId":"` + order + `"}`)},
		).FirstErr()
		if err != nil {
			return err
		}
		published.Add(1)
	}
	return nil
}

// partitionsShared waits until every partition is read by exactly one of two
// processes, and both read some.
func partitionsShared(t *testing.T, catalogs []*instance) {
	t.Helper()
	const topics = 2
	require.Eventually(t, func() bool {
		first, second := catalogs[0].series("events_consumer_lag"), catalogs[1].series("events_consumer_lag")
		all := maps.Clone(first)
		maps.Copy(all, second)
		return len(first) > 0 && len(second) > 0 && len(first)+len(second) == len(all) && len(all) == topics*embedded.BrokerPartitions
	}, patience, 50*time.Millisecond)
}

// Processes that start before the schema is there wait for it; of several that
// migrate at once one does and the others find it done.
func TestMigrationsRunOnce(t *testing.T) {
	t.Parallel()
	p, url := build(t), testdb.Empty(t)
	env := map[string]string{"DATABASE_URL": url}
	early := p.start(t, []string{"catalog", "serve"}, env)
	require.Eventually(t, func() bool { return status(early.addr, "/readyz") == http.StatusServiceUnavailable }, patience, 20*time.Millisecond)
	var migrating sync.WaitGroup
	for range 4 {
		migrating.Go(func() {
			if out, err := p.once(context.Background(), env, "catalog", "migrate", "up"); err != nil {
				t.Error(err, out)
			}
		})
	}
	migrating.Wait()
	early.awaitReady()
	out, err := p.once(t.Context(), env, "catalog", "migrate", "version")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(out, strconv.Itoa(int(database.Latest()))+" "), out)
	require.Equal(t, 1, number(t, connect(t, url), "SELECT count(*) FROM schema_migrations WHERE NOT dirty"))
}

// A slip in a deployment's step must not pass for its success.
func TestUnknownCommandsFail(t *testing.T) {
	t.Parallel()
	p := build(t)
	for _, command := range [][]string{
		{"catalog"}, {"catalog", "nope"}, {"catalog", "migrate"}, {"catalog", "migrate", "upp"}, {"catalog", "migrate", "up", "more"},
		{"catalog", "dlq"}, {"catalog", "dlq", "drop"}, {"catalog", "dlq", "list"}, {"catalog", "dlq", "list", "--offset", "1"}, {"catalog", "dlq", "replay"},
		{"indexer"}, {"indexer", "nope"}, {"gateway"}, {"gateway", "nope"}, {"sandbox", "nope"},
	} {
		out, err := p.once(t.Context(), nil, command...)
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, "%s", command)
		require.Equal(t, 1, exit.ExitCode(), "%s", command)
		require.Equal(t, 1, strings.Count(out, "\n"), "one line that says why: %s", out)
	}
	out, err := p.once(t.Context(), nil, "catalog", "token", "--help")
	require.NoError(t, err)
	require.Contains(t, out, "AUTH_DEV_KEY")
	require.Contains(t, out, "--ttl")
	require.NotContains(t, out, "DATABASE_URL")
	out, err = p.once(t.Context(), nil, "catalog", "dlq", "replay", "--help")
	require.NoError(t, err)
	for _, said := range []string{"twice\nhas one effect", "--topic", "--offset [PARTITION/]OFFSET", "KAFKA_BROKERS"} {
		require.Contains(t, out, said)
	}
	require.NotContains(t, out, "DATABASE_URL")
}

// With no keys loaded, every caller with a token would be refused.
func TestNotReadyWithoutKeys(t *testing.T) {
	t.Parallel()
	p, jwks := build(t), filepath.Join(t.TempDir(), "jwks.json")
	catalog := p.start(t, []string{"catalog", "serve"}, map[string]string{"DATABASE_URL": testdb.New(t), "AUTH_JWKS_URL": "file://" + jwks, "AUTH_JWKS_REFRESH": "50ms"})
	require.Eventually(t, func() bool { return status(catalog.addr, "/healthz") == http.StatusOK }, patience, lookEvery)
	require.Equal(t, http.StatusServiceUnavailable, status(catalog.addr, "/readyz"))
	require.Equal(t, http.StatusOK, status(catalog.addr, "/api/v1/vehicles"), "who needs no token is served")
	require.NoError(t, p.key.WriteJWKS(jwks))
	catalog.awaitReady()
}

// Two indexers share the outbox: every vehicle is embedded once, also when one
// of them is stopped half-way.
func TestIndexersShareTheOutbox(t *testing.T) {
	t.Parallel()
	const vehicles = 3000
	p, url := build(t), testdb.New(t)
	db := connect(t, url)
	_, err := db.Exec(t.Context(), `WITH t AS (INSERT INTO types (title, created_by, updated_by) VALUES ('Crane', 'a', 'a') RETURNING id)
		INSERT INTO vehicles (type_id, brand_name, model_name, owner_user_id, created_by, updated_by)
		SELECT id, 'Brand ' || n, 'Model', 'owner', 'owner', 'owner' FROM t, generate_series(1, $1::integer) n`, vehicles)
	require.NoError(t, err)
	env := map[string]string{"DATABASE_URL": url, "DATABASE_MAX_CONNS": "4"}
	indexers := []*instance{p.start(t, []string{"indexer", "run"}, env), p.start(t, []string{"indexer", "run"}, env)}
	vectors := func() int { return number(t, db, "SELECT count(*) FROM vehicle_embeddings") }
	require.Eventually(t, func() bool { return vectors() == vehicles }, patience, 50*time.Millisecond)
	require.Eventually(t, func() bool { return number(t, db, "SELECT count(*) FROM index_outbox") == 0 }, patience, 50*time.Millisecond)
	embeddings := 0.0
	for _, x := range indexers {
		embeddings += x.series("indexer_vehicles_total")[`result="embedded"`]
	}
	require.EqualValues(t, vehicles, embeddings, "no vehicle is embedded twice")

	_, err = db.Exec(t.Context(), "UPDATE vehicles SET model_name = 'Other', version = version + 1")
	require.NoError(t, err)
	indexers[0].stop()
	require.Eventually(t, func() bool { return number(t, db, "SELECT count(*) FROM index_outbox") == 0 }, patience, 50*time.Millisecond)
	require.Equal(t, vehicles, vectors())
	require.Equal(t, vehicles, number(t, db, "SELECT count(DISTINCT fingerprint) FROM vehicle_embeddings"))
}
