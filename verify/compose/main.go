// Command compose runs deploy/compose.yaml as it stands, with images built by
// deploy/Dockerfile as it stands, in a Docker of its own: every container becomes well and is
// confined as the file says, the tour of README.md works, one version is rolled to the next
// and back under load without a failed request, each container is killed, and every
// acknowledged write is accounted for. The images that those files begin with are stand-ins
// (images/Dockerfile), since registries of images may be out of reach.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"equipment-platform/verify/marked"
)

const (
	// before is the commit that stands for the version before this one.
	before   = "1b74dd0"
	password = "a-password-of-this-run"
	web      = "127.0.0.1:8087"
	wellBy   = 3 * time.Minute // by then a start must be through
)

func main() {
	write := flag.String("write", "", "document that gets the table")
	kept := flag.Bool("kept", false, "take the images of the run before, to try something of this program")
	changes := flag.Bool("changes", false, "begin with the upgrade, for the same reason; writes nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *write, *kept, *changes); err != nil {
		fmt.Fprintln(os.Stderr, "compose:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, write string, kept, changes bool) error {
	home, err := filepath.Abs(".local/compose")
	if err != nil {
		return err
	}
	e, err := startEngine(ctx, home)
	if err != nil {
		return err
	}
	defer e.stop()
	if !kept {
		if err := e.images(ctx); err != nil {
			return err
		}
	}
	if err := e.keys(ctx); err != nil {
		return err
	}
	t := &table{}
	if changes {
		return e.changes(ctx, t)
	}
	if err := e.use(ctx, "now", built...); err != nil {
		return err
	}
	begun := time.Now()
	if err := timed("start", func() error { return e.up(ctx) }); err != nil {
		return err
	}
	t.started = time.Since(begun)
	if err := e.confined(ctx); err != nil {
		return err
	}
	if err := timed("demo data", func() error { _, err := e.compose(ctx, "run", "--rm", "--no-deps", "migrate", "seed"); return err }); err != nil {
		return err
	}
	if err := timed("tour", func() error { return e.tour(ctx) }); err != nil {
		return err
	}
	if err := timed("a partner's story", func() error { return e.partner(ctx) }); err != nil {
		return err
	}
	if err := timed("a story in the browser", func() error { return e.reader(ctx) }); err != nil {
		return err
	}
	if t.rest, err = e.memory(ctx); err != nil {
		return err
	}
	if err := e.down(ctx); err != nil {
		return err
	}
	if err := e.changes(ctx, t); err != nil {
		return err
	}
	text, err := e.write(ctx, t)
	if err != nil {
		return err
	}
	fmt.Print(text)
	if write != "" {
		if err := marked.Write(write, "verify/compose", text); err != nil {
			return err
		}
	}
	fmt.Printf("compose: built, started, confined, toured, rolled from %s and back, each container killed; %s accounted for\n", before, t.all)
	return nil
}

// timed says how long a step takes.
func timed(what string, do func() error) error {
	begun := time.Now()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	fmt.Printf("  %s: %.0f s\n", what, time.Since(begun).Seconds())
	return nil
}

func openFiles() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 1024
	}
	return limit.Max
}
