package embedded

// This file: the real server: data survives stops, kills and restarts; nobody
// gets in without the password.

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/process"
)

// postgresTestDir is a directory that the server's user can enter: the test
// framework's own temporary directories are closed to other users.
func postgresTestDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "embedded-postgres-")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return filepath.Join(dir, "pg")
}

func startForTest(t *testing.T, opts PostgresOptions) *Postgres {
	t.Helper()
	instance, err := StartPostgres(t.Context(), opts)
	require.NoError(t, err)
	stopAtEnd(t, instance)
	return instance
}

func stopAtEnd(t *testing.T, instance *Postgres) {
	t.Helper()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 30*time.Second)
		defer cancel()
		require.NoError(t, instance.Stop(ctx))
	})
}

func connectForTest(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

func TestPostgresHasWhatTheSchemaNeeds(t *testing.T) {
	t.Parallel()
	instance := startForTest(t, PostgresOptions{Dir: postgresTestDir(t)})
	require.NoError(t, instance.CreateDatabase(t.Context(), "equipment"))
	require.NoError(t, instance.CreateDatabase(t.Context(), "equipment"), "a second start finds the database there")
	conn := connectForTest(t, instance.URL("equipment"))

	_, err := conn.Exec(t.Context(), "CREATE EXTENSION vector; CREATE EXTENSION pg_trgm")
	require.NoError(t, err)
	for query, want := range map[string]string{
		"SELECT lower('ЖУРАВЛЬ Ä')":                                           "журавль ä", // case-insensitive filters beyond ASCII
		"SELECT min(x COLLATE \"und-x-icu\") FROM (VALUES ('b'), ('A')) v(x)": "A",
		"SHOW server_encoding":                                                "UTF8",
		"SHOW max_connections":                                                "200",
		"SHOW listen_addresses":                                               "127.0.0.1",
		"SHOW password_encryption":                                            "scram-sha-256",
		"SELECT ('[1,0]'::vector <=> '[1,0]'::vector)::text":                  "0",
	} {
		var got string
		require.NoError(t, conn.QueryRow(t.Context(), query).Scan(&got), query)
		require.Equal(t, want, got, query)
	}
}

func TestPostgresAsksForThePassword(t *testing.T) {
	t.Parallel()
	instance := startForTest(t, PostgresOptions{Dir: postgresTestDir(t)})

	_, err := pgx.Connect(t.Context(), strings.Replace(instance.URL("postgres"), instance.password, "guess", 1))
	require.ErrorContains(t, err, "28P01")
	_, err = pgx.Connect(t.Context(), strings.Replace(instance.URL("postgres"), ":"+instance.password, "", 1))
	require.Error(t, err)

	info, err := os.Stat(filepath.Join(instance.Dir(), "password"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	info, err = os.Stat(instance.Dir())
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

func TestPostgresKeepsDataAndPortOverARestart(t *testing.T) {
	t.Parallel()
	opts := PostgresOptions{Dir: postgresTestDir(t), Durable: true}
	first, err := StartPostgres(t.Context(), opts)
	require.NoError(t, err)
	fill(t, first)
	require.NoError(t, first.Stop(t.Context()))
	require.NoError(t, first.Stop(t.Context()), "stopping twice is fine")

	second := startForTest(t, opts)
	requireKept(t, first.Port(), second.Port())
	requireFilled(t, second)
}

// requireKept demands the port of the last run, unless somebody else has it now.
func requireKept(t *testing.T, last, now int) {
	t.Helper()
	if now != last {
		require.False(t, portIsFree(last), "the port was not kept")
	}
}

func TestPostgresKeepsDataWhenTheServerIsKilled(t *testing.T) {
	t.Parallel()
	opts := PostgresOptions{Dir: postgresTestDir(t), Durable: true}
	first, err := StartPostgres(t.Context(), opts)
	require.NoError(t, err)
	fill(t, first)
	require.NoError(t, syscall.Kill(first.server.PID(), syscall.SIGKILL))
	<-first.Done()
	_ = first.lock.Close() // as the end of the process would

	requireFilled(t, startForTest(t, opts))
}

// The parent of the server is a process of its own here, killed like a terminal
// or the out-of-memory killer would.
func TestPostgresIsNotOrphanedWhenItsParentIsKilled(t *testing.T) {
	t.Parallel()
	dir := postgresTestDir(t)
	parent, log := helper(t, "TestHelperParentProcess", "EMBEDDED_TEST_PARENT_DIR", dir)
	line, err := log.Await(t.Context(), "server ")
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimPrefix(line, "server "))
	require.NoError(t, err)

	_, err = StartPostgres(t.Context(), PostgresOptions{Dir: dir, Durable: true})
	require.ErrorIs(t, err, ErrInUse, "the running one must not be disturbed")

	parent.Kill()
	require.Eventually(t, func() bool { return !isServerOf(pid, filepath.Join(dir, "data")) },
		20*time.Second, 20*time.Millisecond, "the server must end with its parent")
	requireFilled(t, startForTest(t, PostgresOptions{Dir: dir, Durable: true}))
}

// helper runs a test of this package as a process of its own, which the variable
// makes do something.
func helper(t *testing.T, test, variable, value string) (*process.Process, *process.Log) {
	t.Helper()
	log := &process.Log{}
	p, err := process.Start(process.Program{
		Path: os.Args[0], Args: []string{"-test.run=^" + test + "$"}, Log: log,
		Env: process.Environment(os.Environ(), map[string]string{variable: value}),
	})
	require.NoError(t, err)
	t.Cleanup(p.Kill)
	return p, log
}

// TestHelperParentProcess is the parent of the test above; by itself it does nothing.
func TestHelperParentProcess(t *testing.T) {
	dir := os.Getenv("EMBEDDED_TEST_PARENT_DIR")
	if dir == "" {
		return
	}
	instance, err := StartPostgres(t.Context(), PostgresOptions{Dir: dir, Durable: true})
	require.NoError(t, err)
	fill(t, instance)
	fmt.Println("server", instance.server.PID())
	<-instance.Done()
}

// A server that outlived its parent all the same (as without parent-death
// signals) is stopped by the next start.
func TestPostgresStopsAnOrphan(t *testing.T) {
	t.Parallel()
	opts := PostgresOptions{Dir: postgresTestDir(t), Durable: true}
	first, err := StartPostgres(t.Context(), opts)
	require.NoError(t, err)
	fill(t, first)
	_ = first.lock.Close()

	second := startForTest(t, opts)
	<-first.Done()
	requireFilled(t, second)
}

// After a reboot the old process id may belong to any program.
func TestPostgresIgnoresAProcessIDOfAnotherProgram(t *testing.T) {
	t.Parallel()
	opts := PostgresOptions{Dir: postgresTestDir(t), Durable: true}
	first, err := StartPostgres(t.Context(), opts)
	require.NoError(t, err)
	fill(t, first)
	pidFile := filepath.Join(first.dataDir(), "postmaster.pid")
	content, err := os.ReadFile(pidFile)
	require.NoError(t, err)
	require.NoError(t, first.Stop(t.Context()))

	owner, err := instanceOwner()
	require.NoError(t, err)
	sleeper, err := process.Start(process.Program{Path: "sleep", Args: []string{"60"}, Dir: "/", Credential: owner.credential()})
	require.NoError(t, err)
	t.Cleanup(sleeper.Kill)
	_, rest, _ := strings.Cut(string(content), "\n")
	require.NoError(t, os.WriteFile(pidFile, []byte(strconv.Itoa(sleeper.PID())+"\n"+rest), 0o600))
	require.NoError(t, owner.take(pidFile))

	requireFilled(t, startForTest(t, opts))
}

func TestPostgresNamesATakenPort(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	port := listener.Addr().(*net.TCPAddr).Port

	_, err = StartPostgres(t.Context(), PostgresOptions{Dir: postgresTestDir(t), Port: port})
	require.ErrorIs(t, err, errPortTaken)
	require.ErrorContains(t, err, strconv.Itoa(port))
}

// An interrupted first start leaves no half-made database behind.
func TestPostgresStartsAfterAnInterruptedFirstStart(t *testing.T) {
	t.Parallel()
	dir := postgresTestDir(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := StartPostgres(ctx, PostgresOptions{Dir: dir})
	require.Error(t, err)
	fill(t, startForTest(t, PostgresOptions{Dir: dir}))
}

// Root's checkout below a directory of mode 700 is closed to the postgres user.
func TestPostgresMovesToWhereItsUserCanEnter(t *testing.T) {
	t.Parallel()
	base, err := os.MkdirTemp("", "embedded-closed-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	require.NoError(t, os.Chmod(base, 0o700))
	elsewhere := postgresTestDir(t)
	instance, err := startPostgres(t.Context(), PostgresOptions{Dir: filepath.Join(base, "a", "pg")}, elsewhere)
	require.NoError(t, err)
	stopAtEnd(t, instance)
	if os.Geteuid() == 0 {
		require.Equal(t, elsewhere, filepath.Dir(instance.Dir()))
	} else {
		require.Equal(t, filepath.Join(base, "a", "pg"), instance.Dir())
	}
	fill(t, instance)
}

func fill(t *testing.T, instance *Postgres) {
	t.Helper()
	require.NoError(t, instance.CreateDatabase(t.Context(), "equipment"))
	conn := connectForTest(t, instance.URL("equipment"))
	_, err := conn.Exec(t.Context(), "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n")
	require.NoError(t, err)
}

func requireFilled(t *testing.T, instance *Postgres) {
	t.Helper()
	var sum int
	require.NoError(t, connectForTest(t, instance.URL("equipment")).
		QueryRow(t.Context(), "SELECT sum(n) FROM kept").Scan(&sum))
	require.Equal(t, 500500, sum)
}
