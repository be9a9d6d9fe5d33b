package catalog

// This file: the one shape of a change: lock the row, compare versions, alter,
// store, in one transaction. The lock keeps concurrent changes of different
// fields from losing each other (contract 1.3).

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// resource is how one kind of row is locked and stored.
type resource[R any] struct {
	lock    func(pgx.Tx) (R, error)
	version func(R) int64
	store   func(pgx.Tx, R) (R, error)
}

// change lets alter change the row and stores it when alter says that it did:
// an empty patch raises no version (contract 1.9).
func change[R any](ctx context.Context, s *Service, k resource[R], ifMatch *string, alter func(*R) bool) (row R, err error) {
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		if row, err = k.lock(tx); err != nil {
			return err
		}
		if err := checkVersion(ifMatch, k.version(row)); err != nil {
			return err
		}
		if !alter(&row) {
			return nil
		}
		row, err = k.store(tx, row)
		return err
	})
	return row, err
}

// remove deletes the row.
func remove[R any](ctx context.Context, s *Service, k resource[R], ifMatch *string, del func(pgx.Tx) error) error {
	return s.inTx(ctx, func(tx pgx.Tx) error {
		row, err := k.lock(tx)
		if err != nil {
			return err
		}
		if err := checkVersion(ifMatch, k.version(row)); err != nil {
			return err
		}
		return del(tx)
	})
}
