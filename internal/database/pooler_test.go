package database_test

// This file: databases that are reached without a pooler; verify/postgres has the
// pooler.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/database"
	"equipment-platform/internal/testdb"
)

func TestVerifyLetsThroughWhatIsNoPooler(t *testing.T) {
	t.Parallel()
	url := testdb.New(t)
	separator := map[bool]string{true: "&", false: "?"}[strings.Contains(url, "?")]
	for _, passes := range []string{
		url,
		url + separator + "statement_timeout=0&lock_timeout=0", // an operator's own wish
		url + separator + "default_query_exec_mode=cache_describe",
		"postgres://nobody@127.0.0.1:1/nothing", // waited for
	} {
		pool, err := database.Open(t.Context(), passes, 2, "test")
		require.NoError(t, err)
		t.Cleanup(pool.Close)
		require.NoError(t, database.Verify(t.Context(), pool, "DATABASE_URL"), passes)
	}
	between, err := database.Pooled(t.Context(), connect(t, url))
	require.NoError(t, err)
	require.False(t, between)
}
