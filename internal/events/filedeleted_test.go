package events_test

// This file: file deletions on a real database (contract 6.1, contract 6.3, contract 6.9).

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/testdb"
)

// link gives the vehicle a list of files in this order.
func (f *fixture) link(vehicleID uuid.UUID, kind string, files ...uuid.UUID) {
	f.t.Helper()
	for i, file := range files {
		f.exec("INSERT INTO vehicle_links (vehicle_id, kind, file_id, position, created_by, updated_by) VALUES ($1, $2, $3, $4, 'owner', 'owner')", vehicleID, kind, file, i)
	}
}

type link struct {
	FileID    uuid.UUID
	Position  int16
	Version   int64
	UpdatedBy string
}

func (f *fixture) links(vehicleID uuid.UUID, kind string) []link {
	f.t.Helper()
	rows, err := f.pool.Query(f.t.Context(), "SELECT file_id, position, version, updated_by FROM vehicle_links WHERE vehicle_id = $1 AND kind = $2 ORDER BY position", vehicleID, kind)
	require.NoError(f.t, err)
	links, err := pgx.CollectRows(rows, pgx.RowToStructByPos[link])
	require.NoError(f.t, err)
	return links
}

func (f *fixture) changed(table string, id uuid.UUID) string {
	f.t.Helper()
	return one[string](f, fmt.Sprintf("SELECT version || ' by ' || updated_by || ' later ' || (updated_at > created_at) FROM %s WHERE id = $1", table), id)
}

func TestFileDeletedRemovesEveryLink(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	gone, a, b, c := uuid.New(), uuid.New(), uuid.New(), uuid.New()
	group := one[uuid.UUID](f, "INSERT INTO groups (name, created_by, updated_by) VALUES ('G', 'a', 'a') RETURNING id")
	category := func(icon uuid.UUID) uuid.UUID {
		return one[uuid.UUID](f, "INSERT INTO categories (group_id, name, icon_file_id, created_by, updated_by) VALUES ($1, 'C', $2, 'a', 'a') RETURNING id", group, icon)
	}
	kind := func(icon uuid.UUID) uuid.UUID {
		return one[uuid.UUID](f, "INSERT INTO types (title, icon_file_id, created_by, updated_by) VALUES ('T', $1, 'a', 'a') RETURNING id", icon)
	}
	hitCategory, otherCategory, hitType, otherType := category(gone), category(a), kind(gone), kind(a)
	hit, both, other := f.vehicle(), f.vehicle(), f.vehicle()
	f.link(hit, "photo", a, gone, b, c)
	f.link(hit, "doc", a, b)
	f.link(both, "photo", gone)
	f.link(both, "doc", gone, a)
	f.link(other, "photo", a, b)
	f.exec("DELETE FROM index_outbox")

	f.start()
	f.produce(f.settings.TopicFileDeleted, fmt.Sprintf(
		`{"eventId":"e","entityType":"EQUIPMENT","entityId":%q,"fileId":%q,"occurredAt":"2026-03-01T10:00:00Z"}`, other, gone))
	f.awaitCommitted(f.settings.TopicFileDeleted)

	require.Zero(t, f.queryInt("SELECT (SELECT count(*) FROM categories WHERE icon_file_id = $1) + (SELECT count(*) FROM types WHERE icon_file_id = $1)", gone))
	require.Equal(t, "2 by system later true", f.changed("categories", hitCategory))
	require.Equal(t, "1 by a later false", f.changed("categories", otherCategory))
	require.Equal(t, "2 by system later true", f.changed("types", hitType))
	require.Equal(t, "1 by a later false", f.changed("types", otherType))
	// the gaps are closed; what did not move did not change
	require.Equal(t, []link{{a, 0, 1, "owner"}, {b, 1, 2, "system"}, {c, 2, 2, "system"}}, f.links(hit, "photo"))
	require.Equal(t, []link{{a, 0, 1, "owner"}, {b, 1, 1, "owner"}}, f.links(hit, "doc"))
	require.Empty(t, f.links(both, "photo"))
	require.Equal(t, []link{{a, 0, 2, "system"}}, f.links(both, "doc"))
	require.Equal(t, []link{{a, 0, 1, "owner"}, {b, 1, 1, "owner"}}, f.links(other, "photo"))
	require.Equal(t, "2 by system later true", f.changed("vehicles", hit))
	require.Equal(t, "2 by system later true", f.changed("vehicles", both), "one event, one change")
	require.Equal(t, "1 by owner later false", f.changed("vehicles", other), "entityId does not matter")
	// the indexer hears of what changed and of nothing else
	require.ElementsMatch(t, []uuid.UUID{hit, both, hitType}, f.ids("SELECT entity_id FROM index_outbox"))
}

func (f *fixture) ids(query string) []uuid.UUID {
	f.t.Helper()
	rows, err := f.pool.Query(f.t.Context(), query)
	require.NoError(f.t, err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	require.NoError(f.t, err)
	return ids
}

// Redelivery, with the event id or without one, removes nothing that was linked
// again since (contract 6.3).
func TestFileDeletedAgainKeepsWhatWasLinkedSince(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"with event id": `{"eventId":"e","entityType":"EQUIPMENT","fileId":%q}`,
		"without":       `{"entityType":"EQUIPMENT","fileId":%q}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			vehicleID, file := f.vehicle(), uuid.New()
			f.link(vehicleID, "photo", file)
			f.produce(f.settings.TopicFileDeleted, fmt.Sprintf(body, file))
			first := f.start()
			f.awaitCommitted(f.settings.TopicFileDeleted)
			require.Empty(t, f.links(vehicleID, "photo"))
			first.stop()

			f.link(vehicleID, "photo", file)
			f.settings.Group += "-again" // a new group reads the topic from its start (contract 9.12)
			again := f.start()
			f.awaitCommitted(f.settings.TopicFileDeleted)
			require.Equal(t, []link{{file, 0, 1, "owner"}}, f.links(vehicleID, "photo"))
			require.EqualValues(t, 1, again.metric(t, "events_duplicates_total"))
			again.says(t, "event had been handled before")

			f.produce(f.settings.TopicFileDeleted, fileDeleted("newer", file))
			f.awaitCommitted(f.settings.TopicFileDeleted)
			require.Empty(t, f.links(vehicleID, "photo"))
		})
	}
}

// Files of other services are none of ours, whatever else their events say; they
// are neither applied nor dead-lettered.
func TestFileDeletedOfOtherEntities(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	vehicleID, file := f.vehicle(), uuid.New()
	f.link(vehicleID, "photo", file)
	consumer := f.start()
	f.produce(f.settings.TopicFileDeleted,
		fmt.Sprintf(`{"entityType":"CONTRACT","fileId":%q}`, file),
		fmt.Sprintf(`{"entityType":"equipment","fileId":%q}`, file),
		`{"entityType":"CONTRACT","fileId":"their own id","occurredAt":5}`)
	f.awaitCommitted(f.settings.TopicFileDeleted)
	require.Len(t, f.links(vehicleID, "photo"), 1)
	require.Empty(t, f.letters(f.settings.TopicFileDeletedDLQ))
	require.Zero(t, f.queryInt("SELECT count(*) FROM handled_events"))
	require.EqualValues(t, 3, consumer.metric(t, "events_ignored_total"))
}

// A writer that holds the vehicle is waited for, and what it wrote counts.
func TestFileDeletedWaitsForAWriter(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	vehicleID, gone, kept, added := f.vehicle(), uuid.New(), uuid.New(), uuid.New()
	f.link(vehicleID, "photo", gone, kept)
	tx, err := f.pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "SELECT FROM vehicles WHERE id = $1 FOR UPDATE", vehicleID)
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "INSERT INTO vehicle_links (vehicle_id, kind, file_id, position, created_by, updated_by) VALUES ($1, 'photo', $2, 2, 'owner', 'owner')", vehicleID, added)
	require.NoError(t, err)

	f.start()
	f.produce(f.settings.TopicFileDeleted, fileDeleted("e", gone))
	f.eventually(func() bool {
		return f.queryInt("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()") > 0
	}, "the event does not wait for the writer")
	require.NoError(t, tx.Commit(t.Context()))
	f.awaitCommitted(f.settings.TopicFileDeleted)
	require.Equal(t, []link{{kept, 0, 2, "system"}, {added, 1, 2, "system"}}, f.links(vehicleID, "photo"))
}

// Many deletions at once, several of one vehicle and some twice.
func TestFileDeletedInBatches(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const vehicles, files = 30, 20
	var values []string
	for v := range vehicles {
		vehicleID := f.vehicle()
		var linked []uuid.UUID
		for range files {
			linked = append(linked, uuid.New())
		}
		f.link(vehicleID, "photo", linked...)
		for i, file := range linked[:files-1] {
			values = append(values, fileDeleted(fmt.Sprint(v, "/", i), file))
		}
		values = append(values, values[len(values)-1])
	}
	f.produce(f.settings.TopicFileDeleted, values...)
	started := time.Now()
	f.start()
	f.awaitCommitted(f.settings.TopicFileDeleted)
	t.Logf("%d deletions took %s", len(values), time.Since(started))
	require.EqualValues(t, vehicles, f.queryInt("SELECT count(*) FROM vehicle_links WHERE position = 0"))
	require.EqualValues(t, vehicles, f.queryInt("SELECT count(*) FROM vehicle_links"))
	require.EqualValues(t, vehicles*(files-1), f.queryInt("SELECT count(*) FROM handled_events"))
}

// A file that very many vehicles link takes several transactions, none of which
// is long: neither the limit of a statement nor a crash between two of them keeps
// the partition. Links that were made after the first one stay.
func TestFileDeletedOfVeryManyVehicles(t *testing.T) {
	t.Parallel()
	const vehicles = 30_000
	url := testdb.New(t)
	setup, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = setup.Close(context.WithoutCancel(t.Context())) })
	gone, kept, other := uuid.New(), uuid.New(), uuid.New()
	for _, statement := range []string{
		"SET session_replication_role = replica", // no triggers: totals and the outbox do not matter here, and take most of the time
		"INSERT INTO types (title, created_by, updated_by) VALUES ('Crane', 'a', 'a')",
		`INSERT INTO vehicles (type_id, brand_name, model_name, owner_user_id, created_by, updated_by)
			SELECT id, 'Brand', 'Model', 'owner', 'owner', 'owner' FROM types, generate_series(1, ` + fmt.Sprint(vehicles) + `)`,
		fmt.Sprintf(`INSERT INTO vehicle_links (vehicle_id, kind, file_id, position, created_by, updated_by)
			SELECT id, 'photo', file::uuid, position - 1, 'owner', 'owner' FROM vehicles, unnest(ARRAY['%s', '%s']) WITH ORDINALITY AS f(file, position)`, gone, kept),
	} {
		_, err := setup.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	f := newFixtureOn(t, url+"&statement_timeout=1500", "")
	otherVehicle := f.vehicle()
	f.link(otherVehicle, "doc", other)
	topic := f.settings.TopicFileDeleted
	f.produce(topic, fileDeleted("many", gone), fileDeleted("unrelated", uuid.New()), fileDeleted("other", other))

	helper, log := f.startHelper(5) // killed behind the fifth step
	_, err = log.Await(t.Context(), "holding")
	require.NoError(t, err)
	helper.Kill()
	left := f.queryInt("SELECT count(*) FROM vehicle_links WHERE file_id = $1", gone)
	require.EqualValues(t, vehicles-5000, left)
	require.Zero(t, f.queryInt("SELECT count(*) FROM handled_events WHERE event_key = 'id:many'"))
	relink := `INSERT INTO vehicle_links (vehicle_id, kind, file_id, position, created_by, updated_by)
		SELECT id, 'doc', $1, 0, 'owner', 'owner' FROM vehicles v
		WHERE id <> $2 AND %s EXISTS (SELECT FROM vehicle_links l WHERE l.vehicle_id = v.id AND l.file_id = $1 AND l.kind = 'photo') LIMIT 1`
	f.exec(fmt.Sprintf(relink, "NOT"), gone, otherVehicle) // of a vehicle that was dealt with
	f.exec(fmt.Sprintf(relink, ""), gone, otherVehicle)    // and of one that was not

	started := time.Now()
	consumer := f.start()
	f.awaitCommitted(topic)
	t.Logf("the rest of %d links took %s", left, time.Since(started))
	require.EqualValues(t, 2, f.queryInt("SELECT count(*) FROM vehicle_links WHERE file_id = $1 AND kind = 'doc'", gone), "what was linked since stays")
	require.Zero(t, f.queryInt("SELECT count(*) FROM vehicle_links WHERE file_id = $1 AND kind = 'photo'", gone))
	require.EqualValues(t, vehicles, f.queryInt("SELECT count(*) FROM vehicle_links WHERE file_id = $1 AND position = 0 AND version = 2 AND updated_by = 'system'", kept))
	require.EqualValues(t, vehicles+1, f.queryInt("SELECT count(*) FROM vehicles WHERE version = 2 AND updated_by = 'system'"), "each changed once")
	require.Empty(t, f.links(otherVehicle, "doc"))
	require.Equal(t, "id:many id:other id:unrelated", one[string](f, "SELECT string_agg(event_key, ' ' ORDER BY event_key) FROM handled_events"))
	// a busy machine may need more than one attempt for a step; what was done before is not done again
	require.EqualValues(t, 3, consumer.metric(t, "events_processed_total"))
	require.Zero(t, consumer.metric(t, "events_duplicates_total"))
}
