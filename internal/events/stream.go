// Package events consumes the two event streams of the platform (contract 6.8): deleted
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
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/config"
)

// Stream is one consumed topic.
type Stream struct {
	Topic           string
	DeadLetterTopic string

	// prepare reads a record. The error is poison (contract 6.5), or errIgnored.
	prepare func(*kgo.Record) (prepared, error)
	// apply writes the effects of the records in their order, and that they were
	// handled, in one transaction. Doing it again changes nothing (contract 6.3). Where that
	// would be too much for one transaction, several records are refused with
	// errTooMuch, and the effect of a single one is made in steps.
	apply func(context.Context, []prepared) (outcome, error)
}

// outcome is what became of records that were applied.
type outcome struct {
	// repeated are those, by index, that had been handled before.
	repeated []int
	// unfinished: this was a step, durable by itself, and apply has to be called
	// again. Only of a single record.
	unfinished bool
}

// errTooMuch says that records cannot be applied together.
var errTooMuch = errors.New("too much for one transaction")

// prepared is a record that has been read, of the stream's own event type.
type prepared any

// errIgnored says that a record is well and has no effect here.
var errIgnored = errors.New("not for this service")

// Streams lists what the catalog consumes.
func Streams(settings config.Kafka, pool *pgxpool.Pool) []Stream {
	queries := catalogdb.New()
	return []Stream{
		newStream(settings.TopicFileDeleted, settings.TopicFileDeletedDLQ, pool,
			decodeFileDeleted, applyFileDeleted(queries, pool, settings.TopicFileDeleted)),
		newStream(settings.TopicOrderEvents, settings.TopicOrderEventsDLQ, pool,
			decodeOrderChanged, applyOrderChanged(queries, pool, settings.TopicOrderEvents)),
	}
}

// event is a payload with the keys under which it counts as handled.
type event[T any] struct {
	handledKeys
	value T
}

// handledKeys name an event: it is recorded as handled under key.
type handledKeys struct {
	key string
	// byPosition is what earlier versions recorded it under, if it has no id; it
	// counts for a record that was produced before it was written.
	byPosition string
	producedAt time.Time
}

type applyFunc[T any] func(context.Context, []event[T]) (outcome, error)

// newStream makes a stream of payloads of type T.
func newStream[T any](topic, deadLetterTopic string, pool *pgxpool.Pool, decode func(payload) (T, error), apply applyFunc[T]) Stream {
	queries := catalogdb.New()
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
			keys, err := keysOf(record, fields)
			if err != nil {
				return nil, err
			}
			return event[T]{handledKeys: keys, value: value}, nil
		},
		apply: func(ctx context.Context, records []prepared) (outcome, error) {
			batch := make([]event[T], 0, len(records))
			for _, record := range records {
				batch = append(batch, record.(event[T])) // only prepare above makes them
			}
			return applyRest(ctx, queries, pool, topic, batch, apply)
		},
	}
}

// applyRest applies the events that no earlier version has handled.
func applyRest[T any](ctx context.Context, queries *catalogdb.Queries, pool *pgxpool.Pool, topic string, batch []event[T], apply applyFunc[T]) (outcome, error) {
	keys := make([]handledKeys, len(batch))
	for i, e := range batch {
		keys[i] = e.handledKeys
	}
	handled, err := handledByPosition(ctx, queries, pool, topic, keys)
	if err != nil {
		return outcome{}, err
	}
	if len(handled) == 0 {
		return apply(ctx, batch)
	}
	var rest []event[T]
	var repeated, indexes []int // of the rest in the batch
	for i, e := range batch {
		if handled[e.byPosition] {
			repeated = append(repeated, i)
			continue
		}
		rest, indexes = append(rest, e), append(indexes, i)
	}
	if len(rest) == 0 {
		return outcome{repeated: repeated}, nil
	}
	done, err := apply(ctx, rest)
	for _, i := range done.repeated {
		repeated = append(repeated, indexes[i])
	}
	done.repeated = repeated
	return done, err
}

// handledByPosition returns which of the events' positions earlier versions
// recorded for them. Most events have an id: then nothing is asked.
func handledByPosition(ctx context.Context, queries *catalogdb.Queries, pool *pgxpool.Pool, topic string, events []handledKeys) (map[string]bool, error) {
	arguments := catalogdb.EventsHandledByPositionParams{Topic: topic}
	for _, e := range events {
		if e.byPosition != "" {
			arguments.EventKeys, arguments.ProducedAt = append(arguments.EventKeys, e.byPosition), append(arguments.ProducedAt, e.producedAt)
		}
	}
	if len(arguments.EventKeys) == 0 {
		return nil, nil
	}
	found, err := queries.EventsHandledByPosition(ctx, pool, arguments)
	if err != nil {
		return nil, fmt.Errorf("look for events handled by earlier versions: %w", err)
	}
	handled := map[string]bool{}
	for _, key := range found {
		handled[key] = true
	}
	return handled, nil
}

// keysOf says what the record counts as handled under: its event id, else its
// position in the log together with its time (contract 6.3): a position names a record
// only within one life of a topic. Ids and positions are kept apart, so that no
// event id can pass for a position. A record that was put back from the
// dead-letter topic counts at its first position: putting it back twice has one
// effect.
func keysOf(record *kgo.Record, fields payload) (handledKeys, error) {
	id, there, err := fields.optionalText("eventId")
	if err != nil {
		return handledKeys{}, err
	}
	if there {
		return handledKeys{key: "id:" + id}, nil
	}
	at := positionOf(record)
	for _, header := range record.Headers {
		if first, err := parsePosition(string(header.Value)); header.Key == headerReplayOf && err == nil && first.topic == record.Topic {
			at = first
		}
	}
	if at.producedAt.IsZero() {
		return handledKeys{key: "at:" + at.String()}, nil // put back by an earlier version
	}
	return handledKeys{key: "at:" + at.String(), byPosition: "at:" + at.withoutTime(), producedAt: at.producedAt}, nil
}
