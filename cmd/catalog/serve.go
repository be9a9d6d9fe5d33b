package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
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
	"equipment-platform/internal/telemetry"
	"equipment-platform/openapi"
)

const (
	// requestTimeout bounds a request of the catalog; nothing in it takes long
	requestTimeout = 20 * time.Second
	// inFlightPerConn bounds the requests that run at once, for each connection of
	// the pool: the last in the queue waits for 32 turns of a connection, which is
	// a second where a turn takes 30 ms (a search among many vectors), and beyond
	// it the answer is an immediate 503. Measured by `bench -overload`.
	inFlightPerConn = 32
	// maxBodies is room for 64 bodies of the largest size at once; nearly all are
	// small and need none of it.
	maxBodies = 64 << 20
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

// process is what the parts of the running program share.
type process struct {
	settings config.Catalog
	log      *slog.Logger
	metrics  *edge.Metrics
	tracing  *telemetry.Tracing
	db       *pgxpool.Pool
	replica  *database.Replica // nil: none
	ready    map[string]func(context.Context) error
}

func serve(ctx context.Context, settings config.Catalog, log *slog.Logger) error {
	tracing, err := telemetry.Start(ctx, "catalog", log)
	if err != nil {
		return err
	}
	defer tracing.Close()
	p := &process{settings: settings, log: tracing.Logger(log), metrics: edge.NewMetrics(), tracing: tracing}
	if p.db, err = database.Open(ctx, settings.DatabaseURL, settings.DatabaseMaxConns, "catalog", tracing.Database()); err != nil {
		return err
	}
	defer p.db.Close()
	p.metrics.Registry.MustRegister(database.Stats(p.db, "primary"))
	p.ready = map[string]func(context.Context) error{"database": p.databaseReady}
	group, ctx := errgroup.WithContext(ctx)
	if err := p.startConsumers(ctx, group); err != nil {
		return err
	}
	server, background := (*edge.Server)(nil), func(context.Context) error { return nil }
	if settings.API {
		if settings.DatabaseReadURL != "" {
			stop, err := p.openReplica(ctx)
			if err != nil {
				return err
			}
			defer stop()
		}
		server, background, err = p.newAPI(ctx)
	} else {
		server, err = p.newProbes()
	}
	if err != nil {
		return err
	}
	group.Go(func() error { return background(ctx) })
	group.Go(func() error { return server.Serve(ctx, settings.HTTPAddr, settings.ShutdownTimeout) })
	group.Go(func() error { return p.metrics.ServeAdmin(ctx, settings.AdminAddr) })
	return group.Wait()
}

// databaseReady also passes without the primary while the replica answers:
// every process would be without it at once, and reads go on.
func (p *process) databaseReady(ctx context.Context) error {
	err := database.Check(ctx, p.db)
	if err != nil && database.Unavailable(err) && p.replica != nil && p.replica.Usable() {
		return nil
	}
	return err
}

// openReplica lets reads go to DATABASE_READ_URL. stop closes it at the end.
func (p *process) openReplica(ctx context.Context) (stop func(), err error) {
	pool, err := database.Open(ctx, p.settings.DatabaseReadURL, p.settings.DatabaseMaxConns, "catalog reads", p.tracing.Database())
	if err != nil {
		return nil, err
	}
	p.metrics.Registry.MustRegister(database.Stats(pool, "replica"))
	if p.replica, err = database.NewReplica(ctx, pool, p.db, p.metrics.Registry, p.log); err != nil {
		pool.Close()
		return nil, err
	}
	// it is watched to the last request: those of a server that drains too
	watched, end := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() { defer close(ended); p.replica.Run(watched) }()
	return func() {
		end()
		<-ended
		p.replica.Close()
		pool.Close()
	}, nil
}

// startConsumers consumes the event streams beside the API, unless they are
// switched off or no broker is named.
func (p *process) startConsumers(ctx context.Context, group *errgroup.Group) error {
	settings := p.settings
	switch {
	case !bool(settings.Consumers):
		return nil
	case len(settings.Brokers) == 0:
		p.log.WarnContext(ctx, "KAFKA_BROKERS is empty: events are not consumed")
		return nil
	}
	consumer, err := events.NewConsumer(events.Options{
		Kafka: settings.Kafka, Streams: events.Streams(settings.Kafka, p.db), Log: p.log, Metrics: p.metrics.Registry, Tracing: p.tracing,
		Drain: settings.ShutdownTimeout,
	})
	if err != nil {
		return err
	}
	// A process that consumes is not ready without its broker. Where the API must
	// stay in the balancing through an outage of the broker, the two run apart
	// (CATALOG_CONSUMERS=off, CATALOG_API=off), as the Kubernetes manifests have it.
	p.ready["broker"] = consumer.Ready
	group.Go(func() error { return consumer.Run(ctx) })
	return nil
}

// newProbes makes the server of a process without the API: /healthz and /readyz.
func (p *process) newProbes() (*edge.Server, error) {
	return edge.New(edge.Options{
		Name: "catalog", Spec: &openapi3.T{}, Log: p.log, Metrics: p.metrics, Tracing: p.tracing,
		CORSDomain: p.settings.CORSDomain, RequestTimeout: requestTimeout, Ready: p.ready,
	})
}

// newAPI makes the server and what runs beside it until its context ends.
func (p *process) newAPI(ctx context.Context) (*edge.Server, func(context.Context) error, error) {
	settings, log := p.settings, p.log
	embeddings := settings.Embedder()
	embeddings.Transport = func(next http.RoundTripper) http.RoundTripper { return p.tracing.Transport("embeddings", next) }
	embedder, err := embedding.New(embeddings)
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
	service, err := catalog.New(p.db, embedder, log)
	if err != nil {
		return nil, nil, err
	}
	p.ready["jwks"] = keys.Ready // with no keys at all, every caller with a token would be refused here
	service.Measure(p.metrics.Registry)
	if p.replica != nil {
		service.UseReplica(p.replica)
	}
	server, err := edge.New(edge.Options{
		Name: "catalog", Spec: spec, SpecYAML: openapi.Catalog, Verifier: verifier,
		Mappings: []edge.Mapping{catalog.DatabaseProblem}, Log: log, Metrics: p.metrics, Tracing: p.tracing,
		CORSDomain: settings.CORSDomain, RateLimitRPS: settings.RateLimitRPS, RateLimitBurst: settings.RateLimitBurst,
		Docs: settings.Docs(settings.Process), RequestTimeout: requestTimeout, MaxInFlight: inFlightPerConn * int(p.db.Config().MaxConns), Bodies: maxBodies,
		Ready: p.ready,
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
