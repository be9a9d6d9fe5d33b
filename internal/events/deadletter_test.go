package events_test

// This file: poison records (contract 6.5): what is refused, what a dead letter looks
// like, and what happens when it cannot be delivered.

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const goodOrder = `{"eventId":"good","orderId":"0d9cbb3e-4a47-4c1f-9d0b-3f6a3cbb0c11","customerId":"c","vehicleId":"3f0c6fd2-98c1-4f8e-a8a5-0f4c1f5d2b22","status":"Done","eventTimestamp":"2026-03-01T10:00:00Z"}`

func TestPoisonGoesToTheDeadLetterTopicUnchanged(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	replace := func(old, new string) []byte { return []byte(strings.Replace(goodOrder, old, new, 1)) }
	poison := map[string][]byte{
		"null value":              nil,
		"empty value":             {},
		"malformed JSON":          []byte(`{"orderId":`),
		"not an object":           []byte(`[1]`),
		"trailing data":           []byte(goodOrder + `{}`),
		"invalid UTF-8":           replace(`"Done"`, "\"D\xffne\""),
		"duplicate field":         replace(`"status"`, `"status":"x","status"`),
		"missing field":           replace(`"status":"Done",`, ``),
		"null field":              replace(`"Done"`, `null`),
		"field in other case":     replace(`"status"`, `"Status"`),
		"number for a string":     replace(`"Done"`, `5`),
		"object for a string":     replace(`"Done"`, `{}`),
		"event id of wrong type":  replace(`"good"`, `7`),
		"empty event id":          replace(`"good"`, `""`),
		"empty customer":          replace(`"c"`, `""`),
		"no UUID":                 replace(`0d9cbb3e-`, `x`),
		"UUID of another form":    replace(`0d9cbb3e-4a47-4c1f-9d0b-3f6a3cbb0c11`, `0d9cbb3e4a474c1f9d0b3f6a3cbb0c11`),
		"U+0000":                  replace(`"c"`, `"a\u0000b"`),
		"half a surrogate pair":   replace(`"c"`, `"a\ud800b"`),
		"over-long customer":      replace(`"c"`, strconv.Quote(strings.Repeat("ж", 256))),
		"over-long status":        replace(`Done`, strings.Repeat("x", 256)),
		"over-long event id":      replace(`good`, strings.Repeat("x", 256)),
		"time without zone":       replace(`10:00:00Z`, `10:00:00`),
		"time of another form":    replace(`2026-03-01T10:00:00Z`, `1 March`),
		"impossible date":         replace(`2026-03-01`, `2026-02-30`),
		"fraction of millisecond": replace(`"2026-03-01T10:00:00Z"`, `1772359200123.5`),
		"milliseconds as string":  replace(`2026-03-01T10:00:00Z`, `1772359200123`),
		"time out of range":       replace(`"2026-03-01T10:00:00Z"`, `1e18`),
		"time far out of range":   replace(`"2026-03-01T10:00:00Z"`, `1e999999999`),
		"boolean for a time":      replace(`"2026-03-01T10:00:00Z"`, `true`),
	}
	want := map[int64][]byte{}
	var records []*kgo.Record
	for name, value := range poison {
		want[int64(2*len(want))] = value
		records = append(records,
			&kgo.Record{Topic: f.settings.TopicOrderEvents, Key: []byte(name), Value: value, Headers: []kgo.RecordHeader{{Key: "trace", Value: []byte(name)}, {Key: "x-error", Value: []byte("of an earlier life")}}},
			&kgo.Record{Topic: f.settings.TopicOrderEvents, Value: []byte(strings.Replace(strings.Replace(goodOrder, "good", "after "+name, 1), "0d9cbb3e-4a47-4c1f-9d0b-3f6a3cbb0c11", uuid.NewString(), 1))})
	}
	f.produceRecords(records...)
	consumer := f.start()
	f.awaitCommitted(f.settings.TopicOrderEvents)

	require.EqualValues(t, len(poison), f.queryInt("SELECT count(*) FROM order_entitlements"), "a poison record does not spoil its neighbours")
	letters := f.rawLetters(f.settings.TopicOrderEventsDLQ)
	require.Len(t, letters, len(poison))
	for _, letter := range letters {
		name := string(letter.Key)
		require.Equal(t, name, string(letter.Headers[0].Value))
		require.Equal(t, "of an earlier life", string(letter.Headers[1].Value))
		added := map[string]string{}
		for _, header := range letter.Headers[2:] {
			added[header.Key] = string(header.Value)
		}
		require.Len(t, added, 6, name)
		offset, err := strconv.ParseInt(added["x-original-offset"], 10, 64)
		require.NoError(t, err)
		require.Equal(t, want[offset], letter.Value, name)
		require.Equal(t, want[offset] == nil, letter.Value == nil, name)
		require.NotEmpty(t, added["x-error"], name)
		require.Equal(t, f.settings.TopicOrderEvents, added["x-original-topic"])
		require.Equal(t, "0", added["x-original-partition"])
		produced, err := time.Parse(time.RFC3339Nano, added["x-original-timestamp"])
		require.NoError(t, err)
		require.Equal(t, records[offset].Timestamp.UnixMilli(), produced.UnixMilli(), name)
		at, err := time.Parse(time.RFC3339Nano, added["x-failed-at"])
		require.NoError(t, err)
		require.WithinDuration(t, time.Now(), at, time.Minute)
	}
	require.EqualValues(t, len(poison), consumer.metric(t, "events_dead_lettered_total", "topic", f.settings.TopicOrderEvents))
}

func TestPoisonFileEvents(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	file := uuid.NewString()
	values := []string{
		`{"fileId":"` + file + `"}`,
		`{"entityType":5,"fileId":"` + file + `"}`,
		`{"entityType":"EQUIPMENT"}`,
		`{"entityType":"EQUIPMENT","fileId":"no uuid"}`,
		`{"entityType":"EQUIPMENT","fileId":"` + file + `","entityId":"no uuid"}`,
		`{"entityType":"EQUIPMENT","fileId":"` + file + `","occurredAt":"yesterday"}`,
		`{"entityType":"EQUIPMENT","fileId":"` + file + `","eventId":{}}`,
	}
	f.produce(f.settings.TopicFileDeleted, values...)
	f.awaitCommitted(f.settings.TopicFileDeleted)
	var got []string
	for _, letter := range f.letters(f.settings.TopicFileDeletedDLQ) {
		got = append(got, string(letter.Value))
	}
	require.ElementsMatch(t, values, got)
	require.Zero(t, f.queryInt("SELECT count(*) FROM handled_events"))
}

// rawLetters returns the records of a dead-letter topic as they are.
func (f *fixture) rawLetters(topic string) []*kgo.Record {
	f.t.Helper()
	ends, err := f.admin.ListEndOffsets(f.t.Context(), topic)
	require.NoError(f.t, err)
	var missing int64
	ends.Each(func(end kadm.ListedOffset) { missing += end.Offset })
	client, err := kgo.NewClient(kgo.SeedBrokers(f.settings.Brokers...), kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	require.NoError(f.t, err)
	defer client.Close()
	ctx, cancel := context.WithTimeout(f.t.Context(), patience)
	defer cancel()
	var records []*kgo.Record
	for int64(len(records)) < missing {
		fetches := client.PollFetches(ctx)
		require.NoError(f.t, fetches.Err())
		records = append(records, fetches.Records()...)
	}
	return records
}

// The broker of the tests takes batches of about 1 MB, like Kafka by default.
func TestLargeRecords(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	// random text: the broker's limit is on what is left after compression
	random := func(size int) string {
		var text strings.Builder
		for text.Len() < size {
			text.WriteString(uuid.NewString())
		}
		return text.String()[:size]
	}
	limit := "2097152"
	for _, topic := range []string{f.settings.TopicOrderEvents, f.settings.TopicFileDeleted} {
		answers, err := f.admin.AlterTopicConfigs(t.Context(), []kadm.AlterConfig{{Op: kadm.SetConfig, Name: "max.message.bytes", Value: &limit}}, topic)
		require.NoError(t, err)
		_, err = answers.On(topic, nil)
		require.NoError(t, err)
	}
	f.start()
	good := strings.Replace(goodOrder, `{`, `{"padding":"`+random(1<<20-len(goodOrder)-20)+`",`, 1)
	tooLarge := random(1_500_000)
	for _, record := range []*kgo.Record{ // not in one batch: that would be too large for its own topic
		{Topic: f.settings.TopicOrderEvents, Value: []byte(good)},
		{Topic: f.settings.TopicOrderEvents, Key: []byte("k"), Value: []byte(tooLarge), Headers: []kgo.RecordHeader{{Key: "own", Value: []byte("kept")}}},
		{Topic: f.settings.TopicOrderEvents, Key: []byte(random(1_200_000)), Value: []byte("not JSON")},
	} {
		f.eventually(func() bool { // the new limit takes a moment
			err := f.client.ProduceSync(t.Context(), record).FirstErr()
			if !errors.Is(err, kerr.MessageTooLarge) {
				require.NoError(t, err)
			}
			return err == nil
		}, "the topic's limit does not rise")
	}
	f.awaitCommitted(f.settings.TopicOrderEvents)

	require.EqualValues(t, 1, f.queryInt("SELECT count(*) FROM order_entitlements"))
	letters := map[string]*kgo.Record{}
	for _, letter := range f.rawLetters(f.settings.TopicOrderEventsDLQ) {
		for _, header := range letter.Headers {
			if header.Key == "x-original-offset" {
				letters[string(header.Value)] = letter
			}
		}
	}
	require.Len(t, letters, 2)
	cut := letters["1"]
	require.Equal(t, "k", string(cut.Key))
	require.True(t, bytes.HasPrefix([]byte(tooLarge), cut.Value))
	require.Greater(t, len(cut.Value), 1_000_000, "as much as fits")
	require.Equal(t, "own", cut.Headers[0].Key)
	require.Equal(t, kgo.RecordHeader{Key: "x-value-truncated", Value: []byte("true")}, cut.Headers[len(cut.Headers)-1])
	require.Len(t, letters["2"].Key, 100, "a stub rather than a partition that waits indefinitely")
}

// While the dead-letter topic is out of order, its partition waits and is not
// acknowledged; the others go on (contract 6.6).
func TestDeadLetterTopicOutOfOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var broken atomic.Bool
	broken.Store(true)
	f.broker.ControlKey(int16(kmsg.Produce), func(request kmsg.Request) (kmsg.Response, error, bool) {
		f.broker.KeepControl()
		produce := request.(*kmsg.ProduceRequest)
		if !broken.Load() || !f.namesTopic(produce, f.settings.TopicOrderEventsDLQ) {
			return nil, nil, false
		}
		answer := produce.ResponseKind().(*kmsg.ProduceResponse)
		for _, topic := range produce.Topics {
			one := kmsg.NewProduceResponseTopic()
			one.Topic, one.TopicID = topic.Topic, topic.TopicID
			for _, partition := range topic.Partitions {
				refused := kmsg.NewProduceResponseTopicPartition()
				refused.Partition, refused.ErrorCode = partition.Partition, kerr.TopicAuthorizationFailed.Code
				one.Partitions = append(one.Partitions, refused)
			}
			answer.Topics = append(answer.Topics, one)
		}
		return answer, nil, true
	})
	consumer := f.start()
	other := func(name string) string {
		return strings.Replace(strings.Replace(goodOrder, "good", name, 1), "0d9cbb3e-4a47-4c1f-9d0b-3f6a3cbb0c11", uuid.NewString(), 1)
	}
	f.produceRecords(
		&kgo.Record{Topic: f.settings.TopicOrderEvents, Partition: 0, Value: []byte(other("before"))},
		&kgo.Record{Topic: f.settings.TopicOrderEvents, Partition: 0, Value: []byte("poison")},
		&kgo.Record{Topic: f.settings.TopicOrderEvents, Partition: 0, Value: []byte(other("behind"))},
		&kgo.Record{Topic: f.settings.TopicOrderEvents, Partition: 1, Value: []byte(other("elsewhere"))},
		&kgo.Record{Topic: f.settings.TopicFileDeleted, Partition: 0, Value: []byte(fileDeleted("file", uuid.New()))},
	)
	f.awaitCommitted(f.settings.TopicFileDeleted)
	f.eventually(func() bool { return f.uncommitted(f.settings.TopicOrderEvents) == 2 }, "poison and what is behind it wait")
	f.eventually(func() bool { return consumer.metric(t, "events_retried_total") >= 3 }, "it is tried again")
	require.EqualValues(t, 2, f.uncommitted(f.settings.TopicOrderEvents))
	require.EqualValues(t, 2, f.queryInt("SELECT count(*) FROM order_entitlements"))
	require.EqualValues(t, 2, consumer.metric(t, "events_consumer_lag", "topic", f.settings.TopicOrderEvents, "partition", "0"))

	broken.Store(false)
	f.awaitCommitted(f.settings.TopicOrderEvents)
	require.EqualValues(t, 3, f.queryInt("SELECT count(*) FROM order_entitlements"))
	require.Len(t, f.letters(f.settings.TopicOrderEventsDLQ), 1)
	require.Zero(t, consumer.metric(t, "events_consumer_lag"))
}

// namesTopic reports whether the request is for the topic, which newer versions of
// the protocol name by an id.
func (f *fixture) namesTopic(request *kmsg.ProduceRequest, name string) bool {
	for _, topic := range request.Topics {
		if topic.Topic == name || topic.Topic == "" && f.topicIDs[topic.TopicID] == name {
			return true
		}
	}
	return false
}
