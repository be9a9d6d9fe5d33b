package database_test

// This file: transactions that are run again, and which errors mean that the
// database is not available.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/database"
	"equipment-platform/internal/testdb"
)

func TestUnavailable(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		err  error
		want bool
	}{
		{&pgconn.PgError{Code: "08006"}, true}, {&pgconn.PgError{Code: "53300"}, true}, {&pgconn.PgError{Code: "57P01"}, true}, {&pgconn.PgError{Code: "57014"}, true},
		{&pgconn.PgError{Code: "55P03"}, true}, {&pgconn.PgError{Code: "25006"}, true}, {&pgconn.ConnectError{}, true}, {io.ErrUnexpectedEOF, true},
		{&pgconn.PgError{Code: "23505"}, false}, {&pgconn.PgError{Code: "42P01"}, false}, {errors.New("x"), false}, {pgx.ErrNoRows, false},
	} {
		require.Equal(t, x.want, database.Unavailable(fmt.Errorf("wrapped: %w", x.err)), "%v", x.err)
	}
}

// Two transactions that lock two rows crosswise: the one that the database
// ends is run again, and both effects are there.
func TestDeadlocksAreRunAgain(t *testing.T) {
	t.Parallel()
	pool, err := database.Open(t.Context(), testdb.New(t), 4, t.Name())
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	_, err = pool.Exec(t.Context(), "CREATE TABLE counters (id int PRIMARY KEY, n int); INSERT INTO counters VALUES (1, 0), (2, 0)")
	require.NoError(t, err)
	var both, group sync.WaitGroup
	both.Add(2)
	attempts := make([]int, 2)
	for i := range attempts {
		group.Go(func() {
			err := database.InTx(t.Context(), pool, func(tx pgx.Tx) error {
				attempts[i]++
				// only the first looks for deadlocks: two that look at the same time may both be ended
				if _, err := tx.Exec(t.Context(), "SET LOCAL deadlock_timeout = "+[]string{"'50ms'", "'1min'"}[i]); err != nil {
					return err
				}
				if _, err := tx.Exec(t.Context(), "UPDATE counters SET n = n + 1 WHERE id = $1", i+1); err != nil {
					return err
				}
				if attempts[i] == 1 {
					both.Done()
					both.Wait()
				}
				_, err := tx.Exec(t.Context(), "UPDATE counters SET n = n + 1 WHERE id = $1", 2-i)
				return err
			})
			require.NoError(t, err)
		})
	}
	group.Wait()
	// again and again, where the other one was not quick enough to take the lock that it waited for
	require.Greater(t, attempts[0], 1)
	require.Equal(t, 1, attempts[1])
	var sum int
	require.NoError(t, pool.QueryRow(t.Context(), "SELECT sum(n) FROM counters").Scan(&sum))
	require.Equal(t, 4, sum)
}

func TestFailedTransactionsLeaveNothing(t *testing.T) {
	t.Parallel()
	pool, err := database.Open(t.Context(), testdb.New(t), 2, t.Name())
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	boom := errors.New("boom")
	calls := 0
	err = database.InTx(t.Context(), pool, func(tx pgx.Tx) error {
		calls++
		_, err := tx.Exec(t.Context(), "INSERT INTO groups (name, created_by, updated_by) VALUES ('x', 'x', 'x')")
		return errors.Join(err, boom)
	})
	require.ErrorIs(t, err, boom)
	require.Equal(t, 1, calls, "only deadlocks are run again")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, database.InTx(ctx, pool, func(pgx.Tx) error { return nil }), context.Canceled)
	var n int
	require.NoError(t, pool.QueryRow(t.Context(), "SELECT count(*) FROM groups").Scan(&n))
	require.Zero(t, n)
}

// Callers who leave end their statements, whatever they were at: the connections
// stay, and what comes next finds them.
func TestConnectionsStayWhenCallersLeave(t *testing.T) {
	t.Parallel()
	const connections, leaving = 4, 10
	pool, err := database.Open(t.Context(), testdb.Empty(t), connections, t.Name())
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	const endless, slow = "SELECT pg_sleep(60)", "SELECT count(*) FROM generate_series(1, 200000)"
	inTx := func(ctx context.Context, sql string) error {
		return database.InTx(ctx, pool, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, sql)
			return err
		})
	}
	for name, ask := range map[string]func(ctx context.Context, sql string) error{
		"a statement": func(ctx context.Context, sql string) error { _, err := pool.Exec(ctx, sql); return err },
		"one unkept": func(ctx context.Context, sql string) error {
			_, err := pool.Exec(ctx, sql, pgx.QueryExecModeDescribeExec)
			return err
		},
		"a batch": func(ctx context.Context, sql string) error {
			b := &pgx.Batch{}
			b.Queue("SELECT 1")
			b.Queue(sql)
			return pool.SendBatch(ctx, b).Close()
		},
		"a transaction": inTx,
	} {
		before := pool.Stat().NewConnsCount()
		var group sync.WaitGroup
		for range connections {
			group.Go(func() {
				for n := range leaving { // while it runs, and at whatever moment
					sql := endless
					if n%2 == 1 {
						sql = slow
					}
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(20_000))*time.Microsecond)
					_ = ask(ctx, sql)
					cancel()
				}
			})
		}
		group.Wait()
		// a request to cancel that comes before its statement is lost, and the statement ends with its connection
		require.LessOrEqual(t, pool.Stat().NewConnsCount(), max(before, connections)+connections*leaving/4, name)
	}
	require.NoError(t, inTx(t.Context(), "SELECT 1"))
}

// A server's default would have every search compiled.
func TestPlansAreNotCompiled(t *testing.T) {
	t.Parallel()
	url := testdb.New(t)
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "ALTER DATABASE "+pgx.Identifier{conn.Config().Database}.Sanitize()+" SET jit = on")
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
	pool, err := database.Open(t.Context(), url, 1, t.Name())
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	var is string
	require.NoError(t, pool.QueryRow(t.Context(), "SHOW jit").Scan(&is))
	require.Equal(t, "off", is)
}
