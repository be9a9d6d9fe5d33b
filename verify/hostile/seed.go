package main

// This file: the database: many vehicles, a large dictionary, vehicles as large as
// they may be, a file and a tag that very many share.

import (
	"context"
	"crypto/md5" //nolint:gosec // ids that SQL makes too, no secret
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

const vehicles = 40_000

func md5Of(text string) [16]byte { return md5.Sum([]byte(text)) } //nolint:gosec // as above

// seeds fill the tables with the triggers off; MANY is the number of vehicles. Type 0 is of the
// large vehicles, tag 0 and file 0 are those of very many.
var seeds = []string{
	`SET session_replication_role = replica`,
	`SET synchronous_commit = off`,
	`INSERT INTO groups (id, name, created_by, updated_by) VALUES (md5('g1')::uuid, 'Group', 's', 's')`,
	`INSERT INTO categories (id, group_id, name, created_by, updated_by) VALUES (md5('c1')::uuid, md5('g1')::uuid, 'Category', 's', 's')`,
	`INSERT INTO params (id, name, value_type, created_by, updated_by) SELECT md5('p' || n)::uuid, 'Parameter ' || n, CASE WHEN n <= 1000 THEN 'NUMBER' ELSE 'STRING' END, 's', 's' FROM generate_series(1, 2000) n`,
	`INSERT INTO tags (id, name, created_by, updated_by) SELECT md5('t' || n)::uuid, 'tag ' || n, 's', 's' FROM generate_series(0, 10000) n`,
	`INSERT INTO types (id, title, created_by, updated_by) SELECT md5('y' || n)::uuid, 'Type ' || n, 's', 's' FROM generate_series(0, 80) n`,
	`INSERT INTO type_categories SELECT md5('y' || n)::uuid, md5('c1')::uuid, 0 FROM generate_series(0, 80) n`,
	`INSERT INTO type_params SELECT md5('y' || n)::uuid, md5('p' || k)::uuid, k - 1 FROM generate_series(1, 80) n, generate_series(1, 20) k`,
	`INSERT INTO type_params SELECT md5('y0')::uuid, md5('p' || 1000 + k)::uuid, k - 1 FROM generate_series(1, 16) k`,
	`INSERT INTO vehicles (id, type_id, license_plate, brand_name, model_name, release_year, owner_user_id, created_at, updated_at, created_by, updated_by)
SELECT md5('v' || n)::uuid, CASE WHEN n % 500 = 499 THEN md5('y0')::uuid ELSE md5('y' || 1 + n % 80)::uuid END, 'A' || n, 'Brand ' || n % 300, 'Model ' || n % 900, 1995 + n % 30,
    CASE WHEN n % 100 = 0 THEN 'bystander' ELSE 'owner ' || n % 5000 END, timestamptz '2024-01-01' + n * interval '37 seconds', timestamptz '2024-01-01' + n * interval '41 seconds', 's', 's ' || n % 400
FROM generate_series(1, MANY) n`,
	`INSERT INTO vehicle_params SELECT v.id, md5('p' || k)::uuid, k - 1, value, value::numeric, v.type_id, v.is_active, v.created_at
FROM generate_series(1, MANY) n JOIN vehicles v ON v.id = md5('v' || n)::uuid, generate_series(1, 8) k, LATERAL (SELECT ((n * 31 + k * 7) % 5000)::text AS value) value WHERE n % 500 <> 499`,
	// 16 texts of 4,000 characters of four bytes: 256 KiB
	`INSERT INTO vehicle_params SELECT v.id, md5('p' || 1000 + k)::uuid, k - 1, '"' || repeat(U&'\+01F69C', 4000) || '"', NULL, v.type_id, v.is_active, v.created_at
FROM generate_series(1, MANY) n JOIN vehicles v ON v.id = md5('v' || n)::uuid, generate_series(1, 16) k WHERE n % 500 = 499`,
	`INSERT INTO vehicle_tags SELECT md5('v' || n)::uuid, md5('t' || CASE k WHEN 0 THEN 0 ELSE 1 + (n * 13 + k * 61) % 300 END)::uuid, k FROM generate_series(1, MANY) n, generate_series(0, 4) k`,
	`INSERT INTO vehicle_links (vehicle_id, kind, file_id, position, created_by, updated_by) SELECT md5('v' || n)::uuid, 'photo', md5('f0')::uuid, 0, 's', 's' FROM generate_series(1, MANY) n`,
	`UPDATE vehicle_totals SET active = (SELECT count(*) FROM vehicles WHERE is_active), total = (SELECT count(*) FROM vehicles) WHERE shard = 0`,
	`INSERT INTO vehicle_counts
SELECT 'type', type_id::text, '', count(*) FILTER (WHERE is_active), count(*) FROM vehicles GROUP BY type_id UNION ALL
SELECT 'brand', brand_name, fold(brand_name), count(*) FILTER (WHERE is_active), count(*) FROM vehicles GROUP BY brand_name UNION ALL
SELECT 'tag', tag_id::text, '', count(*) FILTER (WHERE is_active), count(*) FROM vehicle_tags JOIN vehicles ON id = vehicle_id GROUP BY tag_id`,
	`UPDATE dictionary_version SET version = version + 1`,
	`RESET session_replication_role`,
	`VACUUM ANALYZE`,
	`CHECKPOINT`,
}

func (p *platform) seed(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, p.postgres.URL("hostile"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for _, sql := range seeds {
		sql = strings.ReplaceAll(sql, "MANY", strconv.Itoa(vehicles))
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%.60s: %w", sql, err)
		}
	}
	return nil
}
