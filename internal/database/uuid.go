package database

// This file: UUIDs between Go and PostgreSQL as their sixteen bytes. To pgx a
// uuid.UUID is a database/sql value, which it carries as text: four allocations
// each way, and a page of vehicles holds six hundred.

import (
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// registerUUID makes a connection's types use uuidCodec, for arrays too.
func registerUUID(types *pgtype.Map) {
	element := &pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: uuidCodec{}}
	types.RegisterType(element)
	types.RegisterType(&pgtype.Type{Name: "_uuid", OID: pgtype.UUIDArrayOID, Codec: &pgtype.ArrayCodec{ElementType: element}})
}

// uuidCodec is pgx's codec with plans of its own for uuid.UUID.
type uuidCodec struct{ pgtype.UUIDCodec }

// PlanEncode implements pgtype.Codec.
func (c uuidCodec) PlanEncode(types *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, is := value.(uuid.UUID); is && format == pgtype.BinaryFormatCode {
		return uuidEncoding{}
	}
	return c.UUIDCodec.PlanEncode(types, oid, format, value)
}

// PlanScan implements pgtype.Codec.
func (c uuidCodec) PlanScan(types *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, is := target.(*uuid.UUID); is && format == pgtype.BinaryFormatCode {
		return uuidScan{}
	}
	return c.UUIDCodec.PlanScan(types, oid, format, target)
}

type uuidEncoding struct{}

// Encode implements pgtype.EncodePlan.
func (uuidEncoding) Encode(value any, buffer []byte) ([]byte, error) {
	id, is := value.(uuid.UUID)
	if !is {
		return nil, fmt.Errorf("%T is no uuid.UUID", value)
	}
	return append(buffer, id[:]...), nil
}

type uuidScan struct{}

var errNullUUID = errors.New("a null cannot be a uuid.UUID")

// Scan implements pgtype.ScanPlan.
func (uuidScan) Scan(source []byte, target any) error {
	id, is := target.(*uuid.UUID)
	switch {
	case source == nil:
		return errNullUUID
	case !is || len(source) != len(id):
		return fmt.Errorf("%d bytes cannot be scanned into %T", len(source), target)
	}
	copy(id[:], source)
	return nil
}
