package main

// This file: what must be true afterwards, as a table.

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"
)

func (l *load) account(ctx context.Context) error {
	if err := l.p.await(ctx, recovery); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, l.p.postgres.URL("faults"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := settle(ctx, conn); err != nil {
		return err
	}
	one := func(sql string, args ...any) (n int, err error) {
		err = conn.QueryRow(ctx, sql, args...).Scan(&n)
		return n, err
	}
	orders := slices.Collect(maps.Keys(l.orders))
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "account\texpected\tfound\t")
	failed := 0
	line := func(what string, expected, found int, err error) {
		verdict := "ok"
		if err != nil {
			verdict = err.Error()
		}
		if err != nil || expected != found {
			failed++
			verdict = "WRONG " + verdict
		}
		fmt.Fprintf(tw, "%s\t%d\t%d\t%s\n", what, expected, found, verdict)
	}
	n, err := one("SELECT count(*) FROM vehicles WHERE id = ANY($1::uuid[])", l.vehicles)
	line("acknowledged vehicles that are there", len(l.vehicles), n, err)
	n, err = one("SELECT count(*) - count(DISTINCT model_name) FROM vehicles")
	line("vehicles made twice by a repeated request", 0, n, err)
	n, err = one("SELECT count(*) FROM order_entitlements WHERE order_id = ANY($1::uuid[])", orders)
	line("published orders with their effect", len(orders), n, err)
	n, err = one("SELECT count(*) FROM handled_events")
	line("events handled, each once", len(orders), n, err)
	n, err = one("SELECT count(*) FROM ratings")
	line("acknowledged ratings", l.ratings, n, err)
	n, err = one(`SELECT count(*) FROM vehicles v, LATERAL (SELECT count(*) AS ratings, coalesce(sum(score_halves), 0) AS halves
FROM ratings r WHERE r.vehicle_id = v.id) r WHERE v.rating_count <> r.ratings OR v.rating_halves <> r.halves`)
	line("vehicles whose aggregates disagree with their ratings", 0, n, err)
	n, err = one("SELECT (SELECT sum(total) FROM vehicle_totals)::int - (SELECT count(*) FROM vehicles)::int")
	line("kept total minus counted", 0, n, err)
	n, err = one("SELECT count(*) FROM vehicles v WHERE is_active AND NOT EXISTS (SELECT FROM vehicle_embeddings e WHERE e.vehicle_id = v.id)")
	line("public vehicles without a vector", 0, n, err)
	line("requests that hung", 0, l.hung, nil)
	if err := tw.Flush(); err != nil {
		return err
	}
	l.writeStatuses()
	if len(l.vehicles) < 100 || l.ratings < 10 {
		return fmt.Errorf("too little happened to say anything: %d vehicles, %d ratings", len(l.vehicles), l.ratings)
	}
	if failed > 0 {
		return fmt.Errorf("%d lines of the account are wrong", failed)
	}
	fmt.Printf("faults: %d vehicles, %d orders and %d ratings survived %d faults\n", len(l.vehicles), len(orders), l.ratings, len(l.p.faults())+len(l.attacks()))
	return nil
}

// settle waits until consumers and indexer have nothing left to do.
func settle(ctx context.Context, conn *pgx.Conn) error {
	deadline := time.Now().Add(recovery)
	for time.Now().Before(deadline) {
		var waiting int
		if err := conn.QueryRow(ctx, "SELECT count(*) FROM index_outbox").Scan(&waiting); err != nil {
			return err
		}
		if waiting == 0 {
			return nil
		}
		pause(ctx, 200*time.Millisecond)
	}
	return fmt.Errorf("the outbox is not empty after %s", recovery)
}

// writeStatuses shows what callers saw meanwhile.
func (l *load) writeStatuses() {
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
