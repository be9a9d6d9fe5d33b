package events

// This file: looking into the dead-letter topics and putting records back on
// the topic they came from, after what made them fail was fixed.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/internal/config"
)

// readIdleLimit ends the reading of a topic that gives nothing more before the
// end that it named.
const readIdleLimit = 10 * time.Second

// Letter is one record of a dead-letter topic.
type Letter struct {
	Partition int32
	Offset    int64
	Error     string    // why it failed
	FailedAt  time.Time // zero when the header is not readable
	Key       []byte
	Value     []byte // nil for a null value
	Truncated bool   // the value is only the beginning of the original's

	original position // where it came from; without a topic: unknown
	headers  []kgo.RecordHeader
}

// From is topic/partition/offset where the record came from; empty: unknown.
func (l Letter) From() string {
	if l.original.topic == "" {
		return ""
	}
	return l.original.withoutTime()
}

// origin is the first position of the record, also when it was put back and failed
// again; empty: unknown.
func (l Letter) origin() string {
	if l.original.topic == "" {
		return ""
	}
	for _, h := range l.headers {
		if h.Key == headerReplayOf {
			return string(h.Value)
		}
	}
	return l.original.String()
}

// DeadLetters gives access to the dead-letter topics. Close it after use.
type DeadLetters struct {
	settings config.Kafka
	log      *slog.Logger
	client   *kgo.Client
}

// NewDeadLetters makes the access; it does not connect yet.
func NewDeadLetters(settings config.Kafka, log *slog.Logger) (*DeadLetters, error) {
	if len(settings.Brokers) == 0 {
		return nil, errors.New("KAFKA_BROKERS is required")
	}
	client, err := newClient(settings, log,
		// Back to the very partition that it came from: the order of its key is there.
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchMaxBytes(maxDeadLetterBatch),
		kgo.RecordDeliveryTimeout(30*time.Second))
	if err != nil {
		return nil, err
	}
	return &DeadLetters{settings: settings, log: log, client: client}, nil
}

// Close ends the connections.
func (d *DeadLetters) Close() { d.client.Close() }

// Topics lists the dead-letter topics.
func (d *DeadLetters) Topics() []string {
	return []string{d.settings.TopicFileDeletedDLQ, d.settings.TopicOrderEventsDLQ}
}

// Source returns the topic whose dead letters go to the given one. It takes the
// name of either of the two.
func (d *DeadLetters) Source(topic string) (source, deadLetterTopic string, err error) {
	for _, pair := range [][2]string{
		{d.settings.TopicFileDeleted, d.settings.TopicFileDeletedDLQ},
		{d.settings.TopicOrderEvents, d.settings.TopicOrderEventsDLQ},
	} {
		if topic == pair[0] || topic == pair[1] {
			return pair[0], pair[1], nil
		}
	}
	return "", "", fmt.Errorf("%q is no topic of this service: use one of %q", topic, d.Topics())
}

// Read calls each with every letter that is on the topic now, partition by
// partition in order. Letters that arrive meanwhile are left out.
func (d *DeadLetters) Read(ctx context.Context, topic string, each func(Letter) error) error {
	admin := kadm.NewClient(d.client)
	starts, err := admin.ListStartOffsets(ctx, topic)
	if err == nil {
		err = starts.Error()
	}
	if err != nil {
		return fmt.Errorf("ask for the offsets of %s: %w", topic, err)
	}
	ends, err := admin.ListEndOffsets(ctx, topic)
	if err == nil {
		err = ends.Error()
	}
	if err != nil {
		return fmt.Errorf("ask for the offsets of %s: %w", topic, err)
	}
	partitions := make([]int32, 0, len(starts[topic]))
	for partition := range starts[topic] {
		partitions = append(partitions, partition)
	}
	slices.Sort(partitions)
	for _, partition := range partitions {
		start, _ := starts.Lookup(topic, partition)
		end, _ := ends.Lookup(topic, partition)
		if err := d.readPartition(ctx, topic, partition, start.Offset, end.Offset, each); err != nil {
			return err
		}
	}
	return nil
}

func (d *DeadLetters) readPartition(ctx context.Context, topic string, partition int32, start, end int64, each func(Letter) error) error {
	if start >= end {
		return nil
	}
	reader, err := newClient(d.settings, d.log,
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: {partition: kgo.NewOffset().At(start)}}),
		// Control records count in the offsets: without them the end may never come.
		kgo.KeepControlRecords(),
		kgo.FetchMaxWait(500*time.Millisecond))
	if err != nil {
		return err
	}
	defer reader.Close()
	for next := start; next < end; {
		limited, cancel := context.WithTimeout(ctx, readIdleLimit)
		fetches := reader.PollFetches(limited)
		cancel()
		if err := fetches.Err(); err != nil {
			return fmt.Errorf("read %s/%d at %d: %w", topic, partition, next, err)
		}
		for _, record := range fetches.Records() {
			if record.Offset >= end {
				return nil
			}
			next = record.Offset + 1
			if record.Attrs.IsControl() {
				continue
			}
			if err := each(newLetter(record)); err != nil {
				return err
			}
		}
	}
	return nil
}

// newLetter reads the headers that newDeadLetter wrote. They are the last ones; a
// record that had been a dead letter elsewhere may carry the same names before.
func newLetter(record *kgo.Record) Letter {
	letter := Letter{
		Partition: record.Partition, Offset: record.Offset, Key: record.Key, Value: record.Value,
		Error: "unknown: not a dead letter of this service", headers: record.Headers,
	}
	headers := record.Headers
	if last := len(headers) - 1; last >= 0 && headers[last].Key == headerTruncated {
		letter.Truncated = true
		headers = headers[:last]
	}
	values, own := lastHeaders(headers, headerError, headerTopic, headerPartition, headerOffset, headerTimestamp, headerFailedAt)
	if values == nil { // earlier versions left the time out
		if values, own = lastHeaders(headers, headerError, headerTopic, headerPartition, headerOffset, headerFailedAt); values == nil {
			return letter
		}
	}
	original, err := parsePosition(values[headerTopic] + "/" + values[headerPartition] + "/" + values[headerOffset])
	if err != nil {
		return letter
	}
	original.producedAt, _ = time.Parse(time.RFC3339Nano, values[headerTimestamp]) // zero where it is not known
	letter.Error, letter.original, letter.headers = values[headerError], original, own
	letter.FailedAt, _ = time.Parse(time.RFC3339Nano, values[headerFailedAt]) // for people only
	return letter
}

// lastHeaders returns the values of the last headers, which must have these
// names, and the headers before them; nil when they have not.
func lastHeaders(headers []kgo.RecordHeader, names ...string) (values map[string]string, before []kgo.RecordHeader) {
	first := len(headers) - len(names)
	if first < 0 {
		return nil, nil
	}
	values = map[string]string{}
	for i, header := range headers[first:] {
		if header.Key != names[i] {
			return nil, nil
		}
		values[header.Key] = string(header.Value)
	}
	return values, headers[:first]
}

// putBack puts one letter back on its original topic and partition: key, value and
// headers as they were, and where it was first. Putting it back again has no
// further effect.
func (d *DeadLetters) putBack(ctx context.Context, source string, letter Letter) error {
	switch {
	case letter.original.topic == "":
		return errors.New("its headers do not say where it came from")
	case letter.original.topic != source:
		return fmt.Errorf("it came from another topic: %s", letter.original.topic)
	case letter.Truncated:
		return errors.New("its value was cut: the sender has to send it again")
	}
	headers := slices.Clone(letter.headers)
	if !slices.ContainsFunc(headers, func(h kgo.RecordHeader) bool { return h.Key == headerReplayOf }) {
		headers = append(headers, kgo.RecordHeader{Key: headerReplayOf, Value: []byte(letter.original.String())})
	}
	return produce(ctx, d.client, &kgo.Record{
		Topic: source, Partition: letter.original.partition, Key: letter.Key, Value: letter.Value, Headers: headers,
	})
}
