package main

// This file: rounds, wrk, memory, and the table.

import (
	"context"
	"crypto/md5" //nolint:gosec // names of rows, nothing secret
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"equipment-platform/bench/history"
	"equipment-platform/bench/load"
)

func md5ID(s string) string { return uuid.UUID(md5.Sum([]byte(s))).String() } //nolint:gosec // as in the seed

// contender is what a workload is driven against: the yardstick, the service
// and the database alone, with as many callers as the service has connections
// to it; the last two also with one caller.
const (
	bare          = "bare"
	service       = "service"
	alone         = "service, alone"
	replayed      = "pgbench"
	replayedAlone = "pgbench, alone"
)

var contenders = []string{bare, service, replayed, alone, replayedAlone}

// callers at once, and the connections that the service serves them with.
const callers, connections = 32, 8

// measureAll runs every workload on all contenders in turn, round after round,
// and prints the table.
func (b *bench) measureAll(ctx context.Context) error {
	workloads, err := b.workloads(ctx)
	if err != nil {
		return err
	}
	if len(workloads) == 0 {
		return fmt.Errorf("no workload is called %s", strings.Join(b.only, " or "))
	}
	results, replays := map[string]map[string][]load.Result{}, map[string]replay{}
	for _, w := range workloads {
		if err := b.check(ctx, w); err != nil {
			return err
		}
		if replays[w.name], err = b.capture(ctx, w); err != nil {
			return err
		}
		results[w.name] = map[string][]load.Result{}
	}
	for round := range b.rounds {
		for _, w := range workloads {
			for _, c := range contenders {
				r, err := b.measure(ctx, w, replays[w.name], c)
				if err != nil {
					return err
				}
				results[w.name][c] = append(results[w.name][c], r)
				b.say("round %d  %-12s %-15s %8.0f/s  p50 %s  p99 %s", round+1, w.name, c, r.Rate, r.P50, r.P99)
			}
		}
	}
	if err := b.table(workloads, results); err != nil {
		return err
	}
	return b.keep(ctx, workloads, results)
}

// keep adds the ratios to the history.
func (b *bench) keep(ctx context.Context, workloads []workload, results map[string]map[string][]load.Result) error {
	var points []history.Point
	for _, w := range workloads {
		_, middle := load.Ratios(results[w.name][service], results[w.name][bare])
		points = append(points, history.Point{
			Workload: w.name, Size: history.Catalogue(b.vehicles, b.vectors), Of: bare,
			Ratio: middle, Rate: load.Median(results[w.name][service], load.Rate), Goal: w.goal,
		})
	}
	return history.Append(ctx, b.history, points)
}

func (b *bench) measure(ctx context.Context, w workload, r replay, contender string) (load.Result, error) {
	switch contender {
	case replayed:
		return b.pgbench(ctx, r, connections, b.seconds)
	case replayedAlone:
		return b.pgbench(ctx, r, 1, max(1, b.seconds/2))
	case alone:
		return b.wrk(ctx, w, service, 1, max(1, b.seconds/2))
	}
	return b.wrk(ctx, w, contender, callers, b.seconds)
}

// script makes the requests when a thread starts: only then wrk knows the host.
const script = `local requests, n = {}, 0
function setup(thread) thread:set("first", math.random(1000)) end
function init(args)
  for line in io.lines(%q) do
    local method, path, token, body = line:match("^(%%S+)\t(%%S+)\t(%%S*)\t(.*)$")
    local headers = {}
    if token ~= "" then headers["Authorization"] = "Bearer " .. token end
    if body == "" then body = nil else headers["Content-Type"] = "application/json" end
    requests[#requests + 1] = wrk.format(method, path, headers, body)
  end
  n = first
end
request = function() n = n + 1; return requests[n %% #requests + 1] end
`

// wrk sends the workload's requests on so many connections.
func (b *bench) wrk(ctx context.Context, w workload, target string, connections, seconds int) (load.Result, error) {
	list := filepath.Join(b.dir, w.name+".requests")
	var lines strings.Builder
	for _, r := range w.requests {
		token := ""
		if r.token {
			token = b.token
		}
		fmt.Fprintf(&lines, "%s\t%s\t%s\t%s\n", r.method, r.path, token, r.body)
	}
	if err := os.WriteFile(list, []byte(lines.String()), 0o600); err != nil {
		return load.Result{}, err
	}
	lua := filepath.Join(b.dir, "wrk.lua")
	if err := os.WriteFile(lua, fmt.Appendf(nil, script, list), 0o600); err != nil {
		return load.Result{}, err
	}
	admin := ""
	if target == service {
		admin = b.admin
	}
	return load.Wrk(ctx, connections, seconds, admin, "-s", lua, b.targets[target])
}

func (b *bench) table(workloads []workload, results map[string]map[string][]load.Result) error {
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "\n%d vehicles, %d vectors; wrk with %d callers, pgbench with %d; %d rounds of %d s, medians\n", b.vehicles, b.vectors, callers, connections, b.rounds, b.seconds)
	fmt.Fprintln(tw, "workload\tbare/s\tservice/s\tpgbench/s\t× bare\tper round\tgoal\tof pgbench\tper round\tadded alone\tp50\tp99\tbytes\tallocated\tobjects\terrors")
	failed := 0
	for _, w := range workloads {
		r := results[w.name]
		broken := 0
		for _, c := range contenders {
			for _, one := range r[c] {
				broken += one.Errors
			}
		}
		failed += broken
		perRound, middle := load.Ratios(r[service], r[bare])
		ofDatabase, share := load.Ratios(r[service], r[replayed])
		goal := "–"
		if w.goal > 0 {
			goal = fmt.Sprintf("≥ %.1f", w.goal)
		}
		added := 1000/load.Median(r[alone], load.Rate) - 1000/load.Median(r[replayedAlone], load.Rate)
		fmt.Fprintf(tw, "%s\t%s\t%.0f\t%.0f\t%.2f\t%s\t%s\t%.2f\t%s\t%.2f ms\t%s\t%s\t%.0f\t%.1f KiB\t%.0f\t%d\n", w.name,
			perSecond(load.Median(r[bare], load.Rate)), load.Median(r[service], load.Rate), load.Median(r[replayed], load.Rate), middle, perRound, goal, share, ofDatabase, added,
			load.Median(r[service], func(r load.Result) time.Duration { return r.P50 }), load.Median(r[service], func(r load.Result) time.Duration { return r.P99 }),
			load.Median(r[service], func(r load.Result) float64 { return r.Bytes }), load.Median(r[service], func(r load.Result) float64 { return r.Allocated / 1024 }),
			load.Median(r[service], func(r load.Result) float64 { return r.Objects }), broken)
	}
	for _, name := range []string{bare, service} {
		fmt.Fprintf(tw, "peak memory of %s\t%s\n", name, load.PeakMemory(b.pids[name]))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d requests failed", failed)
	}
	return nil
}

// perSecond keeps a digit where there are few.
func perSecond(n float64) string {
	if n < 10 {
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.0f", n)
}
