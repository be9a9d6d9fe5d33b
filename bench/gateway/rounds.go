package main

// This file: the rounds and the table.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"equipment-platform/bench/history"
	"equipment-platform/bench/load"
)

func (b *bench) headers() []string {
	return []string{"Authorization: Bearer " + b.token, "X-Partner-Access-Token: sandbox-token"}
}

func (b *bench) identify(req *http.Request) {
	for _, h := range b.headers() {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
}

func (b *bench) get(ctx context.Context, url string) (status int, body []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, err
	}
	b.identify(req)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	return resp.StatusCode, body, err
}

// ready waits until a target answers, and compares its answer with what the
// first target answers: every field with its value, and none besides.
func (b *bench) ready(ctx context.Context, t *target) error {
	var last error
	for range 200 {
		status, body, err := b.get(ctx, t.url)
		switch {
		case err == nil && status == http.StatusOK:
			_, want, err := b.get(ctx, b.targets[0].url)
			if err != nil {
				return err
			}
			if !sameJSON(body, want) {
				return fmt.Errorf("%s answers\n%s\nand not\n%s", t.name, body, want)
			}
			return nil
		case err == nil:
			err = fmt.Errorf("status %d: %s", status, body)
		}
		last = err
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return fmt.Errorf("%s: %w", t.name, last)
}

func sameJSON(a, b []byte) bool {
	var values [2]any
	for i, raw := range [][]byte{a, b} {
		d := json.NewDecoder(strings.NewReader(string(raw)))
		d.UseNumber() // ticks are beyond what a float holds
		if d.Decode(&values[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}

// once is one measurement of a target.
func (b *bench) once(ctx context.Context, t *target, connections int) (load.Result, error) {
	var args []string
	for _, h := range b.headers() {
		args = append(args, "-H", h)
	}
	r, err := load.Wrk(ctx, connections, b.seconds, t.admin, append(args, t.url)...)
	if err == nil && r.Errors > 0 {
		err = fmt.Errorf("%s: %d requests failed", t.name, r.Errors)
	}
	return r, err
}

// measure drives every target in turn, round after round, and prints the table:
// the last target is the one that the goals are for. yardsticks are what ratios
// are taken of.
func (b *bench) measure(ctx context.Context, connections int, yardsticks []string, goals map[string]string) error {
	for _, t := range b.targets {
		if err := b.ready(ctx, t); err != nil {
			return err
		}
	}
	results := map[string][]load.Result{}
	for range b.rounds {
		for _, t := range b.targets {
			r, err := b.once(ctx, t, connections)
			if err != nil {
				return err
			}
			results[t.name] = append(results[t.name], r)
		}
	}
	fmt.Printf("\n%d connections, %d rounds of %d s, medians; no request failed\n", connections, b.rounds, b.seconds)
	table := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprint(table, "target\trequests/s\t")
	for _, y := range yardsticks {
		fmt.Fprintf(table, "of %s\tper round\tgoal\t", y)
	}
	first := b.targets[0].name
	fmt.Fprintf(table, "p50\tp50 over %s\tgoal\tp99\tallocated\tobjects\tpeak memory\n", first)
	for i, t := range b.targets {
		rounds, isLast := results[t.name], i == len(b.targets)-1
		goal := func(name string) string {
			if isLast {
				return goals[name]
			}
			return ""
		}
		fmt.Fprintf(table, "%s\t%.0f\t", t.name, load.Median(rounds, load.Rate))
		for _, y := range yardsticks {
			each, middle := load.Ratios(rounds, results[y])
			fmt.Fprintf(table, "%.3f\t%s\t%s\t", middle, each, goal(y))
		}
		over := make([]load.Result, b.rounds) // of the same round
		for i := range rounds {
			over[i].P50 = rounds[i].P50 - results[first][i].P50
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t", load.Median(rounds, func(r load.Result) time.Duration { return r.P50 }), load.Median(over, func(r load.Result) time.Duration { return r.P50 }), goal("p50"),
			load.Median(rounds, func(r load.Result) time.Duration { return r.P99 }))
		if t.admin != "" {
			fmt.Fprintf(table, "%.1f KiB\t%.0f\t", load.Median(rounds, func(r load.Result) float64 { return r.Allocated / 1024 }), load.Median(rounds, func(r load.Result) float64 { return r.Objects }))
		} else {
			fmt.Fprint(table, "\t\t")
		}
		fmt.Fprintln(table, load.PeakMemory(t.process.PID()))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return b.keep(ctx, connections, yardsticks, goals, results)
}

// keep adds the ratios of the last target to the history.
func (b *bench) keep(ctx context.Context, connections int, yardsticks []string, goals map[string]string, results map[string][]load.Result) error {
	last := results[b.targets[len(b.targets)-1].name]
	name := fmt.Sprintf("%s, %d connections", b.targets[len(b.targets)-1].name, connections)
	if connections == 1 {
		name = strings.TrimSuffix(name, "s")
	}
	var points []history.Point
	for _, y := range yardsticks {
		_, middle := load.Ratios(last, results[y])
		goal, _ := strconv.ParseFloat(strings.TrimPrefix(goals[y], "≥ "), 64) // 0: none
		points = append(points, history.Point{Workload: name, Size: b.size, Of: y, Ratio: middle, Rate: load.Median(last, load.Rate), Goal: goal})
	}
	return history.Append(ctx, b.history, points)
}
