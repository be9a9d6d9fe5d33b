package catalog

// This file: adding up what writers appended to the kept counts of vehicles
// (sql/migrations/000010), so that a reader of facets has few rows to sum.

import (
	"context"
	"time"
)

const (
	// addUpEvery bounds what a reader finds appended: what was written in so long.
	addUpEvery = time.Second
	// addUpMost bounds one transaction.
	addUpMost = 20_000
)

func (s *Service) addUpCounts(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(addUpEvery):
		}
		n, err := s.queries.VehicleCountsAddUp(ctx, s.db, addUpMost)
		if err == nil && n > 0 {
			err = s.queries.VehicleCountsTidy(ctx, s.db)
		}
		if err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "counts of vehicles could not be added up", "error", err)
		}
	}
}
