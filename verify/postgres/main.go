// Command postgres rehearses what is done to the database of a running platform: its
// machine dies and a streaming replica takes over, once with synchronous and once with
// asynchronous replication, PgBouncer stands before it in transaction mode, it goes back
// to a moment by a base backup and the log written since, and it is of every version of PostgreSQL
// that can be had, and taken from the oldest to the newest. The services are the real ones; afterwards every
// acknowledged write is accounted for.
//
//	PGBOUNCER=… KAFKA_LIBRARIES=… POSTGRES_VERSIONS=… postgres [-only failover|pooler|backup|versions|upgrade] [-vehicles 1000000] [-write docs/operations.md]
//
// This file: the course of events. stack.go has the services, failover.go, pooler.go,
// backup.go, versions.go and upgrade.go what is done.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"equipment-platform/verify/marked"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "postgres:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	only := flag.String("only", "", "failover, pooler, backup, versions or upgrade; empty: all")
	write := flag.String("write", "", "document whose table is written anew")
	vehicles := flag.Int("vehicles", 0, "with -only backup: begin with so many vehicles, and say how long everything takes; they are kept in .local")
	flag.Parse()
	if *vehicles > 0 && *only != "backup" {
		return errors.New("-vehicles is for -only backup")
	}
	if !slices.Contains([]string{"", "failover", "pooler", "backup", "versions", "upgrade"}, *only) {
		return fmt.Errorf("-only %s is neither failover nor pooler nor backup nor versions nor upgrade", *only)
	}
	dir, err := os.MkdirTemp("", "postgres")
	if err != nil {
		return err
	}
	if os.Getenv("KEEP_LOGS") == "" {
		defer os.RemoveAll(dir)
	}
	if err := os.Chmod(dir, 0o755); err != nil { // the database's user must get in
		return err
	}
	var seen []failover
	if *only == "" || *only == "failover" {
		for _, synchronous := range []bool{true, false} {
			f, err := runFailover(ctx, dir, synchronous)
			if err != nil {
				return fmt.Errorf("failover, %s: %w", f.mode, err)
			}
			fmt.Println("  " + f.String())
			seen = append(seen, f)
		}
		fmt.Println("postgres: a replica took over, and with synchronous replication nothing was lost")
	}
	if *only == "" || *only == "pooler" {
		if err := runPooler(ctx, dir); err != nil {
			return fmt.Errorf("pooler: %w", err)
		}
		fmt.Println("postgres: the services work behind a pooler, and refuse one that they could not work behind")
	}
	if *only == "" || *only == "backup" {
		figures, err := runBackup(ctx, dir, *vehicles)
		if err != nil {
			return fmt.Errorf("backup: %w", err)
		}
		if *write != "" && len(figures) > 0 {
			if err := marked.Write(*write, "verify/postgres backup", figuresTable(figures)); err != nil {
				return err
			}
		}
	}
	if *only == "" || *only == "versions" {
		all, err := runVersions(ctx)
		if err != nil {
			return fmt.Errorf("versions: %w", err)
		}
		fmt.Println("postgres: the tests pass on every version that can be had")
		if *write != "" {
			if err := marked.Write(*write, "verify/postgres versions", versionsTable(all)); err != nil {
				return err
			}
		}
	}
	if *only == "" || *only == "upgrade" {
		if err := runUpgrade(ctx, filepath.Join(dir, "upgrade")); err != nil {
			return fmt.Errorf("upgrade: %w", err)
		}
		fmt.Println("postgres: the data goes from the oldest version to the newest")
	}
	if *write != "" && len(seen) > 0 {
		if err := marked.Write(*write, "verify/postgres", table(seen)); err != nil {
			return err
		}
	}
	return nil
}

func (f failover) String() string {
	return fmt.Sprintf("%s: of %s, %d vehicles and %d ratings lost, %d orders came back from the broker; no write acknowledged for %.1f s",
		f.mode, f.acknowledgedSum, f.lost["vehicles"], f.lost["ratings"], f.restored, f.without.Seconds())
}

func table(all []failover) string {
	var b strings.Builder
	b.WriteString("| replication | acknowledged in all | lost | orders that the offsets brought back | writes not seen by their writer | longest time without an acknowledged write |\n|---|---|---|---|---|---|\n")
	for _, f := range all {
		fmt.Fprintf(&b, "| %s | %s | %d vehicles, %d ratings | %d | %d | %.1f s |\n",
			f.mode, f.acknowledgedSum, f.lost["vehicles"], f.lost["ratings"], f.restored, f.unseen, f.without.Seconds())
	}
	return b.String()
}
