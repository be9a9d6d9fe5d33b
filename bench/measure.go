package main

// This file: wrk, rounds, memory, and the table.

import (
	"context"
	"crypto/md5" //nolint:gosec // names of rows, nothing secret
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/google/uuid"
)

func md5ID(s string) string { return uuid.UUID(md5.Sum([]byte(s))).String() } //nolint:gosec // as in the seed

type result struct {
	rps           float64
	p50, p99      string
	errors        int
	bytesPerReply float64
}

// measure runs every workload on service and yardstick in turn, round after
// round, and prints the table.
func (b *bench) measure(ctx context.Context, workloads []workload) error {
	results := map[string]map[string][]result{}
	for _, w := range workloads {
		if err := b.check(ctx, w); err != nil {
			return err
		}
		results[w.name] = map[string][]result{}
	}
	for round := range b.rounds {
		for _, w := range workloads {
			for _, target := range []string{"bare", "service"} {
				r, err := b.wrk(ctx, w, target, 32)
				if err != nil {
					return err
				}
				results[w.name][target] = append(results[w.name][target], r)
				b.say("round %d  %-12s %-8s %8.0f/s  p50 %s  p99 %s", round+1, w.name, target, r.rps, r.p50, r.p99)
			}
		}
	}
	return b.table(workloads, results)
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
func (b *bench) wrk(ctx context.Context, w workload, target string, connections int) (result, error) {
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
	out, err := exec.CommandContext(ctx, "wrk", "-c"+strconv.Itoa(connections), "-t"+strconv.Itoa(min(connections, 2)), "-d"+strconv.Itoa(b.seconds)+"s", "--timeout", "30s", "--latency", "-s", lua, b.targets[target]).CombinedOutput()
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
	if m := p50Line.FindStringSubmatch(out); m != nil {
		r.p50 = m[1]
	}
	if m := p99Line.FindStringSubmatch(out); m != nil {
		r.p99 = m[1]
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

func median(rs []result, f func(result) float64) float64 {
	values := make([]float64, len(rs))
	for i, r := range rs {
		values[i] = f(r)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func (b *bench) table(workloads []workload, results map[string]map[string][]result) error {
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "\n%d vehicles, %d vectors, wrk -c32, %d rounds of %d s\n", b.vehicles, b.vectors, b.rounds, b.seconds)
	fmt.Fprintln(tw, "workload\tbare/s\tservice/s\tratio\tper round\tgoal\tp50\tp99\tbytes\terrors")
	failed := 0
	for _, w := range workloads {
		bare, service := results[w.name]["bare"], results[w.name]["service"]
		var rounds []string
		errors := 0
		for i := range service {
			rounds = append(rounds, fmt.Sprintf("%.2f", service[i].rps/bare[i].rps))
			errors += service[i].errors
		}
		failed += errors
		rps := func(r result) float64 { return r.rps }
		last := service[len(service)-1]
		fmt.Fprintf(tw, "%s\t%.0f\t%.0f\t%.2f\t%s\t%s\t%s\t%s\t%.0f\t%d\n", w.name, median(bare, rps), median(service, rps),
			median(service, rps)/median(bare, rps), strings.Join(rounds, " "), w.goal, last.p50, last.p99, last.bytesPerReply, errors)
	}
	for _, name := range []string{"bare", "service"} {
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
