package steady

// This file: what must be true afterwards, as a table.

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"

	"equipment-platform/bench/seed"
)

// Line is one of the account: what was acknowledged and what is there, or what must be.
type Line struct {
	What            string
	Expected, Found int
}

// others are the vehicles that the database was not seeded with.
const others = "NOT (" + seed.Its + ")"

// Account waits until consumers and indexer have nothing left to do (Settle has the limit),
// and looks for everything in the database.
func (l *Load) Account(ctx context.Context, conn *pgx.Conn, limit time.Duration) (lines []Line, err error) {
	if err := Settle(ctx, conn, limit); err != nil {
		return nil, err
	}
	orders := slices.Collect(maps.Keys(l.orders))
	for _, x := range []struct {
		what     string
		expected int
		sql      string
		args     []any
	}{
		{Acknowledged + "vehicles", len(l.vehicles), "SELECT count(*) FROM vehicles WHERE id = ANY($1::uuid[])", []any{l.vehicles}},
		{Acknowledged + "edits", len(l.edited), "SELECT count(*) FROM vehicles WHERE id = ANY($1::uuid[]) AND brand_name = '" + edited + "'", []any{l.edited}},
		{"vehicles made twice by a repeated request", 0, "SELECT count(*) - count(DISTINCT model_name) FROM vehicles WHERE " + others, nil},
		{Acknowledged + "orders, by their effect", len(orders), "SELECT count(*) FROM order_entitlements WHERE order_id = ANY($1::uuid[])", []any{orders}},
		{Acknowledged + "orders, each handled once", len(orders), "SELECT count(*) FROM handled_events", nil},
		{Acknowledged + "ratings", l.ratings, "SELECT count(*) FROM ratings", nil},
		{"vehicles whose aggregates disagree with their ratings", 0, `SELECT count(*) FROM vehicles v, LATERAL (SELECT count(*) AS ratings, coalesce(sum(score_halves), 0) AS halves
FROM ratings r WHERE r.vehicle_id = v.id) r WHERE (v.rating_count <> r.ratings OR v.rating_halves <> r.halves) AND ` + others, nil},
		{"kept total minus counted", 0, "SELECT (SELECT sum(total) FROM vehicle_totals)::int - (SELECT count(*) FROM vehicles)::int", nil},
		{"public vehicles without a vector", 0, "SELECT count(*) FROM vehicles v WHERE is_active AND NOT EXISTS (SELECT FROM vehicle_embeddings e WHERE e.vehicle_id = v.id) AND " + others, nil},
	} {
		line := Line{What: x.what, Expected: x.expected}
		if err := conn.QueryRow(ctx, x.sql, x.args...).Scan(&line.Found); err != nil {
			return nil, fmt.Errorf("%s: %w", x.what, err)
		}
		lines = append(lines, line)
	}
	return append(lines, Line{Unseen, 0, l.unseen}, Line{"requests that hung", 0, l.hung}), nil
}

// What the lines begin with, or are, that differ where a failover may lose writes.
const (
	Acknowledged = "acknowledged "
	Unseen       = "acknowledged writes that their writer did not see"
)

// Write shows the account, and what callers saw meanwhile. It fails where a line is
// wrong that may not be, and where too little happened to say anything.
func (l *Load) Write(lines []Line, may func(Line) bool) error {
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "account\texpected\tfound\t")
	failed := 0
	for _, line := range lines {
		verdict := "ok"
		switch {
		case line.Expected == line.Found:
		case may != nil && may(line):
			verdict = "lost"
		default:
			failed++
			verdict = "WRONG"
		}
		fmt.Fprintf(tw, "%s\t%d\t%d\t%s\n", line.What, line.Expected, line.Found, verdict)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	l.writeStatuses()
	if len(l.vehicles) < 100 || l.ratings < 10 || len(l.edited) < 10 {
		return fmt.Errorf("too little happened to say anything: %d vehicles, %d edits, %d ratings", len(l.vehicles), len(l.edited), l.ratings)
	}
	if failed > 0 {
		return fmt.Errorf("%d lines of the account are wrong", failed)
	}
	return nil
}

// Sum says in a few words how much there was.
func (l *Load) Sum() string {
	return fmt.Sprintf("%d vehicles, %d orders and %d ratings", len(l.vehicles), len(l.orders), l.ratings)
}

// Settle waits until the indexer has nothing left to do. How much waits for it is a question
// of how quick the machine is with the model: it fails when nothing was done for limit.
func Settle(ctx context.Context, conn *pgx.Conn, limit time.Duration) error {
	least, since := math.MaxInt, time.Now()
	for time.Since(since) < limit {
		var waiting int
		if err := conn.QueryRow(ctx, "SELECT count(*) FROM index_outbox").Scan(&waiting); err != nil {
			return err
		}
		if waiting == 0 {
			return nil
		}
		if waiting < least {
			least, since = waiting, time.Now()
		}
		Pause(ctx, 200*time.Millisecond)
	}
	return fmt.Errorf("the indexer leaves %d rows of the outbox, as many as %s ago", least, limit)
}

// writeStatuses shows what callers saw meanwhile.
func (l *Load) writeStatuses() {
	for _, kind := range slices.Sorted(maps.Keys(l.statuses)) {
		var parts []string
		for _, status := range slices.Sorted(maps.Keys(l.statuses[kind])) {
			name := strconv.Itoa(status)
			if status == 0 {
				name = "no answer"
			}
			parts = append(parts, fmt.Sprintf("%s: %d", name, l.statuses[kind][status]))
		}
		fmt.Printf("  %-8s %s; slowest %s\n", kind, strings.Join(parts, ", "), l.slowest[kind].Round(time.Millisecond))
	}
}
