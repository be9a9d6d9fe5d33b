package main

// This file: the services with what they need, each program as its manifest has it.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/embedded"
	"equipment-platform/internal/process"
	"equipment-platform/verify/hostile/attack"
)

type platform struct {
	dir      string
	postgres *embedded.Postgres
	broker   *embedded.Broker
	kafka    config.Kafka
	cage     *cage
	keys     *auth.DevKey
	control  *http.Server
	programs map[string]*process.Process
	limits   map[string]int64
	addr     map[string]string // of the API, and NAME+" admin"
	controls string            // address of control
	unknown  string            // a token whose key nobody knows

	hanging atomic.Int32
}

// startPlatform starts everything and fills the database.
func startPlatform(ctx context.Context) (_ *platform, err error) {
	p := &platform{programs: map[string]*process.Process{}, limits: map[string]int64{}, addr: map[string]string{}, cage: newCage()}
	defer func() {
		if err != nil {
			p.stop()
		}
	}()
	if p.dir, err = os.MkdirTemp("", "hostile"); err != nil {
		return nil, err
	}
	if err = os.Chmod(p.dir, 0o755); err != nil { // the database's user must get in
		return nil, err
	}
	if p.postgres, err = embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: filepath.Join(p.dir, "postgres")}); err != nil {
		return nil, err
	}
	if err = p.postgres.CreateDatabase(ctx, "hostile"); err != nil {
		return nil, err
	}
	if err = database.MigrateUp(ctx, p.postgres.URL("hostile")); err != nil {
		return nil, err
	}
	if err = p.seed(ctx); err != nil {
		return nil, err
	}
	if p.broker, err = embedded.StartBroker(ctx, embedded.BrokerOptions{Dir: filepath.Join(p.dir, "kafka")}); err != nil {
		return nil, err
	}
	if p.kafka, err = config.From[config.Kafka](nil); err != nil {
		return nil, err
	}
	if p.keys, err = auth.LoadDevKey(filepath.Join(p.dir, "dev.pem")); err != nil {
		return nil, err
	}
	other, err := auth.LoadDevKey(filepath.Join(p.dir, "other.pem"))
	if err != nil {
		return nil, err
	}
	if p.unknown, err = other.Sign(auth.DevClaims{Subject: "attacker", Roles: []string{"USER"}, TTL: time.Hour}); err != nil {
		return nil, err
	}
	if err = p.serveControl(); err != nil {
		return nil, err
	}
	if err = p.launch(ctx, "sandbox", "serve", nil); err != nil {
		return nil, err
	}
	kafka := map[string]string{"KAFKA_BROKERS": p.broker.Address()}
	for _, x := range []struct {
		manifest, binary, command string
		env                       map[string]string
	}{
		{"catalog", "catalog", "serve", nil}, {"events", "catalog", "serve", kafka},
		{"gateway", "gateway", "serve", map[string]string{"PROVIDER_URL": "http://" + p.addr["sandbox"], "WAYBILL_URL": "http://" + p.controls + "/upstream", "PROVIDER_BOX_ID": "00000000-0000-4000-8000-0000000000b1@exchange.example"}},
	} {
		m, err := readManifest(x.manifest)
		if err != nil {
			return nil, err
		}
		p.limits[x.manifest] = m.memory
		maps.Copy(m.env, x.env)
		if err := p.launch(ctx, x.manifest, x.command, m.env, x.binary); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// launch starts a program under its limit and waits until it is ready.
func (p *platform) launch(ctx context.Context, name, command string, env map[string]string, binary ...string) (err error) {
	binary = append(binary, name)
	for _, what := range []string{name, name + " admin"} {
		if p.addr[what], err = process.FreeAddress(); err != nil {
			return err
		}
	}
	all := map[string]string{
		"HTTP_ADDR": p.addr[name], "ADMIN_ADDR": p.addr[name+" admin"], "LOG_FORMAT": "json", "LOG_LEVEL": "warn",
		"DATABASE_URL": p.postgres.URL("hostile"), "AUTH_JWKS_URL": "http://" + p.controls + "/jwks",
	}
	maps.Copy(all, env)
	started, err := process.Start(process.Program{
		Name: name, Path: filepath.Join("bin", binary[0]), Args: []string{command}, Env: process.Environment(os.Environ(), all), LogPath: filepath.Join(p.dir, name+".log"),
	})
	if err != nil {
		return err
	}
	p.programs[name] = started
	if limit := p.limits[name]; limit > 0 {
		if err := p.cage.hold(name, started.PID(), limit); err != nil {
			return fmt.Errorf("limit %s: %w", name, err)
		}
	}
	probe := "http://" + p.addr[name+" admin"] + "/readyz"
	if name == "sandbox" {
		probe = "http://" + p.addr[name] + "/healthz"
	}
	return started.AwaitReady(ctx, probe, 30*time.Second)
}

// watchMemory looks at all programs until the returned function is called.
func (p *platform) watchMemory(ctx context.Context) (end func() (most map[string]int64, ended []string)) {
	ctx, stop := context.WithCancel(ctx)
	most := map[string]int64{}
	var looking sync.WaitGroup
	looking.Go(func() {
		for ctx.Err() == nil {
			for name := range p.limits {
				most[name] = max(most[name], resident(p.programs[name].PID()))
			}
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
		}
	})
	return func() (map[string]int64, []string) {
		stop()
		looking.Wait()
		var ended []string
		for name, program := range p.programs {
			if program.Ended() {
				ended = append(ended, name)
			}
		}
		return most, ended
	}
}

func (p *platform) stop() {
	var stopping sync.WaitGroup
	for _, program := range p.programs {
		stopping.Go(func() { _ = program.Stop(5 * time.Second) })
	}
	stopping.Wait()
	p.cage.open()
	if p.control != nil {
		_ = p.control.Close()
	}
	if p.broker != nil {
		p.broker.Stop()
	}
	if p.postgres != nil {
		_ = p.postgres.Stop(context.Background())
	}
	if os.Getenv("KEEP_LOGS") == "" {
		_ = os.RemoveAll(p.dir)
	}
}

// serveControl serves the key set, which hangs while an attack asks for it, and an
// upstream of the gateway whose answers explode.
func (p *platform) serveControl() error {
	jwks, err := p.keys.JWKS()
	if err != nil {
		return err
	}
	if p.controls, err = process.FreeAddress(); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/control/keys", func(_ http.ResponseWriter, r *http.Request) {
		p.hanging.Add(1)
		defer p.hanging.Add(-1)
		<-r.Context().Done()
	})
	mux.HandleFunc("/jwks", func(w http.ResponseWriter, r *http.Request) {
		if p.hanging.Load() > 0 {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(jwks)
	})
	var huge [][]byte // of few bytes that become many: objects without anything in them
	for _, n := range []int{100_000, 300_000, 900_000} {
		huge = append(huge, []byte(`{"items":[`+strings.Repeat("{},", n)+`{}]}`))
	}
	mux.HandleFunc("/upstream/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(huge[rand.IntN(len(huge))])
	})
	p.control = &http.Server{Addr: p.controls, Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- p.control.ListenAndServe() }()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return errors.Join(process.AwaitHTTP(ctx, "http://"+p.controls+"/jwks"), func() error {
		select {
		case err := <-failed:
			return err
		default:
			return nil
		}
	}())
}

func (p *platform) token(subject string, role string) string {
	signed, err := p.keys.Sign(auth.DevClaims{Subject: subject, Roles: []string{role}, TTL: time.Hour})
	if err != nil {
		panic(err)
	}
	return signed
}

// stroll is what bystanders do here.
func (p *platform) stroll() stroll {
	s := stroll{
		Catalog: "http://" + p.addr["catalog"], Gateway: "http://" + p.addr["gateway"],
		Token: p.token("bystander", "USER"), Manager: p.token("bystanding-manager", "MANAGER"),
	}
	for _, service := range []string{"catalog", "gateway"} {
		for _, probe := range []string{"healthz", "readyz"} {
			s.Probes = append(s.Probes, "http://"+p.addr[service+" admin"]+"/"+probe)
		}
	}
	for n := 1; n <= 200; n++ { // of the bystander, public
		s.Vehicles = append(s.Vehicles, id("v", n*100))
	}
	return s
}

// target is what attackers know.
func (p *platform) target() attack.Target {
	t := attack.Target{
		Catalog: "http://" + p.addr["catalog"], Gateway: "http://" + p.addr["gateway"], Control: "http://" + p.controls + "/control",
		User: p.token("attacker", "USER"), Manager: p.token("attacker", "MANAGER"), Admin: p.token("admin", "ADMIN"), Unknown: p.unknown,
		Type: id("y", 1), Large: id("y", 0), Linked: id("f", 0), Tagged: id("t", 0), Brokers: []string{p.broker.Address()}, Topic: p.kafka.TopicFileDeleted,
	}
	for n := 1; n <= 300; n++ { // tags of vehicles
		t.Tags, t.Vehicles = append(t.Tags, id("t", n)), append(t.Vehicles, id("v", n*100+1))
	}
	for n := 1; n <= 20; n++ {
		t.Params = append(t.Params, id("p", n))
	}
	return t
}

// id is the id of the seed's nth row of a kind, as md5(kind || n)::uuid.
func id(kind string, n int) string {
	return uuid.UUID(md5Of(fmt.Sprint(kind, n))).String()
}
