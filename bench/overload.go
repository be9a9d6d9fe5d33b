package main

// This file: twice the load that the machine can serve. Callers come at a fixed
// rate, whether the ones before them have been answered or not, as in real
// life; what counts is how many are still answered well, and how quickly the
// others are refused.

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// outcome is one request of the flood.
type outcome struct {
	status int // 0: no answer
	took   time.Duration
	retry  bool // a 503 with Retry-After
}

// overloadTable measures each workload with 32 callers that wait for their answers,
// and then with twice as many requests a second as those got answered.
func (b *bench) overloadTable(ctx context.Context) error {
	workloads, err := b.workloads(ctx)
	if err != nil {
		return err
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 4096, MaxIdleConns: 4096}
	client := &http.Client{Transport: transport, Timeout: time.Minute}
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "workload\tcapacity/s\tsent/s\tanswered/s\tof capacity\tp50\tp99\trefused/s\tp50\tp99\twithout Retry-After\tother")
	for _, w := range workloads {
		busy, err := b.wrk(ctx, w, "service", 32, b.seconds)
		if err != nil {
			return err
		}
		rate := 2 * busy.Rate
		outcomes := b.flood(ctx, client, w, rate)
		var good, refused []time.Duration
		rude, other := 0, 0
		for _, o := range outcomes {
			switch o.status {
			case w.status:
				good = append(good, o.took)
			case http.StatusServiceUnavailable:
				refused = append(refused, o.took)
				if !o.retry {
					rude++
				}
			default:
				other++
			}
		}
		seconds := float64(b.seconds)
		fmt.Fprintf(tw, "%s\t%.0f\t%.0f\t%.0f\t%.2f\t%s\t%s\t%.0f\t%s\t%s\t%d\t%d\n", w.name, busy.Rate, float64(len(outcomes))/seconds,
			float64(len(good))/seconds, float64(len(good))/seconds/busy.Rate, percentile(good, 50), percentile(good, 99),
			float64(len(refused))/seconds, percentile(refused, 50), percentile(refused, 99), rude, other)
		transport.CloseIdleConnections()
	}
	return tw.Flush()
}

// flood sends rate requests a second for the time of a measurement, and waits
// for what is still under way.
func (b *bench) flood(ctx context.Context, client *http.Client, w workload, rate float64) []outcome {
	total := int(rate * float64(b.seconds))
	outcomes := make([]outcome, total)
	var flying sync.WaitGroup
	begun := time.Now()
	for n := range total {
		due := begun.Add(time.Duration(float64(n) / rate * float64(time.Second)))
		time.Sleep(time.Until(due))
		flying.Go(func() { outcomes[n] = b.once(ctx, client, w.requests[n%len(w.requests)]) })
	}
	flying.Wait()
	return outcomes
}

func (b *bench) once(ctx context.Context, client *http.Client, r request) outcome {
	begun := time.Now()
	req, err := http.NewRequestWithContext(ctx, r.method, b.targets["service"]+r.path, strings.NewReader(r.body))
	if err != nil {
		return outcome{}
	}
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.token {
		req.Header.Set("Authorization", "Bearer "+b.token)
	}
	resp, err := client.Do(req)
	if err != nil {
		return outcome{took: time.Since(begun)}
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	if err != nil {
		return outcome{took: time.Since(begun)}
	}
	return outcome{resp.StatusCode, time.Since(begun), resp.Header.Get("Retry-After") != ""}
}

func percentile(times []time.Duration, p int) time.Duration {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[min(len(times)-1, len(times)*p/100)].Round(100 * time.Microsecond)
}
