package main

// This file: the primary's machine dies while everybody works, and its replica takes
// over.

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/internal/embedded"
	"equipment-platform/verify/handbook"
	"equipment-platform/verify/steady"
)

const (
	calm = 5 * time.Second
	// cutOff is how long the primary goes on without its replica before it dies.
	cutOff = time.Second
	// noticed is how long it takes those who watch the servers to promote the replica.
	noticed = 3 * time.Second
)

// hosts is the address of both servers, of which connections take the one that can be
// written to.
func hosts(primary, replica *embedded.Postgres) (string, error) {
	found, err := handbook.Blocks(handbook.Page, "Failover to a replica", 1)
	if err != nil {
		return "", err
	}
	here, err := url.Parse(primary.URL(name))
	if err != nil {
		return "", err
	}
	said := strings.NewReplacer(
		"equipment:…@", here.User.String()+"@", "one.database.svc:5432", here.Host,
		"two.database.svc:5432", net.JoinHostPort("127.0.0.1", strconv.Itoa(replica.Port())), "/equipment?", "/"+name+"?"+here.RawQuery+"&",
	).Replace(strings.TrimSpace(found[0]))
	address := strings.TrimSuffix(strings.TrimPrefix(said, "DATABASE_URL='"), "'")
	_, err = pgx.ParseConfig(address)
	return address, err
}

// failover is what was seen of one.
type failover struct {
	mode            string
	without         time.Duration // the longest time in which no write was acknowledged
	lost            map[string]int
	restored        int // orders that came back with the offsets
	unseen          int
	acknowledgedSum string
}

func runFailover(ctx context.Context, dir string, synchronous bool) (_ failover, err error) {
	f := failover{mode: "asynchronous", lost: map[string]int{}}
	if synchronous {
		f.mode = "synchronous"
	}
	s, err := newStack(ctx, filepath.Join(dir, f.mode))
	if err != nil {
		return f, err
	}
	defer s.stop()
	replica, err := s.follow(ctx, synchronous)
	if err != nil {
		return f, err
	}
	defer crash(replica)
	both, err := hosts(s.primary, replica)
	if err != nil {
		return f, err
	}
	if err := s.launch(ctx, map[string]string{"DATABASE_URL": both, "DATABASE_READ_URL": replica.URL(name)}); err != nil {
		return f, err
	}
	l, err := s.load(ctx)
	if err != nil {
		return f, err
	}
	stopLoad := l.Start(ctx)
	defer stopLoad()
	steady.Pause(ctx, calm)
	begun := time.Now()
	if err := s.failOver(ctx, replica); err != nil {
		return f, err
	}
	if err := s.ready(ctx, recovery); err != nil {
		return f, err
	}
	steady.Pause(ctx, calm)
	stopLoad()
	l.Wait()
	f.without = l.Pause(begun)
	if !synchronous {
		// as docs/operations.md has it after transactions have been lost
		before, err := count(ctx, replica, "SELECT count(*) FROM order_entitlements")
		if err != nil {
			return f, err
		}
		if err := s.replay(ctx, begun.Add(-time.Minute)); err != nil {
			return f, err
		}
		after, err := count(ctx, replica, "SELECT count(*) FROM order_entitlements")
		if err != nil {
			return f, err
		}
		f.restored = after - before
	}
	lines, err := account(ctx, l, replica.URL(name), func(line steady.Line) bool {
		// what the dead machine alone had is lost; events are not, since the broker has them
		return !synchronous && (strings.HasPrefix(line.What, steady.Acknowledged) && !strings.Contains(line.What, "orders") || line.What == steady.Unseen)
	})
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line.What, steady.Acknowledged):
			f.lost[strings.TrimPrefix(line.What, steady.Acknowledged)] = line.Expected - line.Found
		case line.What == steady.Unseen:
			f.unseen = line.Found
		}
	}
	f.acknowledgedSum = l.Sum()
	return f, err
}

// follow starts a replica of the primary.
func (s *stack) follow(ctx context.Context, synchronous bool) (*embedded.Postgres, error) {
	dir := filepath.Join(s.dir, "replica")
	if err := embedded.PrepareReplica(ctx, s.primary, dir, "replica"); err != nil {
		return nil, err
	}
	replica, err := embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: dir, Durable: true})
	if err != nil || !synchronous {
		return replica, err
	}
	// on the primary alone: promoted, the replica must not wait for itself
	if err := execute(ctx, s.primary.URL(name), "ALTER SYSTEM SET synchronous_standby_names = 'replica'", "SELECT pg_reload_conf()"); err != nil {
		return replica, err
	}
	for limit := time.Now().Add(startLimit); time.Now().Before(limit); steady.Pause(ctx, 50*time.Millisecond) {
		n, err := count(ctx, s.primary, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
		if err != nil || n == 1 {
			return replica, err
		}
	}
	return replica, fmt.Errorf("the replica is not synchronous after %s", startLimit)
}

// failOver cuts the replica off, lets the primary die and promotes the replica.
func (s *stack) failOver(ctx context.Context, replica *embedded.Postgres) error {
	sender, err := count(ctx, s.primary, "SELECT pid FROM pg_stat_replication")
	if err != nil {
		return err
	}
	if err := syscall.Kill(sender, syscall.SIGSTOP); err != nil {
		return err
	}
	steady.Pause(ctx, cutOff)
	go func() { // it is told to end like all others, and nothing else
		time.Sleep(100 * time.Millisecond)
		_ = syscall.Kill(sender, syscall.SIGKILL)
	}()
	crash(s.primary)
	steady.Pause(ctx, noticed)
	return execute(ctx, replica.URL(name), "SELECT pg_promote()")
}

// replay stops the services, sets the consumers' offsets back and starts the services
// again.
func (s *stack) replay(ctx context.Context, to time.Time) error {
	if err := s.halt(); err != nil {
		return err
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(s.broker.Address()))
	if err != nil {
		return err
	}
	defer client.Close()
	admin := kadm.NewClient(client)
	listed, err := admin.ListOffsetsAfterMilli(ctx, to.UnixMilli(), s.kafka.TopicFileDeleted, s.kafka.TopicOrderEvents)
	if err != nil {
		return err
	}
	if err := admin.CommitAllOffsets(ctx, s.kafka.Group, listed.Offsets()); err != nil {
		return err
	}
	if err := s.launch(ctx, nil); err != nil {
		return err
	}
	return s.consumed(ctx, admin)
}

// consumed waits until the group has acknowledged every record.
func (s *stack) consumed(ctx context.Context, admin *kadm.Client) error {
	for limit := time.Now().Add(recovery); time.Now().Before(limit); steady.Pause(ctx, 200*time.Millisecond) {
		lags, err := admin.Lag(ctx, s.kafka.Group)
		if err != nil {
			return err
		}
		if group := lags[s.kafka.Group]; group.Error() == nil && group.Lag.Total() == 0 {
			return nil
		}
	}
	return fmt.Errorf("events still wait after %s", recovery)
}

func count(ctx context.Context, server *embedded.Postgres, sql string) (n int, err error) {
	return n, scan(ctx, server, sql, &n)
}
