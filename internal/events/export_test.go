package events

// This file: what tests in package events_test need from inside.

import (
	"context"
	"errors"

	"github.com/twmb/franz-go/pkg/kgo"
)

// WithClientOpts changes the client's settings.
func (o Options) WithClientOpts(opts ...kgo.Opt) Options {
	o.clientOpts = append(o.clientOpts, opts...)
	return o
}

// WithApply wraps what the stream does.
func (s Stream) WithApply(wrap func(context.Context, int, func() error) error) Stream {
	apply := s.apply
	s.apply = func(ctx context.Context, records []prepared) (done outcome, err error) {
		err = wrap(ctx, len(records), func() error {
			done, err = apply(ctx, records)
			return err
		})
		return done, err
	}
	return s
}

// Prepare reads a value as a record of the stream would be; ignored is not an error.
func (s Stream) Prepare(value []byte) (ignored bool, err error) {
	_, err = s.prepare(&kgo.Record{Topic: s.Topic, Value: value})
	if errors.Is(err, errIgnored) {
		return true, nil
	}
	return false, err
}

// AddressOf writes where the letter is, as --offset takes it.
func AddressOf(letter Letter) string { return address{letter.Partition, letter.Offset}.String() }
