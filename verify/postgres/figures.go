package main

// This file: how long backups of a large database take and how large they are: what the course of
// backup.go takes, and the logical ones of docs/operations.md.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"equipment-platform/internal/embedded"
	"equipment-platform/verify/handbook"
)

// figure is how long something took and the size of what it made or read; 0: neither.
type figure struct {
	what string
	took time.Duration
	size int64
}

// timed notes how long f takes, and the size of what is at a path afterwards; empty: none.
func (b *backup) timed(what, path string, f func() error) error {
	begun := time.Now()
	if err := f(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	is := figure{what: what, took: time.Since(begun)}
	if path != "" {
		if err := filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			info, err := entry.Info()
			if err == nil {
				is.size += info.Size()
			}
			return err
		}); err != nil {
			return err
		}
	}
	b.figures = append(b.figures, is)
	fmt.Println("  " + is.String())
	return nil
}

// sizes notes how large the database is.
func (b *backup) sizes(ctx context.Context) error {
	for _, x := range []struct{ what, sql string }{
		{"the database", "SELECT pg_database_size(current_database())"},
		{"of which vectors and their index", "SELECT pg_total_relation_size('vehicle_embeddings')"},
	} {
		is := figure{what: x.what}
		if err := scan(ctx, b.primary, x.sql, &is.size); err != nil {
			return err
		}
		b.figures = append(b.figures, is)
	}
	return nil
}

// logical dumps a database and restores it in each way of the page, and in two jobs.
func (b *backup) logical(ctx context.Context, from *embedded.Postgres) error {
	page, err := handbook.Blocks(handbook.Page, "State and backup", 3)
	if err != nil {
		return err
	}
	if err := execute(ctx, from.URL(name), "DROP TABLE bench"); err != nil { // no migration makes it
		return err
	}
	before, err := contents(ctx, from.URL(name), nil)
	if err != nil {
		return err
	}
	const vectors = "vehicle_embeddings"
	dump, restore, dataOnly := page[0], page[1], page[2]
	whole := strings.ReplaceAll(dump, "--exclude-table-data="+vectors, "")
	parallel := strings.ReplaceAll(restore, "pg_restore", "PGOPTIONS='-c maintenance_work_mem=1GB' pg_restore --jobs=2")
	if whole == dump || parallel == restore {
		return errors.New("docs/operations.md dumps and restores otherwise")
	}
	file := filepath.Join(b.dir, "equipment.dump")
	for _, x := range []struct {
		what, commands, but string
		dumps, migrated     bool
	}{
		{what: "`pg_dump` without the vectors", commands: dump, dumps: true},
		{what: "`pg_restore --jobs=2`, with `maintenance_work_mem=1GB`", commands: parallel, but: vectors},
		{what: "`pg_restore`", commands: restore, but: vectors},
		{what: "data alone into a migrated schema", commands: dataOnly, but: vectors, migrated: true},
		{what: "`pg_dump` with the vectors", commands: whole, dumps: true},
		{what: "of that, `pg_restore --jobs=2` in the same way", commands: parallel},
	} {
		run := func(target string) error {
			return shell(ctx, from, b.dir, x.commands, "DATABASE_URL="+from.URL(name), "RESTORE_URL="+from.URL(target))
		}
		if x.dumps {
			if err := os.RemoveAll(file); err != nil {
				return err
			}
			if err := b.timed(x.what, file, func() error { return run(name) }); err != nil {
				return err
			}
			continue
		}
		if err := from.CreateDatabase(ctx, "restored"); err != nil {
			return err
		}
		b.env["DATABASE_URL"] = from.URL("restored")
		if x.migrated {
			if err := b.program(ctx, "catalog", "migrate", "up"); err != nil {
				return err
			}
		}
		if err := b.timed(x.what, "", func() error { return run("restored") }); err != nil {
			return err
		}
		after, err := contents(ctx, from.URL("restored"), nil)
		if err != nil {
			return err
		}
		if err := before.same(after, x.but); err != nil {
			return fmt.Errorf("%s: %w", x.what, err)
		}
		if err := execute(ctx, from.URL(name), "DROP DATABASE restored"); err != nil {
			return err
		}
	}
	return nil
}

func (f figure) String() string {
	took, size := "", ""
	if f.took > 0 {
		took = f.took.Round(time.Second).String()
	}
	if f.size > 0 {
		size = fmt.Sprintf("%.2f GiB", float64(f.size)/(1<<30))
	}
	return f.what + " | " + took + " | " + size
}

func figuresTable(all []figure) string {
	var b strings.Builder
	b.WriteString("| what | time | size |\n|---|---|---|\n")
	for _, f := range all {
		fmt.Fprintf(&b, "| %s |\n", f)
	}
	return b.String()
}
