package fleet_test

// This file: the backup of docs/operations.md, rehearsed with PostgreSQL's own tools.

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/testdb"
	"equipment-platform/verify/handbook"
)

// accounts are what triggers and processes keep beside the rows, and the rows
// themselves: all of it must be there again, as it was.
const accounts = `SELECT string_agg(line, E'\n' ORDER BY line) FROM (
    SELECT 'vehicles ' || count(*) || ' ' || count(*) FILTER (WHERE is_active) AS line FROM vehicles
    UNION ALL SELECT 'total ' || sum(total) || ' active ' || sum(active) FROM vehicle_totals
    UNION ALL SELECT 'counted ' || kind || ' ' || sum(total) FROM (SELECT kind, total FROM vehicle_counts UNION ALL SELECT kind, total FROM vehicle_count_changes) c GROUP BY kind
    UNION ALL SELECT 'aggregates that are wrong ' || count(*) FROM vehicles v, LATERAL (SELECT count(*) AS n, coalesce(sum(score_halves), 0) AS halves FROM ratings r WHERE r.vehicle_id = v.id) r
        WHERE v.rating_count <> r.n OR v.rating_halves <> r.halves
    UNION ALL SELECT 'ratings ' || count(*) FROM ratings
    UNION ALL SELECT 'outbox ' || count(*) || ' ' || max(id) FROM index_outbox
    UNION ALL SELECT 'names ' || version FROM dictionary_version
    UNION ALL SELECT 'links ' || count(*) FROM vehicle_links
    UNION ALL SELECT 'schema ' || string_agg(version::text, ',') FROM schema_migrations
) lines`

func TestBackup(t *testing.T) {
	t.Parallel()
	p, source := build(t), testdb.New(t)
	_, err := p.once(t.Context(), map[string]string{"DATABASE_URL": source}, "catalog", "seed")
	require.NoError(t, err)
	from := connect(t, source)
	account := func(t *testing.T, url string) (text string) {
		t.Helper()
		require.NoError(t, connect(t, url).QueryRow(t.Context(), accounts).Scan(&text))
		return text
	}
	before := account(t, source)
	require.Contains(t, before, "aggregates that are wrong 0")
	require.Positive(t, number(t, from, "SELECT count(*) FROM ratings"))
	page, err := handbook.Blocks("../../"+handbook.Page, "State and backup", 3)
	require.NoError(t, err)
	dump, restore, dataOnly := page[0], page[1], page[2]
	dir := t.TempDir()
	run := func(t *testing.T, commands, target string) {
		t.Helper()
		cmd := exec.Command("bash", "-euo", "pipefail", "-c", commands)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "DATABASE_URL="+source, "RESTORE_URL="+target)
		output, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", output)
	}
	run(t, dump, "")
	for name, c := range map[string]struct{ target, commands string }{"whole": {testdb.Empty(t), restore}, "data alone": {testdb.New(t), dataOnly}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, c.commands, c.target)
			require.Equal(t, before, account(t, c.target))
			// and what keeps the accounts goes on
			_, err := connect(t, c.target).Exec(t.Context(), `INSERT INTO vehicles (type_id, brand_name, model_name, owner_user_id, created_by, updated_by) SELECT type_id, 'B', 'M', 'o', 'o', 'o' FROM vehicles LIMIT 1`)
			require.NoError(t, err)
			to := connect(t, c.target)
			from := connect(t, source) // of this subtest: a connection is for one
			require.Equal(t, number(t, from, "SELECT count(*) + 1 FROM vehicles"), number(t, to, "SELECT sum(total)::int FROM vehicle_totals"))
			require.Equal(t, number(t, from, "SELECT max(id) + 1 FROM index_outbox"), number(t, to, "SELECT max(id) FROM index_outbox"))
		})
	}
}
