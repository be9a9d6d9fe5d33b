package indexing_test

// This file: an embedding endpoint that fails in every way: what it rejects is
// parked, what passes is waited for, and nothing keeps the rest back.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
	"equipment-platform/internal/embedding"
)

// cursed is the word in the one text that goes wrong.
const cursed = "Cursed"

func isCursed(texts []string) bool { return strings.Contains(strings.Join(texts, " "), cursed) }

// endpoint is an embedding server that fails as it is told.
type endpoint struct {
	embedding.Embedder // its client
	asked              atomic.Int64
	mu                 sync.Mutex
	fault              fault
}

// fault answers a request in the endpoint's place, if it says so. probe is set
// for the word that only asks whether the endpoint works.
type fault func(w http.ResponseWriter, texts []string, probe bool) (answered bool)

// serve starts an endpoint; nil: without a fault.
func serve(t *testing.T, first fault) *endpoint {
	t.Helper()
	e := &endpoint{fault: first}
	lexical := embedding.NewLexical()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ Input []string }
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&request))
		probe := slices.Equal(request.Input, []string{"excavator"})
		if !probe {
			e.asked.Add(1)
		}
		e.mu.Lock()
		fault := e.fault
		e.mu.Unlock()
		if fault != nil && fault(w, request.Input, probe) {
			return
		}
		vectors, err := lexical.EmbedPassages(r.Context(), request.Input)
		assert.NoError(t, err)
		data := make([]map[string]any, len(vectors))
		for i, vector := range vectors {
			data[i] = map[string]any{"index": i, "embedding": vector}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	t.Cleanup(server.Close)
	var err error
	e.Embedder, err = embedding.New(config.Embeddings{URL: server.URL + "/v1", Model: "m"}, nil)
	require.NoError(t, err)
	return e
}

func (e *endpoint) set(next fault) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.fault = next
}

// onPassages fails with a status for all passages, or for those that are cursed.
func onPassages(status int, all bool) fault {
	return func(w http.ResponseWriter, texts []string, probe bool) bool {
		if probe || !all && !isCursed(texts) {
			return false
		}
		w.WriteHeader(status)
		return true
	}
}

// breaking cuts the connection under the cursed text.
func breaking(w http.ResponseWriter, texts []string, _ bool) bool {
	if !isCursed(texts) {
		return false
	}
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
	return true
}

// poisoned is an embedder that fails for the cursed text until it is healed.
type poisoned func(*testing.T) (e embedding.Embedder, heal func())

func overHTTP(f fault) poisoned {
	return func(t *testing.T) (embedding.Embedder, func()) {
		e := serve(t, f)
		return e, func() { e.set(nil) }
	}
}

func inside(reason error, spoil func([]float32) []float32) poisoned {
	return func(*testing.T) (embedding.Embedder, func()) {
		e := newSpy("m")
		e.set(func(s *spy) { s.poison, s.reason, s.spoil = cursed, reason, spoil })
		return e, func() { e.set(func(s *spy) { s.poison = "" }) }
	}
}

// row is a waiting row of the outbox.
type row struct {
	attempts int
	parked   bool
	wait     time.Duration
	reason   string
}

func (f *fixture) outbox(t *testing.T) (rows []row) {
	t.Helper()
	found, err := f.db.Query(t.Context(), `SELECT attempts, not_before = 'infinity',
		CASE WHEN not_before < 'infinity' THEN extract(epoch FROM not_before - clock_timestamp()) ELSE 0 END::float8, coalesce(last_error, '')
		FROM index_outbox ORDER BY id`)
	require.NoError(t, err)
	defer found.Close()
	for found.Next() {
		var r row
		var seconds float64
		require.NoError(t, found.Scan(&r.attempts, &r.parked, &seconds, &r.reason))
		r.wait = time.Duration(seconds * float64(time.Second))
		rows = append(rows, r)
	}
	require.NoError(t, found.Err())
	return rows
}

// due ends all waits that end by themselves.
func (f *fixture) due(t *testing.T) {
	t.Helper()
	f.exec(t, "UPDATE index_outbox SET not_before = now() WHERE not_before < 'infinity'")
}

func TestRejectedPassageIsParkedAndItsNeighboursAreNot(t *testing.T) {
	t.Parallel()
	for name, poison := range map[string]poisoned{
		"status 400":         overHTTP(onPassages(http.StatusBadRequest, false)),
		"status 413":         overHTTP(onPassages(http.StatusRequestEntityTooLarge, false)),
		"status 422":         overHTTP(onPassages(http.StatusUnprocessableEntity, false)),
		"an unusable answer": overHTTP(unusable),
		"rejected":           inside(embedding.ErrRefused, nil),
		"blank":              inside(embedding.ErrBlank, nil),
		"too short to store": inside(nil, func(v []float32) []float32 { return v[1:] }),
		"no number to store": inside(nil, func(v []float32) []float32 { v[0] = float32(math.NaN()); return v }),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			for i := range 10 {
				f.vehicle(t, fmt.Sprint("U", i), true)
			}
			bad := f.vehicle(t, cursed, true)
			e, heal := poison(t)
			x := f.indexer(e)
			for range 10 { // each attempt makes the row wait longer; the test does not
				require.NoError(t, x.Drain(t.Context()))
				f.due(t)
			}
			require.Len(t, f.indexed(t, e.Model()), 10)
			var status bytes.Buffer
			require.NoError(t, x.WriteStatus(t.Context(), &status))
			require.Regexp(t, `parked +1\n`, status.String())
			require.Contains(t, status.String(), bad)
			require.Contains(t, status.String(), "5 attempts")

			heal()
			n, err := x.RetryParked(t.Context())
			require.NoError(t, err)
			require.EqualValues(t, 1, n)
			require.NoError(t, x.Drain(t.Context()))
			require.Len(t, f.indexed(t, e.Model()), 11)
		})
	}
}

// unusable answers zeros for the cursed text.
func unusable(w http.ResponseWriter, texts []string, _ bool) bool {
	if !isCursed(texts) {
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"data":[{"index":0,"embedding":[0,0]}]}`))
	return true
}

// The endpoint answers a short word and no passage: that it is busy is not the
// fault of any vehicle, however long it lasts.
func TestBusyEndpointIsWaitedFor(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			const vehicles, rounds = 10, 10
			for i := range vehicles {
				f.vehicle(t, fmt.Sprint("U", i), true)
			}
			e := serve(t, onPassages(status, true))
			x := f.indexer(e)
			for range rounds {
				_, err := x.Step(t.Context())
				require.ErrorIs(t, err, embedding.ErrUnavailable, "so that the loop waits")
				f.due(t)
			}
			require.LessOrEqual(t, e.asked.Load(), int64(4*rounds), "a busy endpoint is not asked for every text")
			require.Len(t, f.outbox(t), vehicles)
			for _, row := range f.outbox(t) {
				require.Zero(t, row.attempts)
				require.False(t, row.parked)
			}
			e.set(nil)
			require.NoError(t, x.Drain(t.Context()))
			require.Len(t, f.indexed(t, e.Model()), vehicles)
		})
	}
}

// A fault that would pass, but meets one text always: the others do not wait
// for it, and it waits longer each time, but not indefinitely.
func TestTextThatAlwaysFailsWaitsBehindTheOthers(t *testing.T) {
	t.Parallel()
	for name, poison := range map[string]poisoned{
		"status 429":        overHTTP(onPassages(http.StatusTooManyRequests, false)),
		"status 500":        overHTTP(onPassages(http.StatusInternalServerError, false)),
		"status 503":        overHTTP(onPassages(http.StatusServiceUnavailable, false)),
		"broken connection": overHTTP(breaking),
		"time limit":        inside(fmt.Errorf("%w: %w", embedding.ErrUnavailable, context.DeadlineExceeded), nil),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			for i := range 10 {
				f.vehicle(t, fmt.Sprint("U", i), true)
			}
			f.vehicle(t, cursed, true)
			e, heal := poison(t)
			x := f.indexer(e)
			worked, err := x.Step(t.Context())
			require.NoError(t, err, "the endpoint works")
			require.Equal(t, 10, worked)
			require.Len(t, f.indexed(t, e.Model()), 10)
			for _, waited := range []struct {
				age         string
				least, most time.Duration
			}{
				{"1 minute", 30 * time.Second, 3 * time.Minute},
				{"1 day", 4 * time.Minute, 5 * time.Minute},
			} {
				f.exec(t, "UPDATE index_outbox SET not_before = now(), created_at = now() - $1::text::interval", waited.age)
				_, err := x.Step(t.Context())
				require.NoError(t, err)
				rows := f.outbox(t)
				require.Len(t, rows, 1)
				require.Zero(t, rows[0].attempts)
				require.False(t, rows[0].parked)
				require.Contains(t, rows[0].reason, "unavailable")
				require.Greater(t, rows[0].wait, waited.least, waited.age)
				require.LessOrEqual(t, rows[0].wait, waited.most, waited.age)
				worked, err = x.Step(t.Context())
				require.NoError(t, err)
				require.Zero(t, worked, "it waits")
			}
			heal()
			f.due(t)
			require.NoError(t, x.Drain(t.Context()))
			require.Len(t, f.indexed(t, e.Model()), 11)
		})
	}
}

func TestManyTextsThatFailDoNotKeepTheOthersBack(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for range 7 {
		f.vehicle(t, cursed, true)
	}
	for i := range 3 {
		f.vehicle(t, fmt.Sprint("U", i), true)
	}
	f.exec(t, "UPDATE index_outbox SET created_at = now() - interval '1 day'") // what fails is not due again within the test
	e := serve(t, onPassages(http.StatusInternalServerError, false))
	x := f.indexer(e)
	for range 3 { // three failures in a row end a batch: the third has the seventh text
		_, err := x.Step(t.Context())
		require.True(t, err == nil || errors.Is(err, embedding.ErrUnavailable), "%v", err)
	}
	require.Len(t, f.indexed(t, e.Model()), 3)
	require.Len(t, f.outbox(t), 7)
	for _, row := range f.outbox(t) {
		require.Zero(t, row.attempts)
		require.False(t, row.parked)
	}
}

// More texts that always take too long than a batch has places: what fell due
// before them comes before them.
func TestTextsThatFailDoNotFillTheBatches(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for range 70 {
		f.vehicle(t, cursed, true)
	}
	f.exec(t, "UPDATE index_outbox SET not_before = now() - interval '1 second'")
	for i := range 5 {
		f.vehicle(t, fmt.Sprint("U", i), true)
	}
	f.exec(t, "UPDATE index_outbox SET not_before = now() - interval '2 seconds' WHERE entity_id IN (SELECT id FROM vehicles WHERE model_name LIKE 'U%')")
	e := serve(t, onPassages(http.StatusInternalServerError, false))
	worked, err := f.indexer(e).Step(t.Context())
	require.ErrorIs(t, err, embedding.ErrUnavailable, "three in a row")
	require.Equal(t, 5, worked)
	require.Len(t, f.indexed(t, e.Model()), 5)
}

// The endpoint goes down in the middle of a batch: what it gave is kept.
func TestWorkBeforeTheEndpointFailedIsKept(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for i := range 10 {
		f.vehicle(t, fmt.Sprint("U", i), true)
	}
	var given atomic.Int64
	e := serve(t, func(w http.ResponseWriter, texts []string, probe bool) bool {
		if probe && given.Load() < 4 || len(texts) == 1 && !probe && given.Add(1) <= 4 {
			return false
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	worked, err := f.indexer(e).Step(t.Context())
	require.ErrorIs(t, err, embedding.ErrUnavailable)
	require.Equal(t, 4, worked)
	require.Len(t, f.indexed(t, e.Model()), 4)
	later := 0
	for _, row := range f.outbox(t) {
		require.Zero(t, row.attempts)
		require.False(t, row.parked)
		if row.wait > 0 {
			later++
		}
	}
	require.Equal(t, 1, later, "only the text at which it failed goes behind the others")
	require.Len(t, f.outbox(t), 6)
}

func TestRebuildWaitsForABusyEndpoint(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for i := range 10 {
		f.vehicle(t, fmt.Sprint("U", i), true)
	}
	var answered atomic.Int64
	e := serve(t, func(w http.ResponseWriter, _ []string, _ bool) bool {
		if answered.Add(1) > 4 { // two times a batch and a probe
			return false
		}
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	})
	require.NoError(t, f.indexer(e).Rebuild(t.Context(), func(int64) {}, func(int) {}))
	require.Len(t, f.indexed(t, e.Model()), 10)
}

// A slow model keeps the transaction idle for longer than the pool's limit,
// which is for requests.
func TestSlowModelOutlastsTheLimitOfIdleTransactions(t *testing.T) {
	t.Parallel()
	const limit = "250ms"
	f := setup(t)
	f.vehicle(t, "U17", true)
	pool := f.pool(t, 1, map[string]string{"idle_in_transaction_session_timeout": limit})
	computing, computed := make(chan struct{}), make(chan struct{})
	e := serve(t, func(http.ResponseWriter, []string, bool) bool {
		computing <- struct{}{}
		<-computed
		return false
	})
	x := indexerOn(pool, e)
	outlast := func(work func() error) {
		t.Helper()
		ended := make(chan error, 1)
		go func() { ended <- work() }()
		<-computing
		require.Eventually(t, func() bool {
			var longer bool
			require.NoError(t, f.db.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
AND state = 'idle in transaction' AND clock_timestamp() - state_change > 2 * $1::text::interval)`, limit).Scan(&longer))
			return longer
		}, 30*time.Second, 20*time.Millisecond, "the transaction is not idle for longer than the limit")
		computed <- struct{}{}
		require.NoError(t, <-ended)
	}
	var worked int
	outlast(func() (err error) { worked, err = x.Step(t.Context()); return err })
	require.Equal(t, 1, worked)
	require.Len(t, f.indexed(t, e.Model()), 1)
	outlast(func() error { return x.Rebuild(t.Context(), func(int64) {}, func(int) {}) })
	var now string
	require.NoError(t, pool.QueryRow(t.Context(), "SHOW idle_in_transaction_session_timeout").Scan(&now))
	require.Equal(t, limit, now, "the limit holds again for what comes after")
}
