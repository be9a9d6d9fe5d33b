package database_test

// This file: a column that is filled in steps while others write (migrations 13 to 17).

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/database"
	"equipment-platform/internal/testdb"
)

// What the rows of values say of their vehicles is filled in while programs of the
// version before write, and holds for what they write.
func TestValuesAreListedUnderWriters(t *testing.T) {
	t.Parallel()
	url := testdb.New(t)
	const before = 12
	require.NoError(t, database.MigrateDown(t.Context(), url, int(database.Latest())-before))
	conn := connect(t, url)
	for _, statement := range []string{
		"INSERT INTO types (id, title, created_by, updated_by) SELECT md5('type' || n)::uuid, 'Type', 's', 's' FROM generate_series(1, 2) n",
		"INSERT INTO params (id, name, value_type, created_by, updated_by) VALUES (md5('param')::uuid, 'Param', 'NUMBER', 's', 's')",
		`WITH made AS (INSERT INTO vehicles (id, type_id, brand_name, model_name, owner_user_id, created_by, updated_by)
SELECT md5('vehicle' || n)::uuid, md5('type1')::uuid, 'B', 'M', 's', 's', 's' FROM generate_series(1, 12000) n RETURNING id)
INSERT INTO vehicle_params (vehicle_id, param_id, position, value) SELECT id, md5('param')::uuid, 0, '2.50' FROM made`,
	} {
		_, err := conn.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	migrated := make(chan error, 1)
	go func() { migrated <- database.MigrateUp(t.Context(), url) }()
	var writers sync.WaitGroup
	done := make(chan struct{})
	for w := range 2 {
		writer := connect(t, url)
		writers.Go(func() {
			for n := 1; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				id := fmt.Sprintf("vehicle%d", (n*2+w)%12000)
				for _, statement := range []string{
					"UPDATE vehicles SET is_active = NOT is_active WHERE id = md5($1)::uuid",
					"UPDATE vehicles SET type_id = md5('type2')::uuid WHERE id = md5($1)::uuid",
					`WITH made AS (INSERT INTO vehicles (id, type_id, brand_name, model_name, is_active, owner_user_id, created_by, updated_by)
VALUES (md5($1 || random())::uuid, md5('type2')::uuid, 'B', 'M', random() < 0.5, 's', 's', 's') RETURNING id)
INSERT INTO vehicle_params (vehicle_id, param_id, position, value) SELECT id, md5('param')::uuid, 0, '7' FROM made`,
				} {
					if _, err := writer.Exec(t.Context(), statement, id); !assert.NoError(t, err) {
						return
					}
				}
			}
		})
	}
	require.NoError(t, <-migrated)
	close(done)
	writers.Wait()
	var rows, wrong int
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT count(*), count(*) FILTER (WHERE p.number IS DISTINCT FROM p.value::numeric
    OR (p.vehicle_type_id, p.vehicle_is_active, p.vehicle_created_at) IS DISTINCT FROM (v.type_id, v.is_active, v.created_at))
FROM vehicle_params p JOIN vehicles v ON v.id = p.vehicle_id`).Scan(&rows, &wrong))
	require.Zero(t, wrong)
	require.Greater(t, rows, 12000)
}

// A step needs several tables, and a writer of the programs before it has one of them and
// wants the others: whichever comes first, the writer gets them and the step is taken.
func TestStepsLetWritersPass(t *testing.T) {
	t.Parallel()
	tables := []string{"vehicles", "vehicle_params", "vehicle_tags", "tags", "params", "units"}
	for _, before := range []int{4, 9, 10, 12, 20, 22, 25} {
		t.Run(fmt.Sprint(before), func(t *testing.T) {
			t.Parallel()
			url := testdb.New(t)
			onlooker := connect(t, url)
			for _, first := range tables {
				require.NoError(t, database.MigrateDown(t.Context(), url, int(database.Latest())-before))
				writer := connect(t, url)
				_, err := writer.Exec(t.Context(), "BEGIN; LOCK TABLE "+first+" IN ROW EXCLUSIVE MODE")
				require.NoError(t, err)
				migrated := make(chan error, 1)
				go func() { migrated <- database.MigrateUp(t.Context(), url) }()
				taken := false
				require.Eventually(t, func() bool {
					select {
					case err := <-migrated:
						taken = assert.NoError(t, err)
						return true
					default:
					}
					var waits bool
					require.NoError(t, onlooker.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waits))
					return waits
				}, time.Minute, time.Millisecond, first)
				for _, other := range tables {
					_, err := writer.Exec(t.Context(), "LOCK TABLE "+other+" IN ROW EXCLUSIVE MODE")
					require.NoError(t, err, "%s, then %s", first, other)
				}
				_, err = writer.Exec(t.Context(), "COMMIT")
				require.NoError(t, err)
				if !taken {
					require.NoError(t, <-migrated)
				}
			}
		})
	}
}
