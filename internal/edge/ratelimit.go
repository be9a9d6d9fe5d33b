package edge

// This file: token buckets, one for each caller or address (contract 7.5).

import (
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"
)

// idleAfter is how long a bucket is kept unused: by then it is full again in
// any sensible configuration, so forgetting it changes nothing.
const idleAfter = 10 * time.Minute

// limiter keeps buckets by key. A nil limiter limits nothing.
type limiter struct {
	rps   rate.Limit
	burst int

	mu      sync.Mutex
	buckets map[string]*bucket
	swept   time.Time
}

type bucket struct {
	*rate.Limiter
	used    time.Time
	pending int // tokens that may yet be spent, see begin
}

// newLimiter limits to rps requests a second; 0 turns it off. A burst of 0 is
// the rate, at least 1.
func newLimiter(rps float64, burst int) *limiter {
	if rps <= 0 {
		return nil
	}
	if burst == 0 {
		burst = max(1, int(math.Ceil(rps)))
	}
	return &limiter{rps: rate.Limit(rps), burst: burst, buckets: map[string]*bucket{}, swept: time.Now()}
}

// allow spends one token of a caller, and tells it what is left.
func (l *limiter) allow(c echo.Context, key string) *Problem {
	if l == nil {
		return nil
	}
	now := time.Now()
	left, problem := l.spendAt(key, now)
	h := c.Response().Header()
	h.Set("RateLimit-Limit", strconv.Itoa(l.burst))
	h.Set("RateLimit-Remaining", strconv.Itoa(max(0, int(left))))
	full := time.Duration(float64(time.Second) * (float64(l.burst) - left) / float64(l.rps))
	h.Set("RateLimit-Reset", strconv.Itoa(int(math.Ceil(full.Seconds()))))
	return problem
}

// spend spends one token without a word about the rest.
func (l *limiter) spend(key string) *Problem {
	if l == nil {
		return nil
	}
	_, problem := l.spendAt(key, time.Now())
	return problem
}

func (l *limiter) spendAt(key string, now time.Time) (left float64, problem *Problem) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bucket(key, now)
	allowed := b.AllowN(now, 1)
	left = b.TokensAt(now)
	if allowed {
		return left, nil
	}
	return left, l.refusal(left)
}

// begin asks for a token that is only spent if what begins fails. As many may be
// under way at once as there are tokens. What has begun must end.
func (l *limiter) begin(key string) *Problem {
	if l == nil {
		return nil
	}
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bucket(key, now)
	if left := b.TokensAt(now) - float64(b.pending); left < 1 {
		return l.refusal(left)
	}
	b.pending++
	return nil
}

func (l *limiter) end(key string, failed bool) {
	if l == nil {
		return
	}
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bucket(key, now)
	b.pending--
	if failed {
		b.AllowN(now, 1)
	}
}

func (l *limiter) refusal(left float64) *Problem {
	wait := time.Duration(float64(time.Second) * (1 - left) / float64(l.rps))
	return &Problem{Status: 429, Code: "rate_limited", Message: "Too many requests; slow down.", RetryAfter: max(wait, time.Millisecond)}
}

// bucket needs the lock.
func (l *limiter) bucket(key string, now time.Time) *bucket {
	if now.Sub(l.swept) > idleAfter {
		for k, b := range l.buckets {
			if now.Sub(b.used) > idleAfter && b.pending == 0 {
				delete(l.buckets, k)
			}
		}
		l.swept = now
	}
	b := l.buckets[key]
	if b == nil {
		b = &bucket{Limiter: rate.NewLimiter(l.rps, l.burst)}
		l.buckets[key] = b
	}
	b.used = now
	return b
}
