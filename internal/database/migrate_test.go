package database_test

// This file: migrations (up, down, up; by several processes at once) and the
// constraints that make wrong rows impossible.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/database"
	"equipment-platform/internal/process"
	"equipment-platform/internal/testdb"
)

const childVariable = "DATABASE_TEST_MIGRATE"

func TestMain(tests *testing.M) {
	if url := os.Getenv(childVariable); url != "" {
		// this process is one of several that start at once
		if err := database.MigrateUp(context.Background(), url); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	testdb.Main(tests)
}

func connect(tb testing.TB, url string) *pgx.Conn {
	tb.Helper()
	conn, err := pgx.Connect(tb.Context(), url)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = conn.Close(context.WithoutCancel(tb.Context())) })
	return conn
}

// schemaOf describes tables, columns, constraints, indexes, triggers and
// functions.
func schemaOf(tb testing.TB, url string) (lines []string) {
	tb.Helper()
	rows, err := connect(tb, url).Query(tb.Context(), `
SELECT format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT 'function ' || proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = pg_proc.oid AND d.deptype = 'e')
ORDER BY 1`)
	require.NoError(tb, err)
	lines, err = pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(tb, err)
	return lines
}

func TestMigrationsUpDownUp(t *testing.T) {
	t.Parallel()
	url := testdb.Empty(t)
	version := func(want uint) {
		t.Helper()
		got, dirty, err := database.Version(t.Context(), url)
		require.NoError(t, err)
		require.False(t, dirty)
		require.Equal(t, want, got)
	}
	version(0)
	empty := schemaOf(t, url)
	require.NoError(t, database.MigrateUp(t.Context(), url))
	version(database.Latest())
	full := schemaOf(t, url)
	require.NoError(t, database.MigrateUp(t.Context(), url), "again changes nothing")
	require.Equal(t, full, schemaOf(t, url))
	// one step at a time, each of them there and back
	for n := database.Latest(); n > 0; n-- {
		require.NoError(t, database.MigrateDown(t.Context(), url, 1))
		version(n - 1)
		require.NoError(t, database.MigrateUp(t.Context(), url))
		require.Equal(t, full, schemaOf(t, url))
		require.NoError(t, database.MigrateDown(t.Context(), url, int(database.Latest()-n+1)))
		version(n - 1)
	}
	left := schemaOf(t, url)
	require.LessOrEqual(t, len(left), len(empty)+6, "nothing but the table of migrations is left: %v", left)
	require.NoError(t, database.MigrateUp(t.Context(), url))
	require.Equal(t, full, schemaOf(t, url))
	require.NoError(t, database.MigrateDown(t.Context(), url, 0))
	version(0)
}

func TestMigrationsBySeveralAtOnce(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(url string) error{
		"goroutines": func(url string) error { return database.MigrateUp(t.Context(), url) },
		"processes": func(url string) error {
			child := exec.CommandContext(t.Context(), os.Args[0])
			child.Env = append(os.Environ(), childVariable+"="+url)
			out, err := child.CombinedOutput()
			if err != nil {
				return fmt.Errorf("%w: %s", err, out)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := testdb.Empty(t)
			var group sync.WaitGroup
			failures := make([]error, 4)
			for i := range failures {
				group.Go(func() { failures[i] = start(url) })
			}
			group.Wait()
			for _, err := range failures {
				require.NoError(t, err)
			}
			version, dirty, err := database.Version(t.Context(), url)
			require.NoError(t, err)
			require.False(t, dirty)
			require.Equal(t, database.Latest(), version)
			require.Equal(t, schemaOf(t, testdb.New(t)), schemaOf(t, url))
		})
	}
}

// The limits of requests may stand in the URL that migrations share with the programs. The
// build of an index waits for who writes when it begins, however long that takes.
func TestMigrationsHaveNoLimitOfTime(t *testing.T) {
	t.Parallel()
	url := testdb.New(t)
	require.NoError(t, database.MigrateDown(t.Context(), url, int(database.Latest())-5))
	writer, onlooker := connect(t, url), connect(t, url)
	_, err := writer.Exec(t.Context(), "BEGIN; LOCK TABLE vehicles IN ROW EXCLUSIVE MODE")
	require.NoError(t, err)
	separator := map[bool]string{true: "&", false: "?"}[strings.Contains(url, "?")]
	migrated := make(chan error, 1)
	go func() { migrated <- database.MigrateUp(t.Context(), url+separator+"lock_timeout=1") }()
	require.Eventually(t, func() bool {
		var waits bool
		require.NoError(t, onlooker.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query_start < now() - interval '100 ms')`).Scan(&waits))
		return waits
	}, time.Minute, time.Millisecond)
	_, err = writer.Exec(t.Context(), "COMMIT")
	require.NoError(t, err)
	require.NoError(t, <-migrated)
}

// open makes a pool for the test.
func open(t *testing.T, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := database.Open(t.Context(), url, 1, t.Name())
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

func TestMigrationThatStoppedHalfWay(t *testing.T) {
	t.Parallel()
	url := testdb.New(t)
	_, err := connect(t, url).Exec(t.Context(), "UPDATE schema_migrations SET version = 2, dirty = true")
	require.NoError(t, err)
	err = database.MigrateUp(t.Context(), url)
	require.ErrorContains(t, err, "catalog migrate force 1", "it says how to repair")
	pool := open(t, url)
	require.ErrorContains(t, database.Check(t.Context(), pool), "half-way")
	require.NoError(t, database.Force(t.Context(), url, int(database.Latest())))
	require.NoError(t, database.Check(t.Context(), pool))
}

// The first migration fails where pgvector is missing; here a table is in its
// way. Nothing of a step that failed stays, so the next try needs no repair.
func TestFirstMigrationThatFailed(t *testing.T) {
	t.Parallel()
	url := testdb.Empty(t)
	conn := connect(t, url)
	_, err := conn.Exec(t.Context(), "CREATE TABLE groups ()")
	require.NoError(t, err)
	for range 2 {
		require.ErrorContains(t, database.MigrateUp(t.Context(), url), `the step to version 1 was not taken: relation "groups" already exists`)
		version, dirty, err := database.Version(t.Context(), url)
		require.NoError(t, err)
		require.False(t, dirty)
		require.Zero(t, version)
	}
	_, err = conn.Exec(t.Context(), "DROP TABLE groups")
	require.NoError(t, err)
	require.NoError(t, database.MigrateUp(t.Context(), url))
	require.NoError(t, database.Check(t.Context(), open(t, url)))
}

// After a newer program has migrated and the older one is rolled back to, its
// step must not fail; it takes back nothing that it does not know.
func TestSchemaOfANewerProgram(t *testing.T) {
	t.Parallel()
	url := testdb.New(t)
	newer := int(database.Latest()) + 2
	_, err := connect(t, url).Exec(t.Context(), "UPDATE schema_migrations SET version = $1", newer)
	require.NoError(t, err)
	require.NoError(t, database.MigrateUp(t.Context(), url))
	require.ErrorContains(t, database.MigrateDown(t.Context(), url, 1), "take it back with the program that it belongs to")
	version, dirty, err := database.Version(t.Context(), url)
	require.NoError(t, err)
	require.False(t, dirty)
	require.EqualValues(t, newer, version)
}

func TestStepsThatCannotBeTakenBack(t *testing.T) {
	t.Parallel()
	url := testdb.New(t)
	for _, steps := range []int{-1, int(database.Latest()) + 1} {
		require.ErrorContains(t, database.MigrateDown(t.Context(), url, steps), fmt.Sprintf("there are %d migrations to take back, not %d", database.Latest(), steps))
		version, _, err := database.Version(t.Context(), url)
		require.NoError(t, err)
		require.Equal(t, database.Latest(), version)
	}
	require.NoError(t, database.MigrateDown(t.Context(), url, 0))
	require.NoError(t, database.MigrateDown(t.Context(), url, 0), "nothing is left to do")
}

func TestTakingBackTheFirstMigrationThatFailed(t *testing.T) {
	t.Parallel()
	url := testdb.New(t)
	conn := connect(t, url)
	_, err := conn.Exec(t.Context(), "CREATE TABLE others (id uuid REFERENCES groups)")
	require.NoError(t, err)
	require.ErrorContains(t, database.MigrateDown(t.Context(), url, 0), "the step to version 0 was not taken")
	version, dirty, err := database.Version(t.Context(), url)
	require.NoError(t, err)
	require.False(t, dirty)
	require.EqualValues(t, 1, version)
	_, err = conn.Exec(t.Context(), "DROP TABLE others")
	require.NoError(t, err)
	require.NoError(t, database.MigrateUp(t.Context(), url))
	require.NoError(t, database.Check(t.Context(), open(t, url)))
	require.Equal(t, schemaOf(t, testdb.New(t)), schemaOf(t, url))
}

// A process that is killed, at whatever moment, leaves the schema before or after
// a step, and the next one goes on from there without a person's help.
func TestMigrationsKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	url := testdb.Empty(t)
	killed := 0
	for patience := time.Millisecond; ; patience += patience/2 + time.Duration(rand.Int64N(int64(10*time.Millisecond))) {
		child := exec.CommandContext(t.Context(), os.Args[0])
		child.Env = append(os.Environ(), childVariable+"="+url)
		require.NoError(t, child.Start())
		kill := time.AfterFunc(patience, func() { _ = child.Process.Kill() })
		err := child.Wait()
		kill.Stop()
		version, dirty, versionErr := database.Version(t.Context(), url)
		require.NoError(t, versionErr)
		require.False(t, dirty, "after %d kills, at version %d", killed, version)
		if err == nil {
			break
		}
		killed++
	}
	t.Logf("%d kills", killed)
	require.Equal(t, schemaOf(t, testdb.New(t)), schemaOf(t, url))
}

// An index that was being built when its process was killed is there and not
// valid; it is built again.
func TestBrokenIndexIsBuiltAgain(t *testing.T) {
	t.Parallel()
	url := testdb.New(t)
	const withIndex = 6
	require.NoError(t, database.MigrateDown(t.Context(), url, int(database.Latest())-withIndex))
	conn := connect(t, url)
	for _, statement := range []string{
		"UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'vehicles_brand_folded_idx'::regclass",
		"UPDATE schema_migrations SET version = version - 1",
	} {
		_, err := conn.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	require.NoError(t, database.MigrateUp(t.Context(), url))
	var valid bool
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT indisvalid FROM pg_index WHERE indexrelid = 'vehicles_brand_folded_idx'::regclass").Scan(&valid))
	require.True(t, valid)
	require.NoError(t, database.Check(t.Context(), open(t, url)))
}

// The command itself: a version that does not exist is refused in one line, and
// the database stays as it is.
func TestForceRefusesUnknownVersions(t *testing.T) {
	t.Parallel()
	url := testdb.New(t)
	programs, err := process.Build(t.Context(), "cmd/catalog")
	require.NoError(t, err)
	force := func(arguments ...string) (string, error) {
		command := exec.CommandContext(t.Context(), programs+"/catalog", append([]string{"migrate", "force"}, arguments...)...)
		command.Env = append(os.Environ(), "DATABASE_URL="+url)
		out, err := command.CombinedOutput()
		return string(out), err
	}
	newest := fmt.Sprint(database.Latest())
	for _, wrong := range [][]string{{"-1"}, {"--", "-1"}, {fmt.Sprint(database.Latest() + 1)}, {"99999999999"}} {
		out, err := force(wrong...)
		require.Error(t, err, "%q", wrong)
		require.Regexp(t, `\Acatalog: [^\n]+ number from 0 \(nothing there\) to `+newest+`\n\z`, out, "%q", wrong)
		version, _, err := database.Version(t.Context(), url)
		require.NoError(t, err)
		require.Equal(t, database.Latest(), version, "%q", wrong)
	}
	out0, err := force("0")
	require.NoError(t, err, "%s", out0)
	version, dirty, err := database.Version(t.Context(), url)
	require.NoError(t, err)
	require.False(t, dirty)
	require.Zero(t, version)
}

func TestCheckAndBadURLs(t *testing.T) {
	t.Parallel()
	url := testdb.Empty(t)
	pool := open(t, url)
	require.ErrorContains(t, database.Check(t.Context(), pool), "catalog migrate up")
	require.NoError(t, database.MigrateUp(t.Context(), url))
	require.NoError(t, database.Check(t.Context(), pool))
	require.NoError(t, database.MigrateDown(t.Context(), url, 1))
	require.ErrorContains(t, database.Check(t.Context(), pool), "catalog migrate up")
	const bad = "postgres://u:secret@127.0.0.1:x/db"
	_, err := database.Open(t.Context(), bad, 1, "x")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
	err = database.MigrateUp(t.Context(), "postgres://u:secret@127.0.0.1:1/db?connect_timeout=2")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
}

// code is the SQLSTATE of an error.
func code(tb testing.TB, err error) string {
	tb.Helper()
	var pg *pgconn.PgError
	require.ErrorAs(tb, err, &pg)
	return pg.Code
}

func TestConstraints(t *testing.T) {
	t.Parallel()
	conn := connect(t, testdb.New(t))
	const by, id = "'x', 'x'", "'0b6f3c52-8a4e-4f0e-8b8e-2f6f1f0c9a01'"
	for _, good := range []string{
		"INSERT INTO groups (id, name, created_by, updated_by) VALUES (" + id + ", 'g', " + by + ")",
		"INSERT INTO categories (id, group_id, name, created_by, updated_by) VALUES (" + id + ", " + id + ", 'c', " + by + ")",
		"INSERT INTO tags (id, name, created_by, updated_by) VALUES (" + id + ", 'Tag', " + by + ")",
		"INSERT INTO units (id, code, label, unit_system, created_by, updated_by) VALUES (" + id + ", 'kg', 'l', 'SI', " + by + ")",
		"INSERT INTO params (id, name, value_type, unit_id, created_by, updated_by) VALUES (" + id + ", 'p', 'DATE', " + id + ", " + by + ")",
		"INSERT INTO types (id, title, created_by, updated_by) VALUES (" + id + ", 't', " + by + ")",
		"INSERT INTO type_categories VALUES (" + id + ", " + id + ", 0)",
		"INSERT INTO type_params VALUES (" + id + ", " + id + ", 0)",
		"INSERT INTO vehicles (id, type_id, brand_name, model_name, owner_user_id, created_by, updated_by) VALUES (" + id + ", " + id + ", 'b', 'm', 'o', " + by + ")",
		"INSERT INTO vehicle_params VALUES (" + id + ", " + id + ", 0, '1')",
		"INSERT INTO vehicle_links (vehicle_id, kind, file_id, position, created_by, updated_by) VALUES (" + id + ", 'photo', " + id + ", 0, " + by + ")",
		"INSERT INTO ratings (vehicle_id, author_user_id, order_id, score_halves, created_by, updated_by) VALUES (" + id + ", 'a', " + id + ", 2, " + by + ")",
	} {
		_, err := conn.Exec(t.Context(), good)
		require.NoError(t, err, good)
	}
	const check, foreign, unique, null = "23514", "23503", "23505", "23502"
	inUse := foreign
	var version int
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT current_setting('server_version_num')::int").Scan(&version))
	if version >= 180000 { // which tell a refused deletion from a missing row
		inUse = "23001"
	}
	for statement, want := range map[string]string{
		"UPDATE groups SET name = ''":                                                check,
		"UPDATE groups SET name = repeat('x', 256)":                                  check,
		"UPDATE groups SET name = NULL":                                              null,
		"UPDATE groups SET version = 0":                                              check,
		"UPDATE categories SET tenant_ids = '{}'":                                    check,
		"UPDATE categories SET group_id = gen_random_uuid()":                         foreign,
		"UPDATE params SET value_type = 'TEXT'":                                      check,
		"UPDATE params SET unit_id = gen_random_uuid()":                              foreign,
		"UPDATE units SET code = repeat('x', 65)":                                    check,
		"UPDATE units SET unit_system = ''":                                          check,
		"UPDATE vehicles SET license_plate = ''":                                     check,
		"UPDATE vehicles SET license_plate = repeat('X', 33)":                        check,
		"UPDATE vehicles SET release_year = 1899":                                    check,
		"UPDATE vehicles SET release_year = 2101":                                    check,
		"UPDATE vehicles SET rating_count = -1":                                      check,
		"UPDATE vehicles SET type_id = gen_random_uuid()":                            foreign,
		"UPDATE vehicle_links SET position = 20":                                     check,
		"UPDATE vehicle_links SET kind = 'video'":                                    check,
		"UPDATE ratings SET score_halves = 1":                                        check,
		"UPDATE ratings SET score_halves = 11":                                       check,
		"UPDATE ratings SET comment = ''":                                            check,
		"UPDATE ratings SET comment = repeat('x', 4001)":                             check,
		"DELETE FROM groups":                                                         inUse,
		"DELETE FROM categories":                                                     inUse,
		"DELETE FROM units":                                                          inUse,
		"DELETE FROM params":                                                         inUse,
		"DELETE FROM types":                                                          inUse,
		"INSERT INTO tags (name, created_by, updated_by) VALUES ('tAG', " + by + ")": unique,
		"INSERT INTO units (code, label, unit_system, created_by, updated_by) VALUES ('kg', 'l', 'SI', " + by + ")":                                                   unique,
		"INSERT INTO vehicle_links (vehicle_id, kind, file_id, position, created_by, updated_by) VALUES (" + id + ", 'photo', " + id + ", 1, " + by + ")":             unique,
		"INSERT INTO vehicle_links (vehicle_id, kind, file_id, position, created_by, updated_by) VALUES (" + id + ", 'photo', gen_random_uuid(), 0, " + by + ")":      unique,
		"INSERT INTO ratings (vehicle_id, author_user_id, order_id, score_halves, created_by, updated_by) VALUES (" + id + ", 'a', gen_random_uuid(), 2, " + by + ")": unique,
		"INSERT INTO ratings (vehicle_id, author_user_id, order_id, score_halves, created_by, updated_by) VALUES (" + id + ", 'b', " + id + ", 2, " + by + ")":        unique,
		"INSERT INTO vehicle_params VALUES (" + id + ", " + id + ", 1, '2')":                                                                                          unique,
		"INSERT INTO dictionary_version VALUES (false, 1)":                                                                                                            check,
	} {
		_, err := conn.Exec(t.Context(), statement)
		require.Error(t, err, statement)
		require.Equal(t, want, code(t, err), statement)
	}
	// totals follow every writer
	for _, step := range []struct{ statement, want string }{
		{"SELECT 1", "1 1"}, {"UPDATE vehicles SET is_active = false", "0 1"}, {"UPDATE vehicles SET is_active = false", "0 1"},
		{"UPDATE vehicles SET is_active = true", "1 1"}, {"DELETE FROM vehicles", "0 0"},
	} {
		_, err := conn.Exec(t.Context(), step.statement)
		require.NoError(t, err)
		var got string
		require.NoError(t, conn.QueryRow(t.Context(), "SELECT sum(active) || ' ' || sum(total) FROM vehicle_totals").Scan(&got))
		require.Equal(t, step.want, got, step.statement)
	}
}
