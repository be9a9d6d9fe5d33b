package fleet_test

// This file: the upgrade of a database with many vectors, with the commands of docs/operations.md.

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/testdb"
	"equipment-platform/verify/handbook"
)

const vectorIndexes = `SELECT coalesce(string_agg(c.relname, ' ' ORDER BY c.relname), '') FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    JOIN pg_am a ON a.oid = c.relam WHERE i.indrelid = 'vehicle_embeddings'::regclass AND i.indisvalid AND a.amname = 'hnsw'`

func TestUpgradeWithVectors(t *testing.T) {
	t.Parallel()
	p := build(t)
	page, err := handbook.Blocks("../../"+handbook.Page, "Upgrade", 2)
	require.NoError(t, err)
	migrate, drop := page[0], page[1]
	lists, err := handbook.Blocks("../../"+handbook.Page, "Many vectors", 1)
	require.NoError(t, err)
	const whole, halved = "vehicle_embeddings_hnsw_idx", "vehicle_embeddings_half_idx"
	for name, c := range map[string]struct {
		vectors int
		after   string
	}{
		"as many as are compared in a moment": {100, halved},
		"more":                                {10_001, halved + " " + whole},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := testdb.New(t)
			run := func(commands string) {
				t.Helper()
				cmd := exec.Command("bash", "-euo", "pipefail", "-c", commands)
				cmd.Env = append(os.Environ(), "PATH="+p.dir+string(filepath.ListSeparator)+os.Getenv("PATH"), "DATABASE_URL="+url)
				output, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s", output)
			}
			run("catalog migrate down --steps 2") // to the version before the index of 16-bit numbers
			db := connect(t, url)
			indexes := func() (all string) {
				t.Helper()
				require.NoError(t, db.QueryRow(t.Context(), vectorIndexes).Scan(&all))
				return all
			}
			require.Equal(t, whole, indexes())
			// One vehicle with vectors of so many models. The same vector ten times makes a graph that is built quickly.
			_, err := db.Exec(t.Context(), `DROP INDEX `+whole)
			require.NoError(t, err)
			_, err = db.Exec(t.Context(), `WITH t AS (INSERT INTO types (title, created_by, updated_by) VALUES ('Crane', 'a', 'a') RETURNING id),
				v AS (INSERT INTO vehicles (type_id, brand_name, model_name, owner_user_id, created_by, updated_by) SELECT id, 'B', 'M', 'o', 'o', 'o' FROM t RETURNING id)
				INSERT INTO vehicle_embeddings (vehicle_id, model, fingerprint, embedding)
				SELECT v.id, 'model ' || n, '', (SELECT array_agg(sin((n / 10 + 1) * place)) FROM generate_series(1, 1024) place)::vector
				FROM v, generate_series(1, $1::integer) n`, c.vectors)
			require.NoError(t, err)
			_, err = db.Exec(t.Context(), `CREATE INDEX `+whole+` ON vehicle_embeddings USING hnsw (embedding vector_cosine_ops)`)
			require.NoError(t, err)

			run(migrate)
			require.Equal(t, c.after, indexes(), "the programs before search by the old one where there are many vectors")
			run(drop)
			require.Equal(t, halved, indexes())
			run(lists[0])
			laidOut, err := catalogdb.New().VectorsLaidOut(t.Context(), db)
			require.NoError(t, err)
			require.True(t, laidOut.LaidOut)
			run("indexer status | grep 'searched *in 300 lists'")
		})
	}
}
