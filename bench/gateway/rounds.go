package main

// This file: the rounds and the table.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// result is one measurement.
type result struct {
	rate, requests     float64
	p50, p99           time.Duration
	allocated, objects float64 // for each request
}

var (
	rateLine       = regexp.MustCompile(`Requests/sec:\s+([\d.]+)`)
	totalLine      = regexp.MustCompile(`(\d+) requests in`)
	p50Line        = regexp.MustCompile(`(?m)^\s+50%\s+(\S+)`)
	p99Line        = regexp.MustCompile(`(?m)^\s+99%\s+(\S+)`)
	badLine        = regexp.MustCompile(`Non-2xx or 3xx responses: \d+|Socket errors: .*`)
	allocationLine = regexp.MustCompile(`(?m)^go_memstats_(alloc_bytes|mallocs)_total (\S+)`)
	peakLine       = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)
)

func (b *bench) headers() []string {
	return []string{"Authorization: Bearer " + b.token, "X-Partner-Access-Token: sandbox-token"}
}

func (b *bench) get(ctx context.Context, url string) (status int, body []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, err
	}
	for _, h := range b.headers() {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	return resp.StatusCode, body, err
}

// ready waits until a target answers, and holds its answer against what the
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

func (b *bench) wrk(ctx context.Context, t *target, connections int) (r result, err error) {
	args := []string{"-c" + strconv.Itoa(connections), "-t" + strconv.Itoa(min(connections, 2)), "-d" + strconv.Itoa(b.seconds) + "s", "--latency"}
	for _, h := range b.headers() {
		args = append(args, "-H", h)
	}
	out, err := exec.CommandContext(ctx, "wrk", append(args, t.url)...).CombinedOutput()
	if err != nil {
		return r, fmt.Errorf("wrk: %w: %s", err, out)
	}
	if bad := badLine.Find(out); bad != nil {
		return r, fmt.Errorf("%s: %s", t.name, bad)
	}
	for line, figure := range map[*regexp.Regexp]*float64{rateLine: &r.rate, totalLine: &r.requests} {
		m := line.FindSubmatch(out)
		if m == nil {
			return r, fmt.Errorf("wrk printed no rate: %s", out)
		}
		if *figure, err = strconv.ParseFloat(string(m[1]), 64); err != nil {
			return r, err
		}
	}
	for line, figure := range map[*regexp.Regexp]*time.Duration{p50Line: &r.p50, p99Line: &r.p99} {
		m := line.FindSubmatch(out)
		if m == nil {
			return r, fmt.Errorf("wrk printed no latency: %s", out)
		}
		if *figure, err = time.ParseDuration(string(m[1])); err != nil {
			return r, err
		}
	}
	return r, nil
}

// once is one measurement of a target, with what it allocated.
func (b *bench) once(ctx context.Context, t *target, connections int) (result, error) {
	bytes, objects, err := b.allocations(ctx, t)
	if err != nil {
		return result{}, err
	}
	r, err := b.wrk(ctx, t, connections)
	if err != nil {
		return result{}, err
	}
	bytesAfter, objectsAfter, err := b.allocations(ctx, t)
	r.allocated, r.objects = (bytesAfter-bytes)/r.requests, (objectsAfter-objects)/r.requests
	return r, err
}

// allocations reads what a target that shows metrics has allocated since its
// start.
func (b *bench) allocations(ctx context.Context, t *target) (bytes, objects float64, err error) {
	if t.admin == "" {
		return 0, 0, nil
	}
	_, raw, err := b.get(ctx, "http://"+t.admin+"/metrics")
	if err != nil {
		return 0, 0, err
	}
	found := allocationLine.FindAllSubmatch(raw, -1)
	if len(found) != 2 {
		return 0, 0, errors.New("the metrics do not tell the allocations")
	}
	for _, m := range found {
		n, err := strconv.ParseFloat(string(m[2]), 64)
		if err != nil {
			return 0, 0, err
		}
		if string(m[1]) == "mallocs" {
			objects = n
		} else {
			bytes = n
		}
	}
	return bytes, objects, nil
}

func median[T cmp.Ordered](list []T) T {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

func medianOf[T cmp.Ordered](rounds []result, figure func(result) T) T {
	list := make([]T, len(rounds))
	for i, r := range rounds {
		list[i] = figure(r)
	}
	return median(list)
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
	results := map[string][]result{}
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
		fmt.Fprintf(table, "%s\t%.0f\t", t.name, medianOf(rounds, func(r result) float64 { return r.rate }))
		for _, y := range yardsticks {
			ratios, text := make([]float64, b.rounds), make([]string, b.rounds)
			for i := range rounds {
				ratios[i] = rounds[i].rate / results[y][i].rate
				text[i] = fmt.Sprintf("%.2f", ratios[i])
			}
			fmt.Fprintf(table, "%.3f\t%s\t%s\t", median(ratios), strings.Join(text, " "), goal(y))
		}
		over := make([]time.Duration, b.rounds)
		for i := range rounds {
			over[i] = rounds[i].p50 - results[first][i].p50
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t", medianOf(rounds, func(r result) time.Duration { return r.p50 }), median(over), goal("p50"),
			medianOf(rounds, func(r result) time.Duration { return r.p99 }))
		if t.admin != "" {
			fmt.Fprintf(table, "%.1f KiB\t%.0f\t", medianOf(rounds, func(r result) float64 { return r.allocated / 1024 }), medianOf(rounds, func(r result) float64 { return r.objects }))
		} else {
			fmt.Fprint(table, "\t\t")
		}
		fmt.Fprintln(table, peakMemory(t.process.Process.Pid))
	}
	return table.Flush()
}

func peakMemory(pid int) string {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return "unknown"
	}
	m := peakLine.FindSubmatch(raw)
	if m == nil {
		return "unknown"
	}
	kb, _ := strconv.Atoi(string(m[1]))
	return fmt.Sprintf("%d MiB", kb/1024)
}
