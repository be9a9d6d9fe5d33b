package main

// This file: the data of the oldest version goes to the newest, once by a dump and once by
// pg_upgrade, with the commands of docs/operations.md.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"

	"equipment-platform/internal/embedded"
	"equipment-platform/verify/handbook"
	"equipment-platform/verify/steady"
)

// upgradePage is what docs/operations.md has for it.
type upgradePage struct{ dump, restore, upgrade, after string }

func readUpgradePage() (upgradePage, error) {
	logical, err := handbook.Blocks(handbook.Page, "State and backup", 3)
	if err != nil {
		return upgradePage{}, err
	}
	found, err := handbook.Blocks(handbook.Page, "Another version of PostgreSQL", 2)
	if err != nil {
		return upgradePage{}, err
	}
	return upgradePage{logical[0], logical[1], found[0], found[1]}, nil
}

func runUpgrade(ctx context.Context, dir string) error {
	all, err := versions()
	if err != nil {
		return err
	}
	from, to := all[0], all[len(all)-1]
	page, err := readUpgradePage()
	if err != nil {
		return err
	}
	var s *stack
	if err := from.use(func() (err error) {
		s, err = newStack(ctx, dir)
		return err
	}); err != nil {
		return err
	}
	defer s.stop()
	// rows of every kind: the demo catalogue's, with their vectors, and orders and ratings of the load
	s.env["DATABASE_URL"] = s.primary.URL(name)
	l, err := s.worked(ctx, s.primary, func() error { return s.program(ctx, "catalog", "seed") })
	if err != nil {
		return err
	}
	if err := s.halt(); err != nil {
		return err
	}
	before, err := contents(ctx, s.primary.URL(name), nil)
	if err != nil {
		return err
	}
	kept := filepath.Join(dir, "kept")
	if err := makeDirs(s.primary, kept); err != nil {
		return err
	}
	// afterwards holds a server of the new version against the old one, and has the services work on it
	afterwards := func(server *embedded.Postgres, but string) error {
		after, err := contents(ctx, server.URL(name), nil)
		if err != nil {
			return err
		}
		if err := before.same(after, but); err != nil {
			return err
		}
		s.env["DATABASE_URL"] = server.URL(name)
		if but != "" {
			if err := s.program(ctx, "indexer", "rebuild"); err != nil {
				return err
			}
		}
		return s.works(ctx, server)
	}
	return to.use(func() error {
		if err := s.dumpInto(ctx, page, kept, func(server *embedded.Postgres) error { return afterwards(server, "vehicle_embeddings") }); err != nil {
			return fmt.Errorf("by a dump: %w", err)
		}
		fmt.Printf("  from PostgreSQL %d to %d by a dump: every row is there (%s)\n", from.Major, to.Major, l.Sum())
		if err := s.upgradeInto(ctx, page, kept, from.Dir, func(server *embedded.Postgres) error { return afterwards(server, "") }); err != nil {
			return fmt.Errorf("by pg_upgrade: %w", err)
		}
		fmt.Printf("  from PostgreSQL %d to %d by pg_upgrade: every row is there (%s)\n", from.Major, to.Major, l.Sum())
		return nil
	})
}

// works has the services work on a database for a while, where something is already.
func (s *stack) works(ctx context.Context, server *embedded.Postgres) error {
	l, err := s.worked(ctx, server, func() error { return nil })
	if err != nil {
		return err
	}
	if failed := l.Failed(); len(failed) > 0 || l.Ratings() == 0 {
		return fmt.Errorf("of %s failed: %v", l.Sum(), failed)
	}
	without, err := count(ctx, server, "SELECT count(*) FROM vehicles v WHERE is_active AND NOT EXISTS (SELECT FROM vehicle_embeddings e WHERE e.vehicle_id = v.id)")
	if err != nil {
		return err
	}
	if without > 0 {
		return fmt.Errorf("%d public vehicles are without a vector", without)
	}
	return s.halt()
}

// worked launches the services on a database and lets the load work for a while, with something else beside it,
// until nothing is left to do.
func (s *stack) worked(ctx context.Context, server *embedded.Postgres, beside func() error) (*steady.Load, error) {
	if err := s.launch(ctx, nil); err != nil {
		return nil, err
	}
	l, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	stopLoad := l.Start(ctx)
	defer stopLoad()
	if err := beside(); err != nil {
		return nil, err
	}
	steady.Pause(ctx, calm)
	stopLoad()
	l.Wait()
	return l, settled(ctx, server)
}

// settled waits until the indexer has nothing left to do.
func settled(ctx context.Context, server *embedded.Postgres) error {
	conn, err := pgx.Connect(ctx, server.URL(name))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return steady.Settle(ctx, conn, recovery)
}

// dumpInto dumps the primary into a new server of the version in use.
func (s *stack) dumpInto(ctx context.Context, page upgradePage, kept string, check func(*embedded.Postgres) error) error {
	server, err := embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: filepath.Join(s.dir, "dumped"), Durable: true})
	if err != nil {
		return err
	}
	defer crash(server)
	if err := server.CreateDatabase(ctx, name); err != nil {
		return err
	}
	if err := shell(ctx, server, kept, page.dump+page.restore, "DATABASE_URL="+s.primary.URL(name), "RESTORE_URL="+server.URL(name)); err != nil {
		return err
	}
	return check(server)
}

// upgradeInto stops the primary and makes a server of the version in use of its files.
func (s *stack) upgradeInto(ctx context.Context, page upgradePage, kept, oldPrograms string, check func(*embedded.Postgres) error) error {
	dir := filepath.Join(s.dir, "upgraded")
	if err := makeDirs(s.primary, dir, filepath.Join(dir, "run")); err != nil {
		return err
	}
	password, err := os.ReadFile(filepath.Join(s.primary.Dir(), "password"))
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "password")
	if err := errors.Join(os.WriteFile(file, password, 0o600), give(s.primary, file)); err != nil {
		return err
	}
	if err := s.primary.Stop(ctx); err != nil {
		return err
	}
	if err := shell(ctx, s.primary, kept, page.upgrade,
		"PGBINOLD="+oldPrograms, "PGDATAOLD="+filepath.Join(s.primary.Dir(), "data"), "PGDATANEW="+filepath.Join(dir, "data"),
		"PGUSER=postgres", "PGPASSWORD="+string(password), "PASSWORD_FILE="+file); err != nil {
		return err
	}
	server, err := embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: dir, Durable: true})
	if err != nil {
		return err
	}
	defer crash(server)
	if err := shell(ctx, server, kept, page.after, "DATABASE_URL="+server.URL(name)); err != nil {
		return err
	}
	var behind int
	if err := scan(ctx, server, "SELECT count(*) FROM pg_extension JOIN pg_available_extensions ON name = extname WHERE extversion <> default_version", &behind); err != nil {
		return err
	}
	if behind != 0 {
		return fmt.Errorf("%d extensions are of the old version", behind)
	}
	return check(server)
}
