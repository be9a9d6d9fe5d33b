// Command faults breaks the platform while it works and then accounts for
// everything: with a steady stream of reads, writes and events, the catalog is
// killed, the database, the broker and the embedding server go away and come
// back, the connection pool fills up, the provider stands still, and one caller does
// what it can to take the services from the others (verify/hostile/attack). Afterwards
// every acknowledged write must be there, every event's effect once, and the
// services must have recovered by themselves.
//
// This file: the parts, and the faults in turn; attacks.go has the attacks. The load
// and the account are the package steady's.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/embedded"
	"equipment-platform/internal/process"
	"equipment-platform/verify/steady"
	"equipment-platform/verify/vectors"
)

const (
	faultTime = 4 * time.Second  // how long a part is away
	calmTime  = 3 * time.Second  // load without a fault, before and after
	recovery  = 60 * time.Second // by then everything must be well again
)

type platform struct {
	dir      string
	postgres *embedded.Postgres
	broker   *embedded.Broker
	kafka    config.Kafka // as the programs have it
	vectors  *vectors.Server
	key      *auth.DevKey
	env      map[string]string

	mu       sync.Mutex
	programs map[string]*process.Process
	addr     map[string]string
	closing  bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "faults")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // the database's user must get in
		return err
	}
	p := &platform{dir: dir, programs: map[string]*process.Process{}, addr: map[string]string{}}
	if err := p.start(ctx); err != nil {
		return err
	}
	defer p.stop()
	l, err := steady.New(ctx, steady.Target{
		Catalogs: []string{p.addr["catalog"]}, Gateway: p.addr["gateway"], Brokers: []string{p.broker.Address()}, Kafka: p.kafka, Key: p.key,
	})
	if err != nil {
		return err
	}
	faults := append(p.faults(), p.attacks(l)...)
	stopLoad := l.Start(ctx)
	steady.Pause(ctx, calmTime)
	for _, f := range faults {
		fmt.Printf("  %s\n", f.name)
		if err := f.do(ctx); err != nil {
			stopLoad()
			return fmt.Errorf("%s: %w", f.name, err)
		}
		steady.Pause(ctx, calmTime)
	}
	stopLoad()
	l.Wait()
	if err := p.await(ctx, recovery); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, p.postgres.URL("faults"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	lines, err := l.Account(ctx, conn, recovery)
	if err != nil {
		return err
	}
	if err := l.Write(lines, nil); err != nil {
		return err
	}
	fmt.Printf("faults: %s survived %d faults\n", l.Sum(), len(faults))
	return nil
}

type fault struct {
	name string
	do   func(context.Context) error
}

func (p *platform) faults() []fault {
	return []fault{
		{"kill -9 of the catalog", func(context.Context) error { return p.signal("catalog", syscall.SIGKILL) }},
		{"the database stops and starts", p.restartDatabase},
		{"the broker stops and starts", p.restartBroker},
		{"kill -9 of the indexer", func(context.Context) error { return p.signal("indexer", syscall.SIGKILL) }},
		{"the embedding server goes away", func(ctx context.Context) error {
			p.vectors.Down.Store(true)
			steady.Pause(ctx, faultTime)
			p.vectors.Down.Store(false)
			return nil
		}},
		{"every connection waits for a lock", p.fillPool},
		{"the provider stands still", func(ctx context.Context) error {
			if err := p.signal("sandbox", syscall.SIGSTOP); err != nil {
				return err
			}
			steady.Pause(ctx, faultTime)
			return p.signal("sandbox", syscall.SIGCONT)
		}},
	}
}

func (p *platform) restartDatabase(ctx context.Context) error {
	port := p.postgres.Port()
	if err := p.postgres.Stop(ctx); err != nil {
		return err
	}
	steady.Pause(ctx, faultTime)
	postgres, err := embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: filepath.Join(p.dir, "postgres"), Port: port, Durable: true})
	if err != nil {
		return err
	}
	p.postgres = postgres
	return nil
}

func (p *platform) restartBroker(ctx context.Context) error {
	port := p.broker.Port()
	p.broker.Stop()
	steady.Pause(ctx, faultTime)
	broker, err := embedded.StartBroker(ctx, embedded.BrokerOptions{Dir: filepath.Join(p.dir, "kafka"), Port: port})
	if err != nil {
		return err
	}
	p.broker = broker
	return nil
}

// fillPool holds a lock that every read and write of vehicles waits for.
func (p *platform) fillPool(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, p.postgres.URL("faults"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "LOCK TABLE vehicles IN ACCESS EXCLUSIVE MODE"); err != nil {
		return err
	}
	steady.Pause(ctx, faultTime)
	return tx.Rollback(ctx)
}

func (p *platform) start(ctx context.Context) (err error) {
	if p.postgres, err = embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: filepath.Join(p.dir, "postgres"), Durable: true}); err != nil {
		return err
	}
	if err := p.postgres.CreateDatabase(ctx, "faults"); err != nil {
		return err
	}
	url := p.postgres.URL("faults")
	if err := database.MigrateUp(ctx, url); err != nil {
		return err
	}
	if p.broker, err = embedded.StartBroker(ctx, embedded.BrokerOptions{Dir: filepath.Join(p.dir, "kafka")}); err != nil {
		return err
	}
	if p.kafka, err = config.From[config.Kafka](nil); err != nil {
		return err
	}
	if p.vectors, err = vectors.Start(); err != nil {
		return err
	}
	if p.key, err = auth.LoadDevKey(filepath.Join(p.dir, "dev.pem")); err != nil {
		return err
	}
	jwks := filepath.Join(p.dir, "jwks.json")
	if err := p.key.WriteJWKS(jwks); err != nil {
		return err
	}
	for _, name := range []string{"catalog", "sandbox", "gateway"} {
		if p.addr[name], err = process.FreeAddress(); err != nil {
			return err
		}
	}
	sandbox := "http://" + p.addr["sandbox"]
	p.env = map[string]string{
		"DATABASE_URL": url, "DATABASE_MAX_CONNS": "8", "KAFKA_BROKERS": p.broker.Address(), "AUTH_JWKS_URL": "file://" + jwks,
		"EMBEDDINGS_URL": p.vectors.URL, "EMBEDDINGS_MODEL": "words", "LOG_FORMAT": "json",
		"PROVIDER_URL": sandbox, "UPSTREAM_TIMEOUT": "2s", "PROVIDER_BOX_ID": "00000000-0000-4000-8000-0000000000b1@exchange.example",
	}
	for _, name := range []string{"catalog", "indexer", "sandbox", "gateway"} {
		if err := p.launch(name); err != nil {
			return err
		}
	}
	return p.await(ctx, recovery)
}

// launch starts a program and starts it again when it ends, as an orchestrator
// would.
func (p *platform) launch(name string) error {
	command := map[string]string{"indexer": "run"}[name]
	if command == "" {
		command = "serve"
	}
	environment := process.Environment(os.Environ(), p.env)
	if addr := p.addr[name]; addr != "" {
		environment = append(environment, "HTTP_ADDR="+addr)
	}
	started, err := process.Start(process.Program{
		Path: filepath.Join("bin", name), Args: []string{command}, Env: environment, LogPath: filepath.Join(p.dir, name+".log"),
	})
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.programs[name] = started
	p.mu.Unlock()
	go func() {
		<-started.Done()
		p.mu.Lock()
		closing := p.closing
		p.mu.Unlock()
		if !closing {
			if err := p.launch(name); err != nil {
				slog.Error("cannot start again", "program", name, "error", err)
			}
		}
	}()
	return nil
}

func (p *platform) signal(name string, s syscall.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.programs[name].Signal(s)
}

// await waits until the services say that they are ready.
func (p *platform) await(ctx context.Context, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, name := range []string{"catalog", "gateway"} {
		if err := process.AwaitHTTP(ctx, "http://"+p.addr[name]+"/readyz"); err != nil {
			return err
		}
	}
	return nil
}

func (p *platform) stop() {
	p.mu.Lock()
	p.closing = true
	programs := slices.Collect(maps.Values(p.programs))
	p.mu.Unlock()
	var stopping sync.WaitGroup
	for _, program := range programs {
		stopping.Go(func() { _ = program.Stop(time.Second) })
	}
	stopping.Wait()
	p.broker.Stop()
	_ = p.postgres.Stop(context.Background())
}
