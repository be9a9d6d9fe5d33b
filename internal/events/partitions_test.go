package events_test

// This file: partitions that are added to a topic under the running consumers.

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/internal/embedded"
)

// addPartition adds one to the topic and puts an order on it, which is there before
// any consumer knows of it.
func (f *fixture) addPartition(topic string) {
	f.t.Helper()
	answers, err := f.admin.CreatePartitions(f.t.Context(), 1, topic)
	require.NoError(f.t, err)
	require.NoError(f.t, answers.Error())
	order, _ := withoutID(uuid.New(), uuid.New())
	f.eventually(func() bool {
		f.client.ForceMetadataRefresh()
		return f.client.ProduceSync(f.t.Context(), &kgo.Record{Topic: topic, Partition: embedded.BrokerPartitions, Value: []byte(order)}).FirstErr() == nil
	}, "the partition does not come")
}

// A partition that is added is noticed, given to somebody and consumed from its start.
func TestPartitionAddedUnderTheConsumers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.countEffects()
	topic := f.settings.TopicOrderEvents
	consumers := []*running{f.start(), f.start()}
	f.produceOrders(6)
	f.awaitCommitted(topic)
	f.addPartition(topic)
	f.awaitCommitted(topic)
	f.requireEachEffectOnce(7)
	for _, consumer := range consumers {
		require.NoError(t, consumer.ready(t))
	}
}

// Consumers are not ready while a partition is nobody's: here since the one that leads
// the group does not look for new ones.
func TestPartitionThatNobodyHas(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.countEffects()
	topic := f.settings.TopicOrderEvents
	consumer := f.startWith([]kgo.Opt{kgo.MetadataMaxAge(time.Hour)})
	f.produceOrders(6)
	f.awaitCommitted(topic)
	f.addPartition(topic)
	f.eventually(func() bool { return consumer.ready(t) != nil }, "readiness stays on while nobody has the partition")
	require.ErrorContains(t, consumer.ready(t), "topic "+topic+" cannot be consumed: no consumer of the group has partition 3")
	f.requireEachEffectOnce(6)

	consumer.stop()
	other := f.start()
	f.awaitCommitted(topic)
	f.requireEachEffectOnce(7)
	require.NoError(t, other.ready(t))
}
