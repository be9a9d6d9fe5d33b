package events_test

// This file: what counts as handled (contract 6.3).

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"
)

// withoutID are an order event and a deletion that have no event id.
func withoutID(orderID, fileID uuid.UUID) (order, file string) {
	return fmt.Sprintf(`{"orderId":%q,"customerId":"c","vehicleId":%q,"status":"Done","eventTimestamp":"2026-03-01T10:00:00Z"}`, orderID, uuid.New()),
		fmt.Sprintf(`{"entityType":"EQUIPMENT","fileId":%q}`, fileID)
}

// Earlier versions recorded the position of a record alone. That counts for the
// record that was there then, in a batch and by itself, and not for one that was
// made long after.
func TestKeysOfEarlierVersions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	vehicleID := f.vehicle()
	kept, gone := uuid.New(), uuid.New()
	f.link(vehicleID, "photo", kept, gone)
	known, fresh := uuid.New(), uuid.New()
	for _, topic := range []string{f.settings.TopicOrderEvents, f.settings.TopicFileDeleted} {
		f.exec("INSERT INTO handled_events (topic, event_key, handled_at) VALUES ($1, 'at:'||$1||'/0/0', now()), ($1, 'at:'||$1||'/0/1', now() - interval '3 hours')", topic)
	}
	knownOrder, knownFile := withoutID(known, kept)
	freshOrder, freshFile := withoutID(fresh, gone)
	f.produce(f.settings.TopicOrderEvents, knownOrder, freshOrder)
	f.produce(f.settings.TopicFileDeleted, knownFile, freshFile)
	consumer := f.start()
	f.awaitCommitted(f.settings.TopicOrderEvents)
	f.awaitCommitted(f.settings.TopicFileDeleted)
	require.Equal(t, []uuid.UUID{fresh}, f.ids("SELECT order_id FROM order_entitlements"))
	require.Equal(t, []link{{kept, 0, 1, "owner"}}, f.links(vehicleID, "photo"))
	for _, topic := range []string{f.settings.TopicOrderEvents, f.settings.TopicFileDeleted} {
		require.EqualValues(t, 2, consumer.metric(t, "events_processed_total", "topic", topic))
		require.EqualValues(t, 1, consumer.metric(t, "events_duplicates_total", "topic", topic))
	}
	consumer.stop()

	f.settings.Group += "-again" // what is recorded now counts as well
	again := f.start()
	f.awaitCommitted(f.settings.TopicOrderEvents)
	f.awaitCommitted(f.settings.TopicFileDeleted)
	require.EqualValues(t, 4, again.metric(t, "events_duplicates_total"))
}

// A record that was put back by an earlier version names its first position
// without the time.
func TestReplaysOfEarlierVersions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	vehicleID, file := f.vehicle(), uuid.New()
	f.link(vehicleID, "photo", file)
	_, deletion := withoutID(uuid.New(), file)
	topic := f.settings.TopicFileDeleted
	replay := func(position string) *kgo.Record {
		return &kgo.Record{Topic: topic, Value: []byte(deletion), Headers: []kgo.RecordHeader{{Key: "x-replay-of", Value: []byte(position)}}}
	}
	f.exec("INSERT INTO handled_events (topic, event_key) VALUES ($1, 'at:'||$1||'/2/7')", topic)
	f.produceRecords(
		replay(topic+"/2/7"), // as the earlier version did it
		replay(fmt.Sprint(topic, "/2/7/", time.Now().Add(-time.Minute).UnixMilli())), // as it is done now
	)
	consumer := f.start()
	f.awaitCommitted(topic)
	require.EqualValues(t, 2, consumer.metric(t, "events_duplicates_total"))
	require.Len(t, f.links(vehicleID, "photo"), 1)

	f.produceRecords(replay("another.topic/2/8"), replay(topic+"/no position")) // not by us: these count where they are
	f.awaitCommitted(topic)
	require.EqualValues(t, 2, consumer.metric(t, "events_duplicates_total"))
	require.Empty(t, f.links(vehicleID, "photo"))
}
