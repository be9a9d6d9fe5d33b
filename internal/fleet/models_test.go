package fleet_test

// This file: an embedding server, and the way from one model to another without
// a gap in search, as docs/operations.md describes it.

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/embedding"
	"equipment-platform/internal/testdb"
)

// modelServer answers for any model: the vector of a text follows from the
// model's name and the text.
type modelServer struct {
	*httptest.Server
	mu           sync.Mutex
	traceparents []string
}

func startModelServer(t *testing.T) *modelServer {
	t.Helper()
	s := &modelServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.Close)
	return s
}

func (s *modelServer) answer(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.traceparents = append(s.traceparents, r.Header.Get("traceparent"))
	s.mu.Unlock()
	var request struct {
		Model string
		Input []string
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	data := make([]any, len(request.Input))
	for i, text := range request.Input {
		hash := fnv.New64a()
		_, _ = hash.Write([]byte(request.Model + text)) // never fails
		random := rand.New(rand.NewPCG(hash.Sum64(), 0))
		vector := make([]float32, embedding.Dimension)
		for j := range vector {
			vector[j] = random.Float32() - 0.5
		}
		data[i] = map[string]any{"object": "embedding", "index": i, "embedding": vector}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{ // the client has gone: nothing to do
		"object": "list", "model": request.Model, "data": data, "usage": map[string]int{"prompt_tokens": 1, "total_tokens": 1},
	})
}

func TestAnotherModelWithoutAGap(t *testing.T) {
	t.Parallel()
	const vehicles = 20
	p, url, models := build(t), testdb.New(t), startModelServer(t)
	db := connect(t, url)
	_, err := db.Exec(t.Context(), `WITH t AS (INSERT INTO types (title, created_by, updated_by) VALUES ('Crane', 'a', 'a') RETURNING id)
		INSERT INTO vehicles (type_id, brand_name, model_name, owner_user_id, created_by, updated_by)
		SELECT id, 'Brand ' || n, 'Model', 'owner', 'owner', 'owner' FROM t, generate_series(1, $1::integer) n`, vehicles)
	require.NoError(t, err)
	env := func(model string) map[string]string {
		return map[string]string{"DATABASE_URL": url, "DATABASE_MAX_CONNS": "4", "EMBEDDINGS_URL": models.URL + "/v1", "EMBEDDINGS_MODEL": model, "SHUTDOWN_TIMEOUT": "8s"}
	}
	vectors := func(model string) int {
		return number(t, db, "SELECT count(*) FROM vehicle_embeddings WHERE model = 'openai/' || $1", model)
	}
	old, oldIndexer := p.start(t, []string{"catalog", "serve"}, env("old")), p.start(t, []string{"indexer", "run"}, env("old"))
	require.Eventually(t, func() bool { return vectors("old") == vehicles }, patience, lookEvery)
	b := startBalancer(t, old.addr)
	b.await(t, 1)

	// from here on every search finds every vehicle
	var stop atomic.Bool
	var short failures
	var searching sync.WaitGroup
	t.Cleanup(func() { stop.Store(true); searching.Wait() })
	searching.Go(func() {
		for !stop.Load() {
			code, answer := ask("POST", b.url+"/api/v1/vehicles/semantic-search", "", map[string]any{"query": "crane", "topK": 50})
			if matches, _ := answer["matches"].([]any); code != 200 || len(matches) != vehicles {
				short.add(fmt.Sprint(code, " ", len(matches), " matches"))
			}
		}
	})
	out, err := p.once(t.Context(), env("old"), "indexer", "rebuild", "--model", "new")
	require.NoError(t, err, out)
	require.Equal(t, vehicles, vectors("new"))
	require.Equal(t, vehicles, vectors("old"), "the old one goes on")

	// a change between the rebuild and the switch, which the old indexer takes
	_, err = db.Exec(t.Context(), "UPDATE vehicles SET model_name = 'Changed', version = version + 1")
	require.NoError(t, err)
	require.Eventually(t, func() bool { return number(t, db, "SELECT count(*) FROM index_outbox") == 0 }, patience, lookEvery)
	stale := number(t, db, "SELECT count(*) FROM vehicle_embeddings n JOIN vehicle_embeddings o USING (vehicle_id) WHERE n.model = 'openai/new' AND o.model = 'openai/old' AND n.embedded_at < o.embedded_at")
	require.Equal(t, vehicles, stale)

	oldIndexer.stop()
	p.start(t, []string{"indexer", "run"}, env("new"))
	old.env["EMBEDDINGS_MODEL"] = "new"
	sister := p.start(t, []string{"catalog", "serve"}, env("new"))
	sister.awaitReady()
	b.add(sister.addr)
	b.await(t, 2)
	old.stop()
	old.run()
	b.await(t, 2)
	require.Eventually(t, func() bool { // what changed meanwhile is embedded again
		return number(t, db, "SELECT count(*) FROM vehicle_embeddings n JOIN vehicle_embeddings o USING (vehicle_id) WHERE n.model = 'openai/new' AND o.model = 'openai/old' AND n.embedded_at > o.embedded_at") == vehicles
	}, patience, lookEvery)

	out, err = p.once(t.Context(), env("new"), "indexer", "prune")
	require.NoError(t, err, out)
	require.Zero(t, vectors("old"))
	stop.Store(true)
	searching.Wait()
	require.Empty(t, short.list())
	require.Empty(t, b.failures.list())
}
