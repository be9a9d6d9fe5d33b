package events

// This file: the consumer of all streams: joining the group, handing records to
// the workers of their partitions, giving partitions up. What a worker does
// with its records is in worker.go.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/internal/config"
	"equipment-platform/internal/telemetry"
)

const (
	pollRecords = 2000
	// commitInterval is how long an acknowledgement may take to reach the broker.
	// A crash within it redelivers records, which changes nothing (contract 6.3).
	commitInterval = 200 * time.Millisecond
	// drainDefault bounds a shutdown, and a rebalance in the same way. It is far
	// below the time that the group waits for a member in a rebalance (60 s), after
	// which it would be thrown out.
	drainDefault = 20 * time.Second
	// sessionTimeout is how long the partitions of a member that died wait for
	// another one.
	sessionTimeout = 20 * time.Second
	lagInterval    = 5 * time.Second
	// metadataAge is how long a partition that was added to a topic may stay unseen:
	// whoever leads the group gives it out then. The library's default is 5 minutes.
	metadataAge = 10 * time.Second
)

// Options is what a consumer needs.
type Options struct {
	Kafka   config.Kafka
	Streams []Stream
	Log     *slog.Logger
	Metrics prometheus.Registerer // nil: nobody looks
	Tracing *telemetry.Tracing    // nil: off
	// Drain is how long giving up partitions may take, at a shutdown and in a
	// rebalance: half of it for the transactions that have begun, a quarter for
	// committing what is done. 0 and more than 30 s stand for 20 s and 30 s.
	Drain time.Duration
	// client settings that tests change
	clientOpts []kgo.Opt
}

// Consumer consumes all streams in one consumer group. Make it, then Run it.
type Consumer struct {
	client  *kgo.Client
	streams map[string]*Stream
	group   string
	log     *slog.Logger
	metrics *metrics
	tracing *telemetry.Tracing
	drain   time.Duration

	failures failures

	mutex     sync.Mutex
	workers   map[partition]*worker
	fromStart map[string]time.Time // topics that were made again, until when they are read from their start
}

// partition of a topic.
type partition struct {
	topic  string
	number int32
}

// NewConsumer makes a consumer without connecting: Run waits for the broker.
func NewConsumer(o Options) (*Consumer, error) {
	c := &Consumer{
		streams: map[string]*Stream{}, workers: map[partition]*worker{}, fromStart: map[string]time.Time{},
		group: o.Kafka.Group, log: o.Log, metrics: newMetrics(o.Metrics), tracing: o.Tracing,
		drain: min(cmp.Or(o.Drain, drainDefault), 30*time.Second),
	}
	topics := make([]string, 0, len(o.Streams))
	for _, stream := range o.Streams {
		if c.streams[stream.Topic] != nil {
			return nil, fmt.Errorf("topic %s is consumed by two streams", stream.Topic)
		}
		c.streams[stream.Topic] = &stream
		topics = append(topics, stream.Topic)
		c.metrics.begin(stream.Topic)
	}
	var err error
	c.client, err = newClient(o.Kafka, o.Log, append([]kgo.Opt{
		kgo.ConsumerGroup(o.Kafka.Group),
		kgo.ConsumeTopics(topics...),
		kgo.SessionTimeout(sessionTimeout),
		kgo.MetadataMaxAge(metadataAge),
		// A new group starts at the earliest record (contract 9.12). The same holds where
		// the committed offset has been deleted by retention, and for a partition that was
		// added, whatever was put there before anybody had it.
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		// What a producer took back has never happened.
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		// The marks at the end of transactions have offsets of their own: without them
		// the end of the partition is never acknowledged.
		kgo.KeepControlRecords(),
		// A partition that was paused is asked for again within this time.
		kgo.FetchMaxWait(500 * time.Millisecond),
		kgo.FetchMaxBytes(16 << 20),
		// Only what the workers mark is committed (contract 6.7).
		kgo.AutoCommitMarks(),
		kgo.AutoCommitInterval(commitInterval),
		// Otherwise records polled before a rebalance could reach a worker made
		// after it, which then skips everything before them.
		kgo.BlockRebalanceOnPoll(),
		kgo.AdjustFetchOffsetsFn(c.adjustOffsets),
		kgo.OnPartitionsAssigned(c.assigned),
		kgo.OnPartitionsRevoked(c.revoked),
		kgo.OnPartitionsLost(c.lost),
		// Dead letters: as large as the broker takes; it says when that is too much.
		kgo.ProducerBatchMaxBytes(maxDeadLetterBatch),
		kgo.RecordDeliveryTimeout(30 * time.Second),
	}, append(o.Tracing.Kafka(o.Kafka.Group), o.clientOpts...)...)...)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Run consumes until ctx ends. Then every worker finishes the transaction that it
// is in, what is done is committed, and the group is left, within Options.Drain.
// The broker may be down at any time.
func (c *Consumer) Run(ctx context.Context) error {
	var watching sync.WaitGroup
	watching.Go(func() { c.watchLag(ctx) })
	for ctx.Err() == nil {
		fetches := c.client.PollRecords(ctx, pollRecords)
		if fetches.IsClientClosed() {
			return errors.New("the kafka client was closed")
		}
		failed := map[string]error{}
		fetches.EachError(func(topic string, number int32, err error) {
			if ctx.Err() == nil {
				c.unfetched(partition{topic, number}, err)
				failed[topic] = err
			}
		})
		fetches.EachPartition(c.dispatch)
		c.client.AllowRebalance()
		for topic, err := range failed {
			if topic != "" {
				c.retryFetch(ctx, topic, err)
			}
		}
	}
	watching.Wait()
	// Leaving the group takes the partitions away: `revoked` finishes and commits.
	c.client.CloseAllowingRebalance()
	return nil
}

// Ready reports whether the broker answers and every topic can be consumed, for
// readiness (not for liveness: reads go on without it).
func (c *Consumer) Ready(ctx context.Context) error {
	if err := c.client.Ping(ctx); err != nil {
		return fmt.Errorf("the kafka broker does not answer: %w", err)
	}
	return c.failures.stalled(time.Now())
}

// dispatch hands records to the worker of their partition. It does not wait: a
// worker with too many waiting has its partition paused.
func (c *Consumer) dispatch(fetched kgo.FetchTopicPartition) {
	at := partition{fetched.Topic, fetched.Partition}
	c.mutex.Lock()
	w := c.workers[at]
	c.mutex.Unlock()
	if w == nil {
		return // taken away meanwhile; whoever has it now gets the records
	}
	if fetched.Err == nil {
		c.failures.remove(at)
		w.end.Store(fetched.LastStableOffset)
	}
	w.enqueue(fetched.Records)
}

func (c *Consumer) assigned(_ context.Context, client *kgo.Client, partitions map[string][]int32) {
	c.failures.removeTopic("") // the group has been joined
	// A pause outlives the assignment that it was made in.
	client.ResumeFetchPartitions(partitions)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	eachPartition(partitions, func(at partition) {
		c.workers[at] = startWorker(c, c.streams[at.topic], at)
	})
}

// revoked gives partitions up in good order: what is begun is finished, what is
// done is committed, the rest is untouched.
func (c *Consumer) revoked(_ context.Context, client *kgo.Client, partitions map[string][]int32) {
	c.stop(partitions, c.drain/2)
	// Not the callback's context: on the way out that has ended.
	ctx, cancel := context.WithTimeout(context.Background(), c.drain/4)
	defer cancel()
	if err := client.CommitMarkedOffsets(ctx); err != nil {
		c.log.Warn("handled events could not be committed and will come again", "error", err)
	}
}

// lost stops at once: another member has the partitions already, so there is
// nothing to commit. A transaction that is under way ends either way; that the
// record comes again is harmless.
func (c *Consumer) lost(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
	c.log.Warn("the group has thrown this consumer out; it joins again", "partitions", partitions)
	c.stop(partitions, 0)
}

// stop ends the workers of the partitions, and returns when they have ended.
func (c *Consumer) stop(partitions map[string][]int32, limit time.Duration) {
	var stopped []*worker
	c.mutex.Lock()
	eachPartition(partitions, func(at partition) {
		if w := c.workers[at]; w != nil {
			delete(c.workers, at)
			stopped = append(stopped, w)
		}
	})
	c.mutex.Unlock()
	for _, w := range stopped {
		close(w.stop)
	}
	if len(stopped) > 0 {
		c.log.Debug("partitions are given up after what has begun", "partitions", partitions)
	}
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	timedOut := false
	for _, w := range stopped {
		if !timedOut {
			select {
			case <-w.ended:
			case <-timeout.C:
				timedOut = true
			}
		}
		w.cancel()
		<-w.ended
		c.metrics.dropLag(w.partition)
	}
}

// watchLag keeps the lag true while a partition waits or nothing is fetched, and
// notices topics that are not there.
func (c *Consumer) watchLag(ctx context.Context) {
	ticker := time.NewTicker(lagInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		limited, cancel := context.WithTimeout(ctx, lagInterval)
		c.lookAtLag(limited)
		cancel()
	}
}

func (c *Consumer) lookAtLag(ctx context.Context) {
	admin, topics := kadm.NewClient(c.client), slices.Collect(maps.Keys(c.streams))
	ends, err := admin.ListCommittedOffsets(ctx, topics...)
	if err != nil {
		return // the broker is away; Ready says so
	}
	for _, topic := range topics {
		// a topic that is not there has one partition, which is none
		if none, is := ends.Lookup(topic, -1); is && none.Err != nil {
			c.unfetched(partition{topic, -1}, none.Err)
		}
	}
	starts, err := admin.ListStartOffsets(ctx, topics...)
	if err != nil {
		return
	}
	committed, err := admin.FetchOffsets(ctx, c.group)
	if err != nil {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for at, w := range c.workers {
		end, ok := ends.Lookup(at.topic, at.number)
		if !ok || end.Err != nil {
			continue
		}
		start, _ := starts.Lookup(at.topic, at.number)
		group, is := committed.Lookup(at.topic, at.number)
		if !is || group.At < start.Offset || group.At > end.Offset {
			group.At = start.Offset // nothing of what is there
		}
		w.end.Store(end.Offset)
		w.before.Store(group.At)
		w.showLag()
	}
}

func eachPartition(partitions map[string][]int32, f func(partition)) {
	for topic, numbers := range partitions {
		for _, number := range numbers {
			f(partition{topic, number})
		}
	}
}
