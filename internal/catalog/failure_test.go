package catalog_test

// This file: the database down, unmigrated, or slow; overload; what is not in
// the spec at all (contract 7.1, contract 7.3).

import (
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/catalog"
	"equipment-platform/internal/database"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/edge/edgetest"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/testdb"
)

func TestUnknownPathsAndMethods(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for _, path := range []string{"/", "/api", "/api/v1", "/api/v1/", "/api/v2/groups", "/api/v1/group", "/api/v1/groups/", "/api/v1/groups/" + f.group + "/", "/API/V1/groups",
		"/api/v1/groups/" + f.group + "/nothing", "/api/v1/vehicles/" + f.vehicle + "/ratings/you", "/api/v1//groups", "/swagger", "/.env", "/metrics", "/debug/pprof/"} {
		f.Do(t, "GET", path, nil).Fails(404, "not_found")
		f.admin.Do(t, "POST", path, m{}).Is(404)
	}
	for path, allow := range map[string]string{
		"/groups":                                       "GET, OPTIONS, POST",
		"/groups/count":                                 "GET, OPTIONS",
		"/groups/" + f.group:                            "DELETE, GET, OPTIONS, PATCH, PUT",
		"/groups/" + f.group + "/categories":            "GET, OPTIONS, POST",
		"/groups/" + f.group + "/categories/count":      "GET, OPTIONS",
		"/categories":                                   "GET, OPTIONS",
		"/vehicles/count":                               "GET, OPTIONS",
		"/vehicles/semantic-search":                     "OPTIONS, POST",
		"/vehicles/" + f.vehicle:                        "DELETE, GET, OPTIONS, PATCH, PUT",
		"/vehicles/" + f.vehicle + "/photos":            "GET, OPTIONS, POST",
		"/vehicles/" + f.vehicle + "/photos/" + f.photo: "DELETE, GET, OPTIONS, PATCH",
		"/vehicles/" + f.vehicle + "/ratings":           "GET, OPTIONS, POST",
		"/vehicles/" + f.vehicle + "/ratings/summary":   "GET, OPTIONS",
		"/vehicles/" + f.vehicle + "/ratings/me":        "DELETE, GET, OPTIONS, PUT",
	} {
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"} {
			if strings.Contains(allow, method) {
				continue
			}
			for _, by := range []edgetest.Client{f.Client, f.admin} {
				a := by.Do(t, method, base+path, nil).Fails(405, "method_not_allowed")
				require.Equal(t, allow, a.Header.Get("Allow"), method+" "+path)
			}
		}
	}
}

func TestDatabaseDown(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	awaitReadiness(t, f.Client, 200)
	samples := f.samples(t)
	name := f.db.Config().ConnConfig.Database
	admin := f.db.Config().ConnConfig.Copy()
	admin.Database = "postgres"
	conn, err := pgx.ConnectConfig(t.Context(), admin)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	down := func() {
		_, err = conn.Exec(t.Context(), "ALTER DATABASE "+pgx.Identifier{name}.Sanitize()+" ALLOW_CONNECTIONS false")
		require.NoError(t, err)
		_, err = conn.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
		require.NoError(t, err)
	}
	down()
	for _, s := range samples {
		a := s.by.Do(t, s.method, s.path, s.body).Fails(503, "overloaded")
		require.Regexp(t, `^[1-9]\d*$`, a.Header.Get("Retry-After"))
		for _, secret := range []string{name, "127.0.0.1", "SELECT", "connect", "pgx", "FATAL"} {
			require.NotContains(t, string(a.Body), secret)
		}
	}
	f.Do(t, "GET", "/healthz", nil).Is(200)
	awaitReadiness(t, f.Client, 503)
	f.Do(t, "GET", base+"/groups?page=0", nil).Is(400)
	f.Do(t, "POST", base+"/groups", m{}).Is(401)
	_, err = conn.Exec(t.Context(), "ALTER DATABASE "+pgx.Identifier{name}.Sanitize()+" ALLOW_CONNECTIONS true")
	require.NoError(t, err)
	f.Do(t, "GET", base+"/groups", nil).Is(200) // it recovers by itself
	awaitReadiness(t, f.Client, 200)
}

// Connections that the database has cut while it is up are nobody's 503: who meets
// one is served on another.
func TestCutConnections(t *testing.T) {
	t.Parallel()
	a := setup(t)
	group := a.newGroup(t)
	calls := func(n int) (statuses map[int]int) {
		statuses = map[int]int{}
		var mu sync.Mutex
		var callers sync.WaitGroup
		for i := range n {
			callers.Go(func() {
				var answer edgetest.Answer
				switch i % 4 {
				case 0:
					answer = a.Do(t, "GET", base+"/groups/"+group, nil)
				case 1:
					answer = a.Do(t, "GET", base+"/vehicles?sort=brandName&sort=modelName", nil)
				case 2:
					answer = a.Do(t, "POST", base+"/vehicles/semantic-search", m{"query": "crane"})
				default:
					answer = a.admin.Do(t, "PATCH", base+"/groups/"+group, m{"name": "Group " + unique()})
				}
				mu.Lock()
				defer mu.Unlock()
				statuses[answer.Status]++
			})
		}
		callers.Wait()
		return statuses
	}
	conn, err := pgx.ConnectConfig(t.Context(), a.db.Config().ConnConfig.Copy())
	require.NoError(t, err)
	defer conn.Close(t.Context())
	for range 4 {
		require.Equal(t, map[int]int{200: 64}, calls(64))
		require.Positive(t, a.db.Stat().IdleConns())
		_, err = conn.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
		require.NoError(t, err)
		require.Equal(t, map[int]int{200: 64}, calls(64))
	}
}

// A fault of the database's own is an opaque 500.
func TestInternalErrorsAreOpaque(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	a := setup(t, func(o *edge.Options) { o.Log = slog.New(slog.NewJSONHandler(&log, nil)) })
	_, err := a.db.Exec(t.Context(), "ALTER TABLE groups RENAME TO gone")
	require.NoError(t, err)
	answer := a.Do(t, "GET", base+"/groups", nil).Fails(500, "internal_error")
	for _, secret := range []string{"groups\\\"", "relation", "SELECT", "42P01", "gone", ".go"} {
		require.NotContains(t, strings.ReplaceAll(string(answer.Body), "/api/v1/groups", ""), secret)
	}
	require.Contains(t, log.String(), answer.Header.Get("X-Request-Id"))
	require.Contains(t, log.String(), "42P01", "the log has the cause")
}

func TestNotReadyBeforeMigration(t *testing.T) {
	t.Parallel()
	url := testdb.Empty(t)
	db, err := database.Open(t.Context(), url, 2, t.Name())
	require.NoError(t, err)
	t.Cleanup(db.Close)
	c := serve(t, catalog.Options{DB: db, Embedder: embedding.NewLexical()})
	c.Do(t, "GET", "/healthz", nil).Is(200)
	awaitReadiness(t, c, 503)
	require.NoError(t, database.MigrateUp(t.Context(), url))
	awaitReadiness(t, c, 200)
	require.NoError(t, database.MigrateDown(t.Context(), url, 1))
	awaitReadiness(t, c, 503)
}

// A request that waits for a lock ends with its deadline, in a 503.
func TestDeadline(t *testing.T) {
	t.Parallel()
	a := setup(t, func(o *edge.Options) { o.RequestTimeout = 2 * time.Second })
	group := a.newGroup(t)
	tx, err := a.db.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = tx.Exec(t.Context(), "SELECT FROM groups FOR UPDATE")
	require.NoError(t, err)
	a.admin.Do(t, "PATCH", base+"/groups/"+group, m{"name": "x"}).Fails(503, "overloaded")
}

func TestInFlightBound(t *testing.T) {
	t.Parallel()
	a := setup(t, func(o *edge.Options) { o.MaxInFlight = 1 })
	group := a.newGroup(t)
	tx, err := a.db.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = tx.Exec(t.Context(), "SELECT FROM groups FOR UPDATE")
	require.NoError(t, err)
	first := make(chan edgetest.Answer, 1)
	go func() { first <- a.admin.Do(t, "PATCH", base+"/groups/"+group, m{"name": "x"}) }()
	waitForLock(t, a)
	refused := a.Do(t, "GET", base+"/groups", nil).Fails(503, "overloaded")
	require.Equal(t, "1", refused.Header.Get("Retry-After"))
	a.Do(t, "GET", "/healthz", nil).Is(200)
	awaitReadiness(t, a.Client, 200)
	require.NoError(t, tx.Rollback(t.Context()))
	(<-first).Is(200)
	a.Do(t, "GET", base+"/groups", nil).Is(200)
}

// awaitReadiness waits for what /readyz says: a look at the database holds for a
// second.
func awaitReadiness(t *testing.T, c edgetest.Client, status int) {
	t.Helper()
	require.Eventually(t, func() bool { return c.Do(t, "GET", "/readyz", nil).Status == status }, 20*time.Second, 50*time.Millisecond)
}
