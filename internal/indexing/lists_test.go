package indexing_test

// This file: many vectors are laid out in lists, once, and again when most are newer.

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/embedding"
	"equipment-platform/internal/indexing"
)

// vectors adds so many, of one vehicle for models of as many names.
func (f *fixture) vectors(t *testing.T, vehicle, models string, n int) {
	t.Helper()
	f.exec(t, `INSERT INTO vehicle_embeddings (vehicle_id, model, fingerprint, embedding)
SELECT $1, $2 || n, '', (SELECT array_agg(sin((n % 100 + 1) * place)) FROM generate_series(1, 1024) place)::vector FROM generate_series(1, $3::integer) n`, vehicle, models, n)
}

// indexes are those of the search, by access method; invalid ones are marked.
func (f *fixture) indexes(t *testing.T) (all map[string]string) {
	t.Helper()
	rows, err := f.db.Query(t.Context(), `SELECT c.relname, a.amname || CASE WHEN i.indisvalid THEN '' ELSE ', invalid' END FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
JOIN pg_am a ON a.oid = c.relam WHERE i.indrelid = 'vehicle_embeddings'::regclass AND i.indexprs IS NOT NULL`)
	require.NoError(t, err)
	all = map[string]string{}
	for rows.Next() {
		var name, kind string
		require.NoError(t, rows.Scan(&name, &kind))
		all[name] = kind
	}
	require.NoError(t, rows.Err())
	return all
}

func TestManyVectorsAreLaidOutInLists(t *testing.T) {
	t.Parallel()
	f := setup(t)
	const graph = "vehicle_embeddings_half_idx"
	vehicle := f.vehicle(t, "Kubota", true)
	layOut := func() {
		t.Helper()
		require.NoError(t, indexing.LayOut(t.Context(), f.db, slog.New(slog.DiscardHandler)))
	}
	// several at once, as any number of indexers may run
	layOutAtOnce := func() {
		t.Helper()
		errs := make([]error, 3)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { errs[i] = indexing.LayOut(t.Context(), f.db, slog.New(slog.DiscardHandler)) })
		}
		all.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
	}
	f.vectors(t, vehicle, "few ", 10)
	layOut()
	require.Equal(t, map[string]string{graph: "hnsw"}, f.indexes(t), "few are searched as a graph")
	f.exec(t, "DROP INDEX "+graph) // which takes a minute to fill
	f.vectors(t, vehicle, "many ", 9_990)
	f.exec(t, fmt.Sprintf("CREATE INDEX %s ON vehicle_embeddings USING hnsw ((embedding::halfvec(1024)) halfvec_cosine_ops) WITH (m = 2, ef_construction = 4)", graph))

	layOutAtOnce()
	first := f.indexes(t)
	require.Len(t, first, 1)
	for name, kind := range first {
		require.Equal(t, "ivfflat", kind)
		var definition string
		require.NoError(t, f.db.QueryRow(t.Context(), "SELECT indexdef FROM pg_indexes WHERE indexname = $1", name).Scan(&definition))
		require.Contains(t, definition, "lists='100'")
	}
	layOut()
	require.Equal(t, first, f.indexes(t), "they are made once")

	// what a process that was killed left, and an index that came besides
	f.exec(t, "CREATE INDEX vehicle_embeddings_lists_7 ON vehicle_embeddings USING ivfflat ((embedding::halfvec(1024)) halfvec_cosine_ops) WITH (lists = 1)")
	f.exec(t, "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'vehicle_embeddings_lists_7'::regclass")
	f.exec(t, fmt.Sprintf("CREATE INDEX %s ON vehicle_embeddings USING ivfflat ((embedding::halfvec(1024)) halfvec_cosine_ops) WITH (lists = 1)", graph))
	layOut()
	require.Equal(t, first, f.indexes(t))
	// what an operator made for a filter of his own is his
	const theirs = "our_cranes"
	f.exec(t, "CREATE INDEX "+theirs+" ON vehicle_embeddings USING ivfflat ((embedding::halfvec(1024)) halfvec_cosine_ops) WITH (lists = 1) WHERE model = 'few 1'")

	f.exec(t, "UPDATE vehicle_embeddings SET embedded_at = now() + interval '2 seconds' WHERE model <> 'few 1'")
	layOutAtOnce()
	again := f.indexes(t)
	require.Equal(t, "ivfflat", again[theirs])
	delete(again, theirs)
	require.Len(t, again, 1)
	require.NotEqual(t, first, again, "most vectors are newer than their lists")
}

// The indexer does it by itself, in the background.
func TestTheIndexerLaysOut(t *testing.T) {
	t.Parallel()
	f := setup(t)
	vehicle := f.vehicle(t, "Kubota", true)
	f.exec(t, "DROP INDEX vehicle_embeddings_half_idx")
	f.vectors(t, vehicle, "many ", 10_000)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { assert.NoError(t, f.indexer(embedding.NewLexical()).Run(ctx)) })
	require.Eventually(t, func() bool {
		for _, kind := range f.indexes(t) {
			return kind == "ivfflat"
		}
		return false
	}, 30*time.Second, 10*time.Millisecond)
	stop()
	running.Wait()
}
