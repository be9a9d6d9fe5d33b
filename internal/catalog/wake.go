package catalog

// This file: telling the indexer that there is work. NOTIFY inside the writing
// transactions would serialize their commits (PostgreSQL takes one lock for
// all notifiers until each has committed), so writers only leave a mark here
// and one goroutine notifies for all of them. A mark that is lost with the
// process costs the indexer one poll interval.

import (
	"context"
	"time"

	"equipment-platform/internal/database"
)

// wakeEvery bounds the notifications a second.
const wakeEvery = 50 * time.Millisecond

func (s *Service) markChanged() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// wakeIndexer notifies the indexer of changes until ctx ends.
func (s *Service) wakeIndexer(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.changed:
		}
		if _, err := s.db.Exec(ctx, "NOTIFY "+database.OutboxChannel); err != nil && ctx.Err() == nil {
			s.log.DebugContext(ctx, "indexer not notified", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wakeEvery):
		}
	}
}
