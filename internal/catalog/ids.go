package catalog

// This file: reading UUIDs. pgx reads one into a uuid.UUID by way of its text,
// four allocations each, and a page of vehicles holds six hundred.

import (
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// idTarget is a uuid.UUID that pgx copies the sixteen bytes into.
type idTarget uuid.UUID

var errNullID = errors.New("an id is null")

// ScanUUID implements pgtype.UUIDScanner.
func (t *idTarget) ScanUUID(v pgtype.UUID) error {
	if !v.Valid {
		return errNullID
	}
	*t = v.Bytes
	return nil
}

// ids is a list of UUIDs that pgx reads without reflection; it implements
// pgtype.ArraySetter.
type ids []uuid.UUID

// SetDimensions makes room; a null array becomes an empty list.
func (a *ids) SetDimensions(dimensions []pgtype.ArrayDimension) error {
	n := 0
	if len(dimensions) > 0 {
		n = int(dimensions[0].Length)
	}
	*a = make(ids, n)
	return nil
}

// ScanIndex implements pgtype.ArraySetter.
func (a ids) ScanIndex(i int) any { return (*idTarget)(&a[i]) }

// ScanIndexType implements pgtype.ArraySetter.
func (a ids) ScanIndexType() any { return new(idTarget) }
