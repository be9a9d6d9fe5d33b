package main

// This file: rounds, wrk, memory, and the table.

import (
	"cmp"
	"context"
	"crypto/md5" //nolint:gosec // names of rows, nothing secret
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
)

func md5ID(s string) string { return uuid.UUID(md5.Sum([]byte(s))).String() } //nolint:gosec // as in the seed

// result is one measurement.
type result struct {
	rps           float64
	p50, p99      time.Duration
	errors        int
	bytesPerReply float64
	// of the service, per request
	allocated, objects float64
}

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
		return nil
	}
	results, replays := map[string]map[string][]result{}, map[string]replay{}
	for _, w := range workloads {
		if err := b.check(ctx, w); err != nil {
			return err
		}
		if replays[w.name], err = b.capture(ctx, w); err != nil {
			return err
		}
		results[w.name] = map[string][]result{}
	}
	for round := range b.rounds {
		for _, w := range workloads {
			for _, c := range contenders {
				r, err := b.measure(ctx, w, replays[w.name], c)
				if err != nil {
					return err
				}
				results[w.name][c] = append(results[w.name][c], r)
				b.say("round %d  %-12s %-15s %8.0f/s  p50 %s  p99 %s", round+1, w.name, c, r.rps, r.p50, r.p99)
			}
		}
	}
	return b.table(workloads, results)
}

func (b *bench) measure(ctx context.Context, w workload, r replay, contender string) (result, error) {
	switch contender {
	case replayed:
		return b.pgbench(ctx, r, connections, b.seconds)
	case replayedAlone:
		return b.pgbench(ctx, r, 1, max(1, b.seconds/2))
	case alone:
		return b.wrk(ctx, w, service, 1, max(1, b.seconds/2))
	case service:
		before, err := b.allocations(ctx)
		if err != nil {
			return result{}, err
		}
		res, err := b.wrk(ctx, w, service, callers, b.seconds)
		if err != nil {
			return res, err
		}
		after, err := b.allocations(ctx)
		requests := res.rps * float64(b.seconds)
		res.allocated, res.objects = (after.bytes-before.bytes)/requests, (after.objects-before.objects)/requests
		return res, err
	}
	return b.wrk(ctx, w, contender, callers, b.seconds)
}

type allocations struct{ bytes, objects float64 }

var allocationLine = regexp.MustCompile(`(?m)^go_memstats_(alloc_bytes|mallocs)_total (\S+)`)

// allocations reads what the service has allocated since its start.
func (b *bench) allocations(ctx context.Context) (a allocations, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+b.admin+"/metrics", nil)
	if err != nil {
		return a, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return a, err
	}
	for _, m := range allocationLine.FindAllSubmatch(raw, -1) {
		n, err := strconv.ParseFloat(string(m[2]), 64)
		if err != nil {
			return a, err
		}
		if string(m[1]) == "mallocs" {
			a.objects = n
		} else {
			a.bytes = n
		}
	}
	if a.bytes == 0 || a.objects == 0 {
		return a, errors.New("the service's metrics do not tell its allocations")
	}
	return a, nil
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
func (b *bench) wrk(ctx context.Context, w workload, target string, connections, seconds int) (result, error) {
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
		return result{}, err
	}
	lua := filepath.Join(b.dir, "wrk.lua")
	if err := os.WriteFile(lua, fmt.Appendf(nil, script, list), 0o600); err != nil {
		return result{}, err
	}
	out, err := exec.CommandContext(ctx, "wrk", "-c"+strconv.Itoa(connections), "-t"+strconv.Itoa(min(connections, 2)), "-d"+strconv.Itoa(seconds)+"s", "--timeout", "120s", "--latency", "-s", lua, b.targets[target]).CombinedOutput()
	if err != nil {
		return result{}, fmt.Errorf("wrk: %w: %s", err, out)
	}
	return parseWrk(string(out))
}

var (
	rpsLine   = regexp.MustCompile(`Requests/sec:\s+([\d.]+)`)
	p50Line   = regexp.MustCompile(`(?m)^\s+50%\s+(\S+)`)
	p99Line   = regexp.MustCompile(`(?m)^\s+99%\s+(\S+)`)
	badLine   = regexp.MustCompile(`Non-2xx or 3xx responses: (\d+)`)
	sockLine  = regexp.MustCompile(`Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)`)
	totalLine = regexp.MustCompile(`(\d+) requests in [\d.]+\w+, ([\d.]+)(\wB) read`)
)

func parseWrk(out string) (r result, err error) {
	m := rpsLine.FindStringSubmatch(out)
	if m == nil {
		return r, fmt.Errorf("wrk printed no rate: %s", out)
	}
	if r.rps, err = strconv.ParseFloat(m[1], 64); err != nil {
		return r, err
	}
	for line, field := range map[*regexp.Regexp]*time.Duration{p50Line: &r.p50, p99Line: &r.p99} {
		m := line.FindStringSubmatch(out)
		if m == nil {
			return r, fmt.Errorf("wrk printed no latency: %s", out)
		}
		if *field, err = time.ParseDuration(m[1]); err != nil {
			return r, err
		}
	}
	for _, line := range []*regexp.Regexp{badLine, sockLine} {
		if m := line.FindStringSubmatch(out); m != nil {
			for _, n := range m[1:] {
				k, _ := strconv.Atoi(n)
				r.errors += k
			}
		}
	}
	if m := totalLine.FindStringSubmatch(out); m != nil {
		requests, _ := strconv.ParseFloat(m[1], 64)
		size, _ := strconv.ParseFloat(m[2], 64)
		r.bytesPerReply = size * map[string]float64{"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}[m[3]] / max(requests, 1)
	}
	return r, nil
}

// median of a figure over the rounds.
func median[T cmp.Ordered](rs []result, f func(result) T) T {
	values := make([]T, len(rs))
	for i, r := range rs {
		values[i] = f(r)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// ratios are those of each round, as neighbours in time, and their median.
func ratios(of, to []result) (list string, middle float64) {
	var each []result
	var text []string
	for i := range of {
		r := of[i].rps / to[i].rps
		each, text = append(each, result{rps: r}), append(text, fmt.Sprintf("%.2f", r))
	}
	return strings.Join(text, " "), median(each, rate)
}

func rate(r result) float64 { return r.rps }

func (b *bench) table(workloads []workload, results map[string]map[string][]result) error {
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "\n%d vehicles, %d vectors; wrk with %d callers, pgbench with %d; %d rounds of %d s, medians\n", b.vehicles, b.vectors, callers, connections, b.rounds, b.seconds)
	fmt.Fprintln(tw, "workload\tbare/s\tservice/s\tpgbench/s\t× bare\tper round\tgoal\tof pgbench\tper round\tadded alone\tp50\tp99\tbytes\tallocated\tobjects\terrors")
	failed := 0
	for _, w := range workloads {
		r := results[w.name]
		broken := 0
		for _, c := range contenders {
			for _, one := range r[c] {
				broken += one.errors
			}
		}
		failed += broken
		perRound, middle := ratios(r[service], r[bare])
		ofDatabase, share := ratios(r[service], r[replayed])
		goal := "–"
		if w.goal > 0 {
			goal = fmt.Sprintf("≥ %.1f", w.goal)
		}
		added := 1000/median(r[alone], rate) - 1000/median(r[replayedAlone], rate)
		fmt.Fprintf(tw, "%s\t%s\t%.0f\t%.0f\t%.2f\t%s\t%s\t%.2f\t%s\t%.2f ms\t%s\t%s\t%.0f\t%.1f KiB\t%.0f\t%d\n", w.name,
			perSecond(median(r[bare], rate)), median(r[service], rate), median(r[replayed], rate), middle, perRound, goal, share, ofDatabase, added,
			median(r[service], func(r result) time.Duration { return r.p50 }), median(r[service], func(r result) time.Duration { return r.p99 }),
			median(r[service], func(r result) float64 { return r.bytesPerReply }), median(r[service], func(r result) float64 { return r.allocated / 1024 }),
			median(r[service], func(r result) float64 { return r.objects }), broken)
	}
	for _, name := range []string{bare, service} {
		fmt.Fprintf(tw, "peak memory of %s\t%s\n", name, peakMemory(b.pids[name]))
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

var peakLine = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

func peakMemory(pid int) string {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return "unknown"
	}
	m := peakLine.FindStringSubmatch(string(raw))
	if m == nil {
		return "unknown"
	}
	kb, _ := strconv.Atoi(m[1])
	return fmt.Sprintf("%d MiB", kb/1024)
}
