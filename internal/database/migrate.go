package database

// This file: migrations, a step of its own that `catalog serve` never takes.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"github.com/golang-migrate/migrate/v4"
	migratepgx "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/golang-migrate/migrate/v4/source"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver that golang-migrate opens

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
func MigrateUp(ctx context.Context, url string) error {
	return withMigrations(ctx, url, func(m *migrate.Migrate) error { return m.Up() })
}

// MigrateDown takes back the last steps migrations; 0 takes back all.
func MigrateDown(ctx context.Context, url string, steps int) error {
	return withMigrations(ctx, url, func(m *migrate.Migrate) error {
		if steps == 0 {
			return m.Down()
		}
		return m.Steps(-steps)
	})
}

// Version returns the version of the schema, 0 when there is none, and
// whether a migration stopped half-way.
func Version(ctx context.Context, url string) (version uint, dirty bool, err error) {
	err = withMigrations(ctx, url, func(m *migrate.Migrate) error {
		var err error
		version, dirty, err = m.Version()
		if errors.Is(err, migrate.ErrNilVersion) {
			return nil
		}
		return err
	})
	return version, dirty, err
}

func withMigrations(ctx context.Context, url string, f func(*migrate.Migrate) error) error {
	db, err := sql.Open("pgx", url)
	if err != nil {
		return errors.New("database URL cannot be parsed")
	}
	defer db.Close()
	if err := db.PingContext(ctx); err != nil {
		return fmt.Errorf("database does not answer: %w", err)
	}
	target, err := migratepgx.WithInstance(db, &migratepgx.Config{})
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
	err = f(m)
	var dirty migrate.ErrDirty
	switch {
	case errors.Is(err, migrate.ErrNoChange):
		return nil
	case errors.As(err, &dirty):
		return fmt.Errorf("migration %d stopped half-way; undo what it left, then run: catalog migrate force %d", dirty.Version, dirty.Version-1)
	default:
		return err
	}
}

// Force sets the version without running anything: the repair after a
// migration that stopped half-way has been undone by hand.
func Force(ctx context.Context, url string, version int) error {
	return withMigrations(ctx, url, func(m *migrate.Migrate) error { return m.Force(version) })
}
