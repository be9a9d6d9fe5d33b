// Package backoff says how long to wait before something that failed is tried
// again. What counts as a failure, and what ends the wait, differs from caller to
// caller; the length of the wait does not.
package backoff

import (
	"math/rand/v2"
	"time"
)

// Delay is the wait after so many failures in a row, 1 or more: first after the
// first, twice as long after each further one, at most longest. Of that a random
// part between half and all: callers that failed together must not come back
// together.
func Delay(failures int, first, longest time.Duration) time.Duration {
	delay := first
	for ; failures > 1 && delay < longest; failures-- {
		delay *= 2
	}
	delay = min(delay, longest)
	return delay - rand.N(delay/2+1)
}
