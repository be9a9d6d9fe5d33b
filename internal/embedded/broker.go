package embedded

// This file: the Kafka-compatible broker: its life, its address and its topics.
// It is franz-go's fake cluster: the real protocol and consumer groups, no
// replication and no throttling.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/internal/config"
)

// BrokerPartitions is the number of partitions of each topic that the broker
// makes: more than one, so that order between partitions is never taken for granted.
const BrokerPartitions = 3

// BrokerOptions say where and how the broker runs.
type BrokerOptions struct {
	// Dir keeps topics, records and committed offsets over restarts (made when
	// missing); empty keeps them in memory. One broker per directory.
	Dir string
	// Port on 127.0.0.1; 0 takes the port of the last run when it is free, else
	// any free one.
	Port int
	// Topics are made with BrokerPartitions partitions unless they exist; nil
	// stands for those of the platform, under the names that they have by default.
	Topics []string
	// Log gets the broker's own warnings. Nil discards them.
	Log *slog.Logger
}

// Broker is a running broker.
type Broker struct {
	cluster *kfake.Cluster
	address string
	lock    *os.File
}

// StartBroker starts a broker on 127.0.0.1 and returns when its topics exist. It
// asks nobody for a password: whoever has an account on this machine can publish
// to it. It is for development and tests.
//
// Errors: ErrInUse when another process runs the broker of this directory; a
// taken port; data that cannot be read.
func StartBroker(ctx context.Context, opts BrokerOptions) (_ *Broker, err error) {
	log := opts.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	topics := opts.Topics
	if topics == nil {
		settings, err := config.From[config.Kafka](nil)
		if err != nil {
			return nil, err
		}
		topics = settings.Topics()
	}
	broker := &Broker{}
	defer func() {
		if err != nil {
			broker.release()
		}
	}()
	settings := []kfake.Opt{
		kfake.NumBrokers(1),
		kfake.ClusterID("equipment-platform"),
		kfake.DefaultNumPartitions(BrokerPartitions),
		kfake.WithLogger(brokerLog{log}),
	}
	kept := 0 // 0: the cluster takes any port that is free
	if opts.Dir != "" {
		if err := os.MkdirAll(opts.Dir, 0o700); err != nil {
			return nil, fmt.Errorf("make the broker's directory: %w", err)
		}
		if broker.lock, err = lockDir(opts.Dir); err != nil {
			return nil, err
		}
		kept = keptPort(opts.Dir)
		// Every acknowledged record is on disk: a killed run loses nothing.
		settings = append(settings, kfake.DataDir(filepath.Join(opts.Dir, "data")), kfake.SyncWrites())
	}
	start := func(port int) error {
		broker.cluster, err = kfake.NewCluster(append(slices.Clone(settings), kfake.Ports(port))...)
		return err
	}
	err = start(cmp.Or(opts.Port, kept))
	if err != nil && opts.Port == 0 && kept != 0 {
		err = start(0) // another process has the last run's port now
	}
	if err != nil {
		return nil, fmt.Errorf("start the embedded broker: %w", err)
	}
	broker.address = broker.cluster.ListenAddrs()[0]
	if err := broker.createTopics(ctx, topics); err != nil {
		return nil, err
	}
	if opts.Dir != "" {
		_, text, _ := net.SplitHostPort(broker.address)
		if err := os.WriteFile(filepath.Join(opts.Dir, "port"), []byte(text), 0o600); err != nil {
			return nil, fmt.Errorf("keep the port for the next start: %w", err)
		}
	}
	return broker, nil
}

// createTopics makes the topics that do not exist yet: a kept data directory may
// be older than the list.
func (b *Broker) createTopics(ctx context.Context, topics []string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	client, err := kgo.NewClient(kgo.SeedBrokers(b.address))
	if err != nil {
		return fmt.Errorf("make topics: %w", err)
	}
	defer client.Close()
	answers, err := kadm.NewClient(client).CreateTopics(ctx, BrokerPartitions, 1, nil, slices.Compact(slices.Sorted(slices.Values(topics)))...)
	if err != nil {
		return fmt.Errorf("make topics: %w", err)
	}
	for _, answer := range answers.Sorted() {
		if answer.Err != nil && !errors.Is(answer.Err, kerr.TopicAlreadyExists) {
			return fmt.Errorf("make topic %s: %w", answer.Topic, answer.Err)
		}
	}
	return nil
}

// Address returns host and port, for KAFKA_BROKERS.
func (b *Broker) Address() string { return b.address }

// Port returns the port on 127.0.0.1.
func (b *Broker) Port() int {
	_, text, _ := net.SplitHostPort(b.address)
	port, _ := strconv.Atoi(text) // the listener's own address
	return port
}

// Stop ends the broker; with a directory everything is kept for the next start.
// Stopping twice is fine.
func (b *Broker) Stop() {
	b.release()
}

func (b *Broker) release() {
	if b.cluster != nil {
		b.cluster.Close()
	}
	if b.lock != nil {
		_ = b.lock.Close()
	}
}

// brokerLog passes the broker's warnings and errors on.
type brokerLog struct{ log *slog.Logger }

// Logf implements kfake.Logger.
func (l brokerLog) Logf(level kfake.LogLevel, format string, arguments ...any) {
	message := strings.TrimSpace(fmt.Sprintf(format, arguments...))
	switch level {
	case kfake.LogLevelError:
		l.log.Error("embedded broker", "message", message)
	case kfake.LogLevelWarn:
		l.log.Warn("embedded broker", "message", message)
	default:
	}
}
