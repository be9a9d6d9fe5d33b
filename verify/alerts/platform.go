package main

// This file: the services with what they need, each part one that can fail.

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/embedded"
	"equipment-platform/internal/process"
	"equipment-platform/internal/sampleevents"
	"equipment-platform/verify/vectors"
)

const (
	startLimit = time.Minute
	// partitions of each topic: enough consumers that one process has more of them than connections
	partitions = 64
)

// jobs are the programs that Prometheus scrapes.
var jobs = []string{"catalog", "events", "indexer", "gateway"}

type platform struct {
	dir              string
	primary, replica *embedded.Postgres
	broker           *embedded.Broker
	kafka            config.Kafka
	client           *kgo.Client
	vectors          *vectors.Server
	key              *auth.DevKey
	noKeys           atomic.Bool // the identity host answers with an error
	env              map[string]string
	programs         map[string]*process.Process
	addr, admin      map[string]string
	locks            *pgx.Conn
	vehicle          string // one that events name
	typeID           string // of what callers create
}

func startPlatform(ctx context.Context) (_ *platform, err error) {
	p := &platform{programs: map[string]*process.Process{}, addr: map[string]string{}, admin: map[string]string{}}
	defer func() {
		if err != nil {
			p.stop()
		}
	}()
	if p.dir, err = os.MkdirTemp("", "alerts"); err != nil {
		return nil, err
	}
	if err = os.Chmod(p.dir, 0o755); err != nil { // the database's user must get in
		return nil, err
	}
	if err = p.startDatabase(ctx); err != nil {
		return nil, err
	}
	if err = p.startBroker(ctx); err != nil {
		return nil, err
	}
	if p.vectors, err = vectors.Start(); err != nil {
		return nil, err
	}
	keys, err := p.serveKeys()
	if err != nil {
		return nil, err
	}
	for _, name := range append([]string{"sandbox"}, jobs...) {
		if p.addr[name], err = process.FreeAddress(); err != nil {
			return nil, err
		}
		if p.admin[name], err = process.FreeAddress(); err != nil {
			return nil, err
		}
	}
	p.env = map[string]string{
		"DATABASE_URL": p.primary.URL("alerts"), "DATABASE_MAX_CONNS": "8", "KAFKA_BROKERS": p.broker.Address(),
		"AUTH_JWKS_URL": keys, "AUTH_JWKS_REFRESH": "1s", "EMBEDDINGS_URL": p.vectors.URL, "EMBEDDINGS_MODEL": "words",
		"LOG_FORMAT": "json", "LOG_LEVEL": "warn", "SHUTDOWN_TIMEOUT": "4s",
		// longer than the breaker's pause, as the default is
		"PROVIDER_URL": "http://" + p.addr["sandbox"], "UPSTREAM_TIMEOUT": "6s", "PROVIDER_BOX_ID": "00000000-0000-4000-8000-0000000000b1@exchange.example",
	}
	if err = p.run(ctx, "catalog", "seed"); err != nil {
		return nil, err
	}
	if p.locks, err = pgx.Connect(ctx, p.primary.URL("alerts")); err != nil {
		return nil, err
	}
	if err = p.locks.QueryRow(ctx, "SELECT id::text FROM vehicles WHERE is_active LIMIT 1").Scan(&p.vehicle); err != nil {
		return nil, err
	}
	if err = p.locks.QueryRow(ctx, "INSERT INTO types (title, created_by, updated_by) VALUES ('Anything', 'alerts', 'alerts') RETURNING id::text").Scan(&p.typeID); err != nil {
		return nil, err
	}
	return p, p.launch(ctx, "sandbox", "catalog", "events", "indexer", "gateway")
}

func (p *platform) startDatabase(ctx context.Context) (err error) {
	if p.primary, err = embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: filepath.Join(p.dir, "primary"), Durable: true}); err != nil {
		return err
	}
	if err := p.primary.CreateDatabase(ctx, "alerts"); err != nil {
		return err
	}
	if err := database.MigrateUp(ctx, p.primary.URL("alerts")); err != nil {
		return err
	}
	dir := filepath.Join(p.dir, "replica")
	if err := embedded.PrepareReplica(ctx, p.primary, dir, "replica"); err != nil {
		return err
	}
	p.replica, err = embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: dir, Durable: true})
	return err
}

func (p *platform) startBroker(ctx context.Context) (err error) {
	if p.broker, err = embedded.StartBroker(ctx, embedded.BrokerOptions{}); err != nil {
		return err
	}
	if p.kafka, err = config.From[config.Kafka](nil); err != nil {
		return err
	}
	if p.client, err = kgo.NewClient(kgo.SeedBrokers(p.broker.Address()), kgo.RecordPartitioner(kgo.RoundRobinPartitioner())); err != nil {
		return err
	}
	answers, err := kadm.NewClient(p.client).CreatePartitions(ctx, partitions-embedded.BrokerPartitions, p.kafka.TopicFileDeleted, p.kafka.TopicOrderEvents)
	if err != nil {
		return err
	}
	return answers.Error()
}

// serveKeys is the identity host.
func (p *platform) serveKeys() (address string, err error) {
	if p.key, err = auth.LoadDevKey(filepath.Join(p.dir, "dev.pem")); err != nil {
		return "", err
	}
	jwks, err := p.key.JWKS()
	if err != nil {
		return "", err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if p.noKeys.Load() {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(jwks)
	})}
	go func() { _ = server.Serve(listener) }()
	return "http://" + listener.Addr().String() + "/jwks", nil
}

// own is what a program has besides p.env: the API and the consumers of the
// events as the compose file has them, and consumers alone as the manifests do.
func (p *platform) own(name string) map[string]string {
	switch name {
	case "catalog":
		return map[string]string{"DATABASE_READ_URL": p.replica.URL("alerts")}
	case "events":
		return map[string]string{"CATALOG_API": "off"}
	default:
		return nil
	}
}

// launch starts programs and waits until they are ready.
func (p *platform) launch(ctx context.Context, names ...string) error {
	for _, name := range names {
		path, command := name, "serve"
		switch name {
		case "events":
			path = "catalog"
		case "indexer":
			command = "run"
		}
		all := maps.Clone(p.env)
		maps.Copy(all, map[string]string{"HTTP_ADDR": p.addr[name], "ADMIN_ADDR": p.admin[name]})
		maps.Copy(all, p.own(name))
		var err error
		p.programs[name], err = process.Start(process.Program{
			Name: name, Path: filepath.Join("bin", path), Args: []string{command}, Env: process.Environment(os.Environ(), all), LogPath: filepath.Join(p.dir, name+".log"),
		})
		if err != nil {
			return err
		}
	}
	for _, name := range names {
		probe := "http://" + p.admin[name] + "/readyz"
		switch name {
		case "sandbox":
			probe = "http://" + p.addr[name] + "/healthz"
		case "indexer":
			probe = "http://" + p.admin[name] + "/metrics"
		}
		if err := p.programs[name].AwaitReady(ctx, probe, startLimit); err != nil {
			return err
		}
	}
	return nil
}

// run runs a program to its end.
func (p *platform) run(ctx context.Context, name string, arguments ...string) error {
	cmd := exec.CommandContext(ctx, filepath.Join("bin", name), arguments...)
	cmd.Env = process.Environment(os.Environ(), p.env)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// restart starts a database again where it was.
func restart(ctx context.Context, stopped *embedded.Postgres) (*embedded.Postgres, error) {
	return embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: stopped.Dir(), Port: stopped.Port(), Durable: true})
}

// exec changes data, as somebody who works on the catalogue does.
func (p *platform) exec(ctx context.Context, sql string) error {
	conn, err := pgx.Connect(ctx, p.primary.URL("alerts"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	_, err = conn.Exec(ctx, sql)
	return err
}

// publish puts copies of a record on a topic, over all its partitions.
func (p *platform) publish(ctx context.Context, topic string, payload []byte, copies int) error {
	records := make([]*kgo.Record, copies)
	for i := range records {
		records[i] = &kgo.Record{Topic: topic, Value: payload}
	}
	return p.client.ProduceSync(ctx, records...).FirstErr()
}

// order publishes an order event, and copies of it for every partition.
func (p *platform) order(ctx context.Context, copies int) error {
	publisher := sampleevents.Publisher{Brokers: []string{p.broker.Address()}, TopicFileDeleted: p.kafka.TopicFileDeleted, TopicOrderEvents: p.kafka.TopicOrderEvents}
	payload, _, err := publisher.Order(ctx, sampleevents.OrderEvent{CustomerID: "customer", VehicleID: p.vehicle})
	if err != nil {
		return err
	}
	return p.publish(ctx, p.kafka.TopicOrderEvents, payload, copies)
}

// lock keeps everybody else from the tables until unlock.
func (p *platform) lock(ctx context.Context, tables string) error {
	_, err := p.locks.Exec(ctx, "BEGIN; LOCK TABLE "+tables+" IN ACCESS EXCLUSIVE MODE")
	return err
}

func (p *platform) unlock(ctx context.Context) error {
	_, err := p.locks.Exec(ctx, "ROLLBACK")
	return err
}

func (p *platform) signal(name string, s syscall.Signal) error { return p.programs[name].Signal(s) }

func (p *platform) stop() {
	var stopping sync.WaitGroup
	for _, program := range p.programs {
		stopping.Go(func() {
			_ = program.Signal(syscall.SIGCONT) // one that stands still ends by nothing else
			_ = program.Stop(10 * time.Second)
		})
	}
	stopping.Wait()
	if p.client != nil {
		p.client.Close()
	}
	if p.broker != nil {
		p.broker.Stop()
	}
	for _, server := range []*embedded.Postgres{p.replica, p.primary} {
		if server != nil {
			_ = server.Stop(context.Background())
		}
	}
	if os.Getenv("KEEP_LOGS") == "" {
		_ = os.RemoveAll(p.dir)
	}
}
