package events

// This file: one worker for each assigned partition: its records in order, each
// applied or dead-lettered before it is acknowledged, retried while the fault
// is a passing one. Workers of different partitions do not wait for each other
// (contract 6.6).

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/internal/backoff"
)

const (
	// batchRecords is how many records share a transaction when so many wait.
	batchRecords = 500
	// pauseAt is how many waiting records pause a partition, resumeAt how few resume
	// it; the bytes do the same, so that large records cannot fill the memory.
	pauseAt, resumeAt           = 4000, 1000
	pauseAtBytes, resumeAtBytes = 8 << 20, 2 << 20
	// attemptLimit bounds one attempt: a connection that is silently dead must not
	// hold a partition indefinitely.
	attemptLimit = 45 * time.Second
	retryFirst   = 100 * time.Millisecond
	retryCap     = 10 * time.Second
)

// errStopped says that the worker was told to stop before the record was done.
var errStopped = errors.New("stopped")

type worker struct {
	consumer  *Consumer
	stream    *Stream
	partition partition
	log       *slog.Logger

	mutex   sync.Mutex
	waiting []*kgo.Record
	bytes   int // of the waiting records
	paused  bool
	arrived chan struct{} // holds one token while records wait

	end          atomic.Int64 // behind the last record that can be consumed now
	acknowledged atomic.Int64 // the next offset to be handled; -1: nothing was fetched yet
	fetched      atomic.Int64 // the next offset to be fetched; -1: as above
	before       atomic.Int64 // where the group stood when nothing was fetched yet; -1: not known

	stop   chan struct{}      // closed: finish what is begun, begin nothing
	ctx    context.Context    // ended: stop at once
	cancel context.CancelFunc // ends ctx
	ended  chan struct{}
}

func startWorker(c *Consumer, stream *Stream, at partition) *worker {
	w := &worker{
		consumer: c, stream: stream, partition: at,
		log:     c.log.With("topic", at.topic, "partition", at.number),
		arrived: make(chan struct{}, 1),
		stop:    make(chan struct{}), ended: make(chan struct{}),
	}
	w.acknowledged.Store(-1)
	w.fetched.Store(-1)
	w.before.Store(-1)
	w.ctx, w.cancel = context.WithCancel(context.Background())
	go w.run()
	return w
}

// enqueue adds to the waiting records; it never waits itself.
func (w *worker) enqueue(records []*kgo.Record) {
	if len(records) == 0 {
		return
	}
	w.acknowledged.CompareAndSwap(-1, records[0].Offset)
	w.fetched.Store(records[len(records)-1].Offset + 1)
	w.mutex.Lock()
	w.waiting = append(w.waiting, records...)
	w.bytes += size(records)
	if (len(w.waiting) >= pauseAt || w.bytes >= pauseAtBytes) && !w.paused {
		w.paused = true
		w.consumer.client.PauseFetchPartitions(map[string][]int32{w.partition.topic: {w.partition.number}})
	}
	w.mutex.Unlock()
	select {
	case w.arrived <- struct{}{}:
	default:
	}
	w.showLag()
}

// dequeue takes the next records, at most batchRecords; nil when none wait.
func (w *worker) dequeue() []*kgo.Record {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	n := min(len(w.waiting), batchRecords)
	records := w.waiting[:n:n]
	w.waiting = w.waiting[n:]
	w.bytes -= size(records)
	if len(w.waiting) == 0 {
		w.waiting = nil // lets go of the array
	}
	if w.paused && len(w.waiting) <= resumeAt && w.bytes <= resumeAtBytes {
		w.paused = false
		w.consumer.client.ResumeFetchPartitions(map[string][]int32{w.partition.topic: {w.partition.number}})
	}
	return records
}

func size(records []*kgo.Record) int {
	sum := 0
	for _, record := range records {
		sum += len(record.Key) + len(record.Value)
	}
	return sum
}

func (w *worker) run() {
	defer close(w.ended)
	defer w.cancel()
	for {
		select {
		case <-w.stop:
			return
		case <-w.arrived:
		}
		for records := w.dequeue(); len(records) > 0; records = w.dequeue() {
			if err := w.process(records); err != nil {
				return // told to stop; the rest is untouched
			}
		}
	}
}

// process handles records in order, neighbours that are well in one transaction.
func (w *worker) process(records []*kgo.Record) error {
	started := time.Now()
	var current batch
	for _, record := range records {
		if record.Attrs.IsControl() {
			current.through = record // the end of a producer's transaction
			continue
		}
		value, err := w.stream.prepare(record)
		if err == nil {
			current.add(record, value)
			continue
		}
		if err := w.apply(current, started); err != nil {
			return err
		}
		current = batch{}
		if !errors.Is(err, errIgnored) {
			if err := w.deadLetter(record, err, started); err != nil {
				return err
			}
			continue
		}
		w.consumer.metrics.ignored.WithLabelValues(w.partition.topic).Inc()
		w.acknowledge(record)
		w.observe(started, 1)
	}
	return w.apply(current, started)
}

// batch are records that are well, with what was read from them, in order.
type batch struct {
	records []*kgo.Record
	values  []prepared
	through *kgo.Record // the last one, or what needs no handling behind it
}

func (b *batch) add(record *kgo.Record, value prepared) {
	b.records, b.values, b.through = append(b.records, record), append(b.values, value), record
}

// apply makes the records' effects durable and acknowledges them. When all of
// them together fail, each is tried by itself: one bad record does not spoil its
// neighbours, and those before it do not wait for it.
func (w *worker) apply(b batch, started time.Time) error {
	if len(b.records) > 1 {
		if w.stopping() {
			return errStopped
		}
		err := w.attempt(func(ctx context.Context) error {
			_, err := w.effect(ctx, b.records, b.values)
			return err
		})
		if err == nil {
			w.acknowledge(b.through)
			w.observe(started, len(b.records))
			return nil
		}
		if !errors.Is(err, errTooMuch) {
			w.retried("events could not be applied together and are tried one by one", err, len(b.records))
		}
	}
	for i, record := range b.records {
		refused, err := w.applyOne(record, b.values[i])
		if err != nil {
			return err
		}
		if refused != nil {
			if err := w.deadLetter(record, refused, started); err != nil {
				return err
			}
			continue
		}
		w.acknowledge(record)
		w.observe(started, 1)
	}
	if b.through != nil {
		w.acknowledge(b.through)
	}
	return nil
}

// applyOne makes a record's effect durable, step by step where it takes several;
// between two of them the worker may stop. refused is why the record can never be
// applied.
func (w *worker) applyOne(record *kgo.Record, value prepared) (refused, err error) {
	for unfinished := true; unfinished; {
		err := w.untilDone("event", func(ctx context.Context) (err error) {
			unfinished, err = w.effect(ctx, []*kgo.Record{record}, []prepared{value})
			if neverStorable(err) {
				refused = err
				return nil
			}
			return err
		})
		if err != nil || refused != nil {
			return refused, err
		}
	}
	return nil, nil
}

// effect is one attempt at the records' effects, in a span of its own.
func (w *worker) effect(ctx context.Context, records []*kgo.Record, values []prepared) (unfinished bool, err error) {
	ctx, end := w.consumer.tracing.Records(ctx, records...)
	done, err := w.stream.apply(ctx, values)
	end(err)
	if err != nil || done.unfinished {
		return done.unfinished, err
	}
	w.consumer.metrics.processed.WithLabelValues(w.partition.topic).Add(float64(len(records)))
	w.consumer.metrics.duplicates.WithLabelValues(w.partition.topic).Add(float64(len(done.repeated)))
	for _, i := range done.repeated {
		w.log.DebugContext(ctx, "event had been handled before", "offset", records[i].Offset)
	}
	return false, nil
}

func (w *worker) deadLetter(record *kgo.Record, cause error, started time.Time) error {
	letter := newDeadLetter(w.stream.DeadLetterTopic, record, cause, time.Now())
	if err := w.untilDone("dead letter", func(ctx context.Context) error {
		return produceDeadLetter(ctx, w.consumer.client, letter)
	}); err != nil {
		return err
	}
	w.log.Warn("event went to the dead-letter topic", "offset", record.Offset, "deadLetterTopic", w.stream.DeadLetterTopic, "error", publicCause(cause))
	w.consumer.metrics.deadLettered.WithLabelValues(w.partition.topic).Inc()
	w.acknowledge(record)
	w.observe(started, 1)
	return nil
}

// acknowledge marks a record, and so everything before it in the partition, as
// done.
func (w *worker) acknowledge(last *kgo.Record) {
	w.consumer.client.MarkCommitRecords(last)
	w.acknowledged.Store(last.Offset + 1)
	w.showLag()
}

// observe notes how long records took.
func (w *worker) observe(started time.Time, records int) {
	took := time.Since(started).Seconds()
	for range records {
		w.consumer.metrics.duration.WithLabelValues(w.partition.topic).Observe(took)
	}
}

// idle reports whether everything that was fetched has been handled.
func (w *worker) idle() bool { return w.acknowledged.Load() == w.fetched.Load() }

func (w *worker) showLag() {
	next := w.acknowledged.Load()
	if next < 0 {
		next = w.before.Load()
	}
	if next >= 0 {
		w.consumer.metrics.setLag(w.partition, w.end.Load()-next)
	}
}

func (w *worker) attempt(f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(w.ctx, attemptLimit)
	defer cancel()
	return f(ctx)
}

// untilDone repeats f until it succeeds, with growing pauses. It fails only when
// the worker is told to stop.
func (w *worker) untilDone(what string, f func(context.Context) error) error {
	for failures := 1; ; failures++ {
		if w.stopping() {
			return errStopped
		}
		err := w.attempt(f)
		if err == nil {
			return nil
		}
		if w.ctx.Err() != nil {
			return errStopped
		}
		w.retried(what+" failed and is tried again", err, 1)
		select {
		case <-w.stop:
			return errStopped
		case <-w.ctx.Done():
			return errStopped
		case <-time.After(backoff.Delay(failures, retryFirst, retryCap)):
		}
	}
}

func (w *worker) retried(message string, err error, records int) {
	w.consumer.metrics.retried.WithLabelValues(w.partition.topic).Inc()
	if w.ctx.Err() == nil {
		w.log.Warn(message, "offset", w.acknowledged.Load(), "records", records, "error", err)
	}
}

// stopping reports whether the worker is to begin nothing more.
func (w *worker) stopping() bool {
	select {
	case <-w.stop:
		return true
	default:
		return w.ctx.Err() != nil
	}
}

// neverStorable reports whether the database refused the values themselves: no
// repetition helps. Everything else, the unexpected included, may pass: a record
// waits rather than is skipped (contract 6.6).
func neverStorable(err error) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		return false
	}
	// 22: data exception; 23514: check violation
	return refused.Code[:2] == "22" || refused.Code == "23514"
}
