package main

// This file: the database of the benchmarks: deterministic, with Zipf-like
// owners and brands, in the proportions of the demo catalogue.

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
	pgxvector "github.com/pgvector/pgvector-go/pgx"

	"equipment-platform/internal/embedding"
)

// seedSteps fill the tables with the triggers off: a hundred thousand rows at
// once are no work for them. %d is the number of vehicles.
var seedSteps = []string{
	`SET session_replication_role = replica`,
	`SET synchronous_commit = off`,
	`SELECT setseed(0.42)`,
	`INSERT INTO groups (id, name, created_by, updated_by) SELECT md5('g' || n)::uuid, 'Group ' || n, 'bench', 'bench' FROM generate_series(1, 6) n`,
	`INSERT INTO categories (id, group_id, name, created_by, updated_by) SELECT md5('c' || n)::uuid, md5('g' || 1 + n % 6)::uuid, 'Category ' || n, 'bench', 'bench' FROM generate_series(1, 40) n`,
	`INSERT INTO units (id, code, label, unit_system, created_by, updated_by) SELECT md5('u' || n)::uuid, 'u' || n, 'unit ' || n, 'SI', 'bench', 'bench' FROM generate_series(1, 15) n`,
	`INSERT INTO params (id, name, value_type, unit_id, created_by, updated_by) SELECT md5('p' || n)::uuid, 'Parameter ' || n, 'NUMBER', CASE WHEN n % 3 > 0 THEN md5('u' || 1 + n % 15)::uuid END, 'bench', 'bench' FROM generate_series(1, 60) n`,
	`INSERT INTO tags (id, name, created_by, updated_by) SELECT md5('t' || n)::uuid, 'tag ' || n, 'bench', 'bench' FROM generate_series(1, 200) n`,
	`INSERT INTO types (id, title, created_by, updated_by) SELECT md5('y' || n)::uuid, 'Type ' || n, 'bench', 'bench' FROM generate_series(1, 80) n`,
	`INSERT INTO type_categories SELECT md5('y' || n)::uuid, md5('c' || 1 + n % 40)::uuid, 0 FROM generate_series(1, 80) n`,
	`INSERT INTO type_params SELECT md5('y' || n)::uuid, md5('p' || 1 + (n * 7 + k) % 60)::uuid, k FROM generate_series(1, 80) n, generate_series(0, 7) k`,
	`INSERT INTO vehicles (id, type_id, license_plate, brand_name, model_name, release_year, is_active, owner_user_id, rating_halves, rating_count, created_at, updated_at, created_by, updated_by)
SELECT md5('v' || n)::uuid, md5('y' || 1 + n %% 80)::uuid,
    CASE WHEN random() < 0.9 THEN chr(65 + (random() * 25)::int) || lpad((random() * 999)::int::text, 3, '0') || chr(65 + (random() * 25)::int) || chr(65 + (random() * 25)::int) || (10 + random() * 189)::int END,
    'Brand ' || 1 + floor(power(random(), 3) * 300)::int, 'Model ' || 1 + floor(random() * 900)::int, 1995 + floor(random() * 30)::int, random() < 0.95,
    'owner-' || 1 + floor(power(random(), 3) * 5000)::int, r.count * (2 + floor(random() * 9))::int, r.count,
    timestamptz '2024-01-01' + n * interval '37 seconds', timestamptz '2024-01-01' + n * interval '41 seconds', 'bench', 'bench'
FROM generate_series(1, %d) n, LATERAL (SELECT CASE WHEN random() + n * 0 < 0.5 THEN 0 ELSE floor(random() * 20)::int END AS count) r`,
	`INSERT INTO vehicle_params SELECT v.id, md5('p' || 1 + ((1 + n %% 80) * 7 + k) %% 60)::uuid, k, value, param_number(value), v.type_id, v.is_active, v.created_at
FROM generate_series(1, %d) n JOIN vehicles v ON v.id = md5('v' || n)::uuid, generate_series(0, 4) k, LATERAL (SELECT (1 + (n * 31 + k * 7) %% 5000)::text AS value) value`,
	`INSERT INTO vehicle_tags SELECT md5('v' || n)::uuid, md5('t' || 1 + (n * 13 + k * 61) %% 200)::uuid, k FROM generate_series(1, %d) n, generate_series(0, 2) k WHERE k < 2 OR n %% 2 = 0`,
	`INSERT INTO vehicle_links (vehicle_id, kind, file_id, position, created_by, updated_by) SELECT md5('v' || n)::uuid, 'photo', md5('f' || n || '-' || k)::uuid, k, 'bench', 'bench' FROM generate_series(1, %d) n, generate_series(0, 3) k WHERE k < 3 OR n %% 2 = 0`,
	`UPDATE vehicle_totals SET active = (SELECT count(*) FROM vehicles WHERE is_active), total = (SELECT count(*) FROM vehicles) WHERE shard = 0`,
	`INSERT INTO vehicle_counts
SELECT 'type', type_id::text, '', count(*) FILTER (WHERE is_active), count(*) FROM vehicles GROUP BY type_id UNION ALL
SELECT 'brand', brand_name, fold(brand_name), count(*) FILTER (WHERE is_active), count(*) FROM vehicles GROUP BY brand_name UNION ALL
SELECT 'tag', tag_id::text, '', count(*) FILTER (WHERE is_active), count(*) FROM vehicle_tags JOIN vehicles ON id = vehicle_id GROUP BY tag_id`,
	`UPDATE dictionary_version SET version = version + 1`,
	`CREATE TABLE bench (vehicles integer, vectors integer)`,
	`RESET session_replication_role`,
}

// tenth leaves the largest brand a tenth of the vehicles and spreads the rest of it.
const tenth = `BEGIN;
SET LOCAL session_replication_role = replica;
UPDATE vehicles SET brand_name = 'Brand ' || 2 + ((hashtext(id::text) >> 10) & 63) WHERE brand_name = 'Brand 1' AND (hashtext(id::text) & 1023) < 307;
COMMIT`

// seed fills the database unless it holds that much already.
func (b *bench) seed(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, b.databaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	// of the schema before, where the catalogue was made by that
	if _, err := conn.Exec(ctx, "DROP INDEX IF EXISTS vehicle_embeddings_hnsw_idx"); err != nil {
		return err
	}
	var vehicles, vectors int
	if conn.QueryRow(ctx, "SELECT vehicles, vectors FROM bench").Scan(&vehicles, &vectors) == nil && vehicles == b.vehicles && vectors == b.vectors {
		return b.renewVectors(ctx, conn)
	}
	begun := time.Now()
	for _, step := range seedSteps {
		sql := step
		if count(step) {
			sql = fmt.Sprintf(step, b.vehicles)
		}
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%.60s: %w", sql, err)
		}
	}
	if b.source.name != "" {
		if _, err := conn.Exec(ctx, tenth); err != nil {
			return err
		}
	}
	b.say("seeded %d vehicles in %s", b.vehicles, time.Since(begun).Round(time.Second))
	if err := b.seedVectors(ctx, conn); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "VACUUM ANALYZE"); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "INSERT INTO bench VALUES ($1, $2)", b.vehicles, b.vectors)
	return err
}

// renewVectors makes the vectors again when they are those of an older embedder, of
// which the service would find none, or have been replaced by a measurement.
func (b *bench) renewVectors(ctx context.Context, conn *pgx.Conn) error {
	var current int
	err := conn.QueryRow(ctx, "SELECT count(*) FROM vehicle_embeddings WHERE model = $1 AND fingerprint = 'bench'", b.source.model).Scan(&current)
	if err != nil || current >= min(b.vectors, b.vehicles) {
		return err
	}
	for _, step := range []func() error{
		func() error { _, err := conn.Exec(ctx, "TRUNCATE vehicle_embeddings"); return err },
		func() error { return b.seedVectors(ctx, conn) },
		func() error { _, err := conn.Exec(ctx, "VACUUM ANALYZE vehicle_embeddings"); return err },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// removeCreated takes back what the measurements created, so that the next run
// finds the same catalogue.
func (b *bench) removeCreated(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, b.databaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	removed, err := conn.Exec(ctx, "DELETE FROM vehicles WHERE created_by <> 'bench'")
	if err != nil || removed.RowsAffected() == 0 {
		return err
	}
	for _, sql := range []string{"DELETE FROM index_outbox", "VACUUM ANALYZE"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

func count(step string) bool {
	for i := 0; i+1 < len(step); i++ {
		if step[i] == '%' && step[i+1] == 'd' {
			return true
		}
	}
	return false
}

// words of the machines that the vectors are about: enough different ones that
// neighbours are neighbours.
var kinds = []string{
	"crawler excavator", "wheel loader", "backhoe loader", "tower crane", "all-terrain crane", "dump truck", "telehandler", "scissor lift",
	"boom lift", "road roller", "asphalt paver", "concrete pump", "concrete mixer", "bulldozer", "motor grader", "trencher", "drilling rig",
	"forklift", "generator", "air compressor", "light tower", "field sprayer", "combine harvester", "tractor", "skid steer loader", "pile driver",
}
var jobs = []string{
	"trenching", "demolition", "earthworks", "forestry", "road works", "snow removal", "harvest", "quarry", "roofing", "landscaping",
	"pipe laying", "heavy lift", "facade work", "backup power", "night work", "crop protection", "bridge building", "foundation", "waste", "mining",
}

func passage(n int) string {
	return embedding.Passage(embedding.VehicleText{
		Brand: fmt.Sprintf("Brand %d", 1+n*n%300), Model: fmt.Sprintf("Model %d", n%900), TypeTitle: kinds[n%len(kinds)],
		Categories: []string{fmt.Sprintf("Category %d", n%40)}, Tags: []string{jobs[n%len(jobs)], jobs[(n*7+3)%len(jobs)]},
		Params:      []embedding.ParamText{{Name: "Weight", Value: strconv.Itoa(n % 97), Unit: "t"}, {Name: "Power", Value: strconv.Itoa(n % 601), Unit: "kW"}},
		ReleaseYear: 1995 + n%30,
	})
}

// seeded is a vehicle that a vector is made for.
type seeded struct {
	n     int
	id    uuid.UUID
	brand string
	year  int
}

// passage is that of one of the models of its brand, with figures of its own. A brand has
// as many of all the models as it has of the vehicles (see seedSteps).
func (r seeded) passage(models int) string {
	var brand int
	_, _ = fmt.Sscanf(r.brand, "Brand %d", &brand)
	share := math.Cbrt(float64(brand)/300) - math.Cbrt(float64(brand-1)/300)
	m := brand*10_007 + r.n%max(1, int(share*float64(models)))
	return embedding.Passage(embedding.VehicleText{
		Brand: r.brand, Model: fmt.Sprintf("Model %d", m%900), TypeTitle: kinds[m*7%len(kinds)],
		Categories: []string{fmt.Sprintf("Category %d", m%40)}, Tags: []string{jobs[m%len(jobs)], jobs[(m*7+3)%len(jobs)]},
		Params:      []embedding.ParamText{{Name: "Weight", Value: strconv.Itoa(1 + r.n%97), Unit: "t"}, {Name: "Power", Value: strconv.Itoa(1 + r.n%601), Unit: "kW"}},
		ReleaseYear: r.year,
	})
}

func (b *bench) seedVectors(ctx context.Context, conn *pgx.Conn) error {
	if err := pgxvector.RegisterTypes(ctx, conn); err != nil {
		return err
	}
	begun := time.Now()
	// built at the end, as the schema has it: row by row takes hours
	var index, definition string
	err := conn.QueryRow(ctx, `SELECT c.relname, pg_get_indexdef(c.oid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
WHERE i.indrelid = 'vehicle_embeddings'::regclass AND a.amname = 'hnsw'`).Scan(&index, &definition)
	if err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "DROP INDEX "+pgx.Identifier{index}.Sanitize()); err != nil {
		return err
	}
	rows, err := b.seeded(ctx, conn)
	if err != nil {
		return err
	}
	const chunk = 1000
	for from := 0; from < len(rows); from += chunk {
		part := rows[from:min(from+chunk, len(rows))]
		vectors, err := b.source.passages(ctx, part)
		if err != nil {
			return err
		}
		_, err = conn.CopyFrom(ctx, pgx.Identifier{"vehicle_embeddings"}, []string{"vehicle_id", "model", "fingerprint", "embedding"},
			pgx.CopyFromSlice(len(part), func(i int) ([]any, error) {
				return []any{part[i].id, b.source.model, "bench", pgvector.NewVector(vectors[i])}, nil
			}))
		if err != nil {
			return err
		}
	}
	if b.index != "" {
		plain, _, _ := strings.Cut(definition, " WITH (")
		definition = plain + " WITH (" + b.index + ")"
	}
	copied := time.Now()
	for _, sql := range []string{
		fmt.Sprintf("SET maintenance_work_mem = '%dMB'", 512+b.vectors*5/1000), // more than the graph needs
		definition,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	b.built = time.Since(copied)
	b.say("%d vectors with their index in %s, the index in %s", len(rows), time.Since(begun).Round(time.Second), b.built.Round(time.Second))
	return nil
}

// seeded are the vehicles that have a vector.
func (b *bench) seeded(ctx context.Context, conn *pgx.Conn) ([]seeded, error) {
	rows, err := conn.Query(ctx, "SELECT id, brand_name, coalesce(release_year, 0) FROM vehicles ORDER BY id LIMIT $1", b.vectors)
	if err != nil {
		return nil, err
	}
	n := -1
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r seeded, err error) {
		n++
		r.n = n
		return r, row.Scan(&r.id, &r.brand, &r.year)
	})
}
