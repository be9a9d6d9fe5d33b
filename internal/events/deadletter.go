package events

// This file: what a poison record looks like on its dead-letter topic (contract 6.5),
// and getting it there.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Headers of dead letters, added behind the record's own (contract 6.5).
const (
	headerError     = "x-error"
	headerTopic     = "x-original-topic"
	headerPartition = "x-original-partition"
	headerOffset    = "x-original-offset"
	headerTimestamp = "x-original-timestamp"
	headerFailedAt  = "x-failed-at"
	headerTruncated = "x-value-truncated"
	// ownHeaders is how many of these a letter has at most.
	ownHeaders = 7
	// headerReplayOf is on a record that was put back, with its first position.
	headerReplayOf = "x-replay-of"
)

const (
	// maxDeadLetterBatch is above what brokers take, so that they are the ones to
	// say that a record is too large.
	maxDeadLetterBatch = 64 << 20
	// batchOverhead is more than the frame of a batch of one record.
	batchOverhead = 512
	maxErrorText  = 1000
)

// newDeadLetter is the record unchanged (key, value, headers) with where it came
// from and why it failed. Its time is now: retention would delete it early by the
// time of an old event.
func newDeadLetter(topic string, record *kgo.Record, cause error, now time.Time) *kgo.Record {
	headers := make([]kgo.RecordHeader, 0, len(record.Headers)+ownHeaders)
	headers = append(headers, record.Headers...)
	for _, header := range [][2]string{
		{headerError, publicCause(cause)},
		{headerTopic, record.Topic},
		{headerPartition, strconv.Itoa(int(record.Partition))},
		{headerOffset, strconv.FormatInt(record.Offset, 10)},
		{headerTimestamp, record.Timestamp.UTC().Format(time.RFC3339Nano)},
		{headerFailedAt, now.UTC().Format(time.RFC3339Nano)},
	} {
		headers = append(headers, kgo.RecordHeader{Key: header[0], Value: []byte(header[1])})
	}
	return &kgo.Record{Topic: topic, Key: record.Key, Value: record.Value, Headers: headers}
}

// publicCause is the reason in one line. Of the database's errors only message
// and code: the detail repeats the row.
func publicCause(cause error) string {
	text := cause.Error()
	var refused *pgconn.PgError
	if errors.As(cause, &refused) {
		text = fmt.Sprintf("the database cannot store it: %s (%s)", refused.Message, refused.Code)
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) > maxErrorText {
		text = strings.ToValidUTF8(text[:maxErrorText], "") + "…"
	}
	return text
}

// produceDeadLetter returns when the letter is durable on its topic. A record too
// large for the topic goes there with its value cut to what fits (contract 6.5).
func produceDeadLetter(ctx context.Context, client *kgo.Client, letter *kgo.Record) error {
	err := produce(ctx, client, letter)
	if !errors.Is(err, kerr.MessageTooLarge) {
		return err
	}
	limit := topicLimit(ctx, client, letter.Topic)
	cut := *letter
	cut.Headers = append(slices.Clone(letter.Headers), kgo.RecordHeader{Key: headerTruncated, Value: []byte("true")})
	for room := min(limit-frameSize(&cut), len(letter.Value)); ; room /= 2 {
		cut.Value = letter.Value[:max(room, 0)]
		if err = produce(ctx, client, &cut); !errors.Is(err, kerr.MessageTooLarge) {
			return err
		}
		if room <= 0 {
			break
		}
	}
	// Key or foreign headers alone are too large. Better a stub that says where
	// the record is than a partition that waits indefinitely.
	stub := cut
	stub.Key, stub.Value = cut.Key[:min(len(cut.Key), 100)], nil
	stub.Headers = cut.Headers[len(cut.Headers)-ownHeaders:]
	return produce(ctx, client, &stub)
}

// frameSize is an upper bound of a record's size without its value.
func frameSize(record *kgo.Record) int {
	size := batchOverhead + len(record.Key)
	for _, header := range record.Headers {
		size += len(header.Key) + len(header.Value) + 10
	}
	return size
}

// topicLimit asks for the largest batch that the topic takes. Where that may not
// be asked, Kafka's default is a fair first guess.
func topicLimit(ctx context.Context, client *kgo.Client, topic string) int {
	const usual = 1_000_000
	configs, err := kadm.NewClient(client).DescribeTopicConfigs(ctx, topic)
	if err != nil {
		return usual
	}
	config, err := configs.On(topic, nil)
	if err != nil || config.Err != nil {
		return usual
	}
	for _, entry := range config.Configs {
		if entry.Key == "max.message.bytes" {
			if limit, err := strconv.Atoi(entry.MaybeValue()); err == nil {
				return limit
			}
		}
	}
	return usual
}

// produce waits for the acknowledgement of all in-sync replicas. A ctx that ends
// ends the wait at once, though the record may still be under way.
func produce(ctx context.Context, client *kgo.Client, record *kgo.Record) error {
	result := make(chan error, 1)
	// Each attempt has its own copy: the client may still hold an earlier one.
	attempt := *record
	client.Produce(ctx, &attempt, func(_ *kgo.Record, err error) { result <- err })
	select {
	case err := <-result:
		if errors.Is(err, kerr.UnknownTopicID) {
			// The topic was deleted and made again: the client holds on to the old one
			// until it is told to forget it.
			client.PurgeTopicsFromProducing(record.Topic)
		}
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
