package edge

// This file: what requests share, and what one caller may have of it (contract 7.5):
// places, bytes of bodies, bytes of answers.

import (
	"context"
	"math"
	"net/http"
	"sync"
	"time"
)

// errOwnShare refuses what one caller wants beyond its share.
var errOwnShare = &Problem{
	Status: http.StatusTooManyRequests, Code: "rate_limited", RetryAfter: time.Second,
	Message: "This caller has too much under way at once; wait for the answers that are due.",
}

// pool is an amount that requests take from and give back. It refuses at once and
// lets nobody wait. A nil pool is without bounds.
type pool struct {
	size int64 // of all callers together
	each int64 // of one caller

	mu    sync.Mutex
	taken int64
	held  map[string]int64 // by caller; those that hold nothing are not there
}

// newPool makes a pool of which nobody holds more than a quarter; a size of 0 is
// none.
func newPool(size int64) *pool {
	if size <= 0 {
		return nil
	}
	return &pool{size: size, each: size / 4, held: map[string]int64{}}
}

// newPlaces makes the two pools that bound requests. A caller's own share counts
// from before the body on, so that nobody keeps any number of bodies on their way;
// the places of all count from its end on, so that callers that send slowly keep
// nobody else out.
func newPlaces(n int) (underWay, running *pool) {
	all := int64(n)
	return &pool{size: math.MaxInt64, each: max(1, all/4), held: map[string]int64{}}, &pool{size: all, each: math.MaxInt64, held: map[string]int64{}}
}

// take gives n to a request of the caller that holds own already, or refuses. One
// request alone may have more than a quarter: what the contract allows must have a
// way through.
func (p *pool) take(caller string, n, own int64) error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	held := p.held[caller]
	switch {
	case held+n > p.each && held > own:
		return errOwnShare
	case p.taken+n > p.size:
		return ErrOverloaded
	}
	p.held[caller] = held + n
	p.taken += n
	return nil
}

func (p *pool) give(caller string, n int64) {
	if p == nil || n == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken -= n
	if p.held[caller] -= n; p.held[caller] == 0 {
		delete(p.held, caller)
	}
}

// freeBytes of a body or an answer are nobody's to count, so that ordinary
// requests never meet the bound; what is more is taken in steps of as much.
const freeBytes = 64 << 10

// share is what one request has of a pool of bytes. It is safe for concurrent use.
type share struct {
	pool   *pool
	caller string

	mu         sync.Mutex
	used, held int64
}

// add counts n bytes more.
func (s *share) add(n int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used += n
	missing := s.used - freeBytes - s.held
	if missing <= 0 {
		return nil
	}
	missing = (missing + freeBytes - 1) / freeBytes * freeBytes
	if err := s.pool.take(s.caller, missing, s.held); err != nil {
		return err
	}
	s.held += missing
	return nil
}

func (s *share) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pool.give(s.caller, s.held)
	s.used, s.held = 0, 0
}

// answerKey is where the context of a request has its answer, which knows what the
// request may ask for while it is handled.
type answerKey struct{}

// Reserve counts bytes that the answer of a request is about to hold in memory:
// call it before they are there, as often as more comes. They count until the
// answer is written. The error is a *Problem to return as it is: 503 where all
// answers in flight together would hold more than Options.Answers, 429 where the
// caller's would hold more than a quarter of it (contract 7.5). The first 64 KiB of each
// request are free. Outside of a request, and where there is no bound, it is nil.
func Reserve(ctx context.Context, bytes int64) error {
	if w, ok := ctx.Value(answerKey{}).(*answerWriter); ok {
		return w.share.add(bytes)
	}
	return nil
}

// Compute waits for the caller's turn at work that takes a processor for more than some
// milliseconds: so many such goroutines as there are processors, and everything else waits. One
// caller has an even part of the processors as of Options.Turns, at least one.
// The turn ends with end or with the first byte of the answer; end may be called again. The
// error is the context's. A request must not ask for a second turn while it has one. Outside
// of a request nothing waits.
func Compute(ctx context.Context) (end func(), err error) {
	w, ok := ctx.Value(answerKey{}).(*answerWriter)
	if !ok {
		return func() {}, nil
	}
	mine, err := w.turns.wait(ctx, w.share.caller)
	if err != nil {
		return nil, err
	}
	w.computing = mine
	return mine.end, nil
}
