package edge

// This file: whose turn it is. Places bound what waits; turns bound what works, so that
// the requests of one caller wait for each other and those of the others do not
// wait for them (contract 7.5).

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// turns lets a number of requests work at once. A quarter of it is any caller's own;
// beyond it a caller may take what nobody uses, as long as a quarter stays free for those
// who come next: alone it works nearly as fast as without turns, and nobody waits behind
// all that it has asked for. A caller's own requests come in their order, callers one
// after the other. Nil is without bounds.
type turns struct {
	most, each, free int

	mu      sync.Mutex
	working int
	lines   map[string]*line // of callers who work or wait
	waiting []*line          // those in which somebody waits, by whose turn is next
}

// line is what one caller has.
type line struct {
	caller  string
	working int
	waiting []*turn
}

// turn is one that was given, or that somebody waits for.
type turn struct {
	of    *turns
	line  *line
	given chan struct{}
	ended atomic.Bool
}

// newTurns makes n turns; 0 is no bound.
func newTurns(n int) *turns {
	if n <= 0 {
		return nil
	}
	return &turns{most: n, each: max(1, n/4), free: (n + 3) / 4, lines: map[string]*line{}}
}

// may reports whether one more of the caller may work.
func (t *turns) may(l *line) bool {
	return t.working < t.most && (l.working < t.each || t.most-t.working > t.free)
}

// wait waits for a turn of the caller; end it. The error is the context's.
func (t *turns) wait(ctx context.Context, caller string) (*turn, error) {
	if t == nil {
		return nil, nil
	}
	mine, there := t.ask(caller)
	if there {
		return mine, nil
	}
	select {
	case <-mine.given:
		return mine, nil
	case <-ctx.Done():
		t.leave(mine)
		return nil, ctx.Err()
	}
}

// ask gives a turn at once, or puts it into its line.
func (t *turns) ask(caller string) (mine *turn, there bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.lines[caller]
	if l == nil {
		l = &line{caller: caller}
		t.lines[caller] = l
	}
	mine = &turn{of: t, line: l}
	if t.may(l) {
		t.working++
		l.working++
		return mine, true
	}
	mine.given = make(chan struct{})
	if len(l.waiting) == 0 {
		t.waiting = append(t.waiting, l)
	}
	l.waiting = append(l.waiting, mine)
	return mine, false
}

// leave takes a turn out of its line, or ends it where it was given meanwhile.
func (t *turns) leave(mine *turn) {
	t.mu.Lock()
	at := slices.Index(mine.line.waiting, mine)
	if at >= 0 {
		mine.line.waiting = slices.Delete(mine.line.waiting, at, at+1)
		t.tidy(mine.line)
	}
	t.mu.Unlock()
	if at < 0 {
		mine.end()
	}
}

// end ends a turn, once: what waits comes next.
func (mine *turn) end() {
	if mine == nil || mine.ended.Swap(true) {
		return
	}
	t := mine.of
	t.mu.Lock()
	defer t.mu.Unlock()
	t.working--
	mine.line.working--
	t.tidy(mine.line)
	// those who have less than their own come first
	t.give(func(l *line) bool { return l.working < t.each && t.may(l) })
	t.give(t.may)
}

// give lets those work who wait, as long as they may, a caller after the other.
func (t *turns) give(may func(*line) bool) {
	for i := 0; i < len(t.waiting); {
		l := t.waiting[i]
		if !may(l) {
			i++
			continue
		}
		next := l.waiting[0]
		l.waiting = slices.Delete(l.waiting, 0, 1)
		t.working++
		l.working++
		close(next.given)
		// the other callers come first now
		t.waiting = slices.Delete(t.waiting, i, i+1)
		if len(l.waiting) > 0 {
			t.waiting = append(t.waiting, l)
		}
	}
}

// tidy forgets a line in which nobody works or waits.
func (t *turns) tidy(l *line) {
	if len(l.waiting) > 0 {
		return
	}
	if at := slices.Index(t.waiting, l); at >= 0 {
		t.waiting = slices.Delete(t.waiting, at, at+1)
	}
	if l.working == 0 {
		delete(t.lines, l.caller)
	}
}
