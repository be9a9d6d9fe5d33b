package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"equipment-platform/gen/catalogapi"
	"equipment-platform/internal/auth"
	"equipment-platform/internal/catalog"
	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/events"
	"equipment-platform/internal/program"
	"equipment-platform/openapi"
)

const (
	// requestTimeout bounds a request of the catalog; nothing in it takes long
	requestTimeout = 20 * time.Second
	// maxInFlight is far more than the database can work on at once, and little
	// enough that the last in the queue is still answered in time
	maxInFlight = 512
)

func serveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "serve", Short: "Serve the API and consume the events", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			settings, err := config.Load[config.Catalog]()
			if err != nil {
				return err
			}
			return serve(c.Context(), settings, program.Logger(settings.Process))
		},
	}
}

func serve(ctx context.Context, settings config.Catalog, log *slog.Logger) error {
	db, err := database.Open(ctx, settings.DatabaseURL, settings.DatabaseMaxConns, "catalog")
	if err != nil {
		return err
	}
	defer db.Close()
	metrics := edge.NewMetrics()
	group, ctx := errgroup.WithContext(ctx)
	ready := map[string]func(context.Context) error{
		"database": func(ctx context.Context) error { return database.Check(ctx, db) },
	}
	if err := startConsumers(ctx, group, settings, db, metrics, ready, log); err != nil {
		return err
	}
	if settings.API {
		server, background, err := newAPI(ctx, settings, db, metrics, ready, log)
		if err != nil {
			return err
		}
		group.Go(func() error { return background(ctx) })
		group.Go(func() error { return server.Serve(ctx, settings.HTTPAddr, settings.ShutdownTimeout) })
	}
	group.Go(func() error { return metrics.ServeAdmin(ctx, settings.AdminAddr) })
	return group.Wait()
}

// startConsumers consumes the event streams beside the API, unless they are
// switched off or no broker is named.
func startConsumers(ctx context.Context, group *errgroup.Group, settings config.Catalog, db *pgxpool.Pool, metrics *edge.Metrics, ready map[string]func(context.Context) error, log *slog.Logger) error {
	switch {
	case !bool(settings.Consumers):
		return nil
	case len(settings.Brokers) == 0:
		log.WarnContext(ctx, "KAFKA_BROKERS is empty: events are not consumed")
		return nil
	}
	consumer, err := events.NewConsumer(events.Options{
		Kafka: settings.Kafka, Streams: events.Streams(settings.Kafka, db), Log: log, Metrics: metrics.Registry, Drain: settings.ShutdownTimeout,
	})
	if err != nil {
		return err
	}
	ready["broker"] = consumer.Ready
	group.Go(func() error { return consumer.Run(ctx) })
	return nil
}

// newAPI makes the server and what runs beside it until its context ends.
func newAPI(ctx context.Context, settings config.Catalog, db *pgxpool.Pool, metrics *edge.Metrics, ready map[string]func(context.Context) error, log *slog.Logger) (*edge.Server, func(context.Context) error, error) {
	embedder, err := embedding.New(settings.Embedder())
	if err != nil {
		return nil, nil, err
	}
	// an endpoint that is down does not stop the catalog; one whose vectors cannot be stored does (D9.14)
	if err := embedder.Probe(ctx); errors.Is(err, embedding.ErrTooLong) {
		return nil, nil, err
	} else if err != nil {
		log.WarnContext(ctx, "embedding endpoint cannot be asked; search answers 503 until it can", "error", err)
	}
	keys, err := auth.NewKeySet(settings.JWKSURL, log)
	if err != nil {
		return nil, nil, err
	}
	verifier, err := auth.NewVerifier(keys, settings.Verifier())
	if err != nil {
		return nil, nil, err
	}
	spec, err := catalogapi.GetSwagger()
	if err != nil {
		return nil, nil, err
	}
	service, err := catalog.New(db, embedder, log)
	if err != nil {
		return nil, nil, err
	}
	server, err := edge.New(edge.Options{
		Name: "catalog", Spec: spec, SpecYAML: openapi.Catalog, Verifier: verifier,
		Mappings: []edge.Mapping{catalog.DatabaseProblem}, Log: log, Metrics: metrics,
		CORSDomain: settings.CORSDomain, RateLimitRPS: settings.RateLimitRPS, RateLimitBurst: settings.RateLimitBurst,
		Docs: settings.Docs(settings.Process), RequestTimeout: requestTimeout, MaxInFlight: maxInFlight,
		Ready: ready,
	})
	if err != nil {
		return nil, nil, err
	}
	service.Register(server.Echo)
	background := func(ctx context.Context) error {
		group, ctx := errgroup.WithContext(ctx)
		group.Go(func() error { keys.Run(ctx, settings.JWKSRefresh); return nil })
		group.Go(func() error { service.PurgeIdempotencyKeys(ctx); return nil })
		group.Go(func() error { service.WakeIndexer(ctx); return nil })
		return group.Wait()
	}
	return server, background, nil
}
