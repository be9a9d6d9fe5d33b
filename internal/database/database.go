// Package database opens PostgreSQL: pools, transactions and migrations.
//
// This file: pools and transactions.
package database

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"
	pgxvector "github.com/pgvector/pgvector-go/pgx"

	"equipment-platform/internal/backoff"
)

const (
	connectTimeout = 5 * time.Second
	// statementTimeout ends a statement that nobody waits for any more; requests have a deadline of
	// their own that is shorter than this.
	statementTimeout = "30s"
	// lockTimeout keeps a request from waiting behind a stuck writer until its deadline.
	lockTimeout = "10s"
	idleInTx    = "60s"
	maxAttempts = 5
	// cancelTimeout is how long a statement whose caller left may go on before its
	// connection is closed.
	cancelTimeout = time.Second
	// frameTimeout is for BEGIN and ROLLBACK, which do not end with their request.
	frameTimeout = 10 * time.Second
	// keptStatements bounds what one connection keeps prepared: with the catalog's largest, which take
	// some 150 KiB each in the database, 35 MiB.
	keptStatements = 256
	// The waits between the attempts at a transaction that stood in another's way.
	firstBackoff = 10 * time.Millisecond
	maxBackoff   = 80 * time.Millisecond
)

// Open makes a pool of at most maxConns connections (0: 4 for each core). It
// does not connect: a database that is down at start is waited for. A tracer
// that is given and not nil sees every statement.
func Open(ctx context.Context, url string, maxConns int32, name string, tracer ...pgx.QueryTracer) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errors.New("database URL cannot be parsed") // the cause would repeat the password
	}
	c.MaxConns = maxConns
	if maxConns == 0 {
		c.MaxConns = int32(4 * runtime.NumCPU())
	}
	c.ConnConfig.ConnectTimeout = connectTimeout
	c.MaxConnLifetimeJitter = time.Minute
	// A caller who leaves ends its statement and not the connection, which would be what
	// costs most to make anew.
	c.ConnConfig.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: cancelTimeout}
	}
	c.ConnConfig.StatementCacheCapacity = min(c.ConnConfig.StatementCacheCapacity, keptStatements)
	for _, t := range tracer {
		if t != nil {
			c.ConnConfig.Tracer = t
		}
	}
	for key, value := range map[string]string{
		"application_name":                    name,
		"statement_timeout":                   statementTimeout,
		"lock_timeout":                        lockTimeout,
		"idle_in_transaction_session_timeout": idleInTx,
		"timezone":                            "UTC",
		// the default of 4 is for spinning disks and makes the planner prefer bitmap scans with a sort to
		// reading a few children in the order of their index
		"random_page_cost": "1.1",
	} {
		if _, set := c.ConnConfig.RuntimeParams[key]; !set {
			c.ConnConfig.RuntimeParams[key] = value
		}
	}
	c.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		registerUUID(conn.TypeMap())
		there, err := prepare(ctx, conn)
		if err != nil || !there {
			// before the first migration there is no vector type; vectors then travel as text
			return err
		}
		return pgxvector.RegisterTypes(ctx, conn)
	}
	return pgxpool.NewWithConfig(ctx, c)
}

// Transact runs f in a transaction of the options and commits it, or rolls it back where
// f fails, panics, or its caller has left. Only the statements of f end with ctx: BEGIN and
// ROLLBACK do not, since a connection on which one of them was given up is closed, and
// callers who leave would have each request that comes next wait for a new one.
func Transact(ctx context.Context, db *pgxpool.Pool, o pgx.TxOptions, f func(pgx.Tx) error) error {
	conn, err := db.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	begin, cancel := context.WithTimeout(context.WithoutCancel(ctx), frameTimeout)
	tx, err := conn.BeginTx(begin, o)
	cancel()
	if err != nil {
		return err
	}
	defer func() {
		rollback, cancel := context.WithTimeout(context.WithoutCancel(ctx), frameTimeout)
		defer cancel()
		_ = tx.Rollback(rollback) // of one that is over: nothing; where it fails, the connection is closed
	}()
	if err := f(tx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// InTx runs f in one transaction. A deadlock or serialization failure runs it
// again, and so does, once, a connection that broke before the commit: f must not
// keep anything from an attempt that failed.
func InTx(ctx context.Context, db *pgxpool.Pool, f func(pgx.Tx) error) error {
	brokeBefore := false
	for attempt := 1; ; attempt++ {
		committing := false
		err := Transact(ctx, db, pgx.TxOptions{}, func(tx pgx.Tx) error {
			err := f(tx)
			committing = err == nil
			return err
		})
		if broken(err) && !committing && !brokeBefore && ctx.Err() == nil {
			brokeBefore = true
			db.Reset() // what cut one connection may have cut them all: who tries again must not meet the next
			continue
		}
		if err == nil || attempt == maxAttempts || !retryable(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(backoff.Delay(attempt, firstBackoff, maxBackoff)):
		}
	}
}

// Read runs read, which changes nothing, and runs it once more where its connection
// broke: one that the database has cut is seen by the first who uses it.
func Read(ctx context.Context, db *pgxpool.Pool, read func() error) error {
	err := read()
	if !broken(err) || ctx.Err() != nil {
		return err
	}
	db.Reset() // what cut one connection may have cut them all: who tries again must not meet the next
	return read()
}

// broken reports whether a connection that was there broke. One that could not be made
// is another matter: the database is away, and trying again at once helps nobody.
func broken(err error) bool {
	var connect *pgconn.ConnectError
	var pg *pgconn.PgError
	switch {
	case err == nil, errors.As(err, &connect), pgconn.Timeout(err):
		return false
	case errors.As(err, &pg):
		return pg.Code == "57P01" || pg.Code == "57P02" // it or its server was told to end
	default:
		return pgconn.SafeToRetry(err) || isNetwork(err)
	}
}

func retryable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40P01" || pg.Code == "40001")
}

// Unavailable reports whether an error means that the database cannot be
// reached or has no room now, as opposed to having refused the statement.
func Unavailable(err error) bool {
	var connect *pgconn.ConnectError
	var pg *pgconn.PgError
	switch {
	case errors.As(err, &connect):
		return true
	case errors.As(err, &pg):
		// 08 connection, 53 resources, 57 operator intervention, 55P03 lock timeout, 25006 read-only standby
		return pg.Code[:2] == "08" || pg.Code[:2] == "53" || pg.Code[:2] == "57" || pg.Code == "55P03" || pg.Code == "25006"
	default:
		// anything else that is not an answer of the server is a broken connection
		return pgconn.SafeToRetry(err) || pgconn.Timeout(err) || isNetwork(err)
	}
}

// Check asks whether the database answers and its schema is the one that this
// binary knows, for readiness. It wants a connection of its own (a pool of one): a
// process whose requests wait for theirs is busy and can serve all the same (contract 7.6).
func Check(ctx context.Context, db *pgxpool.Pool) error {
	var version int
	var dirty bool
	err := db.QueryRow(ctx, "SELECT version, dirty FROM schema_migrations").Scan(&version, &dirty)
	var pg *pgconn.PgError
	switch {
	case errors.Is(err, pgx.ErrNoRows), errors.As(err, &pg) && pg.Code == "42P01":
		return errors.New("the schema has not been migrated: run `catalog migrate up`")
	case err != nil:
		return err
	case dirty:
		return fmt.Errorf("%s: repair it, then `catalog migrate up`", halfWay(version))
	case version < int(Latest()):
		return fmt.Errorf("the schema is at version %d, %d is needed: run `catalog migrate up`", version, Latest())
	default:
		return nil
	}
}
