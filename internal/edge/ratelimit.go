package edge

// This file: the token bucket of each caller (D7.5).

import (
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"equipment-platform/internal/auth"
)

// idleAfter is how long a bucket is kept unused: by then it is full again in
// any sensible configuration, so forgetting it changes nothing.
const idleAfter = 10 * time.Minute

type limiter struct {
	rps   rate.Limit
	burst int

	mu      sync.Mutex
	buckets map[string]*bucket
	swept   time.Time
}

type bucket struct {
	*rate.Limiter
	used time.Time
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

// allow spends one token of the caller: the subject, else the address of the
// connection. Headers that anybody can write do not make another caller.
func (l *limiter) allow(c echo.Context, caller auth.Caller) *Problem {
	if l == nil {
		return nil
	}
	key := "sub " + caller.Subject
	if caller.Anonymous() {
		key = "addr " + c.RealIP()
	}
	now := time.Now()
	b := l.bucket(key, now)
	allowed := b.AllowN(now, 1)
	left := b.TokensAt(now)
	h := c.Response().Header()
	h.Set("RateLimit-Limit", strconv.Itoa(l.burst))
	h.Set("RateLimit-Remaining", strconv.Itoa(max(0, int(left))))
	full := time.Duration(float64(time.Second) * (float64(l.burst) - left) / float64(l.rps))
	h.Set("RateLimit-Reset", strconv.Itoa(int(math.Ceil(full.Seconds()))))
	if allowed {
		return nil
	}
	wait := time.Duration(float64(time.Second) * (1 - left) / float64(l.rps))
	return &Problem{Status: 429, Code: "rate_limited", Message: "Too many requests; slow down.", RetryAfter: max(wait, time.Millisecond)}
}

func (l *limiter) bucket(key string, now time.Time) *bucket {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.swept) > idleAfter {
		for k, b := range l.buckets {
			if now.Sub(b.used) > idleAfter {
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
