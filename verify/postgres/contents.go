package main

// This file: what is in a database, short enough to be compared.

import (
	"cmp"
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"equipment-platform/bench/seed"
)

// rows are a database's tables, each with the number of its rows and a digest of them in whatever order.
type rows map[string]string

// ofSeed is what nobody changes of a seeded database, by table.
var ofSeed = map[string]string{
	"vehicles": seed.Its, "vehicle_links": seed.Its, "vehicle_params": "true", "vehicle_tags": "true", "vehicle_embeddings": "fingerprint = 'bench'",
}

// contents are the rows of all tables, or those that conditions are for.
func contents(ctx context.Context, url string, where map[string]string) (rows, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	listed, err := conn.Query(ctx, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
	if err != nil {
		return nil, err
	}
	tables, err := pgx.CollectRows(listed, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	found := rows{}
	for _, table := range tables {
		condition, wanted := where[table]
		if where != nil && !wanted {
			continue
		}
		var digest string
		if err := conn.QueryRow(ctx, "SELECT count(*) || ' rows, ' || coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0) FROM "+pgx.Identifier{table}.Sanitize()+" t WHERE "+cmp.Or(condition, "true")).Scan(&digest); err != nil {
			return nil, fmt.Errorf("%s: %w", table, err)
		}
		found[table] = digest
	}
	return found, nil
}

// same demands that another database has the same rows, but for those of one table.
func (r rows) same(there rows, but string) error {
	for table := range r {
		if table != but && r[table] != there[table] {
			return fmt.Errorf("%s: %s, and there were %s", table, there[table], r[table])
		}
	}
	if len(r) != len(there) {
		return fmt.Errorf("%d tables, and there were %d", len(there), len(r))
	}
	return nil
}
