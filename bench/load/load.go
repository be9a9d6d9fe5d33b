// Package load is what the benchmark programs share: driving a target with wrk,
// and what a process has used meanwhile.
package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Result is one measurement.
type Result struct {
	Rate, Requests float64 // a second, and in all
	P50, P99       time.Duration
	Bytes          float64 // of an answer, with its header
	Errors         int     // answers other than 2xx and 3xx, and broken connections
	// of the target, for each request; 0 where it shows no metrics
	Allocated, Objects float64
}

var (
	rateLine       = regexp.MustCompile(`Requests/sec:\s+([\d.]+)`)
	p50Line        = regexp.MustCompile(`(?m)^\s+50%\s+(\S+)`)
	p99Line        = regexp.MustCompile(`(?m)^\s+99%\s+(\S+)`)
	badLine        = regexp.MustCompile(`Non-2xx or 3xx responses: (\d+)`)
	socketLine     = regexp.MustCompile(`Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)`)
	totalLine      = regexp.MustCompile(`(\d+) requests in [\d.]+\w+, ([\d.]+)(B|KB|MB|GB) read`)
	allocationLine = regexp.MustCompile(`(?m)^go_memstats_(alloc_bytes|mallocs)_total (\S+)`)
	memoryLine     = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)
	peakLine       = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)
)

var units = map[string]float64{"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}

// Wrk drives a target for so many seconds on so many connections. args are more
// of wrk's own, the URL last. admin is the address where the target shows its
// metrics; empty: nowhere.
func Wrk(ctx context.Context, connections, seconds int, admin string, args ...string) (r Result, err error) {
	bytes, objects, err := allocations(ctx, admin)
	if err != nil {
		return r, err
	}
	args = append([]string{fmt.Sprint("-c", connections), fmt.Sprint("-t", min(connections, 2)), fmt.Sprint("-d", seconds, "s"), "--timeout", "120s", "--latency"}, args...)
	out, err := exec.CommandContext(ctx, "wrk", args...).CombinedOutput()
	if err != nil {
		return r, fmt.Errorf("wrk: %w: %s", err, out)
	}
	if r, err = parse(string(out)); err != nil || r.Requests == 0 {
		return r, err
	}
	bytesAfter, objectsAfter, err := allocations(ctx, admin)
	r.Allocated, r.Objects = (bytesAfter-bytes)/r.Requests, (objectsAfter-objects)/r.Requests
	return r, err
}

func parse(out string) (r Result, err error) {
	rate, total, p50, p99 := rateLine.FindStringSubmatch(out), totalLine.FindStringSubmatch(out), p50Line.FindStringSubmatch(out), p99Line.FindStringSubmatch(out)
	if rate == nil || total == nil || p50 == nil || p99 == nil {
		return r, fmt.Errorf("wrk printed no rate: %s", out)
	}
	var size float64
	for number, text := range map[*float64]string{&r.Rate: rate[1], &r.Requests: total[1], &size: total[2]} {
		if *number, err = strconv.ParseFloat(text, 64); err != nil {
			return r, err
		}
	}
	r.Bytes = size * units[total[3]] / max(r.Requests, 1)
	if r.P50, err = time.ParseDuration(p50[1]); err != nil {
		return r, err
	}
	if r.P99, err = time.ParseDuration(p99[1]); err != nil {
		return r, err
	}
	for _, line := range []*regexp.Regexp{badLine, socketLine} {
		for _, n := range slices.Concat(line.FindStringSubmatch(out), []string{""})[1:] {
			k, _ := strconv.Atoi(n)
			r.Errors += k
		}
	}
	return r, nil
}

// allocations reads what a process has allocated since its start.
func allocations(ctx context.Context, admin string) (bytes, objects float64, err error) {
	if admin == "" {
		return 0, 0, nil
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+admin+"/metrics", nil)
	if err != nil {
		return 0, 0, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, 0, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
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

// Median of a figure over the rounds.
func Median[T cmp.Ordered](rounds []Result, figure func(Result) T) T {
	list := make([]T, len(rounds))
	for i, r := range rounds {
		list[i] = figure(r)
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// Rate is the figure that is compared most.
func Rate(r Result) float64 { return r.Rate }

// Ratios are those of each round, whose parts are neighbours in time, and their
// median.
func Ratios(of, to []Result) (list string, middle float64) {
	each, text := make([]float64, len(of)), make([]string, len(of))
	for i := range of {
		each[i] = of[i].Rate / to[i].Rate
		text[i] = fmt.Sprintf("%.2f", each[i])
	}
	slices.Sort(each)
	return strings.Join(text, " "), each[len(each)/2]
}

// Memory is what a process has in memory.
func Memory(pid int) string { return memory(pid, memoryLine) }

// PeakMemory is the most that a process has had in memory.
func PeakMemory(pid int) string { return memory(pid, peakLine) }

func memory(pid int, line *regexp.Regexp) string {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return "unknown"
	}
	m := line.FindSubmatch(raw)
	if m == nil {
		return "unknown"
	}
	kb, _ := strconv.Atoi(string(m[1]))
	return fmt.Sprintf("%d MiB", kb/1024)
}
