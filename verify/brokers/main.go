// Command brokers kills Apache Kafka brokers while the platform works: three of them, of which
// each record is on all and acknowledged when two have it. Each is killed in turn, then two at
// once, then partitions are added to the topics. Every acknowledged write must be there
// afterwards, every event's effect once, and every record acknowledged by the group.
//
//	KAFKA_LIBRARIES=… brokers [-write docs/operations.md]
//
// This file: the services and the course of events. cluster.go has the brokers.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/embedded"
	"equipment-platform/internal/process"
	"equipment-platform/verify/marked"
	"equipment-platform/verify/steady"
	"equipment-platform/verify/vectors"
)

const (
	name       = "equipment"
	calm       = 5 * time.Second // load without a fault, before and after
	away       = 5 * time.Second // how long brokers stay away after the others have taken over
	startLimit = time.Minute
	recovery   = 2 * time.Minute // by then everything must be well again
	more       = 3               // partitions that are added
)

type platform struct {
	dir      string
	postgres *embedded.Postgres
	cluster  *cluster
	kafka    config.Kafka
	key      *auth.DevKey
	env      map[string]string
	addr     map[string]string
	programs map[string]*process.Process
}

func main() {
	write := flag.String("write", "", "document whose table is written anew")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *write); err != nil {
		fmt.Fprintln(os.Stderr, "brokers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, write string) error {
	dir, err := os.MkdirTemp("", "brokers")
	if err != nil {
		return err
	}
	if os.Getenv("KEEP_LOGS") == "" {
		defer os.RemoveAll(dir)
	}
	if err := os.Chmod(dir, 0o755); err != nil { // the database's user must get in
		return err
	}
	p := &platform{dir: dir, addr: map[string]string{}, programs: map[string]*process.Process{}}
	defer p.stop()
	if err := p.start(ctx); err != nil {
		return err
	}
	l, err := steady.New(ctx, steady.Target{
		Catalogs: []string{p.addr["catalog-1"], p.addr["catalog-2"]}, Brokers: p.cluster.brokers[:], Kafka: p.kafka, Key: p.key,
	})
	if err != nil {
		return err
	}
	stopLoad := l.Start(ctx)
	defer stopLoad()
	steady.Pause(ctx, calm)
	all, err := p.course(ctx, l)
	if err != nil {
		return err
	}
	stopLoad()
	l.Wait()
	if err := p.account(ctx, l); err != nil {
		return err
	}
	if write != "" {
		if err := marked.Write(write, "verify/brokers", table(all, l)); err != nil {
			return err
		}
	}
	fmt.Printf("brokers: %s, with each of three brokers killed, two at once, and partitions added\n", l.Sum())
	return nil
}

// seen is what was seen of one change.
type seen struct {
	what    string
	writes  time.Duration // the longest time in which no write was acknowledged
	events  time.Duration // the longest time in which no event had its effect
	unready time.Duration // how long a catalog was not ready
}

func (s seen) String() string {
	return fmt.Sprintf("%s: no write acknowledged for %.1f s, no effect of an event for %.1f s, not ready for %.1f s", s.what, s.writes.Seconds(), s.events.Seconds(), s.unready.Seconds())
}

// course makes the changes, one after the other.
func (p *platform) course(ctx context.Context, l *steady.Load) (all []seen, err error) {
	see := func(what string, do func() error) error {
		begun, unready := time.Now(), p.watch(ctx)
		err := do()
		if err == nil {
			err = p.well(ctx, l)
		}
		if err != nil {
			unready()
			return fmt.Errorf("%s: %w", what, err)
		}
		steady.Pause(ctx, calm)
		one := seen{what, l.Pause(begun), l.PauseOfEvents(begun), unready()}
		fmt.Println("  " + one.String())
		all = append(all, one)
		return nil
	}
	for n := range nodes {
		at, err := p.cluster.coordinator(ctx, p.kafka.Group)
		if err != nil {
			return nil, err
		}
		what := fmt.Sprintf("`kill -9` of broker %d", n+1)
		if at == n {
			what += ", the group's coordinator"
		}
		if err := see(what, func() error { return p.kill(ctx, n) }); err != nil {
			return nil, err
		}
	}
	if err := see("`kill -9` of brokers 1 and 2 at once", func() error { return p.kill(ctx, 0, 1) }); err != nil {
		return nil, err
	}
	var noticed time.Duration
	if err := see("partitions added", func() error { noticed, err = p.add(ctx); return err }); err != nil {
		return nil, err
	}
	all[len(all)-1].what = fmt.Sprintf("%d partitions added to each topic, which somebody has after %.1f s", more, noticed.Seconds())
	return all, nil
}

// kill ends brokers at once, and starts them again after a while.
func (p *platform) kill(ctx context.Context, dead ...int) error {
	for _, n := range dead {
		p.cluster.running[n].Kill()
		p.cluster.running[n] = nil
	}
	if len(dead) == 1 { // of more the rest takes nothing over
		if err := p.cluster.without(ctx, dead...); err != nil {
			return err
		}
	}
	steady.Pause(ctx, away)
	for _, n := range dead {
		if err := p.cluster.start(n); err != nil {
			return err
		}
	}
	return p.cluster.whole(ctx)
}

// add adds partitions to the topics and waits until members of the group have them, and until
// there is something on each of those of the orders. It returns how long the first took.
func (p *platform) add(ctx context.Context) (noticed time.Duration, err error) {
	topics := []string{p.kafka.TopicFileDeleted, p.kafka.TopicOrderEvents}
	begun := time.Now()
	made, err := p.cluster.admin.CreatePartitions(ctx, more, topics...)
	if err != nil {
		return 0, err
	}
	if err := made.Error(); err != nil {
		return 0, err
	}
	for _, topic := range topics {
		if err := p.cluster.await(ctx, "the added partitions are nobody's", func() (bool, error) {
			n, err := p.cluster.assigned(ctx, p.kafka.Group, topic)
			return n == partitions+more, err
		}); err != nil {
			return 0, err
		}
	}
	noticed = time.Since(begun)
	return noticed, p.cluster.await(ctx, "nothing is on the added partitions", func() (bool, error) {
		_, empty, err := p.cluster.unread(ctx, p.kafka.Group, p.kafka.TopicOrderEvents)
		return empty == 0, err
	})
}

// watch adds up how long any catalog is not ready, until what it returns is called.
func (p *platform) watch(ctx context.Context) (unready func() time.Duration) {
	ctx, stop := context.WithCancel(ctx)
	var longest atomic.Int64
	var watching sync.WaitGroup
	for _, service := range steady.Services[:2] {
		watching.Go(func() {
			var sum time.Duration
			for last := time.Now(); ctx.Err() == nil; steady.Pause(ctx, 100*time.Millisecond) {
				now := time.Now()
				if !ready(ctx, p.addr[service]) && ctx.Err() == nil {
					sum += now.Sub(last)
				}
				last = now
			}
			for old := longest.Load(); int64(sum) > old && !longest.CompareAndSwap(old, int64(sum)); old = longest.Load() {
			}
		})
	}
	return func() time.Duration {
		stop()
		watching.Wait()
		return time.Duration(longest.Load())
	}
}

func ready(ctx context.Context, address string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// account holds the load against the database and the topics.
func (p *platform) account(ctx context.Context, l *steady.Load) error {
	for _, topic := range []string{p.kafka.TopicFileDeleted, p.kafka.TopicOrderEvents} {
		if err := p.cluster.await(ctx, "records wait on "+topic, func() (bool, error) {
			records, _, err := p.cluster.unread(ctx, p.kafka.Group, topic)
			return err == nil && records == 0, err
		}); err != nil {
			return err
		}
	}
	conn, err := pgx.Connect(ctx, p.postgres.URL(name))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	lines, err := l.Account(ctx, conn, recovery)
	if err != nil {
		return err
	}
	letters, err := p.cluster.admin.ListEndOffsets(ctx, p.kafka.TopicFileDeletedDLQ, p.kafka.TopicOrderEventsDLQ)
	if err != nil {
		return err
	}
	sum := 0
	for _, end := range letters.Offsets().Sorted() {
		sum += int(end.At)
	}
	return l.Write(append(lines, steady.Line{What: "dead letters", Expected: 0, Found: sum}), nil)
}

func (p *platform) start(ctx context.Context) (err error) {
	if p.postgres, err = embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: filepath.Join(p.dir, "postgres"), Durable: true}); err != nil {
		return err
	}
	if err := p.postgres.CreateDatabase(ctx, name); err != nil {
		return err
	}
	if err := database.MigrateUp(ctx, p.postgres.URL(name)); err != nil {
		return err
	}
	if p.kafka, err = config.From[config.Kafka](nil); err != nil {
		return err
	}
	if p.cluster, err = startCluster(ctx, p.dir, p.kafka.Topics()); err != nil {
		return err
	}
	vectors, err := vectors.Start()
	if err != nil {
		return err
	}
	if p.key, err = auth.LoadDevKey(filepath.Join(p.dir, "dev.pem")); err != nil {
		return err
	}
	jwks := filepath.Join(p.dir, "jwks.json")
	if err := p.key.WriteJWKS(jwks); err != nil {
		return err
	}
	p.env = map[string]string{
		"DATABASE_URL": p.postgres.URL(name), "DATABASE_MAX_CONNS": "8", "KAFKA_BROKERS": strings.Join(p.cluster.brokers[:], ","), "AUTH_JWKS_URL": "file://" + jwks,
		"EMBEDDINGS_URL": vectors.URL, "EMBEDDINGS_MODEL": "words", "LOG_FORMAT": "json", "LOG_LEVEL": "warn",
	}
	for _, service := range steady.Services {
		if p.addr[service], err = process.FreeAddress(); err != nil {
			return err
		}
		started, err := steady.StartService(service, p.addr[service], p.dir, p.env)
		if err != nil {
			return err
		}
		p.programs[service] = started
	}
	return steady.Ready(ctx, p.programs, p.addr, startLimit)
}

// well waits until the services are ready and an event that is published now has its effect.
func (p *platform) well(ctx context.Context, l *steady.Load) error {
	if err := steady.Ready(ctx, p.programs, p.addr, recovery); err != nil {
		return err
	}
	ratings := l.Ratings() + 1 // one may be under way
	return p.cluster.await(ctx, "effects of events", func() (bool, error) { return l.Ratings() > ratings, nil })
}

func (p *platform) stop() {
	for _, program := range p.programs {
		_ = program.Stop(10 * time.Second)
	}
	if p.cluster != nil {
		p.cluster.stop()
	}
	if p.postgres != nil {
		_ = p.postgres.Stop(context.Background())
	}
}

func table(all []seen, l *steady.Load) string {
	var b strings.Builder
	b.WriteString("| change | longest time without an acknowledged write | without an effect of an event | a catalog is not ready for |\n|---|---|---|---|\n")
	for _, s := range all {
		fmt.Fprintf(&b, "| %s | %.1f s | %.1f s | %.1f s |\n", s.what, s.writes.Seconds(), s.events.Seconds(), s.unready.Seconds())
	}
	fmt.Fprintf(&b, "\n%s acknowledged; all of them there, each effect once.\n", l.Sum())
	return b.String()
}
