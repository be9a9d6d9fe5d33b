package events_test

// This file: topics that cannot be fetched, and those that were deleted and made
// again under the running consumer.

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"equipment-platform/internal/embedded"
)

// deleteTopic deletes a topic, which is gone when it returns.
func (f *fixture) deleteTopic(topic string) {
	f.t.Helper()
	answers, err := f.admin.DeleteTopics(f.t.Context(), topic)
	require.NoError(f.t, err)
	require.NoError(f.t, answers.Error())
	f.eventually(func() bool {
		topics, err := f.admin.ListTopics(f.t.Context(), topic)
		return err == nil && topics[topic].Err != nil
	}, "the topic does not go")
	f.client.PurgeTopicsFromClient(topic) // as every client that is to use the new one
}

func (f *fixture) createTopic(topic string) {
	f.t.Helper()
	f.eventually(func() bool { // the old one may still be on its way out
		answers, err := f.admin.CreateTopics(f.t.Context(), embedded.BrokerPartitions, 1, nil, topic)
		return err == nil && answers.Error() == nil
	}, "the topic cannot be made again")
	f.eventually(func() bool {
		ends, err := f.admin.ListEndOffsets(f.t.Context(), topic)
		return err == nil && ends.Error() == nil
	}, "the topic does not come")
}

func (r *running) ready(t *testing.T) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	return r.consumer.Ready(ctx)
}

// A topic that is deleted and made again while it is consumed is consumed from
// its start. Its records are at positions that were handled before.
func TestTopicMadeAgainUnderTheConsumer(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.countEffects()
	topic := f.settings.TopicOrderEvents
	consumer := f.start()
	produce := func(n int) {
		t.Helper()
		for range n {
			order, _ := withoutID(uuid.New(), uuid.New())
			f.produce(topic, order)
		}
	}
	produce(5)
	f.awaitCommitted(topic)

	f.deleteTopic(topic)
	f.createTopic(topic)
	produce(3)
	consumer.says(t, "deleted and made again")
	f.awaitCommitted(topic)
	f.requireEachEffectOnce(8)
	require.Zero(t, consumer.metric(t, "events_duplicates_total"))
	produce(2)
	f.awaitCommitted(topic)
	f.requireEachEffectOnce(10)
	f.eventually(func() bool { return consumer.metric(t, "events_consumer_lag") == 0 }, "the lag is not true")
	require.NoError(t, consumer.ready(t))

	// the same while nobody looks
	consumer.stop()
	f.deleteTopic(topic)
	f.createTopic(topic)
	produce(4)
	second := f.start()
	f.awaitCommitted(topic)
	f.requireEachEffectOnce(14)
	require.Zero(t, second.metric(t, "events_duplicates_total"))
}

// What was fetched of a topic that is deleted meanwhile is handled before the new
// one is looked at.
func TestTopicMadeAgainWhileRecordsWait(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.countEffects()
	topic := f.settings.TopicOrderEvents
	begun, release := make(chan struct{}, 1000), make(chan struct{})
	streams := f.streams(func(apply func() error) error {
		begun <- struct{}{}
		<-release
		return apply()
	})
	consumer := f.start(streams...)
	f.produceOrders(300)
	<-begun
	f.eventually(func() bool { return consumer.metric(t, "events_consumer_lag") == 300 }, "the records are not fetched")
	f.deleteTopic(topic)
	f.createTopic(topic)
	f.produceOrders(30)
	consumer.says(t, "events cannot be fetched")
	require.NotContains(t, consumer.log.String(), "deleted and made again", "records of the old one wait")
	close(release)
	consumer.says(t, "deleted and made again")
	f.awaitCommitted(topic)
	f.requireEachEffectOnce(330)
}

// While a topic is gone readiness is off and the log says so, once; the other one
// is consumed.
func TestTopicThatIsGone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	topic := f.settings.TopicOrderEvents
	consumer := f.start()
	f.produce(topic, goodOrder)
	f.awaitCommitted(topic)
	require.NoError(t, consumer.ready(t))
	f.deleteTopic(topic)
	f.eventually(func() bool { return consumer.ready(t) != nil }, "readiness stays on while nothing is consumed")
	require.ErrorContains(t, consumer.ready(t), "topic "+topic+" cannot be consumed")
	f.produce(f.settings.TopicFileDeleted, fileDeleted("e", uuid.New()))
	f.awaitCommitted(f.settings.TopicFileDeleted)
	require.LessOrEqual(t, strings.Count(consumer.log.String(), "events cannot be fetched"), 1+embedded.BrokerPartitions)

	f.createTopic(topic)
	f.produce(topic, strings.Replace(goodOrder, `"good"`, `"next"`, 1))
	f.awaitCommitted(topic)
	require.EqualValues(t, 2, f.queryInt("SELECT count(*) FROM handled_events WHERE topic = $1", topic))
	f.eventually(func() bool { return consumer.ready(t) == nil }, "readiness stays off")
}

// A consumer that may not read a topic is not ready, and the lag is what waits.
func TestTopicThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	topic := f.settings.TopicOrderEvents
	var denied atomic.Bool
	denied.Store(true)
	var fetches atomic.Int64
	f.broker.ControlKey(int16(kmsg.Fetch), func(request kmsg.Request) (kmsg.Response, error, bool) {
		f.broker.KeepControl()
		fetch := request.(*kmsg.FetchRequest)
		if !denied.Load() || len(fetch.Topics) == 0 {
			return nil, nil, false
		}
		fetches.Add(1)
		answer := fetch.ResponseKind().(*kmsg.FetchResponse)
		for _, asked := range fetch.Topics {
			one := kmsg.NewFetchResponseTopic()
			one.Topic, one.TopicID = asked.Topic, asked.TopicID
			for _, partition := range asked.Partitions {
				refused := kmsg.NewFetchResponseTopicPartition()
				refused.Partition, refused.ErrorCode = partition.Partition, kerr.TopicAuthorizationFailed.Code
				one.Partitions = append(one.Partitions, refused)
			}
			answer.Topics = append(answer.Topics, one)
		}
		return answer, nil, true
	})
	f.produce(topic, goodOrder, goodOrder)
	consumer := f.start()
	f.eventually(func() bool { return consumer.ready(t) != nil }, "readiness stays on while nothing is consumed")
	require.ErrorContains(t, consumer.ready(t), "TOPIC_AUTHORIZATION_FAILED")
	require.EqualValues(t, 2, consumer.metric(t, "events_consumer_lag", "topic", topic))
	require.Less(t, fetches.Load(), int64(100), "it asks all the time")

	denied.Store(false)
	f.awaitCommitted(topic)
	f.eventually(func() bool { return consumer.ready(t) == nil }, "readiness stays off")
	require.Zero(t, consumer.metric(t, "events_consumer_lag"))
}

// Dead letters go to the new topic when theirs was deleted and made again.
func TestDeadLetterTopicMadeAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	f.produce(f.settings.TopicOrderEvents, "poison")
	f.awaitCommitted(f.settings.TopicOrderEvents)
	require.Len(t, f.letters(f.settings.TopicOrderEventsDLQ), 1)
	f.deleteTopic(f.settings.TopicOrderEventsDLQ)
	f.createTopic(f.settings.TopicOrderEventsDLQ)
	f.produceRecords(&kgo.Record{Topic: f.settings.TopicOrderEvents, Value: []byte("poison again")}, &kgo.Record{Topic: f.settings.TopicOrderEvents, Partition: 1, Value: []byte("poison again")})
	f.awaitCommitted(f.settings.TopicOrderEvents)
	require.Len(t, f.letters(f.settings.TopicOrderEventsDLQ), 2)
}
