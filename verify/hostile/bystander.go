package main

// This file: those who have nothing to do with an attack. They are a process of their
// own, so that neither the attacker nor the account slows them.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// The kinds of bystanders.
const (
	reading  = "reading"  // a vehicle by id, with a token and without
	probing  = "probing"  // what an orchestrator asks: /healthz and /readyz beside the metrics
	exchange = "exchange" // a call of the gateway
)

// stroll is what bystanders do in a phase.
type stroll struct {
	Catalog, Gateway string
	Probes           []string // URLs
	Token, Manager   string
	Vehicles         []string
	For              time.Duration
}

// sample is one call.
type sample struct {
	At, Took time.Duration // since the begin of the phase
	Status   int           // 0: no answer
}

// seen is what bystanders saw in a phase, by kind.
type seen map[string][]sample

// bystanders runs a phase in a process of its own.
func bystanders(ctx context.Context, s stroll) (out seen, err error) {
	err = child(ctx, "bystanders", s, &out)
	return out, err
}

// standBy is that process.
func standBy(ctx context.Context, s stroll) seen {
	out := seen{}
	var mu sync.Mutex
	var group sync.WaitGroup
	begun := time.Now()
	client := func(address string) *http.Client {
		dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
		return &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 4}, Timeout: 30 * time.Second}
	}
	walk := func(kind string, c *http.Client, every time.Duration, token string, url func() string) {
		group.Go(func() {
			for next := begun.Add(rand.N(every)); time.Since(begun) < s.For && ctx.Err() == nil; next = next.Add(every) {
				time.Sleep(time.Until(next)) // what is late is not left out: a stall delays many, and counts for each
				at := time.Now()
				if time.Since(next) < time.Second { // but for long ones, which would be counted a hundred times
					at = next
				} else {
					next = at
				}
				status := ask(ctx, c, url(), token)
				if ctx.Err() != nil {
					return
				}
				mu.Lock()
				out[kind] = append(out[kind], sample{At: at.Sub(begun), Took: time.Since(at), Status: status})
				mu.Unlock()
			}
		})
	}
	anonymous, known, probe := client("127.0.0.2"), client("127.0.0.3"), client("127.0.0.1")
	vehicle := func() string { return s.Catalog + "/api/v1/vehicles/" + s.Vehicles[rand.IntN(len(s.Vehicles))] }
	walk(reading, anonymous, 10*time.Millisecond, "", vehicle)
	walk(reading, known, 10*time.Millisecond, s.Token, vehicle)
	walk(exchange, known, 20*time.Millisecond, s.Manager, func() string { return s.Gateway + "/api/v1/exchange/organizations/my" })
	for _, url := range s.Probes {
		walk(probing, probe, 50*time.Millisecond, "", func() string { return url })
	}
	group.Wait()
	return out
}

func ask(ctx context.Context, c *http.Client, url, token string) int {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		panic(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("X-Partner-Access-Token", "sandbox-token")
	}
	resp, err := c.Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return 0
	}
	return resp.StatusCode
}

// quantile of the times; 0 of none.
func quantile(samples []sample, q float64) time.Duration {
	if len(samples) == 0 {
		return 0
	}
	took := make([]time.Duration, len(samples))
	for i, s := range samples {
		took[i] = s.Took
	}
	slices.Sort(took)
	return took[min(len(took)-1, int(q*float64(len(took))))]
}

// refused are those that had another answer than 2xx, as a text.
func refused(samples []sample) string {
	counts := map[int]int{}
	for _, s := range samples {
		if s.Status/100 != 2 {
			counts[s.Status]++
		}
	}
	var parts []string
	for status, n := range counts {
		parts = append(parts, fmt.Sprintf("%d × %d", n, status))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// serveChild does the work of a child process: it reads what to do from standard
// input and writes what it saw to standard output.
func serveChild[In, Out any](ctx context.Context, do func(context.Context, In) Out) error {
	var in In
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(do(ctx, in))
}
