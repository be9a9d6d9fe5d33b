package main

// This file: what grows with the catalogue: sizes, the time to build the index,
// and how long the service takes, alone and under load. docs/scaling.md is made
// of its tables.

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"

	"equipment-platform/bench/load"

	"github.com/jackc/pgx/v5"
)

// vectorsIndexSize is that of what the search looks into.
const vectorsIndexSize = "SELECT sum(pg_relation_size(indexrelid)) FROM pg_index WHERE indrelid = 'vehicle_embeddings'::regclass AND indexprs IS NOT NULL"

// sizes are the parts of the database that grow, and how they are measured.
var sizes = []struct{ name, sql string }{
	{"whole database", "pg_database_size(current_database())"},
	{"vehicles, rows", "pg_table_size('vehicles')"},
	{"vehicles, indexes", "pg_indexes_size('vehicles')"},
	{"values, tags, links with indexes", "pg_total_relation_size('vehicle_params') + pg_total_relation_size('vehicle_tags') + pg_total_relation_size('vehicle_links')"},
	{"vectors, rows", "pg_table_size('vehicle_embeddings')"},
	{"vectors, index", vectorsIndexSize},
}

// scalingTables prints the tables of one size of the catalogue.
func (b *bench) scalingTables(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, b.databaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "%d vehicles, %d vectors\n", b.vehicles, b.vectors)
	for _, s := range sizes {
		var size int64
		if err := conn.QueryRow(ctx, "SELECT ("+s.sql+")::bigint").Scan(&size); err != nil {
			return err
		}
		fmt.Fprintf(tw, "%s\t%.1f MiB\n", s.name, float64(size)/(1<<20))
	}
	if b.built > 0 {
		fmt.Fprintf(tw, "build of the vectors' index\t%.1f s\n", b.built.Seconds())
	}
	workloads, err := b.workloads(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(tw, "service\talone p50\talone p99\t32 at once, per second\tp50\tp99\terrors")
	for _, w := range append(workloads, b.growing()...) {
		if len(w.requests) == 0 {
			continue
		}
		// once through, so that the curve shows the work and not the first touch of the disk
		if _, err := b.wrk(ctx, w, "service", 32, b.seconds); err != nil {
			return err
		}
		alone, err := b.wrk(ctx, w, "service", 1, b.seconds)
		if err != nil {
			return err
		}
		many, err := b.wrk(ctx, w, "service", 32, b.seconds)
		if err != nil {
			return err
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%.0f\t%s\t%s\t%d\n", w.name, alone.P50, alone.P99, many.Rate, many.P50, many.P99, alone.Errors+many.Errors)
	}
	fmt.Fprintf(tw, "peak memory of the service\t%s\n", load.PeakMemory(b.pids["service"]))
	return tw.Flush()
}

// growing are requests beyond those that have a yardstick: other filters and counts.
func (b *bench) growing() []workload {
	var category, tag, rating []request
	get := func(path string, args ...any) request {
		return request{method: "GET", path: fmt.Sprintf(path, args...)}
	}
	for n := 1; n <= 40; n++ {
		category = append(category, get("/api/v1/vehicles?categoryId=%s", md5ID(fmt.Sprint("c", n))))
		tag = append(tag, get("/api/v1/vehicles?searchTagId=%s", md5ID(fmt.Sprint("t", n))))
		rating = append(rating, get("/api/v1/vehicles?minRatingAvg=4.%d", n%10))
	}
	return []workload{
		{name: "count-all", requests: []request{get("/api/v1/vehicles/count")}},
		{name: "category", requests: category}, {name: "tag", requests: tag}, {name: "rating", requests: rating},
	}
}
