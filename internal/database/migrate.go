package database

// This file: migrations, a step of its own that `catalog serve` never takes.

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/golang-migrate/migrate/v4"
	driver "github.com/golang-migrate/migrate/v4/database"
	"github.com/golang-migrate/migrate/v4/source"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	schema "equipment-platform/sql"
)

// Latest is the newest schema version of this binary.
var Latest = sync.OnceValue(func() uint {
	src, err := iofs.New(schema.Migrations, "migrations")
	if err != nil {
		panic(err) // embedded at build time: cannot be missing
	}
	return last(src)
})

func last(src source.Driver) uint {
	version, err := src.First()
	for err == nil {
		var next uint
		if next, err = src.Next(version); err == nil {
			version = next
		}
	}
	return version
}

// MigrateUp brings the schema to the newest version. An advisory lock makes
// it safe with several processes starting at once.
//
// A schema that is newer already is left alone: after the older program has been
// rolled back to, this step must not stand in its way.
func MigrateUp(ctx context.Context, url string) error {
	return withMigrations(ctx, url, func(m *migrate.Migrate) error {
		if version, dirty, err := m.Version(); err == nil && !dirty && version > Latest() {
			return nil
		}
		return m.Up()
	})
}

// MigrateDown takes back the last steps migrations; 0 takes back all.
func MigrateDown(ctx context.Context, url string, steps int) error {
	return withMigrations(ctx, url, func(m *migrate.Migrate) error {
		version, dirty, err := m.Version()
		switch {
		case errors.Is(err, migrate.ErrNilVersion):
			version = 0
		case err != nil:
			return err
		case !dirty && version > Latest():
			return fmt.Errorf("the schema is at version %d, of which this program knows %d: take it back with the program that it belongs to", version, Latest())
		}
		if steps < 0 || uint(steps) > version {
			return fmt.Errorf("there are %d migrations to take back, not %d", version, steps)
		}
		if steps == 0 {
			return m.Down()
		}
		return m.Steps(-steps)
	})
}

// Version returns the version of the schema, 0 when there is none, and
// whether a migration stopped half-way.
func Version(ctx context.Context, url string) (version uint, dirty bool, err error) {
	err = withDriver(ctx, url, func(_ *migrate.Migrate, target driver.Driver) error {
		// not the library's own: for "none" it forgets whether the last step down stopped half-way
		v, d, err := target.Version()
		version, dirty = uint(max(v, 0)), d
		return err
	})
	return version, dirty, err
}

func withMigrations(ctx context.Context, url string, f func(*migrate.Migrate) error) error {
	return withDriver(ctx, url, func(m *migrate.Migrate, _ driver.Driver) error { return f(m) })
}

func withDriver(ctx context.Context, url string, f func(*migrate.Migrate, driver.Driver) error) error {
	// as the pool reads it: settings of pools are no settings of a connection
	c, err := pgxpool.ParseConfig(url)
	if err != nil {
		return errors.New("database URL cannot be parsed")
	}
	conn, err := pgx.ConnectConfig(ctx, c.ConnConfig)
	if err != nil {
		return fmt.Errorf("database does not answer: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if between, err := Pooled(ctx, conn); err != nil {
		return err
	} else if between {
		// two processes would migrate at once: the lock that keeps them apart is the session's
		return errors.New("DATABASE_URL leads to a pooler: migrations need a session of their own, so name the server itself")
	}
	// the limits of requests, which the role or the URL may set, would end the build of a large index
	if _, err := conn.Exec(ctx, "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0"); err != nil {
		return err
	}
	target, err := newMigrator(ctx, conn)
	if err != nil {
		return err
	}
	src, err := iofs.New(schema.Migrations, "migrations")
	if err != nil {
		return err
	}
	m, err := migrate.NewWithInstance("iofs", src, "pgx5", target)
	if err != nil {
		return err
	}
	defer m.Close()
	stop := context.AfterFunc(ctx, func() { m.GracefulStop <- true })
	defer stop()
	err = f(m, target)
	var dirty migrate.ErrDirty
	switch {
	case errors.Is(err, migrate.ErrNoChange):
		return nil
	case errors.As(err, &dirty):
		return fmt.Errorf("%s; undo what it left, then run: catalog migrate force %d", halfWay(dirty.Version), max(dirty.Version-1, 0))
	default:
		return err
	}
}

// halfWay says which migration did not end. -1 stands for no version: the first
// migration was being taken back.
func halfWay(version int) string {
	if version == driver.NilVersion {
		return "taking back migration 1 stopped half-way"
	}
	return fmt.Sprintf("migration %d stopped half-way", version)
}

// Force sets the version without running anything: the repair after a
// migration that stopped half-way has been undone by hand. 0 stands for no
// version, an empty schema.
func Force(ctx context.Context, url string, version int) error {
	if version == 0 {
		// the library's own 0 is a version like others, for which it would look for a file ever after
		return withMigrations(ctx, url, func(m *migrate.Migrate) error { return m.Force(driver.NilVersion) })
	}
	if version < 0 || uint(version) > Latest() {
		return fmt.Errorf("there is no version %d: it is a number from 0 (nothing there) to %d", version, Latest())
	}
	return withMigrations(ctx, url, func(m *migrate.Migrate) error { return m.Force(version) })
}
