package main

// This file: one version is rolled to another, and containers are killed, under load.

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"equipment-platform/verify/handbook"
	"equipment-platform/verify/steady"
)

const (
	calm     = 4 * time.Second // load without a change, before and after
	replicas = 2
	recovery = 90 * time.Second // by then consumers and indexers must have made good what waited
)

// page is what docs/operations.md has for one machine: commands that start two of each, build a version and migrate to
// it, and those that replace the replicas of a service by as many of that version.
type page struct{ start, build, migrate, roll []string }

func readPage() (page, error) {
	found, err := handbook.Blocks(handbook.Page, "One machine", 2)
	if err != nil {
		return page{}, err
	}
	whole, roll := commands(found[0]), commands(found[1])
	if len(whole) != 3 || len(roll) != 7 {
		return page{}, fmt.Errorf("%s rolls otherwise", handbook.Page)
	}
	return page{whole[:1], whole[1:2], whole[2:], roll}, nil
}

// commands are the lines of a block, with what is said beside them.
func commands(block string) []string { return strings.Split(strings.TrimSpace(block), "\n") }

// shell runs a line of the page, with a variable that an earlier one has set, and returns what it writes.
func (e *engine) shell(ctx context.Context, line, old string) (string, error) {
	return e.run(ctx, "env", "old="+old, "bash", "-euo", "pipefail", "-c", line)
}

// roll replaces the replicas of a service by as many of a version, as the page says: new ones first, which the
// web server then learns of by reading its configuration again, as it does when old ones are gone. After each time it
// waits until those of its workers that know the addresses of before are gone: the engine gives a free address to
// whoever comes next, who may be of another service.
func (e *engine) roll(ctx context.Context, lines []string, service, version string) error {
	if err := e.use(ctx, version, service); err != nil {
		return err
	}
	var old string
	for _, line := range lines {
		line = of.ReplaceAllString(line, service)
		if strings.Contains(line, "# when the new ones are ready") {
			if err := e.well(ctx); err != nil {
				return err
			}
		}
		var err error
		switch {
		case strings.HasPrefix(line, "old="):
			old, err = e.shell(ctx, line+`; echo "$old"`, "")
		case strings.Contains(line, " top web "):
			err = e.withoutOldWorkers(ctx, line)
		default:
			_, err = e.shell(ctx, line, old)
		}
		if err != nil {
			return err
		}
	}
	now, err := e.containers(ctx, service)
	if err == nil && len(now) != replicas {
		err = fmt.Errorf("%d of %s instead of %d", len(now), service, replicas)
	}
	return err
}

// of is the service that the page rolls for an example.
var of = regexp.MustCompile(`\bcatalog\b`)

// withoutOldWorkers runs the line until it lists no worker of the web server that is about to end.
func (e *engine) withoutOldWorkers(ctx context.Context, line string) error {
	for limit := time.Now().Add(wellBy); ; {
		steady.Pause(ctx, time.Second) // the old ones are told a little after the new ones were started
		processes, err := e.shell(ctx, line, "")
		if err != nil || !strings.Contains(processes, "is shutting down") {
			return err
		}
		if time.Now().After(limit) || ctx.Err() != nil {
			return fmt.Errorf("old workers of the web server are still there:\n%s", processes)
		}
	}
}

// unrepeated are the failures of what the web server does not ask another replica for.
var unrepeated = []string{"create 502", "edit 502", "rate 502", "search 502"}

// upgrade goes from the version before to this one, back, and forth again. It returns how
// many requests failed by what the programs before do when they stop: net/http drops a
// request that comes on a connection which it took last (golang/go#75591), and the web
// server does not repeat what writes. Those of this version wait for it.
func (e *engine) upgrade(ctx context.Context, p page, l *steady.Load) (dropped int, err error) {
	for _, line := range slices.Concat(p.build, p.migrate) {
		if _, err := e.shell(ctx, line, ""); err != nil {
			return 0, err
		}
	}
	steady.Pause(ctx, calm) // the programs before, with the schema of these
	if failed := l.Failed(); len(failed) > 0 {
		return 0, fmt.Errorf("requests failed of %s with the schema of this version: %v", before, failed)
	}
	known := map[string]int{}
	for _, version := range []string{"now", "before", "now"} {
		for _, service := range []string{"catalog", "indexer", "gateway"} {
			if err := timed(service+" to "+version, func() error { return e.roll(ctx, p.roll, service, version) }); err != nil {
				return dropped, err
			}
		}
		steady.Pause(ctx, calm)
		failed, excused := l.Failed(), 0
		for what, n := range failed {
			n -= known[what]
			if n > 0 && (version != "now" || !slices.Contains(unrepeated, what)) { // those before stop on the way to now
				return dropped, fmt.Errorf("requests failed while services were rolled to %s: %v", version, failed)
			}
			excused += n
		}
		if excused > replicas {
			return dropped, fmt.Errorf("%d requests failed while services were rolled to %s: %v", excused, version, failed)
		}
		known, dropped = failed, dropped+excused
	}
	return dropped, nil
}

// killAll kills the program of each container in turn, and returns how long it took until
// everything was well, by service; the longest of its replicas.
func (e *engine) killAll(ctx context.Context) (map[string]time.Duration, error) {
	all, err := e.containers(ctx, "")
	if err != nil {
		return nil, err
	}
	back := map[string]time.Duration{}
	for _, c := range all {
		if c.PID <= 1 {
			return nil, fmt.Errorf("%s has no process", c.Name)
		}
		begun := time.Now()
		if err := syscall.Kill(c.PID, syscall.SIGKILL); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		for limit := begun.Add(wellBy); ; {
			now, err := e.containers(ctx, c.Service)
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(now, func(n container) bool { return n.ID == c.ID && n.PID > 1 && n.PID != c.PID }) {
				break
			}
			if time.Now().After(limit) || ctx.Err() != nil {
				return nil, fmt.Errorf("%s is not started again", c.Name)
			}
			steady.Pause(ctx, 100*time.Millisecond)
		}
		if err := e.well(ctx); err != nil {
			return nil, fmt.Errorf("after %s was killed: %w", c.Name, err)
		}
		took := time.Since(begun)
		fmt.Printf("  kill -9 of %s: well after %.1f s\n", c.Name, took.Seconds())
		back[c.Service] = max(back[c.Service], took)
		steady.Pause(ctx, calm)
	}
	return back, nil
}

// changes is the whole: from the version before on, under one load, with its account.
func (e *engine) changes(ctx context.Context, t *table) error {
	p, err := readPage()
	if err != nil {
		return err
	}
	if err := e.use(ctx, "before", "catalog", "indexer", "gateway", "migrate"); err != nil {
		return err
	}
	if err := timed("start of "+before, func() error {
		if _, err := e.shell(ctx, p.start[0], ""); err != nil {
			return err
		}
		return e.well(ctx)
	}); err != nil {
		return err
	}
	l, err := e.load(ctx)
	if err != nil {
		return err
	}
	stop := l.Start(ctx)
	defer stop()
	steady.Pause(ctx, calm)
	if err := timed("upgrade, back, and forth again", func() (err error) { t.dropped, err = e.upgrade(ctx, p, l); return err }); err != nil {
		said, _ := e.compose(ctx, "logs", "--no-color", "--tail", "30", "web")
		return fmt.Errorf("%w\n%s", err, said)
	}
	t.rolled = l.Sum()
	if t.loaded, err = e.memory(ctx); err != nil {
		return err
	}
	if t.back, err = e.killAll(ctx); err != nil {
		return err
	}
	stop()
	l.Wait()
	conn, err := pgx.Connect(ctx, "postgres://equipment:"+password+"@postgres:5432/equipment?sslmode=disable")
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	lines, err := l.Account(ctx, conn, recovery)
	if err != nil {
		return err
	}
	t.all = l.Sum()
	return l.Write(lines, nil)
}
