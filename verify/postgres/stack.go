package main

// This file: the services on a given database: two catalogs with consumers, and an
// indexer.

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/embedded"
	"equipment-platform/internal/process"
	"equipment-platform/verify/steady"
)

const (
	name       = "equipment"
	startLimit = time.Minute
	recovery   = 90 * time.Second // by then everything must be well again
)

type stack struct {
	dir      string
	primary  *embedded.Postgres
	broker   *embedded.Broker
	kafka    config.Kafka
	key      *auth.DevKey
	env      map[string]string
	addr     map[string]string
	programs map[string]*process.Process
}

// newStack starts a database and what else the services need, not yet the services.
func newStack(ctx context.Context, dir string) (_ *stack, err error) {
	s := &stack{dir: dir, addr: map[string]string{}, programs: map[string]*process.Process{}}
	defer func() {
		if err != nil {
			s.stop()
		}
	}()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if s.primary, err = embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: filepath.Join(dir, "primary"), Durable: true}); err != nil {
		return nil, err
	}
	if err := s.primary.CreateDatabase(ctx, name); err != nil {
		return nil, err
	}
	if err := database.MigrateUp(ctx, s.primary.URL(name)); err != nil {
		return nil, err
	}
	if s.broker, err = embedded.StartBroker(ctx, embedded.BrokerOptions{}); err != nil {
		return nil, err
	}
	if s.kafka, err = config.From[config.Kafka](nil); err != nil {
		return nil, err
	}
	if s.key, err = auth.LoadDevKey(filepath.Join(dir, "dev.pem")); err != nil {
		return nil, err
	}
	jwks := filepath.Join(dir, "jwks.json")
	if err := s.key.WriteJWKS(jwks); err != nil {
		return nil, err
	}
	for _, service := range steady.Services {
		if s.addr[service], err = process.FreeAddress(); err != nil {
			return nil, err
		}
	}
	s.env = map[string]string{
		"DATABASE_MAX_CONNS": "8", "KAFKA_BROKERS": s.broker.Address(), "AUTH_JWKS_URL": "file://" + jwks, "LOG_FORMAT": "json", "LOG_LEVEL": "warn",
	}
	return s, nil
}

// launch starts the services with more variables and waits until they are ready.
func (s *stack) launch(ctx context.Context, more map[string]string) error {
	maps.Copy(s.env, more)
	for _, service := range steady.Services {
		started, err := steady.StartService(service, s.addr[service], s.dir, s.env)
		if err != nil {
			return err
		}
		s.programs[service] = started
	}
	return s.ready(ctx, startLimit)
}

func (s *stack) ready(ctx context.Context, limit time.Duration) error {
	return steady.Ready(ctx, s.programs, s.addr, limit)
}

// load makes the steady load over both catalogs.
func (s *stack) load(ctx context.Context) (*steady.Load, error) {
	return steady.New(ctx, steady.Target{Catalogs: []string{s.addr["catalog-1"], s.addr["catalog-2"]}, Brokers: []string{s.broker.Address()}, Kafka: s.kafka, Key: s.key})
}

// halt stops the services.
func (s *stack) halt() error {
	var stopping sync.WaitGroup
	failed := make(chan error, len(s.programs))
	for _, program := range s.programs {
		stopping.Go(func() { failed <- program.Stop(30 * time.Second) })
	}
	stopping.Wait()
	clear(s.programs)
	close(failed)
	for err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *stack) stop() {
	_ = s.halt()
	if s.broker != nil {
		s.broker.Stop()
	}
	if s.primary != nil {
		crash(s.primary)
	}
}

// crash ends a server at once, as the end of its machine would: nothing is written any
// more and nobody hears of it.
func crash(p *embedded.Postgres) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = p.Stop(ctx)
}

// execute runs statements on a server.
func execute(ctx context.Context, url string, statements ...string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for _, sql := range statements {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%.60s: %w", sql, err)
		}
	}
	return nil
}

// account holds the load against what is in the database.
func account(ctx context.Context, l *steady.Load, url string, may func(steady.Line) bool) ([]steady.Line, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	lines, err := l.Account(ctx, conn, recovery)
	if err != nil {
		return nil, err
	}
	return lines, l.Write(lines, may)
}
