package events_test

// This file: partitions that are added to a topic under the running consumers.

import (
	"testing"

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
