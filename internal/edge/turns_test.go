package edge

// This file: whose turn it is (contract 7.5).

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// taken asks for turns until one has to wait, and returns those that were given and
// the one that waits.
func taken(t *testing.T, of *turns, caller string) (given []*turn, waiting *turn) {
	t.Helper()
	for {
		mine, there := of.ask(caller)
		if !there {
			return given, mine
		}
		given = append(given, mine)
	}
}

func isGiven(mine *turn) bool {
	select {
	case <-mine.given:
		return true
	default:
		return false
	}
}

func TestOneCallerLeavesTurnsForOthers(t *testing.T) {
	t.Parallel()
	for n, alone := range map[int]int{1: 1, 2: 1, 4: 3, 8: 6, 16: 12} {
		of := newTurns(n)
		given, _ := taken(t, of, "heavy")
		require.Len(t, given, alone, "of %d", n)
		others, _ := taken(t, of, "other")
		require.Len(t, others, min(n-alone, max(1, n/4)), "of %d", n)
	}
}

func TestWhoHasLessComesFirst(t *testing.T) {
	t.Parallel()
	of := newTurns(8)
	heavy, next := taken(t, of, "heavy")
	second, _ := taken(t, of, "second")
	require.Len(t, heavy, 6)
	require.Len(t, second, 2, "all turns are taken")
	third, there := of.ask("third")
	require.False(t, there)
	heavy[0].end()
	require.True(t, isGiven(third), "it came last, and has nothing")
	require.False(t, isGiven(next))
	heavy[1].end()
	require.False(t, isGiven(next), "a quarter stays free")
	for _, mine := range append(heavy[2:], second...) {
		mine.end()
		mine.end() // counts once
	}
	require.True(t, isGiven(next))
}

func TestWhoLeavesGivesTheTurnOn(t *testing.T) {
	t.Parallel()
	of := newTurns(1)
	first, err := of.wait(t.Context(), "a")
	require.NoError(t, err)
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err = of.wait(gone, "b")
	require.ErrorIs(t, err, context.Canceled)
	first.end()
	require.Empty(t, of.lines)
	require.Empty(t, of.waiting)
	second, err := of.wait(t.Context(), "b")
	require.NoError(t, err)
	second.end()
}

// Whatever comes and goes, no more work at once than may, and everybody comes to it.
func TestTurnsUnderManyCallers(t *testing.T) {
	t.Parallel()
	const most = 8
	of := newTurns(most)
	var working, tooMany atomic.Int32
	var group sync.WaitGroup
	for i := range 64 {
		group.Go(func() {
			for round := range 200 {
				ctx, leave := context.WithCancel(context.Background())
				if (i+round)%7 == 0 {
					leave() // some have gone before their turn comes
				}
				mine, err := of.wait(ctx, string(rune('a'+i%5)))
				if err == nil {
					if working.Add(1) > most {
						tooMany.Add(1)
					}
					working.Add(-1)
					mine.end()
				}
				leave()
			}
		})
	}
	group.Wait()
	require.Zero(t, tooMany.Load())
	require.Zero(t, of.working)
	require.Empty(t, of.lines)
	require.Empty(t, of.waiting)
}
