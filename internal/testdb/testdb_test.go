package testdb

// This file: the test databases: fresh, isolated, gone afterwards.

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/process"
)

func TestMain(m *testing.M) { Main(m) }

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

func TestNewHasTheSchemaAndNoRows(t *testing.T) {
	t.Parallel()
	conn := connect(t, New(t))
	var tables, rows int
	require.NoError(t, conn.QueryRow(t.Context(),
		"SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").Scan(&tables))
	require.Greater(t, tables, 5)
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT count(*) FROM vehicles").Scan(&rows))
	require.Zero(t, rows)
}

func TestEmptyIsEmpty(t *testing.T) {
	t.Parallel()
	var tables int
	require.NoError(t, connect(t, Empty(t)).QueryRow(t.Context(),
		"SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").Scan(&tables))
	require.Zero(t, tables)
}

func TestDatabasesAreIsolated(t *testing.T) {
	t.Parallel()
	first, second := connect(t, New(t)), connect(t, New(t))
	_, err := first.Exec(t.Context(), "CREATE TABLE only_here (n int)")
	require.NoError(t, err)
	_, err = second.Exec(t.Context(), "SELECT * FROM only_here")
	require.ErrorContains(t, err, "42P01")
}

func TestDatabaseIsDroppedWithConnectionsOpen(t *testing.T) {
	t.Parallel()
	var url string
	t.Run("user", func(t *testing.T) {
		url = New(t)
		_, err := pgx.Connect(context.WithoutCancel(t.Context()), url) // never closed
		require.NoError(t, err)
	})
	_, err := pgx.Connect(t.Context(), url)
	require.ErrorContains(t, err, "3D000")
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	var group sync.WaitGroup
	urls := make([]string, 12)
	for i := range urls {
		group.Go(func() { urls[i] = New(t) })
	}
	group.Wait()
	seen := map[string]bool{}
	for _, url := range urls {
		require.NotEmpty(t, url)
		require.False(t, seen[url])
		seen[url] = true
	}
}

// Two processes of one run meet at the template; here they are two servers'
// worth of state on one PostgreSQL.
func TestTemplateIsMadeOnce(t *testing.T) {
	t.Parallel()
	base, err := sharedServer(t.Context())
	require.NoError(t, err)
	var built atomic.Int32
	key := strings.ToLower(strings.TrimPrefix(databaseName(t.Name()), "test_"))
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			other, err := newServer(t.Context(), base.url.String())
			if err != nil {
				assert.Fail(t, "no server", err)
				return
			}
			defer other.admin.Close()
			_, err = other.template(t.Context(), &templateSpec{
				key: func() (string, error) { return key, nil },
				build: func(context.Context, string) error {
					built.Add(1)
					return nil
				},
			})
			assert.NoError(t, err)
		})
	}
	group.Wait()
	require.EqualValues(t, 1, built.Load())
}

func TestTemplateThatFailedIsMadeAgain(t *testing.T) {
	t.Parallel()
	server, err := sharedServer(t.Context())
	require.NoError(t, err)
	fail := true
	// another name each time: with -count the server outlives the test
	key := strings.TrimPrefix(databaseName(""), "test_")
	spec := &templateSpec{
		key: func() (string, error) { return key, nil },
		build: func(context.Context, string) error {
			if fail {
				return errors.New("no such column")
			}
			return nil
		},
	}
	_, err = server.template(t.Context(), spec)
	require.ErrorContains(t, err, "no such column")
	fail = false
	name, err := server.template(t.Context(), spec)
	require.NoError(t, err)
	require.NoError(t, server.clone(t.Context(), name, "clone_of_failed"))
	require.NoError(t, server.drop(t.Context(), "clone_of_failed"))
}

func TestHashChangesWithNameAndContent(t *testing.T) {
	t.Parallel()
	of := func(files fstest.MapFS) string {
		hash, err := hashFiles(files)
		require.NoError(t, err)
		return hash
	}
	base := of(fstest.MapFS{"a.sql": {Data: []byte("x")}})
	require.Equal(t, base, of(fstest.MapFS{"a.sql": {Data: []byte("x")}}))
	require.NotEqual(t, base, of(fstest.MapFS{"b.sql": {Data: []byte("x")}}))
	require.NotEqual(t, base, of(fstest.MapFS{"a.sql": {Data: []byte("y")}}))
}

func TestDatabaseName(t *testing.T) {
	t.Parallel()
	name := databaseName("TestVehicles/list_öffentlich,_page=2 and a very long name that PostgreSQL would cut")
	require.Regexp(t, `^test_testvehicles_list[a-z0-9_]{0,40}_[a-z0-9]{12}$`, name)
	require.LessOrEqual(t, len(name), 63)
	require.NotEqual(t, name, databaseName("TestVehicles/list_öffentlich,_page=2 and a very long name that PostgreSQL would cut"))
}

func TestWithPostgres(t *testing.T) {
	t.Parallel()
	programs, err := process.Build(t.Context(), "internal/testdb/withpostgres")
	require.NoError(t, err)

	run := func(environment []string, script string) (string, int) {
		cmd := exec.Command(filepath.Join(programs, "withpostgres"), "--", "/bin/sh", "-c", script)
		for _, entry := range os.Environ() {
			if !strings.HasPrefix(entry, Variable+"=") {
				cmd.Env = append(cmd.Env, entry)
			}
		}
		cmd.Env = append(cmd.Env, environment...)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil {
			require.ErrorAs(t, err, &exit, string(out))
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	out2, code := run(nil, `echo "$`+Variable+`"; exit 3`)
	require.Equal(t, 3, code)
	require.Regexp(t, `^postgres://postgres:[^@]+@127\.0\.0\.1:\d+/postgres\?sslmode=disable\n$`, out2)
	_, err = pgx.Connect(t.Context(), strings.TrimSpace(out2))
	require.Error(t, err, "the server is gone afterwards")

	out2, code = run([]string{Variable + "=postgres://given"}, `echo "$`+Variable+`"`)
	require.Equal(t, 0, code)
	require.Equal(t, "postgres://given\n", out2)
	_, code = run([]string{Variable + "=postgres://given"}, `kill -9 $$`)
	require.Equal(t, 1, code)
}

// What New costs a test once the template is there.
func BenchmarkNew(b *testing.B) {
	New(b)
	for b.Loop() {
		New(b)
	}
}
