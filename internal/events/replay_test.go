package events_test

// This file: `catalog dlq`: seeing dead letters and putting them back.

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/internal/events"
	"equipment-platform/internal/process"
)

// list and replay are what `catalog dlq` does, and what it prints.
func (f *fixture) list(topic string) (string, error) {
	f.t.Helper()
	return f.dlq(func(letters *events.DeadLetters, out io.Writer) error { return letters.List(f.t.Context(), topic, out) })
}

func (f *fixture) replay(topic string, offsets ...string) (string, error) {
	f.t.Helper()
	return f.dlq(func(letters *events.DeadLetters, out io.Writer) error {
		return letters.Replay(f.t.Context(), topic, offsets, out)
	})
}

func (f *fixture) dlq(do func(*events.DeadLetters, io.Writer) error) (string, error) {
	f.t.Helper()
	letters, err := events.NewDeadLetters(f.settings, testLog(f.t, &process.Log{}))
	if err != nil {
		return "", err
	}
	defer letters.Close()
	var out bytes.Buffer
	err = do(letters, &out)
	return out.String(), err
}

// A fix that makes poison usable is stood in for by a broken consumer: its stream
// refuses everything.
func TestReplayAfterAFix(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	vehicleID, file := f.vehicle(), uuid.New()
	f.link(vehicleID, "photo", file)
	// without an event id it counts by its first position, also when it is put back
	good := []byte(`{"entityType":"EQUIPMENT","fileId":"` + file.String() + `"}`)
	own := []kgo.RecordHeader{{Key: "trace", Value: []byte("t")}, {Key: "x-error", Value: []byte("older")}}
	first := &kgo.Record{Topic: f.settings.TopicFileDeleted, Partition: 2, Key: []byte("k\n\x1b[31m"), Value: good, Headers: own}
	f.produceRecords(
		first,
		&kgo.Record{Topic: f.settings.TopicFileDeleted, Partition: 2, Value: nil},
	)
	broken := events.Streams(f.settings, f.pool)[1]
	broken.Topic, broken.DeadLetterTopic = f.settings.TopicFileDeleted, f.settings.TopicFileDeletedDLQ
	consumer := f.start(broken)
	f.awaitCommitted(f.settings.TopicFileDeleted)
	consumer.stop()
	require.Len(t, f.letters(f.settings.TopicFileDeletedDLQ), 2)

	out, err := f.list("")
	require.NoError(t, err)
	require.Contains(t, out, f.settings.TopicFileDeleted+"/2/0")
	require.Contains(t, out, `k\n\x1b[31m`, "nothing in a record may steer the terminal")
	require.Contains(t, out, `field "orderId" is missing`)
	require.Contains(t, out, "value is null")
	require.Contains(t, out, f.settings.TopicFileDeletedDLQ+": 2 records")
	require.Contains(t, out, f.settings.TopicOrderEventsDLQ+": 0 records")
	out, err = f.list(f.settings.TopicOrderEvents)
	require.NoError(t, err)
	require.Equal(t, f.settings.TopicOrderEventsDLQ+": 0 records\n", out)

	f.start() // the fixed one
	var letter events.Letter
	for _, one := range f.letters(f.settings.TopicFileDeletedDLQ) {
		if one.Value != nil {
			letter = one
		}
	}
	at := events.AddressOf(letter)
	out, err = f.replay(f.settings.TopicFileDeletedDLQ, at)
	require.NoError(t, err)
	require.Equal(t, at+" replayed to "+f.settings.TopicFileDeleted+"/2\n1 records replayed, 0 not\n", out)
	f.eventually(func() bool { return len(f.links(vehicleID, "photo")) == 0 }, "the replayed event has no effect")
	var replayed *kgo.Record
	for _, record := range f.rawLetters(f.settings.TopicFileDeleted) {
		if record.Partition == 2 && record.Offset == 2 {
			replayed = record
		}
	}
	require.Equal(t, letter.Key, replayed.Key)
	require.Equal(t, good, replayed.Value)
	require.Equal(t, append(own[:2:2], kgo.RecordHeader{Key: "x-replay-of", Value: fmt.Append(nil, f.settings.TopicFileDeleted, "/2/0/", first.Timestamp.UnixMilli())}), replayed.Headers)

	// all of them again: the good one has one effect, poison comes back as a letter
	f.link(vehicleID, "photo", file)
	out, err = f.replay(f.settings.TopicFileDeleted)
	require.NoError(t, err)
	require.Contains(t, out, "2 records replayed, 0 not")
	f.awaitCommitted(f.settings.TopicFileDeleted)
	require.Len(t, f.links(vehicleID, "photo"), 1)
	require.Len(t, f.letters(f.settings.TopicFileDeletedDLQ), 3)
	// once more: letters stay, but each record goes back once, so poison does not multiply
	out, err = f.replay(f.settings.TopicFileDeleted)
	require.NoError(t, err)
	require.Contains(t, out, "2 records replayed, 0 not")
	f.awaitCommitted(f.settings.TopicFileDeleted)
	require.Len(t, f.letters(f.settings.TopicFileDeletedDLQ), 4)
}

func TestReplayRefuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	headers := func(topic string, more ...string) []kgo.RecordHeader {
		list := []kgo.RecordHeader{
			{Key: "x-error", Value: []byte("e")}, {Key: "x-original-topic", Value: []byte(topic)}, {Key: "x-original-partition", Value: []byte("0")},
			{Key: "x-original-offset", Value: []byte("5")}, {Key: "x-failed-at", Value: []byte("2026-03-01T10:00:00Z")},
		}
		for _, key := range more {
			list = append(list, kgo.RecordHeader{Key: key, Value: []byte("true")})
		}
		return list
	}
	f.produceRecords(
		&kgo.Record{Topic: f.settings.TopicOrderEventsDLQ, Value: []byte("0: no headers")},
		&kgo.Record{Topic: f.settings.TopicOrderEventsDLQ, Value: []byte("1: of another topic"), Headers: headers("accounts")},
		&kgo.Record{Topic: f.settings.TopicOrderEventsDLQ, Value: []byte("2: cut"), Headers: headers(f.settings.TopicOrderEvents, "x-value-truncated")},
		&kgo.Record{Topic: f.settings.TopicOrderEventsDLQ, Partition: 1, Value: []byte("also offset 0"), Headers: headers(f.settings.TopicOrderEvents)},
	)
	for name, test := range map[string]struct{ topic, offset, want string }{
		"malformed offset":    {f.settings.TopicOrderEvents, "one", `"one" is not an offset`},
		"malformed partition": {f.settings.TopicOrderEvents, "p/1", `"p/1" is not PARTITION/OFFSET`},
		"negative offset":     {f.settings.TopicOrderEvents, "-1", `"-1" is not an offset`},
		"unknown topic":       {"accounts", "0", "no topic of this service"},
		"nothing there":       {f.settings.TopicOrderEventsDLQ, "0/99", "nothing at offset 0/99"},
		"unclear offset":      {f.settings.TopicOrderEventsDLQ, "0", "is in 2 partitions"},
		"not a dead letter":   {f.settings.TopicOrderEventsDLQ, "0/0", "1 records could not be replayed"},
		"another topic":       {f.settings.TopicOrderEventsDLQ, "0/1", "1 records could not be replayed"},
		"cut value":           {f.settings.TopicOrderEventsDLQ, "2", "1 records could not be replayed"},
	} {
		_, err := f.replay(test.topic, test.offset)
		require.ErrorContains(t, err, test.want, name)
	}
	_, err := f.list("accounts")
	require.ErrorContains(t, err, "no topic of this service")
	ends, err := f.admin.ListEndOffsets(t.Context(), f.settings.TopicOrderEvents)
	require.NoError(t, err)
	ends.Each(func(end kadm.ListedOffset) { require.Zero(t, end.Offset, "nothing was put back") })

	out, err := f.replay(f.settings.TopicOrderEventsDLQ, "1/0")
	require.NoError(t, err)
	require.Contains(t, out, "1 records replayed")
	f.settings.Brokers = nil
	_, err = f.list("")
	require.ErrorContains(t, err, "KAFKA_BROKERS is required")
}
