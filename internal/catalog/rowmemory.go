package catalog

// This file: the memory that the vehicles of a page refer to. An object of its own for
// every text and list would be a thousand for a page of fifty, and each costs the
// allocator and the collector more than the copying does.

import (
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// Lengths of the pieces that are allocated at once: each is twice as long as the one
// before, so that few vehicles take little.
const (
	firstPiece, lastPiece         = 32, 1024
	firstTextPiece, lastTextPiece = 512, 16 << 10
)

// rowMemory holds what the rows of one statement refer to.
type rowMemory struct {
	ids   pieces[uuid.UUID]
	texts pieces[string] // the headers; their bytes are in chars
	years pieces[int32]
	chars strings.Builder
}

// text keeps a copy of what the driver read.
func (m *rowMemory) text(raw []byte) string {
	if free := m.chars.Cap() - m.chars.Len(); free < len(raw) {
		next := max(firstTextPiece, min(2*m.chars.Cap(), lastTextPiece), len(raw))
		m.chars.Reset() // texts that were cut from it keep it
		m.chars.Grow(next)
	}
	begin := m.chars.Len()
	m.chars.Write(raw)
	return m.chars.String()[begin:]
}

// pieces are lists cut from a few large ones.
type pieces[T any] struct {
	free []T
	size int // of the last piece
}

func (p *pieces[T]) cut(n int) []T {
	if len(p.free) < n {
		p.size = max(firstPiece, min(2*p.size, lastPiece))
		p.free = make([]T, max(p.size, n))
	}
	list := p.free[:n:n]
	p.free = p.free[n:]
	return list
}

// scannedText is where pgx scans a text that is not null.
type scannedText struct {
	memory *rowMemory
	into   *string
}

// ScanBytes implements pgtype.BytesScanner: a string would be an object of its own.
func (s *scannedText) ScanBytes(raw []byte) error {
	*s.into = s.memory.text(raw)
	return nil
}

// scannedNullableText is where pgx scans a text that may be null.
type scannedNullableText struct {
	memory *rowMemory
	into   **string
}

// ScanBytes implements pgtype.BytesScanner.
func (s *scannedNullableText) ScanBytes(raw []byte) error {
	*s.into = nil
	if raw != nil {
		*s.into = &s.memory.texts.cut(1)[0]
		**s.into = s.memory.text(raw)
	}
	return nil
}

// scannedYear is where pgx scans a number that may be null.
type scannedYear struct {
	memory *rowMemory
	into   **int32
}

// ScanInt64 implements pgtype.Int64Scanner.
func (s *scannedYear) ScanInt64(n pgtype.Int8) error {
	*s.into = nil
	if n.Valid {
		*s.into = &s.memory.years.cut(1)[0]
		**s.into = int32(n.Int64) //nolint:gosec // the column is an integer
	}
	return nil
}

// scannedIDs is where pgx scans a list of ids.
type scannedIDs struct {
	memory *rowMemory
	into   *pgtype.FlatArray[uuid.UUID]
}

// SetDimensions implements pgtype.ArraySetter.
func (s *scannedIDs) SetDimensions(dimensions []pgtype.ArrayDimension) error {
	*s.into = s.memory.ids.cut(length(dimensions))
	return nil
}

// ScanIndex implements pgtype.ArraySetter.
func (s *scannedIDs) ScanIndex(i int) any { return &(*s.into)[i] }

// ScanIndexType implements pgtype.ArraySetter.
func (s *scannedIDs) ScanIndexType() any { return new(uuid.UUID) }

// scannedTexts is where pgx scans a list of texts.
type scannedTexts struct {
	memory *rowMemory
	into   *pgtype.FlatArray[string]
	next   scannedText
}

// SetDimensions implements pgtype.ArraySetter.
func (s *scannedTexts) SetDimensions(dimensions []pgtype.ArrayDimension) error {
	*s.into = s.memory.texts.cut(length(dimensions))
	return nil
}

// ScanIndex implements pgtype.ArraySetter: the same target each time, aimed at the
// next text, since pgx scans one after the other.
func (s *scannedTexts) ScanIndex(i int) any {
	s.next = scannedText{s.memory, &(*s.into)[i]}
	return &s.next
}

// ScanIndexType implements pgtype.ArraySetter.
func (s *scannedTexts) ScanIndexType() any { return &s.next }

// length is the number of elements of a list; an empty one has no dimension.
func length(dimensions []pgtype.ArrayDimension) int {
	if len(dimensions) == 0 {
		return 0
	}
	return int(dimensions[0].Length)
}
