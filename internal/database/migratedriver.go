package database

// This file: how golang-migrate applies a migration here. A step and its version
// are one transaction, so a process that is killed leaves the database as it was
// before the step or as it is after it. The library's own driver marks the
// version as unfinished first and apart, and after a kill a person has to look.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	driver "github.com/golang-migrate/migrate/v4/database"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"equipment-platform/internal/backoff"
)

// lockPoll is how often a waiting `migrate up` looks whether it is its turn. It
// must not wait inside a statement: an index that is built concurrently waits
// for every statement that began before.
const lockPoll = 100 * time.Millisecond

const (
	// lockPatience is how long a step waits for a table that is in use. Everybody who comes next waits behind it; and it
	// is shorter than PostgreSQL's deadlock_timeout of 1 s, so where a step and a writer wait for each other, it is the
	// step that lets go.
	lockPatience = "500ms"
	// The waits before a step that let go is tried again.
	firstRetry = 100 * time.Millisecond
	maxRetry   = 2 * time.Second
)

const createVersions = `CREATE TABLE IF NOT EXISTS schema_migrations (version bigint NOT NULL PRIMARY KEY, dirty boolean NOT NULL)`

// concurrentIndex finds the statement that cannot run in a transaction. It stands
// alone in its migration (CONTRIBUTING.md), and says IF (NOT) EXISTS, so that it
// can be run again.
var concurrentIndex = regexp.MustCompile(`(?im)^(?:CREATE(?: UNIQUE)?|DROP) INDEX CONCURRENTLY IF (?:NOT )?EXISTS (\w+)`)

// ownTransactions finds a step that commits as it goes, because it changes more rows
// than a writer could wait for. It is one statement, changes nothing that it has
// changed already, and so can be run again.
var ownTransactions = regexp.MustCompile(`(?m)^\s+COMMIT;`)

// migrator implements the library's driver on one connection.
type migrator struct {
	ctx  context.Context
	conn *pgx.Conn
	lock string // key of the advisory lock, the same as the library's
	next *int   // version whose step comes; nil: none was announced
}

var _ driver.Driver = (*migrator)(nil)

func newMigrator(ctx context.Context, conn *pgx.Conn) (*migrator, error) {
	var name, schema string
	if err := conn.QueryRow(ctx, "SELECT current_database(), coalesce(current_schema(), '')").Scan(&name, &schema); err != nil {
		return nil, err
	}
	if schema == "" {
		return nil, errors.New("the search path of DATABASE_URL names no schema that exists")
	}
	lock, err := driver.GenerateAdvisoryLockId(name, schema, "schema_migrations")
	if err != nil {
		return nil, err
	}
	m := &migrator{ctx: ctx, conn: conn, lock: lock}
	// several that start on an empty database must not make the table at once
	if err := m.Lock(); err != nil {
		return nil, err
	}
	_, err = conn.Exec(ctx, createVersions)
	return m, errors.Join(err, m.Unlock())
}

// Open is the library's way to make a driver from a URL, which is not used.
func (m *migrator) Open(string) (driver.Driver, error) { return nil, errors.ErrUnsupported }

// Drop is not offered: it deletes everything.
func (m *migrator) Drop() error { return errors.ErrUnsupported }

// Close closes the connection.
func (m *migrator) Close() error { return m.conn.Close(context.WithoutCancel(m.ctx)) }

// Lock waits until no other process migrates this schema.
func (m *migrator) Lock() error {
	for {
		var locked bool
		if err := m.conn.QueryRow(m.ctx, "SELECT pg_try_advisory_lock($1::bigint)", m.lock).Scan(&locked); err != nil || locked {
			return err
		}
		select {
		case <-m.ctx.Done():
			return m.ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// Unlock lets the next one migrate.
func (m *migrator) Unlock() error {
	_, err := m.conn.Exec(context.WithoutCancel(m.ctx), "SELECT pg_advisory_unlock($1::bigint)", m.lock)
	return err
}

// SetVersion is called before a step, unfinished, and after it. The first call
// only announces the version, which Run writes with the step.
func (m *migrator) SetVersion(version int, dirty bool) error {
	if dirty {
		m.next = &version
		return nil
	}
	if m.next != nil && *m.next == version {
		m.next = nil
		return nil // written with its step
	}
	m.next = nil
	return pgx.BeginFunc(m.ctx, m.conn, func(tx pgx.Tx) error { return writeVersion(m.ctx, tx, version) })
}

func writeVersion(ctx context.Context, tx pgx.Tx, version int) error {
	if _, err := tx.Exec(ctx, "DELETE FROM schema_migrations"); err != nil {
		return err
	}
	if version < 0 {
		return nil
	}
	_, err := tx.Exec(ctx, "INSERT INTO schema_migrations (version, dirty) VALUES ($1, false)", version)
	return err
}

// Run applies a step with its version.
func (m *migrator) Run(step io.Reader) error {
	text, err := io.ReadAll(step)
	if err != nil {
		return err
	}
	if m.next == nil {
		return errors.New("a migration without a version")
	}
	if found := concurrentIndex.FindStringSubmatch(string(text)); found != nil {
		if err := m.runConcurrent(string(text), found[1]); err != nil {
			return stepError(*m.next, err)
		}
		text = nil
	} else if ownTransactions.Match(text) {
		if _, err := m.conn.Exec(m.ctx, string(text), pgx.QueryExecModeSimpleProtocol); err != nil {
			return stepError(*m.next, err)
		}
		text = nil
	}
	return stepError(*m.next, m.runInTx(string(text)))
}

// runInTx runs a step with its version in one transaction, again where a table that it
// needs stayed in use: the programs before it go on while it waits.
func (m *migrator) runInTx(text string) error {
	for failures := 1; ; failures++ {
		err := pgx.BeginFunc(m.ctx, m.conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(m.ctx, "SET LOCAL lock_timeout = '"+lockPatience+"'"); err != nil {
				return err
			}
			if _, err := tx.Exec(m.ctx, text, pgx.QueryExecModeSimpleProtocol); err != nil {
				return err
			}
			return writeVersion(m.ctx, tx, *m.next)
		})
		var pg *pgconn.PgError
		if !errors.As(err, &pg) || pg.Code != "55P03" && pg.Code != "40P01" { // lock not available, deadlock
			return err
		}
		select {
		case <-m.ctx.Done():
			return m.ctx.Err()
		case <-time.After(backoff.Delay(failures, firstRetry, maxRetry)):
		}
	}
}

// runConcurrent builds or drops an index without a transaction. One that was
// being built when its process was killed is there but not valid: it is built
// again.
func (m *migrator) runConcurrent(text, index string) error {
	var broken bool
	err := m.conn.QueryRow(m.ctx, "SELECT EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid)", index).Scan(&broken)
	if err != nil {
		return err
	}
	if broken {
		if _, err := m.conn.Exec(m.ctx, "DROP INDEX CONCURRENTLY "+pgx.Identifier{index}.Sanitize()); err != nil {
			return err
		}
	}
	_, err = m.conn.Exec(m.ctx, text, pgx.QueryExecModeSimpleProtocol)
	return err
}

// stepError says what PostgreSQL has to say, without the text of the migration.
func stepError(version int, err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return err
	}
	return fmt.Errorf("the step to version %d was not taken: %w", max(version, 0), errors.New(strings.Join(strings.Fields(pg.Message+" "+pg.Detail), " ")))
}

// Version returns the version of the schema, -1 for none.
func (m *migrator) Version() (version int, dirty bool, err error) {
	err = m.conn.QueryRow(m.ctx, "SELECT version, dirty FROM schema_migrations").Scan(&version, &dirty)
	if errors.Is(err, pgx.ErrNoRows) {
		return driver.NilVersion, false, nil
	}
	return version, dirty, err
}
