package events

// This file: topics whose records cannot be fetched: saying so, and consuming
// again those that were deleted and made again.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

const (
	// refetchInterval is the pause before a topic that cannot be fetched is asked
	// for again: the client itself would ask thousands of times a second.
	refetchInterval = 2 * time.Second
	// stalledAfter is how long a topic cannot be fetched before the consumer is not
	// ready; failureGap without a failure means that the failures were several.
	stalledAfter = 10 * time.Second
	failureGap   = 3 * lagInterval
	// logInterval is how often a failure that lasts is logged.
	logInterval = time.Minute
	// fromStartFor is how long partitions of a topic that was made again are read
	// from their start, whatever is committed: that may be of the old topic still.
	fromStartFor = time.Minute
)

// failures are those of the partitions that cannot be fetched now. The number -1
// is a topic that is not there, a partition without a topic the group that cannot
// be joined. The zero value is none.
type failures struct {
	mutex sync.Mutex
	now   map[partition]*failure
}

type failure struct {
	err                 error
	since, last, logged time.Time
}

// add notes a failure and reports whether it is to be logged.
func (f *failures) add(of partition, err error, at time.Time) (logged bool) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	known := f.now[of]
	if known == nil || at.Sub(known.last) > failureGap {
		known = &failure{since: at}
		if f.now == nil {
			f.now = map[partition]*failure{}
		}
		f.now[of] = known
	}
	known.err, known.last = err, at
	if at.Sub(known.logged) < logInterval {
		return false
	}
	known.logged = at
	return true
}

func (f *failures) remove(of partition) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	delete(f.now, of)
}

func (f *failures) removeTopic(topic string) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	maps.DeleteFunc(f.now, func(of partition, _ *failure) bool { return of.topic == topic })
}

// stalled is an error when something could not be fetched for a while.
func (f *failures) stalled(at time.Time) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for of, known := range f.now {
		if at.Sub(known.last) <= failureGap && known.last.Sub(known.since) >= stalledAfter {
			if of.topic == "" {
				return fmt.Errorf("the consumer group cannot be joined: %w", known.err)
			}
			return fmt.Errorf("topic %s cannot be consumed: %w", of.topic, known.err)
		}
	}
	return nil
}

// unfetched notes that a partition could not be fetched.
func (c *Consumer) unfetched(of partition, err error) {
	if c.failures.add(of, err, time.Now()) {
		c.log.Warn("events cannot be fetched", "topic", of.topic, "partition", of.number, "error", err)
	}
}

// retryFetch deals with a topic of which something could not be fetched.
func (c *Consumer) retryFetch(ctx context.Context, topic string, err error) {
	c.client.PauseFetchTopics(topic)
	time.AfterFunc(refetchInterval, func() { c.client.ResumeFetchTopics(topic) })
	if errors.Is(err, kerr.UnknownTopicID) && c.idle(topic) {
		c.consumeAgain(ctx, topic)
	}
}

// idle reports whether everything of the topic that was fetched has been handled.
func (c *Consumer) idle(topic string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for at, w := range c.workers {
		if at.topic == topic && !w.idle() {
			return false
		}
	}
	return true
}

// consumeAgain starts with a topic that was deleted and made again. The client
// holds on to the topic that it knew, which is no more, until it is told to
// forget it. While there is no new topic nothing is done.
func (c *Consumer) consumeAgain(ctx context.Context, topic string) {
	limited, cancel := context.WithTimeout(ctx, refetchInterval)
	defer cancel()
	topics, err := kadm.NewClient(c.client).ListTopics(limited, topic)
	if err != nil || topics[topic].Err != nil {
		return
	}
	c.log.Warn("a topic was deleted and made again; it is consumed from its start", "topic", topic)
	c.mutex.Lock()
	c.fromStart[topic] = time.Now().Add(fromStartFor)
	c.mutex.Unlock()
	c.client.PurgeTopicsFromConsuming(topic)
	c.client.AddConsumeTopics(topic)
	c.client.ResumeFetchTopics(topic)
	c.failures.removeTopic(topic)
}

// adjustOffsets replaces what the group has committed for a topic that has just
// been made again: brokers before 4.2 take commits of the old one by its name.
func (c *Consumer) adjustOffsets(_ context.Context, offsets map[string]map[int32]kgo.Offset) (map[string]map[int32]kgo.Offset, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for topic, partitions := range offsets {
		if time.Now().Before(c.fromStart[topic]) {
			for partition := range partitions {
				partitions[partition] = kgo.NewOffset().AtStart()
			}
		}
	}
	return offsets, nil
}
