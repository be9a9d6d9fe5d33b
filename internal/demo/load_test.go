package demo_test

// This file: loading the demo catalogue again after it was stopped half-way.

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/catalog"
	"equipment-platform/internal/database"
	"equipment-platform/internal/demo"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/testdb"
	"equipment-platform/openapi"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var errStopped = errors.New("stopped")

// stopping is a catalog whose loading fails at the first type, or is stopped at
// a vehicle.
type stopping struct {
	api.StrictServerInterface
	types    bool
	vehicles int // made before the end
	stop     func()
}

func (s *stopping) CreateType(ctx context.Context, r api.CreateTypeRequestObject) (api.CreateTypeResponseObject, error) {
	if s.types {
		return nil, errStopped
	}
	return s.StrictServerInterface.CreateType(ctx, r)
}

func (s *stopping) CreateVehicle(ctx context.Context, r api.CreateVehicleRequestObject) (api.CreateVehicleResponseObject, error) {
	if s.vehicles--; s.vehicles < 0 {
		s.stop()
	}
	return s.StrictServerInterface.CreateVehicle(ctx, r)
}

func TestSeedAfterItWasStopped(t *testing.T) {
	t.Parallel()
	pool, err := database.Open(t.Context(), testdb.New(t), 4, "test")
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	spec, err := openapi.Load(openapi.Catalog)
	require.NoError(t, err)
	service, err := catalog.New(catalog.Options{DB: pool, Embedder: embedding.NewLexical(), Spec: spec, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	seed := func(service api.StrictServerInterface) error {
		return demo.Load(t.Context(), pool, service, io.Discard)
	}

	require.ErrorIs(t, seed(&stopping{StrictServerInterface: service, types: true}), errStopped)
	aDayLater(t, pool)
	stopped, stop := context.WithCancel(t.Context())
	require.ErrorIs(t, demo.Load(stopped, pool, &stopping{StrictServerInterface: service, vehicles: 10, stop: stop}, io.Discard), context.Canceled)
	aDayLater(t, pool)
	// as if the process had been killed: nothing could be done at its end
	_, err = pool.Exec(t.Context(), "UPDATE idempotency_keys SET created_at = now() - interval '25 hours'")
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, seed(service))
		for _, what := range []string{"groups", "units", "categories", "params", "tags", "types", "vehicles"} {
			var there int
			require.NoError(t, pool.QueryRow(t.Context(), "SELECT count(*) FROM "+what).Scan(&there))
			require.Equal(t, demoRecords(t, what), there, what)
		}
		aDayLater(t, pool)
	}
}

// TestSeedAddsPictures: a catalogue that was loaded before there were pictures gets
// them, except where somebody has changed the vehicle since.
func TestSeedAddsPictures(t *testing.T) {
	t.Parallel()
	pool, err := database.Open(t.Context(), testdb.New(t), 4, "test")
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	log := slog.New(slog.DiscardHandler)
	pictured := func() (n int) {
		t.Helper()
		require.NoError(t, pool.QueryRow(t.Context(), "SELECT count(DISTINCT vehicle_id) FROM vehicle_links WHERE kind = 'photo'").Scan(&n))
		return n
	}
	require.NoError(t, demo.LoadInto(t.Context(), pool, io.Discard, log))
	all := demoRecords(t, "vehicles")
	require.Equal(t, all, pictured())

	_, err = pool.Exec(t.Context(), "DELETE FROM vehicle_links")
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), "UPDATE vehicles SET updated_at = now() + interval '1 second' WHERE id = (SELECT min(id::text)::uuid FROM vehicles)")
	require.NoError(t, err)
	require.NoError(t, demo.LoadInto(t.Context(), pool, io.Discard, log))
	require.Equal(t, all-1, pictured())
}

// demoRecords counts what the demo catalogue has of a kind.
func demoRecords(t *testing.T, what string) int {
	t.Helper()
	raw, err := demo.Data.ReadFile(what + ".json")
	require.NoError(t, err)
	var records []json.RawMessage
	require.NoError(t, json.Unmarshal(raw, &records))
	return len(records)
}

// aDayLater ages the keys, of which a catalog that is served meanwhile removes
// what is old.
func aDayLater(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	_, err := pool.Exec(t.Context(), "UPDATE idempotency_keys SET created_at = created_at - interval '25 hours'")
	require.NoError(t, err)
	_, err = catalogdb.New().IdempotencyPurge(t.Context(), pool)
	require.NoError(t, err)
}
