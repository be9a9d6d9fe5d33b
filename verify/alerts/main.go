// Command alerts drives the alert rules: a real Prometheus scrapes the real services
// with deploy/observability/alerts.yaml, of which only the times are shorter, and
// every alert's condition is caused, until it fires, and ended, until it clears.
//
//	alerts [-only TEXT] [-write docs/operations.md]
//
// This file: the course of events. rules.go makes the times shorter, causes.go has what
// goes wrong, platform.go what it happens to, traffic.go the callers.
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
	"sync"
	"syscall"
	"time"

	"equipment-platform/verify/marked"
	"equipment-platform/verify/steady"
)

const (
	// calm is how long everything is well before anything goes wrong: longer than any
	// alert would take to fire without a reason, as far as one waits for that.
	calm = 30 * time.Second
	// patience bounds one alert's firing or clearing beyond what its rule takes.
	patience  = 5 * time.Minute
	lookEvery = 250 * time.Millisecond
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "alerts:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	only := flag.String("only", "", "causes whose text or alerts contain this")
	write := flag.String("write", "", "document whose table is written anew")
	flag.Parse()
	delivered, err := readRules(alertsFile)
	if err != nil {
		return err
	}
	short, err := delivered.scaled()
	if err != nil {
		return err
	}
	p, err := startPlatform(ctx)
	if err != nil {
		return err
	}
	defer p.stop()
	watcher, err := startPrometheus(ctx, filepath.Join(p.dir, "prometheus"), short)
	if err != nil {
		return err
	}
	defer func() { _ = watcher.server.Stop(10 * time.Second) }()
	if err := p.scrape(watcher); err != nil {
		return err
	}
	calling, hangUp := context.WithCancel(ctx)
	wait, err := p.traffic(calling)
	if err != nil {
		hangUp()
		return err
	}
	defer wait()
	defer hangUp()
	d := &driver{watcher: watcher}
	fmt.Printf("alerts: %s without anything wrong\n", calm)
	if err := d.peace(ctx); err != nil {
		return err
	}
	if err := d.all(ctx, p.causes(watcher), *only); err != nil {
		return err
	}
	if *only == "" {
		if err := watcher.dashboard(ctx); err != nil {
			return err
		}
	}
	if *write != "" {
		return marked.Write(*write, "verify/alerts", d.table(delivered))
	}
	return nil
}

// driver causes what is to be caused and keeps what was seen.
type driver struct {
	watcher *prometheus
	mu      sync.Mutex
	seen    []seen
	beside  []fires // which may fire at any time now
}

// seen is an alert that fired and cleared.
type seen struct {
	fires
	how         string
	fire, clear time.Duration
}

// peace demands that nothing fires while nothing is wrong.
func (d *driver) peace(ctx context.Context) error {
	for end := time.Now().Add(calm); time.Now().Before(end) && ctx.Err() == nil; steady.Pause(ctx, lookEvery) {
		firing, err := d.watcher.firing(ctx)
		if err != nil {
			return err
		}
		// what is not scraped yet is gone
		if len(firing) > 0 && time.Until(end) < calm/2 {
			return fmt.Errorf("nothing is wrong, and this fires: %v", firing)
		}
	}
	return ctx.Err()
}

func (d *driver) all(ctx context.Context, causes []cause, only string) error {
	var group sync.WaitGroup
	failed := make(chan error, len(causes))
	chosen := 0
	for _, c := range causes {
		if !strings.Contains(c.how+fmt.Sprint(c.fires), only) {
			continue
		}
		chosen++
		if c.beside {
			d.beside = append(d.beside, c.fires...)
			group.Go(func() { failed <- d.drive(ctx, c) })
			continue
		}
		if slices.ContainsFunc(c.fires, func(f fires) bool { return f.alert == "ProcessDown" }) {
			group.Wait() // programs that start anew begin their counting anew
		}
		if err := errors.Join(d.quiet(ctx), d.drive(ctx, c)); err != nil {
			return err
		}
	}
	if chosen == 0 {
		return fmt.Errorf("no cause contains %q", only)
	}
	group.Wait()
	close(failed)
	var all []error
	for err := range failed {
		all = append(all, err)
	}
	if err := errors.Join(all...); err != nil {
		return err
	}
	fmt.Printf("alerts: %d alerts fired and cleared\n", len(d.seen))
	return d.quiet(ctx)
}

// quiet waits until nothing fires but what is caused beside.
func (d *driver) quiet(ctx context.Context) error {
	var still []alert
	for end := time.Now().Add(patience); time.Now().Before(end) && ctx.Err() == nil; steady.Pause(ctx, lookEvery) {
		firing, err := d.watcher.firing(ctx)
		if err != nil {
			return err
		}
		still = slices.DeleteFunc(firing, func(a alert) bool {
			return slices.ContainsFunc(d.beside, func(f fires) bool { return f.is(a) })
		})
		if len(still) == 0 {
			return nil
		}
	}
	return errors.Join(ctx.Err(), fmt.Errorf("nothing is wrong any more, and this still fires: %v", still))
}

func (f fires) is(a alert) bool {
	return a.Labels["alertname"] == f.alert && (f.job == "" || a.Labels["job"] == f.job)
}

// drive causes, waits until all of it fires, ends, and waits until all of it has cleared.
func (d *driver) drive(ctx context.Context, c cause) error {
	begun := time.Now()
	if err := c.begin(ctx); err != nil {
		return fmt.Errorf("%s: %w", c.how, err)
	}
	fired, err := d.until(ctx, c.fires, true, begun)
	if err != nil {
		return fmt.Errorf("%s: %w", c.how, errors.Join(err, c.end(ctx)))
	}
	ended := time.Now()
	if err := c.end(ctx); err != nil {
		return fmt.Errorf("%s: ending it: %w", c.how, err)
	}
	cleared, err := d.until(ctx, c.fires, false, ended)
	if err != nil {
		return fmt.Errorf("%s: %w", c.how, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Printf("  %s\n", c.how)
	for _, f := range c.fires {
		d.seen = append(d.seen, seen{f, c.how, fired[f], cleared[f]})
		fmt.Printf("    %-36s fires after %5.1f s, clears after %5.1f s\n", f, fired[f].Seconds(), cleared[f].Seconds())
	}
	return nil
}

// until waits until all of the alerts fire, or until none does, and says when each
// began to.
func (d *driver) until(ctx context.Context, wanted []fires, firing bool, begun time.Time) (map[fires]time.Duration, error) {
	at := map[fires]time.Duration{}
	for end := time.Now().Add(patience); time.Now().Before(end) && ctx.Err() == nil; steady.Pause(ctx, lookEvery) {
		now, err := d.watcher.firing(ctx)
		if err != nil {
			return nil, err
		}
		for _, f := range wanted {
			if _, before := at[f]; !before && slices.ContainsFunc(now, f.is) == firing {
				at[f] = time.Since(begun)
			}
		}
		if len(at) == len(wanted) {
			return at, nil
		}
	}
	missing := slices.DeleteFunc(slices.Clone(wanted), func(f fires) bool { _, is := at[f]; return is })
	verb := map[bool]string{true: "does not fire", false: "does not clear"}[firing]
	return nil, errors.Join(ctx.Err(), fmt.Errorf("%v %s", missing, verb))
}

// table has a line for each alert in the order of the rules.
func (d *driver) table(rules ruleFile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| alert | caused by | fires after | clears after |\n|---|---|---|---|\n")
	for _, name := range rules.names() {
		for _, s := range d.seen {
			if s.alert == name {
				fmt.Fprintf(&b, "| %s | %s | %.0f s | %.0f s |\n", s.fires, s.how, s.fire.Seconds(), s.clear.Seconds())
			}
		}
	}
	return b.String()
}
