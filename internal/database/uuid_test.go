package database_test

// This file: UUIDs come back as they went, alone, in arrays and where they may
// be null, in the binary format and in the text format of simple statements.

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/database"
	"equipment-platform/internal/testdb"
)

func TestUUIDs(t *testing.T) {
	t.Parallel()
	pool, err := database.Open(t.Context(), testdb.New(t), 1, t.Name())
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	for name, mode := range map[string]pgx.QueryExecMode{"binary": pgx.QueryExecModeCacheStatement, "text": pgx.QueryExecModeSimpleProtocol} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := uuid.New(), uuid.New()
			var one uuid.UUID
			var some, none *uuid.UUID
			var list []uuid.UUID
			var flat, empty pgtype.FlatArray[uuid.UUID]
			var text string
			row := pool.QueryRow(t.Context(), "SELECT $1::uuid, $1::uuid, $2::uuid, ARRAY[$1::uuid, $3], ARRAY[$1::uuid, $3], '{}'::uuid[], $1::uuid::text", mode, a, (*uuid.UUID)(nil), b)
			require.NoError(t, row.Scan(&one, &some, &none, &list, &flat, &empty, &text))
			require.Equal(t, a, one)
			require.Equal(t, &a, some)
			require.Nil(t, none)
			require.Equal(t, []uuid.UUID{a, b}, list)
			require.Equal(t, pgtype.FlatArray[uuid.UUID]{a, b}, flat)
			require.Empty(t, empty)
			require.Equal(t, a.String(), text)
		})
	}
	var one uuid.UUID
	require.Error(t, pool.QueryRow(t.Context(), "SELECT NULL::uuid").Scan(&one), "a null must not pass for the nil UUID")
	ids, back := []uuid.UUID{uuid.New(), uuid.New()}, []uuid.UUID(nil)
	require.NoError(t, pool.QueryRow(t.Context(), "SELECT $1::uuid[]", ids).Scan(&back))
	require.Equal(t, ids, back)
}
