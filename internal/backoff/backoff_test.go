package backoff_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/backoff"
)

func TestDelayDoublesUpToTheLongest(t *testing.T) {
	t.Parallel()
	for failures, whole := range map[int]time.Duration{
		1: 100 * time.Millisecond, 2: 200 * time.Millisecond, 3: 400 * time.Millisecond, 7: 6400 * time.Millisecond,
		8: 10 * time.Second, 100: 10 * time.Second, math.MaxInt: 10 * time.Second,
	} {
		seen := map[time.Duration]bool{}
		for range 100 {
			delay := backoff.Delay(failures, 100*time.Millisecond, 10*time.Second)
			require.GreaterOrEqual(t, delay, whole/2, failures)
			require.LessOrEqual(t, delay, whole, failures)
			seen[delay] = true
		}
		require.Greater(t, len(seen), 90, "of random length")
	}
	require.LessOrEqual(t, backoff.Delay(1, time.Minute, time.Second), time.Second)
}
