// Package catalog is the catalog's API: the strict handlers and the rules, one
// file for each resource.
//
// This file: what the handlers share, and their wiring.
package catalog

import (
	"context"
	"log/slog"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/auth"
	"equipment-platform/internal/contract"
	"equipment-platform/internal/database"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/embedding"
)

// Service answers the operations of openapi/catalog.yaml.
type Service struct {
	db        *pgxpool.Pool
	queries   *catalogdb.Queries
	names     *dictionaryCache
	staffRead contract.RoleRule
	embedder  embedding.Embedder
	computes  bool       // the embedder
	indexed   indexSize  // of the vectors; see search.go
	widths    walkWidths // of walks through their index; see searchwidth.go
	log       *slog.Logger
	changed   chan struct{}     // see wake.go
	replica   *database.Replica // nil: none; see reads.go
	stages    *searchStages     // nil: not measured; see measure.go
}

var _ catalogapi.StrictServerInterface = (*Service)(nil)

// Options are what a service is made of.
type Options struct {
	DB       *pgxpool.Pool
	Replica  *database.Replica     // where reads go while it is usable; nil: none
	Embedder embedding.Embedder    // turns search queries into vectors
	Computes bool                  // the embedder works in this process
	Spec     *openapi3.T           // the parsed contract
	Log      *slog.Logger          // of what no caller is told
	Metrics  prometheus.Registerer // nil: nothing is measured
}

// New makes the service.
func New(o Options) (*Service, error) {
	staffRead, err := contract.RoleGroup(o.Spec, "VEHICLE_STAFF_READ")
	if err != nil {
		return nil, err
	}
	s := &Service{
		db: o.DB, queries: catalogdb.New(), names: &dictionaryCache{}, staffRead: staffRead,
		embedder: o.Embedder, computes: o.Computes, log: o.Log, changed: make(chan struct{}, 1), replica: o.Replica,
		stages: newSearchStages(o.Metrics),
	}
	registerWidths(o.Metrics, &s.widths)
	return s, nil
}

// Register adds the routes of the spec to the server.
func (s *Service) Register(e *echo.Echo) {
	catalogapi.RegisterHandlers(e, catalogapi.NewStrictHandler(s, []catalogapi.StrictMiddlewareFunc{edge.NoNilResponse[catalogapi.StrictHandlerFunc], s.routeReads}))
}

// Run does what the service does beside its requests, until ctx ends.
func (s *Service) Run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { s.purgeIdempotencyKeys(ctx); return nil })
	group.Go(func() error { s.wakeIndexer(ctx); return nil })
	group.Go(func() error { s.addUpCounts(ctx); return nil })
	group.Go(func() error { s.unlinkDeletedTags(ctx); return nil })
	return group.Wait()
}

// purgeIdempotencyKeys deletes kept answers older than 24 hours (contract 1.15), now
// and then every hour until ctx ends.
func (s *Service) purgeIdempotencyKeys(ctx context.Context) {
	for {
		for {
			n, err := s.queries.IdempotencyPurge(ctx, s.db)
			if err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "kept answers could not be purged", "error", err)
			}
			if err != nil || n == 0 {
				break
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Hour):
		}
	}
}

// inTx runs f in the one transaction of a request that writes.
func (s *Service) inTx(ctx context.Context, f func(pgx.Tx) error) error {
	err := database.InTx(ctx, s.db, f)
	if err == nil {
		s.markChanged()
	}
	return err
}

// actor is the `sub` that createdBy and updatedBy show (contract 1.2).
func actor(ctx context.Context) string { return auth.FromContext(ctx).Subject }

// value returns what p points to, the zero value for nil.
func value[T any](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}

// or returns what p points to, fallback for nil.
func or[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}
	return *p
}

// utc is how times are shown: UTC, microseconds as the database keeps them.
func utc(t time.Time) time.Time { return t.UTC() }

// firstDuplicate returns the index of the first id that stands in the list
// before, or -1. UUIDs are compared by value, whatever their spelling (contract 1.1).
func firstDuplicate(ids []uuid.UUID) int {
	seen := make(map[uuid.UUID]struct{}, len(ids))
	for i, id := range ids {
		if _, twice := seen[id]; twice {
			return i
		}
		seen[id] = struct{}{}
	}
	return -1
}

// missing returns the index of the first id of wanted that is not in existing,
// or -1.
func missing(wanted, existing []uuid.UUID) int {
	have := make(map[uuid.UUID]struct{}, len(existing))
	for _, id := range existing {
		have[id] = struct{}{}
	}
	for i, id := range wanted {
		if _, ok := have[id]; !ok {
			return i
		}
	}
	return -1
}
