package main

// This file: what was seen, as a table.

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// table is what was measured; memory is in MiB, of one replica.
type table struct {
	started      time.Duration // of everything, with empty volumes
	rest, loaded map[string]float64
	back         map[string]time.Duration
	rolled, all  string // what was acknowledged until the end of the rolling, and in all
	dropped      int    // requests, by the programs before when they stop
}

// images of the services, where the compose file does not build them
var images = map[string]string{"postgres": "pgvector/pgvector:0.8.1-pg17", "kafka": "apache/kafka:4.1.0"}

func (e *engine) write(ctx context.Context, t *table) (string, error) {
	var b strings.Builder
	b.WriteString("| container | image | memory at rest | under load | well again after `kill -9` |\n|---|---|---|---|---|\n")
	for _, service := range []string{"postgres", "kafka", "catalog", "indexer", "gateway", "sandbox", "web"} {
		image, standIn := images[service], " (stand-in)"
		if image == "" {
			image, standIn = imageOf(service, "now"), ""
		}
		if service == "web" {
			standIn = " (on a stand-in)"
		}
		raw, err := e.docker(ctx, "image", "inspect", "--format", "{{.Size}}", image)
		if err != nil {
			return "", err
		}
		size, err := strconv.ParseFloat(raw, 64)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "| %s | %.0f MiB%s | %.0f MiB | %.0f MiB | %.1f s |\n", service, size/(1<<20), standIn, t.rest[service], t.loaded[service], t.back[service].Seconds())
	}
	fmt.Fprintf(&b, "\nEverything is well %.0f s after `up` with empty volumes. Rolled with %s acknowledged and no failed request (dropped by the programs before: %d); with all kills %s, none lost.\n",
		t.started.Seconds(), t.rolled, t.dropped, t.all)
	return b.String(), nil
}
