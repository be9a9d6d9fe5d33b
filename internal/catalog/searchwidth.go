package catalog

// This file: how widely a search walks through the index of vectors. How wide that must be
// for the same recall depends on the vectors more than on their number: of a million, 100
// can find what 800 do in a fifth of the time (docs/scaling.md). So it is measured, on the
// searches that callers make.

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"equipment-platform/gen/catalogdb"
)

const (
	// trialEvery and watchEvery are one in how many searches is made twice, while a narrower
	// width is on trial and afterwards.
	trialEvery, watchEvery = 4, 64
	// Of so many vehicles that the widest walk finds, a width on trial must miss fewer than
	// trialMissed, and the one in use fewer than watchMissed.
	judgedBy, trialMissed, watchMissed = 500, 2, 5
	// mostFilters is how many filters have a width of their own; when there are more, all are
	// learned again.
	mostFilters = 64
)

// walkWidths are the width of searches without filters, and of each filter that the index is
// walked with: what one filter leaves can be far harder to find than what another does, and
// whoever asks with one shall not decide for the others.
type walkWidths struct {
	plain    walkWidth
	mu       sync.Mutex
	filtered map[string]*walkWidth
}

// of gives the width for filters, empty ones: of all; nil: nothing is known of it.
func (w *walkWidths) of(filters string) *walkWidth {
	if filters == "" {
		return &w.plain
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.filtered[filters]
}

// learn has a filter that many vehicles pass have its own width from now on.
func (w *walkWidths) learn(filters string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	of, known := w.filtered[filters]
	if !known {
		if w.filtered == nil || len(w.filtered) >= mostFilters {
			w.filtered = map[string]*walkWidth{}
		}
		of = &walkWidth{}
		w.filtered[filters] = of
	}
	of.counted.Store(time.Now().Add(countedEvery).UnixNano())
}

// leastFiltered is the least width in use with a filter; 0: none is.
func (w *walkWidths) leastFiltered() (least int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range w.filtered {
		if used := one.inUse(); used > 0 && (least == 0 || used < least) {
			least = used
		}
	}
	return least
}

// walkWidth finds the least width that finds what the widest does, by halving. A width is
// used when it has passed its trial, and until it fails.
type walkWidth struct {
	mu       sync.Mutex
	widest   int64 // what the size of the index asks for
	least    int64 // no narrower one is tried
	used     int64 // has passed, or is the widest
	failed   int64 // the widest that has not passed; 0: none
	tried    int64 // is on trial, or the one in use, which is watched; 0: the widest is in use, and nothing narrower will do
	searches int64
	asked    map[string]struct{} // the queries that tried is judged by: each counts once
	found    int                 // by the widest walk
	missed   int                 // of these by tried

	counted atomic.Int64 // until when many are taken to pass the filter, in Unix nanoseconds
}

// passesMany reports whether more vehicles than all distances are computed of have passed the
// filter a short while ago, so that not every search counts up to that many.
func (w *walkWidth) passesMany() bool {
	return w != nil && time.Now().UnixNano() < w.counted.Load()
}

// next gives the width of a search, and the one to try beside it (0: none), none narrower than
// the least.
func (w *walkWidth) next(query string, widest, least int64) (width, beside int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if difference := widest - w.widest; max(difference, -difference) > w.widest/5 {
		w.widest, w.least = widest, least
		w.restart()
	}
	every := int64(trialEvery)
	if w.watching() {
		every = watchEvery
	}
	w.searches++
	if w.tried == 0 || w.searches%every != 0 {
		return w.used, 0
	}
	if _, again := w.asked[query]; again {
		return w.used, 0
	}
	return w.widest, w.tried
}

// inUse is the width in use; 0 before the first search.
func (w *walkWidth) inUse() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.used
}

func (w *walkWidth) watching() bool { return w.tried == w.used }

// judge counts what a walk as wide as tried has missed of what the widest has found.
func (w *walkWidth) judge(query string, tried int64, rows, widest []catalogdb.SearchNearestRow) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, again := w.asked[query]; again || tried != w.tried { // by another search meanwhile
		return
	}
	w.asked[query] = struct{}{}
	w.found += len(widest)
	w.missed += missedBy(rows, widest)
	switch watching := w.watching(); {
	case watching && w.missed >= watchMissed:
		w.restart()
	case !watching && w.missed >= trialMissed:
		w.failed = tried
		w.narrow()
	case w.found >= judgedBy:
		w.used = tried
		w.narrow()
	}
}

// restart has the widest walk used until a narrower one has passed.
func (w *walkWidth) restart() {
	w.used, w.failed = w.widest, 0
	w.narrow()
}

// narrow puts on trial what is in the middle between the width in use and the one that
// failed; where that would change little, the one in use stays.
func (w *walkWidth) narrow() {
	middle := max(w.least, (w.used+w.failed)/2)
	switch {
	case w.used-middle >= w.used/8 && middle < w.used:
		w.try(middle)
	case w.used < w.widest:
		w.try(w.used)
	default:
		w.try(0)
	}
}

func (w *walkWidth) try(width int64) {
	w.tried, w.found, w.missed, w.asked = width, 0, 0, map[string]struct{}{}
}

// missedBy counts the vehicles of the widest walk that are not among the others. One that is
// equally near does not make up for another: what is answered shall not depend on the width.
func missedBy(rows, widest []catalogdb.SearchNearestRow) (n int) {
	for i := range widest {
		if !slices.ContainsFunc(rows, func(r catalogdb.SearchNearestRow) bool { return r.ID == widest[i].ID }) {
			n++
		}
	}
	return n
}
