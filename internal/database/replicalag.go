package database

// This file: how far a replica is behind, by positions in the write-ahead log.
// Positions do not need the clocks of two machines to agree, and do not call a
// replica late only because nobody writes.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// written is the end of what the primary has made durable: a commit that
	// has been answered lies before it (synchronous_commit on, the default).
	written = "SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint"
	// replayed is null on a server that is no replica.
	replayed = "SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint WHERE pg_is_in_recovery()"
	// maxSamples bounds what is kept of the primary's past.
	maxSamples = 64
)

var errTooLate = fmt.Errorf("it is more than %s behind", maxLag)

func position(ctx context.Context, db *pgxpool.Pool, sql string) (at int64, err error) {
	err = db.QueryRow(ctx, sql).Scan(&at)
	return at, err
}

// lag remembers where the primary was when, as far as the replica lacks it.
type lag struct{ lacks []sample }

type sample struct {
	at       time.Time
	position int64
}

// wrote notes where the primary is now.
func (l *lag) wrote(at time.Time, position int64) {
	if len(l.lacks) == maxSamples {
		// the time of the older sample stays: the lag is shown too long rather than too short
		l.lacks[maxSamples-1].position = position
		return
	}
	l.lacks = append(l.lacks, sample{at, position})
}

// replayed forgets what the replica has, and returns how old the oldest is of
// what it lacks; 0: nothing.
func (l *lag) replayed(now time.Time, position int64) time.Duration {
	for len(l.lacks) > 0 && l.lacks[0].position <= position {
		l.lacks = l.lacks[1:]
	}
	if len(l.lacks) == 0 {
		return 0
	}
	return now.Sub(l.lacks[0].at)
}

// probe decides whether the replica can be read. A primary that is down is no
// reason against it: then it is the only one that can answer.
func (r *Replica) probe(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	begun := time.Now()
	asked := make(chan struct{})
	go func() { // both at once: a primary that is silent must not use up the time for the replica
		defer close(asked)
		if at, err := position(limited, r.primaryWatch, written); err == nil {
			r.lag.wrote(begun, at)
		}
	}()
	has, err := position(limited, r.replicaWatch, replayed)
	<-asked
	if ctx.Err() != nil {
		return
	}
	now := r.session.Load()
	if err == nil {
		behind := r.lag.replayed(time.Now(), has)
		r.seconds.Set(behind.Seconds())
		if behind > maxLag {
			err = errTooLate
		}
	}
	switch {
	case err != nil && now != nil:
		r.markDown(now, err)
	case err == nil && now == nil:
		ctx, end := context.WithCancel(context.Background())
		r.session.Store(&session{ctx, end})
		r.usable.Set(1)
		r.log.InfoContext(ctx, "reads go to the replica")
	case err != nil && !errors.Is(err, errTooLate):
		r.log.DebugContext(ctx, "the replica cannot be read", "error", err)
	}
}
