// Package seed makes the database of the benchmarks: deterministic, with Zipf-like
// owners and brands, in the proportions of the demo catalogue.
package seed

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgvector/pgvector-go"
	pgxvector "github.com/pgvector/pgvector-go/pgx"

	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/indexing"
)

// Its is the condition that rows fulfil which are of the seed and of nobody who came later. The ratings that its vehicles have
// are numbers alone, and most of its vehicles have no vector.
const Its = "created_by = 'bench'"

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

// Catalogue is what the database is to hold.
type Catalogue struct {
	Vehicles, Vectors int // the first so many vehicles have vectors
	// Model is what the vectors are stored under, and Passages makes them.
	Model    string
	Passages func(ctx context.Context, rows []Vehicle) ([][]float32, error)
	// Tenth leaves the largest brand a tenth of the vehicles and spreads the rest of it.
	Tenth bool
	// Index are the parameters of a graph of the vectors; empty: they are laid out as the
	// indexer does it.
	Index string
	// Say hears how long it took: a million vehicles take up to twenty minutes.
	Say func(format string, args ...any)
}

// Vehicle is one that a vector is made for, the Nth.
type Vehicle struct {
	N     int
	ID    uuid.UUID
	Brand string
	Year  int
}

// OfWords is a catalogue with vectors of words alone, which the service makes itself.
func OfWords(vehicles, vectors int, say func(format string, args ...any)) Catalogue {
	words := embedding.NewLexical()
	return Catalogue{Vehicles: vehicles, Vectors: vectors, Say: say, Model: words.Model(), Passages: func(ctx context.Context, rows []Vehicle) ([][]float32, error) {
		texts := make([]string, len(rows))
		for i, r := range rows {
			texts[i] = Passage(r.N)
		}
		return words.EmbedPassages(ctx, texts)
	}}
}

const tenth = `BEGIN;
SET LOCAL session_replication_role = replica;
UPDATE vehicles SET brand_name = 'Brand ' || 2 + ((hashtext(id::text) >> 10) & 63) WHERE brand_name = 'Brand 1' AND (hashtext(id::text) & 1023) < 307;
COMMIT`

// Fill fills the migrated, empty database of that URL, unless it holds that much already, and
// gives the time that building the index of the vectors took; 0: it was there.
func (c Catalogue) Fill(ctx context.Context, url string) (built time.Duration, err error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return 0, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	// of the schema before, where the catalogue was made by that
	if _, err := conn.Exec(ctx, "DROP INDEX IF EXISTS vehicle_embeddings_hnsw_idx"); err != nil {
		return 0, err
	}
	var vehicles, vectors int
	if conn.QueryRow(ctx, "SELECT vehicles, vectors FROM bench").Scan(&vehicles, &vectors) == nil && vehicles == c.Vehicles && vectors == c.Vectors {
		return c.renewVectors(ctx, conn)
	}
	begun := time.Now()
	for _, step := range seedSteps {
		sql := step
		if count(step) {
			sql = fmt.Sprintf(step, c.Vehicles)
		}
		if _, err := conn.Exec(ctx, sql); err != nil {
			return 0, fmt.Errorf("%.60s: %w", sql, err)
		}
	}
	if c.Tenth {
		if _, err := conn.Exec(ctx, tenth); err != nil {
			return 0, err
		}
	}
	c.Say("seeded %d vehicles in %s", c.Vehicles, time.Since(begun).Round(time.Second))
	if built, err = c.seedVectors(ctx, conn); err != nil {
		return 0, err
	}
	if _, err := conn.Exec(ctx, "VACUUM ANALYZE"); err != nil {
		return 0, err
	}
	_, err = conn.Exec(ctx, "INSERT INTO bench VALUES ($1, $2)", c.Vehicles, c.Vectors)
	return built, err
}

// renewVectors makes the vectors again when they are those of an older embedder, of
// which the service would find none, or have been replaced by a measurement.
func (c Catalogue) renewVectors(ctx context.Context, conn *pgx.Conn) (built time.Duration, err error) {
	var current int
	err = conn.QueryRow(ctx, "SELECT count(*) FROM vehicle_embeddings WHERE model = $1 AND fingerprint = 'bench'", c.Model).Scan(&current)
	if err != nil {
		return 0, err
	}
	if current >= min(c.Vectors, c.Vehicles) {
		if c.Index != "" {
			return 0, nil
		}
		return 0, c.layOut(ctx, conn) // where they are those of before the indexer did so
	}
	for _, step := range []func() error{
		func() error { _, err := conn.Exec(ctx, "TRUNCATE vehicle_embeddings"); return err },
		func() error { built, err = c.seedVectors(ctx, conn); return err },
		func() error { _, err := conn.Exec(ctx, "VACUUM ANALYZE vehicle_embeddings"); return err },
	} {
		if err := step(); err != nil {
			return 0, err
		}
	}
	return built, nil
}

func count(step string) bool {
	for i := 0; i+1 < len(step); i++ {
		if step[i] == '%' && step[i+1] == 'd' {
			return true
		}
	}
	return false
}

// Kinds and Jobs are words of the machines that the vectors are about: enough different ones that
// neighbours are neighbours.
var Kinds = []string{
	"crawler excavator", "wheel loader", "backhoe loader", "tower crane", "all-terrain crane", "dump truck", "telehandler", "scissor lift",
	"boom lift", "road roller", "asphalt paver", "concrete pump", "concrete mixer", "bulldozer", "motor grader", "trencher", "drilling rig",
	"forklift", "generator", "air compressor", "light tower", "field sprayer", "combine harvester", "tractor", "skid steer loader", "pile driver",
}
var Jobs = []string{
	"trenching", "demolition", "earthworks", "forestry", "road works", "snow removal", "harvest", "quarry", "roofing", "landscaping",
	"pipe laying", "heavy lift", "facade work", "backup power", "night work", "crop protection", "bridge building", "foundation", "waste", "mining",
}

// Passage is what the vector of a vehicle is made of.
func Passage(n int) string {
	return embedding.Passage(embedding.VehicleText{
		Brand: fmt.Sprintf("Brand %d", 1+n*n%300), Model: fmt.Sprintf("Model %d", n%900), TypeTitle: Kinds[n%len(Kinds)],
		Categories: []string{fmt.Sprintf("Category %d", n%40)}, Tags: []string{Jobs[n%len(Jobs)], Jobs[(n*7+3)%len(Jobs)]},
		Params:      []embedding.ParamText{{Name: "Weight", Value: strconv.Itoa(n % 97), Unit: "t"}, {Name: "Power", Value: strconv.Itoa(n % 601), Unit: "kW"}},
		ReleaseYear: 1995 + n%30,
	})
}

// PassageOfModels is that of one of so many models of machines, of the vehicle's brand and with figures of its own. A brand
// has as many of all the models as it has of the vehicles (see seedSteps).
func (v Vehicle) PassageOfModels(models int) string {
	var brand int
	_, _ = fmt.Sscanf(v.Brand, "Brand %d", &brand)
	share := math.Cbrt(float64(brand)/300) - math.Cbrt(float64(brand-1)/300)
	m := brand*10_007 + v.N%max(1, int(share*float64(models)))
	return embedding.Passage(embedding.VehicleText{
		Brand: v.Brand, Model: fmt.Sprintf("Model %d", m%900), TypeTitle: Kinds[m*7%len(Kinds)],
		Categories: []string{fmt.Sprintf("Category %d", m%40)}, Tags: []string{Jobs[m%len(Jobs)], Jobs[(m*7+3)%len(Jobs)]},
		Params:      []embedding.ParamText{{Name: "Weight", Value: strconv.Itoa(1 + v.N%97), Unit: "t"}, {Name: "Power", Value: strconv.Itoa(1 + v.N%601), Unit: "kW"}},
		ReleaseYear: v.Year,
	})
}

func (c Catalogue) seedVectors(ctx context.Context, conn *pgx.Conn) (built time.Duration, err error) {
	if err := pgxvector.RegisterTypes(ctx, conn); err != nil {
		return 0, err
	}
	begun := time.Now()
	// built at the end: row by row takes hours
	indexes, err := catalogdb.New().VectorsIndexes(ctx, conn)
	if err != nil {
		return 0, err
	}
	for _, index := range indexes {
		if _, err := conn.Exec(ctx, "DROP INDEX "+pgx.Identifier{index.Name}.Sanitize()); err != nil {
			return 0, err
		}
	}
	all, err := c.WithVectors(ctx, conn)
	if err != nil {
		return 0, err
	}
	const chunk = 1000
	for rows := range slices.Chunk(all, chunk) {
		vectors, err := c.Passages(ctx, rows)
		if err != nil {
			return 0, err
		}
		_, err = conn.CopyFrom(ctx, pgx.Identifier{"vehicle_embeddings"}, []string{"vehicle_id", "model", "fingerprint", "embedding"},
			pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
				return []any{rows[i].ID, c.Model, "bench", pgvector.NewVector(vectors[i])}, nil
			}))
		if err != nil {
			return 0, err
		}
	}
	copied := time.Now()
	if c.Index == "" {
		if err := c.layOut(ctx, conn); err != nil {
			return 0, err
		}
		if indexes, err = catalogdb.New().VectorsIndexes(ctx, conn); err != nil {
			return 0, err
		}
	}
	if c.Index != "" || len(indexes) == 0 {
		parameters := c.Index
		if parameters == "" {
			parameters = "m = 24, ef_construction = 200" // as the migrations have it
		}
		for _, sql := range []string{
			fmt.Sprintf("SET maintenance_work_mem = '%dMB'", 512+c.Vectors*5/1000), // more than the graph needs
			"CREATE INDEX vehicle_embeddings_half_idx ON vehicle_embeddings USING hnsw ((embedding::halfvec(1024)) halfvec_cosine_ops) WITH (" + parameters + ")",
		} {
			if _, err := conn.Exec(ctx, sql); err != nil {
				return 0, err
			}
		}
	}
	built = time.Since(copied)
	c.Say("%d vectors with their index in %s, the index in %s", len(all), time.Since(begun).Round(time.Second), built.Round(time.Second))
	return built, nil
}

// layOut has many vectors laid out by the indexer.
func (Catalogue) layOut(ctx context.Context, conn *pgx.Conn) error {
	pool, err := pgxpool.New(ctx, conn.Config().ConnString())
	if err != nil {
		return err
	}
	defer pool.Close()
	return indexing.LayOut(ctx, pool, slog.New(slog.DiscardHandler))
}

// WithVectors gives the vehicles that have a vector.
func (c Catalogue) WithVectors(ctx context.Context, conn *pgx.Conn) ([]Vehicle, error) {
	rows, err := conn.Query(ctx, "SELECT id, brand_name, coalesce(release_year, 0) FROM vehicles ORDER BY id LIMIT $1", c.Vectors)
	if err != nil {
		return nil, err
	}
	n := -1
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (v Vehicle, err error) {
		n++
		v.N = n
		return v, row.Scan(&v.ID, &v.Brand, &v.Year)
	})
}
