// Package events consumes the two event streams of the platform (S6): deleted
// files and order events. One consumer serves all streams; a stream is a topic,
// its dead-letter topic, how to read a payload and what it does.
//
// This file: what a stream is, and the list of streams. A third one is a file
// like orders.go and one line in Streams.
package events

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/config"
)

// Stream is one consumed topic.
type Stream struct {
	Topic           string
	DeadLetterTopic string

	// prepare reads a record. The error is poison (D6.5), or errIgnored.
	prepare func(*kgo.Record) (prepared, error)
	// apply writes the effects of the records in their order, and that they were
	// handled, in one transaction. Doing it again changes nothing (D6.3).
	apply func(context.Context, []prepared) error
}

// prepared is a record that has been read, of the stream's own event type.
type prepared any

// errIgnored says that a record is well and has no effect here.
var errIgnored = errors.New("not for this service")

// Streams lists what the catalog consumes.
func Streams(settings config.Kafka, pool *pgxpool.Pool) []Stream {
	queries := catalogdb.New()
	return []Stream{
		newStream(settings.TopicFileDeleted, settings.TopicFileDeletedDLQ,
			decodeFileDeleted, applyFileDeleted(queries, pool, settings.TopicFileDeleted)),
		newStream(settings.TopicOrderEvents, settings.TopicOrderEventsDLQ,
			decodeOrderChanged, applyOrderChanged(queries, pool, settings.TopicOrderEvents)),
	}
}

// event is a payload with the key under which it is recorded as handled.
type event[T any] struct {
	key   string
	value T
}

type applyFunc[T any] func(context.Context, []event[T]) error

// newStream makes a stream of payloads of type T.
func newStream[T any](topic, deadLetterTopic string, decode func(payload) (T, error), apply applyFunc[T]) Stream {
	return Stream{
		Topic: topic, DeadLetterTopic: deadLetterTopic,
		prepare: func(record *kgo.Record) (prepared, error) {
			fields, err := parsePayload(record.Value)
			if err != nil {
				return nil, err
			}
			value, err := decode(fields)
			if err != nil {
				return nil, err
			}
			key, err := handledKey(record, fields)
			if err != nil {
				return nil, err
			}
			return event[T]{key: key, value: value}, nil
		},
		apply: func(ctx context.Context, records []prepared) error {
			batch := make([]event[T], 0, len(records))
			for _, record := range records {
				batch = append(batch, record.(event[T])) // only prepare above makes them
			}
			return apply(ctx, batch)
		},
	}
}

// handledKey is what the record counts as handled under: its event id, else its
// position in the log (D6.3). The two are kept apart, so that no event id can pass
// for a position. A record that was put back from the dead-letter topic counts at
// its first position: putting it back twice has one effect.
func handledKey(record *kgo.Record, fields payload) (string, error) {
	id, there, err := fields.optionalText("eventId")
	if err != nil {
		return "", err
	}
	if there {
		return "id:" + id, nil
	}
	position := fmt.Sprintf("%s/%d/%d", record.Topic, record.Partition, record.Offset)
	for _, header := range record.Headers {
		if header.Key == headerReplayOf && strings.HasPrefix(string(header.Value), record.Topic+"/") && len(header.Value) <= maxText+50 {
			position = strings.ToValidUTF8(strings.ReplaceAll(string(header.Value), "\x00", ""), "")
		}
	}
	return "at:" + position, nil
}
