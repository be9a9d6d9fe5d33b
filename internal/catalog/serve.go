package catalog

// This file: from settings to a running catalog: the API, the consumers of the
// events, or both in one process.

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/events"
	"equipment-platform/internal/service"
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
	// maxBodies is room for 32 bodies of the largest size at once; nearly all are
	// small and need none of it. A byte takes some five (edge.Options), maxAnswers is
	// what answers hold: 300 MiB of the 400 that the manifest leaves to Go.
	maxBodies  = 32 << 20
	maxAnswers = 128 << 20
)

// process is what the parts of the running catalog share.
type process struct {
	*service.Service
	settings config.Catalog
	db       *pgxpool.Pool
	probe    *pgxpool.Pool     // one connection, for readiness
	replica  *database.Replica // nil: none
}

// Serve runs the catalog until ctx ends.
func Serve(ctx context.Context, c config.Catalog, log *slog.Logger) error {
	base, err := service.Start(ctx, "catalog", service.Config{Process: c.Process, HTTPAddr: c.HTTPAddr, Admin: c.Admin, Auth: c.Auth, Edge: c.Edge}, log)
	if err != nil {
		return err
	}
	defer base.Close()
	p := &process{Service: base, settings: c}
	if p.db, err = database.Open(ctx, c.Database.URL, c.Database.MaxConns, "catalog", p.Tracing.Database()); err != nil {
		return err
	}
	defer p.db.Close()
	p.Metrics.Registry.MustRegister(database.Stats(p.db, "primary"))
	if p.probe, err = database.Open(ctx, c.Database.URL, 1, "catalog readiness"); err != nil {
		return err
	}
	defer p.probe.Close()
	if err := database.Verify(ctx, p.probe, "DATABASE_URL"); err != nil {
		return err
	}
	p.Ready["database"] = p.databaseReady
	var beside []func(context.Context) error
	consume, err := p.consumers(ctx)
	if err != nil {
		return err
	}
	if consume != nil {
		beside = append(beside, consume)
	}
	if !c.API {
		o := p.Probes()
		o.RequestTimeout = requestTimeout
		server, err := edge.New(o)
		if err != nil {
			return err
		}
		return p.Run(ctx, server, beside...)
	}
	if c.DatabaseReadURL != "" {
		stop, err := p.openReplica(ctx)
		if err != nil {
			return err
		}
		defer stop()
	}
	server, api, err := p.newAPI(ctx)
	if err != nil {
		return err
	}
	return p.Run(ctx, server, append(beside, api.Run)...)
}

// databaseReady also passes without the primary while the replica answers:
// every process would be without it at once, and reads go on.
func (p *process) databaseReady(ctx context.Context) error {
	err := database.Check(ctx, p.probe)
	if err != nil && database.Unavailable(err) && p.replica != nil && p.replica.Usable() {
		return nil
	}
	return err
}

// openReplica lets reads go to DATABASE_READ_URL. stop closes it at the end.
func (p *process) openReplica(ctx context.Context) (stop func(), err error) {
	pool, err := database.Open(ctx, p.settings.DatabaseReadURL, p.settings.Database.MaxConns, "catalog reads", p.Tracing.Database())
	if err != nil {
		return nil, err
	}
	if err := database.Verify(ctx, pool, "DATABASE_READ_URL"); err != nil {
		pool.Close()
		return nil, err
	}
	p.Metrics.Registry.MustRegister(database.Stats(pool, "replica"))
	if p.replica, err = database.NewReplica(ctx, pool, p.db, p.Metrics.Registry, p.Log); err != nil {
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

// consumers returns what consumes the event streams; nil where they are switched
// off or no broker is named.
func (p *process) consumers(ctx context.Context) (func(context.Context) error, error) {
	c := p.settings
	switch {
	case !bool(c.Consumers):
		return nil, nil
	case len(c.Kafka.Brokers) == 0:
		p.Log.WarnContext(ctx, "KAFKA_BROKERS is empty: events are not consumed")
		return nil, nil
	}
	consumer, err := events.NewConsumer(events.Options{
		Kafka: c.Kafka, Streams: events.Streams(c.Kafka, p.db), Log: p.Log, Metrics: p.Metrics.Registry, Tracing: p.Tracing,
		Drain: c.Process.ShutdownTimeout,
	})
	if err != nil {
		return nil, err
	}
	// A process that consumes is not ready without its broker. Where the API must
	// stay in the balancing through an outage of the broker, the two run apart
	// (CATALOG_CONSUMERS=off, CATALOG_API=off), as the Kubernetes manifests have it.
	p.Ready["broker"] = consumer.Ready
	return consumer.Run, nil
}

// newAPI makes the API with its embedder and keys.
func (p *process) newAPI(ctx context.Context) (*edge.Server, *Service, error) {
	embedder, err := embedding.New(p.settings.Embeddings, func(next http.RoundTripper) http.RoundTripper { return p.Tracing.Transport("embeddings", next) })
	if err != nil {
		return nil, nil, err
	}
	// an endpoint that is down does not stop the catalog; one whose vectors cannot be stored does (contract 9.14)
	if err := embedder.Probe(ctx); errors.Is(err, embedding.ErrTooLong) {
		return nil, nil, err
	} else if err != nil {
		p.Log.WarnContext(ctx, "embedding endpoint cannot be asked; search answers 503 until it can", "error", err)
	}
	o, err := p.Edge()
	if err != nil {
		return nil, nil, err
	}
	o.RequestTimeout, o.Bodies, o.Answers = requestTimeout, maxBodies, maxAnswers
	o.MaxInFlight, o.Turns = inFlightPerConn*int(p.db.Config().MaxConns), int(p.db.Config().MaxConns)
	return NewServer(Options{DB: p.db, Replica: p.replica, Embedder: embedder, Computes: p.settings.Embeddings.URL == ""}, o)
}

// NewServer puts the catalog behind the shared edge, whose options say what the
// process adds to the contract: verifier, limits, log, metrics.
func NewServer(c Options, o edge.Options) (*edge.Server, *Service, error) {
	spec, err := openapi.Load(openapi.Catalog)
	if err != nil {
		return nil, nil, err
	}
	c.Spec, c.Log, c.Metrics = spec, o.Log, o.Metrics.Registry
	s, err := New(c)
	if err != nil {
		return nil, nil, err
	}
	o.Name, o.Spec, o.SpecYAML = "catalog", spec, openapi.Catalog
	o.Mappings = append(o.Mappings, DatabaseProblem)
	server, err := edge.New(o)
	if err != nil {
		return nil, nil, err
	}
	s.Register(server.Echo)
	return server, s, nil
}
