package main

// This file: how long the services take to be ready, and what they take while nobody
// asks: programs as they are released, each on a small migrated database of its own.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"equipment-platform/bench/load"
	"equipment-platform/internal/process"
)

const (
	startsEach = 9
	// idleAfter is when what the start left behind has been given back.
	idleAfter = 3 * time.Second
)

// startTable starts each service again and again. Goals are for a quiet machine.
func (b *bench) startTable(ctx context.Context) error {
	build := exec.CommandContext(ctx, "go", "build", "-tags", "grpcnotrace", "-trimpath", "-ldflags", "-s -w", "-o", b.dir+"/", "./cmd/catalog", "./cmd/gateway") //nolint:gosec // the folder is the caller's
	build.Env = process.Environment(os.Environ(), map[string]string{"CGO_ENABLED": "0"})
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintf(table, "\nstart of\tready, median of %d\tbest\tgoal\tidle memory\tgoal\tpeak of the start\tprogram\n", startsEach)
	for _, one := range []struct{ name, goal string }{{"catalog", "≤ 300 ms"}, {"gateway", "≤ 150 ms"}} {
		path := filepath.Join(b.dir, one.name)
		took := make([]time.Duration, startsEach)
		var idle, peak string
		for i := range took {
			started, err := b.startOnce(ctx, path)
			if err != nil {
				return err
			}
			took[i] = started.took
			if i == len(took)-1 {
				time.Sleep(idleAfter)
				idle, peak = load.Memory(started.PID()), load.PeakMemory(started.PID())
			}
			if err := started.Stop(stopLimit); err != nil {
				return err
			}
		}
		slices.Sort(took)
		size, err := os.Stat(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t≤ 40 MiB\t%s\t%.1f MB\n", one.name, took[len(took)/2].Round(time.Millisecond), took[0].Round(time.Millisecond), one.goal, idle, peak, float64(size.Size())/1e6)
	}
	return table.Flush()
}

type startedService struct {
	*process.Process

	took time.Duration // until it was ready
}

func (b *bench) startOnce(ctx context.Context, path string) (s startedService, err error) {
	address, err := process.FreeAddress()
	if err != nil {
		return s, err
	}
	jwks, err := filepath.Abs(filepath.Join(b.dir, "keys", "jwks.json"))
	if err != nil {
		return s, err
	}
	begun := time.Now()
	s.Process, err = process.Start(process.Program{Path: path, Args: []string{"serve"}, Env: process.Environment(os.Environ(), map[string]string{
		"HTTP_ADDR": address, "APP_ENV": "production", "LOG_FORMAT": "json", "AUTH_JWKS_URL": "file://" + jwks, "SHUTDOWN_TIMEOUT": "1s",
		"DATABASE_URL": b.databaseURL, "DATABASE_MAX_CONNS": "8", "PROVIDER_URL": "http://127.0.0.1:9", "PROVIDER_BOX_ID": "none",
	})})
	if err != nil {
		return s, err
	}
	for time.Since(begun) < startLimit && !s.Ended() {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
		if err != nil {
			return s, err
		}
		if resp, err := http.DefaultClient.Do(req); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				s.took = time.Since(begun)
				return s, nil
			}
		}
		time.Sleep(2 * time.Millisecond)
	}
	_ = s.Stop(stopLimit)
	return s, errors.New(path + " does not become ready")
}
