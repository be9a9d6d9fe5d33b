package database

// This file: reading from a streaming replica: which reads may go there, and
// what happens to one that fails there. How far behind it is, is in
// replicalag.go.
//
// Read-your-writes is kept by position, not by memory of who wrote: a read that
// must be fresh goes to the replica only if that has replayed everything that
// the primary had made durable when the read came. So it holds across any
// number of processes, which know nothing of each other's writes. Where the
// replica is behind, the primary answers.

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

const (
	// maxLag is how stale an answer from the replica may be.
	maxLag = 5 * time.Second
	// probeInterval is how often lag and health are probed.
	probeInterval = 250 * time.Millisecond
	// probeTimeout bounds one probe: a replica that is silent for so long is down.
	probeTimeout = time.Second
)

// Replica is a read-only copy of the primary that PostgreSQL keeps by streaming
// replication. Make it, then Run it; before the first probe nothing is read
// from it.
type Replica struct {
	pool *pgxpool.Pool
	// Positions are asked for on connections of their own: a pool that is busy
	// is no server that is lost.
	replicaWatch, primaryWatch *pgxpool.Pool

	log *slog.Logger
	// session is the time in which the replica can be read; nil: it cannot now.
	session atomic.Pointer[session]
	lag     lag

	mu      sync.Mutex
	next    *comparison // reads that have come since the running one began
	running bool

	usable, seconds prometheus.Gauge
	reads           *prometheus.CounterVec
}

// session ends when the replica is marked down; what runs on it then ends too.
type session struct {
	ctx context.Context
	end context.CancelFunc
}

// NewReplica makes a replica of the primary's. The pool must reach one server
// only: a position that one server has is none that another has. registry may
// be nil. Close it after Run has ended.
func NewReplica(ctx context.Context, pool, primary *pgxpool.Pool, registry prometheus.Registerer, log *slog.Logger) (*Replica, error) {
	replicaWatch, err := watch(ctx, pool)
	if err != nil {
		return nil, err
	}
	primaryWatch, err := watch(ctx, primary)
	if err != nil {
		replicaWatch.Close()
		return nil, err
	}
	r := &Replica{
		pool: pool, replicaWatch: replicaWatch, primaryWatch: primaryWatch, log: log,
		usable: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "db_replica_usable", Help: "1 while reads may go to the replica, 0 while it is down or too far behind.",
		}),
		seconds: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "db_replica_lag_seconds", Help: "Age of the newest state of the primary that the replica lacks; 0: it lacks nothing.",
		}),
		reads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "db_replica_reads_total", Help: "Reads that could go to the replica, by who answered: replica, or the primary because the replica was unusable, behind the caller, or failed.",
		}, []string{"answered"}),
	}
	for _, answered := range []string{byReplica, unusable, behind, failedOver} {
		r.reads.WithLabelValues(answered)
	}
	if registry != nil {
		registry.MustRegister(r.usable, r.seconds, r.reads)
	}
	return r, nil
}

// watch opens a pool of two connections, one to probe and one to compare, to
// where another pool leads, without its traces.
func watch(ctx context.Context, other *pgxpool.Pool) (*pgxpool.Pool, error) {
	c := other.Config()
	c.MaxConns, c.MinConns, c.MinIdleConns = 2, 0, 0
	c.ConnConfig.Tracer = nil
	return pgxpool.NewWithConfig(ctx, c)
}

// Close closes what NewReplica opened, not the two pools that it was given.
func (r *Replica) Close() {
	if now := r.session.Swap(nil); now != nil {
		now.end()
	}
	r.replicaWatch.Close()
	r.primaryWatch.Close()
}

// Who answered a read.
const (
	byReplica  = "replica"
	unusable   = "primary_unusable"
	behind     = "primary_behind"
	failedOver = "primary_failed"
)

// Usable reports whether reads go to the replica now.
func (r *Replica) Usable() bool { return r.session.Load() != nil }

// Run probes the replica until ctx ends.
func (r *Replica) Run(ctx context.Context) {
	ticker := time.NewTicker(probeInterval)
	defer ticker.Stop()
	for {
		r.probe(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Read runs read on the replica, where that can be had, and reports whether its
// outcome counts. If not, nothing of the attempt counts and the caller reads
// from the primary. A fresh read sees at least what was committed when it came;
// another one may be up to five seconds old. read must not change anything, and
// its context must be used for what it does on the pool.
func (r *Replica) Read(ctx context.Context, fresh bool, read func(context.Context, *pgxpool.Pool) error) (counts bool, err error) {
	now := r.session.Load()
	if now == nil {
		r.reads.WithLabelValues(unusable).Inc()
		return false, nil
	}
	if fresh && !r.caughtUp(ctx) {
		r.reads.WithLabelValues(behind).Inc()
		return false, nil
	}
	attempt, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(now.ctx, cancel)
	defer stop()
	err = read(attempt, r.pool)
	if err == nil || ctx.Err() != nil || !r.isReplicaFault(now, err) {
		r.reads.WithLabelValues(byReplica).Inc()
		return true, err
	}
	r.reads.WithLabelValues(failedOver).Inc()
	r.log.DebugContext(ctx, "a read failed on the replica and goes to the primary", "error", err)
	return false, nil
}

// isReplicaFault reports whether an error is the replica's, as opposed to an
// answer that the primary would give too. Connections that break end the session:
// the reads that come next need not find out for themselves.
func (r *Replica) isReplicaFault(now *session, err error) bool {
	var refused *pgconn.PgError
	switch {
	case now.ctx.Err() != nil:
		return true
	case errors.As(err, &refused):
		// a query that stands in the way of replay is cancelled (40001); the schema may be older (42…)
		if Unavailable(err) && refused.Code != "57014" {
			r.markDown(now, err)
		}
		return true
	case Unavailable(err):
		r.markDown(now, err)
		return true
	default:
		return false
	}
}

// markDown ends a session, unless another caller was faster.
func (r *Replica) markDown(now *session, why error) {
	if r.session.CompareAndSwap(now, nil) {
		now.end()
		r.usable.Set(0)
		r.log.Warn("the replica is not read any more", "reason", why)
	}
}

// comparison is a comparison of positions that many reads wait for.
type comparison struct {
	done     chan struct{}
	caughtUp bool
}

// caughtUp reports whether the replica has all that the primary had when the
// read came. Reads that come while a comparison runs share the next one, so
// the primary is asked one thing at a time, however many read.
func (r *Replica) caughtUp(ctx context.Context) bool {
	r.mu.Lock()
	if r.next == nil {
		r.next = &comparison{done: make(chan struct{})}
	}
	mine := r.next
	if !r.running {
		r.running = true
		go r.compare(context.WithoutCancel(ctx)) // the others wait too
	}
	r.mu.Unlock()
	select {
	case <-mine.done:
		return mine.caughtUp
	case <-ctx.Done():
		return false
	}
}

func (r *Replica) compare(ctx context.Context) {
	for {
		r.mu.Lock()
		mine := r.next
		r.next = nil
		r.running = mine != nil
		r.mu.Unlock()
		if mine == nil {
			return
		}
		limited, cancel := context.WithTimeout(ctx, probeTimeout)
		if wanted, err := position(limited, r.primaryWatch, written); err == nil {
			has, err := position(limited, r.replicaWatch, replayed)
			mine.caughtUp = err == nil && has >= wanted
		}
		cancel()
		close(mine.done)
	}
}
