package edge

// This file: whose turn it is. Places bound what waits; turns bound what works, so that
// the requests of one caller wait for each other and those of the others do not
// wait for them (contract 7.5).

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// turns lets a number of requests work at once, and of one caller an even part of them:
// of all where nobody else has come for a while, of a quarter where many have. A
// caller's own requests come in their order, callers one after the other. Nil is
// without bounds.
type turns struct {
	most int

	mu      sync.Mutex
	working int
	lines   map[string]*line // of callers who work or wait
	waiting []*line          // those in which somebody waits, by whose turn is next
	present *presence
}

// presence knows who is there: who has come lately, whatever for. Who asks for
// little has its share of the processors too.
type presence struct {
	mu     sync.Mutex
	recent [4]visit // the last callers; more need not be known
}

// visit is when a caller last came.
type visit struct {
	caller string
	at     time.Time
}

// staying is how long a caller counts after it has come.
const staying = 5 * time.Second

// see remembers that a caller is there.
func (p *presence) see(caller string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := 0
	for i, v := range p.recent {
		if v.caller == caller {
			at = i
			break
		}
		if v.at.Before(p.recent[at].at) {
			at = i
		}
	}
	p.recent[at] = visit{caller, time.Now()}
}

// callers is how many are there, 1 to 4.
func (p *presence) callers() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, v := range p.recent {
		if time.Since(v.at) < staying {
			n++
		}
	}
	return max(1, n)
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

// newTurns makes n turns for those who are present; 0 is no bound.
func newTurns(n int, p *presence) *turns {
	if n <= 0 {
		return nil
	}
	return &turns{most: n, lines: map[string]*line{}, present: p}
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

// each is how many turns one caller may have now.
func (t *turns) each() int { return max(1, t.most/t.present.callers()) }

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
	if t.working < t.most && l.working < t.each() {
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
	each := t.each()
	for i := 0; i < len(t.waiting) && t.working < t.most; {
		l := t.waiting[i]
		if l.working >= each {
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
