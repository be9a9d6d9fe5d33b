package main

// This file: the rounds and the table.

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"
)

var order = []string{"direct", "nginx", "go proxy", "gateway"}

type result struct {
	rate float64
	p50  time.Duration
}

var (
	rateLine = regexp.MustCompile(`Requests/sec:\s+([\d.]+)`)
	p50Line  = regexp.MustCompile(`(?m)^\s+50%\s+(\S+)`)
	badLine  = regexp.MustCompile(`Non-2xx or 3xx responses: \d+|Socket errors: .*`)
)

func (b *bench) headers() []string {
	return []string{"Authorization: Bearer " + b.token, "X-Partner-Access-Token: sandbox-token"}
}

// ready waits until a target answers 200 with the whole document.
func (b *bench) ready(ctx context.Context, name string) error {
	var last error
	for range 200 {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.targets[name], nil)
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+b.token)
		req.Header.Set("X-Partner-Access-Token", "sandbox-token")
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			body, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK && len(body) > 1500 {
				return nil
			}
			err = fmt.Errorf("%s: %s", resp.Status, body)
		}
		last = err
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("%s: %w", name, last)
}

func (b *bench) wrk(ctx context.Context, name string, connections int) (r result, err error) {
	threads := min(connections, 2)
	args := []string{"-c" + strconv.Itoa(connections), "-t" + strconv.Itoa(threads), "-d" + strconv.Itoa(b.seconds) + "s", "--latency"}
	for _, h := range b.headers() {
		args = append(args, "-H", h)
	}
	out, err := exec.CommandContext(ctx, "wrk", append(args, b.targets[name])...).CombinedOutput()
	if err != nil {
		return r, fmt.Errorf("wrk: %w: %s", err, out)
	}
	if bad := badLine.Find(out); bad != nil {
		return r, fmt.Errorf("%s: %s", name, bad)
	}
	rate, p50 := rateLine.FindSubmatch(out), p50Line.FindSubmatch(out)
	if rate == nil || p50 == nil {
		return r, fmt.Errorf("wrk printed no rate: %s", out)
	}
	if r.rate, err = strconv.ParseFloat(string(rate[1]), 64); err == nil {
		r.p50, err = time.ParseDuration(string(p50[1]))
	}
	return r, err
}

func median[T float64 | time.Duration](list []T) T {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

func (b *bench) measure(ctx context.Context) error {
	for _, name := range order {
		if err := b.ready(ctx, name); err != nil {
			return err
		}
	}
	fmt.Printf("document of %d bytes, %d rounds of %d s\n", len(document), b.rounds, b.seconds)
	table := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "connections\ttarget\trequests/s\tof nginx\tp50\tadded to direct\t")
	for _, connections := range []int{32, 1} {
		rates, p50s := map[string][]float64{}, map[string][]time.Duration{}
		for range b.rounds {
			for _, name := range order {
				r, err := b.wrk(ctx, name, connections)
				if err != nil {
					return err
				}
				rates[name], p50s[name] = append(rates[name], r.rate), append(p50s[name], r.p50)
			}
		}
		for _, name := range order {
			rate, p50 := median(rates[name]), median(p50s[name])
			fmt.Fprintf(table, "%d\t%s\t%.0f\t%.2f\t%s\t%s\t\n", connections, name, rate, rate/median(rates["nginx"]), p50, p50-median(p50s["direct"]))
		}
	}
	return table.Flush()
}
