package database

// This file: how old what a replica lacks is, on made-up clocks.

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLag(t *testing.T) {
	t.Parallel()
	begun := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(seconds int) time.Time { return begun.Add(time.Duration(seconds) * time.Second) }
	var l lag
	require.Zero(t, l.replayed(at(0), 0), "nothing is known of the primary")
	l.wrote(at(0), 100)
	require.Zero(t, l.replayed(at(0), 100))
	// the primary writes nothing for a minute: the replica is not late
	l.wrote(at(60), 100)
	require.Zero(t, l.replayed(at(60), 100))
	// it writes, and the replica stands still
	l.wrote(at(61), 200)
	l.wrote(at(62), 300)
	require.Equal(t, 4*time.Second, l.replayed(at(65), 100))
	require.Equal(t, 4*time.Second, l.replayed(at(65), 199))
	// it has the first of both
	require.Equal(t, 3*time.Second, l.replayed(at(65), 200))
	require.Zero(t, l.replayed(at(66), 300))

	// however long it stands still, little is kept, and the lag is never shown too short
	for n := range 10 * maxSamples {
		l.wrote(at(100+n), int64(1000+n))
	}
	require.LessOrEqual(t, len(l.lacks), maxSamples)
	now := at(100 + 10*maxSamples)
	require.Equal(t, now.Sub(at(100)), l.replayed(now, 300))
	require.GreaterOrEqual(t, l.replayed(now, 1000+maxSamples), now.Sub(at(100+maxSamples)))
	require.Positive(t, l.replayed(now, int64(1000+10*maxSamples-2)), "it lacks the last one")
	require.Zero(t, l.replayed(now, int64(1000+10*maxSamples-1)))
}
