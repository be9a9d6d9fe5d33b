package main

// This file: a database of a given size to begin with, which is kept, since a million vehicles take
// minutes.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"equipment-platform/bench/seed"
	"equipment-platform/internal/database"
	"equipment-platform/internal/embedded"
)

// stopLimit is how long a server may take to write what it has in memory.
const stopLimit = 3 * time.Minute

// seeded copies a server whose database has so many vehicles, a fiftieth of which have vectors, to a directory that does
// not exist yet.
func seeded(ctx context.Context, vehicles int, dir string) error {
	kept := filepath.Join(".local", "postgres-seeded", strconv.Itoa(vehicles))
	complete := filepath.Join(kept, "complete")
	data := filepath.Join(kept, "postgres")
	if raw, err := os.ReadFile(complete); err == nil {
		data = string(raw)
	} else {
		if err := errors.Join(os.RemoveAll(kept), os.MkdirAll(kept, 0o755)); err != nil {
			return err
		}
		if data, err = seedServer(ctx, vehicles, data); err != nil {
			return err
		}
		if err := os.WriteFile(complete, []byte(data), 0o600); err != nil {
			return err
		}
	}
	if said, err := exec.CommandContext(ctx, "cp", "-a", data, dir).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	return nil
}

// seedServer makes the server and stops it. It returns the directory, which is another one where the server's
// user cannot enter that.
func seedServer(ctx context.Context, vehicles int, dir string) (string, error) {
	server, err := embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: dir, Durable: true})
	if err != nil {
		return "", err
	}
	fill := func() error {
		if err := server.CreateDatabase(ctx, name); err != nil {
			return err
		}
		if err := database.MigrateUp(ctx, server.URL(name)); err != nil {
			return err
		}
		// the indexer knows the empty database: it takes vehicles that are seeded without a vector for done
		programs := stack{env: map[string]string{"DATABASE_URL": server.URL(name)}}
		if err := programs.program(ctx, "indexer", "rebuild"); err != nil {
			return err
		}
		return withoutIndexes(ctx, server, func() error {
			_, err := seed.OfWords(vehicles, vehicles/50, func(format string, args ...any) { fmt.Printf("  "+format+"\n", args...) }).Fill(ctx, server.URL(name))
			return err
		})
	}
	if err := fill(); err != nil {
		crash(server)
		return "", err
	}
	stopping, cancel := context.WithTimeout(ctx, stopLimit)
	defer cancel()
	return server.Dir(), server.Stop(stopping)
}

// withoutIndexes builds those that no constraint needs and f does not at the end: row by row takes several times as long.
func withoutIndexes(ctx context.Context, server *embedded.Postgres, f func() error) error {
	conn, err := pgx.Connect(ctx, server.URL(name))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	listed, err := conn.Query(ctx, `SELECT c.relname, pg_get_indexdef(c.oid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = ANY ('{vehicles, vehicle_params, vehicle_tags, vehicle_links}'::regclass[]) AND NOT i.indisunique`)
	if err != nil {
		return err
	}
	type index struct{ Name, Definition string }
	indexes, err := pgx.CollectRows(listed, pgx.RowToStructByPos[index])
	if err != nil {
		return err
	}
	for _, i := range indexes {
		if _, err := conn.Exec(ctx, "DROP INDEX "+pgx.Identifier{i.Name}.Sanitize()); err != nil {
			return err
		}
	}
	if err := f(); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "SET maintenance_work_mem = '1GB'"); err != nil {
		return err
	}
	for _, i := range indexes {
		if _, err := conn.Exec(ctx, i.Definition); err != nil {
			return err
		}
	}
	_, err = conn.Exec(ctx, "VACUUM ANALYZE")
	return err
}
