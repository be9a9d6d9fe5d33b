// Package devstack runs the whole platform on one machine, for development: what
// `make run` starts.
//
// This file: the order in which the parts start and stop, and how they find
// each other.
package devstack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"time"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/demo"
	"equipment-platform/internal/embedded"
	"equipment-platform/internal/process"
)

const (
	databaseName = "equipment"
	stopLimit    = 30 * time.Second
	readyLimit   = time.Minute
	indexLimit   = 3 * time.Minute
	// killAfter is how long a program may take to end after SIGTERM; it is longer
	// than the programs' own drain time.
	killAfter = 25 * time.Second

	catalogAddr = "127.0.0.1:8080"
	gatewayAddr = "127.0.0.1:8090"
	sandboxAddr = "127.0.0.1:8091"
)

// Stack says what to start and where it lives. Where a service's own variable
// (DATABASE_URL, KAFKA_BROKERS, EMBEDDINGS_URL) is set, that one is used.
type Stack struct {
	Dir      string // of the instance, such as .local
	Binaries string // directory of the programs
	WebRoot  string // built assets of the web app
	WebAddr  string
	FilesURL string // of the file service that the web app talks to
	UsersURL string // address template of a user directory; empty: ids are shown
	DevKey   string
	Kafka    config.Kafka
	// Variables are those of the environment and of `.env`.
	Variables map[string]string
	Out       io.Writer
	Log       *slog.Logger
}

// running is what a started stack is made of, in the order of its start.
type running struct {
	stops []func()
	died  chan error
	env   map[string]string // what every program gets
	logs  string
}

func (r *running) onStop(f func()) { r.stops = append(r.stops, f) }

func (r *running) stop() {
	for i := len(r.stops) - 1; i >= 0; i-- {
		r.stops[i]()
	}
}

// program starts a program with a log file of its own. Once it answers at the
// URL (empty: at once) its end is the stack's: the stack is whole or not at all.
func (r *running) program(ctx context.Context, p process.Program, url string, limit time.Duration) error {
	p.LogPath = filepath.Join(r.logs, p.Name+".log")
	started, err := process.Start(p)
	if err != nil {
		return err
	}
	r.onStop(func() { _ = started.Stop(killAfter) })
	if url != "" {
		if err := started.AwaitReady(ctx, url, limit); err != nil {
			return err
		}
	}
	go func() {
		<-started.Done()
		select {
		case r.died <- started.Failure():
		default:
		}
	}()
	return nil
}

// Run starts everything, shows where it is, and stops it in order when ctx ends.
func (s Stack) Run(ctx context.Context) (err error) {
	r := &running{died: make(chan error, 1), env: map[string]string{}, logs: filepath.Join(s.Dir, "logs")}
	if err := os.MkdirAll(r.logs, 0o700); err != nil {
		return err
	}
	defer func() {
		fmt.Fprintln(s.Out, "\nstopping …")
		r.stop()
		fmt.Fprintln(s.Out, "stopped")
	}()
	for _, part := range []struct {
		name  string
		start func(context.Context, *running) error
	}{
		{"database", s.database}, {"keys", s.keys}, {"demo catalogue", s.demo}, {"broker", s.broker},
		{"embeddings", s.embeddings}, {"catalog", s.catalog}, {"indexer", s.indexer}, {"sandbox", s.sandbox},
		{"gateway", s.gateway}, {"web app", s.web}, {"search index", s.searchIndex},
	} {
		begun := time.Now()
		fmt.Fprintf(s.Out, "%-16s", part.name)
		if err := part.start(ctx, r); err != nil {
			fmt.Fprintln(s.Out, "failed")
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("%s: %w", part.name, err)
		}
		fmt.Fprintf(s.Out, "ready  %5.1f s\n", time.Since(begun).Seconds())
	}
	if err := s.summary(ctx, r); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-r.died:
		return err
	}
}

// database starts the embedded PostgreSQL and migrates it. A database of one's
// own is migrated too: `make run` promises a stack that works.
func (s Stack) database(ctx context.Context, r *running) error {
	url := s.Variables["DATABASE_URL"]
	if url == "" {
		postgres, err := embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: filepath.Join(s.Dir, "postgres"), Durable: true, Log: s.Log})
		if err != nil {
			return err
		}
		r.onStop(func() {
			stop, cancel := context.WithTimeout(context.Background(), stopLimit)
			defer cancel()
			if err := postgres.Stop(stop); err != nil {
				s.Log.Warn("the database did not stop in order", "error", err)
			}
		})
		if err := postgres.CreateDatabase(ctx, databaseName); err != nil {
			return err
		}
		url = postgres.URL(databaseName)
	}
	r.env["DATABASE_URL"] = url
	return database.MigrateUp(ctx, url)
}

func (s Stack) keys(_ context.Context, r *running) error {
	key, err := auth.LoadDevKey(s.DevKey)
	if err != nil {
		return err
	}
	jwks, err := filepath.Abs(filepath.Join(filepath.Dir(s.DevKey), "jwks.json"))
	if err != nil {
		return err
	}
	r.env["AUTH_JWKS_URL"] = cmp.Or(s.Variables["AUTH_JWKS_URL"], "file://"+jwks)
	return key.WriteJWKS(jwks)
}

func (s Stack) demo(ctx context.Context, r *running) error {
	db, err := database.Open(ctx, r.env["DATABASE_URL"], 2, "demo catalogue")
	if err != nil {
		return err
	}
	defer db.Close()
	return demo.LoadInto(ctx, db, s.Out, s.Log)
}

func (s Stack) broker(ctx context.Context, r *running) error {
	brokers := s.Variables["KAFKA_BROKERS"]
	if brokers == "" {
		broker, err := embedded.StartBroker(ctx, embedded.BrokerOptions{Dir: filepath.Join(s.Dir, "kafka"), Log: s.Log, Topics: s.Kafka.Topics()})
		if err != nil {
			return err
		}
		r.onStop(broker.Stop)
		brokers = broker.Address()
	}
	r.env["KAFKA_BROKERS"] = brokers
	// for `devstack event`, which runs while the stack does
	return os.WriteFile(filepath.Join(s.Dir, "brokers"), []byte(brokers), 0o600)
}

// program starts one of ours and waits until it is ready.
func (s Stack) program(ctx context.Context, r *running, name, addr string, more map[string]string) error {
	// nobody balances in front of these: a quarter of the drain time is waited out at each stop
	environment := map[string]string{"LOG_FORMAT": "json", "SHUTDOWN_TIMEOUT": cmp.Or(s.Variables["SHUTDOWN_TIMEOUT"], "4s")}
	maps.Copy(environment, r.env)
	maps.Copy(environment, more)
	command := "serve"
	if name == "indexer" {
		command = "run"
	}
	probe := "/readyz"
	if name == "sandbox" {
		probe = "/healthz" // it needs nothing, so it has no readiness of its own
	}
	url := ""
	if addr != "" {
		url = "http://" + addr + probe
	}
	return r.program(ctx, process.Program{
		Name: name, Path: filepath.Join(s.Binaries, name), Args: []string{command}, Env: process.Environment(os.Environ(), environment),
	}, url, readyLimit)
}

func (s Stack) catalog(ctx context.Context, r *running) error {
	return s.program(ctx, r, "catalog", catalogAddr, map[string]string{"HTTP_ADDR": catalogAddr})
}

func (s Stack) indexer(ctx context.Context, r *running) error {
	return s.program(ctx, r, "indexer", "", map[string]string{"ADMIN_ADDR": ""})
}

// searchIndex waits until the demo catalogue can be searched: with the model
// that takes half a minute the first time, later nothing.
func (s Stack) searchIndex(ctx context.Context, r *running) error {
	limited, cancel := context.WithTimeout(ctx, indexLimit)
	defer cancel()
	db, err := database.Open(ctx, r.env["DATABASE_URL"], 1, "devstack")
	if err != nil {
		return err
	}
	defer db.Close()
	for {
		var ready bool
		err := db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM index_models WHERE current)
AND NOT EXISTS (SELECT FROM index_outbox WHERE not_before < 'infinity')`).Scan(&ready)
		if err != nil || ready {
			return err
		}
		select {
		case <-limited.Done():
			if ctx.Err() == nil {
				fmt.Fprint(s.Out, "still being filled  ") // slow, but nothing is wrong: it goes on behind
			}
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func (s Stack) sandbox(ctx context.Context, r *running) error {
	return s.program(ctx, r, "sandbox", sandboxAddr, map[string]string{
		"HTTP_ADDR": sandboxAddr, "FILES_DIR": cmp.Or(s.Variables["FILES_DIR"], filepath.Join(s.Dir, "files")),
	})
}

// gateway runs against the sandbox, unless a provider is configured.
func (s Stack) gateway(ctx context.Context, r *running) error {
	sandbox := "http://" + sandboxAddr
	environment := map[string]string{"HTTP_ADDR": gatewayAddr}
	if s.Variables["PROVIDER_URL"] == "" {
		for key, value := range map[string]string{
			"PROVIDER_URL": sandbox, "LOGISTICS_URL": sandbox + "/logistics", "WAYBILL_URL": sandbox + "/waybill",
			"TRANSPORT_URL": sandbox + "/transport", "PROVIDER_OIDC_ISSUER": sandbox + "/identity",
			"PROVIDER_CLIENT_ID": "sandbox-client", "PROVIDER_CLIENT_SECRET": "sandbox-secret",
			"PROVIDER_REDIRECT_URI": "http://127.0.0.1:8087/callback", "PROVIDER_SCOPES": "openid profile email offline_access",
			"PROVIDER_BOX_ID": "00000000-0000-4000-8000-0000000000b1@exchange.example",
		} {
			environment[key] = value
		}
	}
	return s.program(ctx, r, "gateway", gatewayAddr, environment)
}

var errNoWebRoot = errors.New("the web app has not been built: make build")
