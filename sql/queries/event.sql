-- What events do (contract 6.9, contract 6.10). Each query takes a whole batch of records of one partition in arrival order;
-- an effect and the record that it was handled are always in one transaction.

-- name: EventsApplyOrders :many
-- Order events that were not handled before set their order's entitlement, unless a newer one is stored
-- (contract 6.2). Of several for one order the newest counts, of equally old ones the last to arrive. An event
-- that comes twice in one batch counts where it came first. Locks are taken in the order of the ids, so
-- that batches of several partitions do not wait for each other in a circle. Returns the numbers, from 1,
-- of the events that had been handled before.
WITH given AS (
    SELECT unnest(@event_keys::text[]) AS event_key, unnest(@order_ids::uuid[]) AS order_id,
           unnest(@customer_ids::text[]) AS customer_id, unnest(@vehicle_ids::uuid[]) AS vehicle_id,
           unnest(@statuses::text[]) AS status, unnest(@event_timestamps::timestamptz[]) AS event_timestamp,
           generate_series(1, cardinality(@event_keys::text[])) AS n
), arrived AS (
    SELECT DISTINCT ON (event_key) * FROM given ORDER BY event_key, n
), recorded AS (
    INSERT INTO handled_events (topic, event_key)
    SELECT @topic::text, event_key FROM arrived ORDER BY event_key
    ON CONFLICT DO NOTHING
    RETURNING event_key
), fresh AS (
    SELECT arrived.* FROM arrived JOIN recorded USING (event_key)
), newest AS (
    SELECT DISTINCT ON (order_id) * FROM fresh ORDER BY order_id, event_timestamp DESC, n DESC
), stored AS (
    INSERT INTO order_entitlements (order_id, customer_id, vehicle_id, status, event_timestamp)
    SELECT order_id, customer_id, vehicle_id, status, event_timestamp FROM newest ORDER BY order_id
    ON CONFLICT (order_id) DO UPDATE
    SET customer_id = excluded.customer_id, vehicle_id = excluded.vehicle_id, status = excluded.status,
        event_timestamp = excluded.event_timestamp, updated_at = clock_timestamp()
    WHERE excluded.event_timestamp >= order_entitlements.event_timestamp
)
SELECT n::integer AS n FROM given EXCEPT SELECT n FROM fresh ORDER BY n;

-- name: EventsHandledByPosition :many
-- Earlier versions recorded an event without an id under the position of its record alone. Such a key
-- counts for the record that was there when it was written: one that was made later is another one, in a
-- topic that was made again. An hour is how far brokers let the clocks of producers go ahead.
SELECT h.event_key FROM handled_events h
JOIN (SELECT unnest(@event_keys::text[]) AS event_key, unnest(@produced_at::timestamptz[]) AS produced_at) AS record USING (event_key)
WHERE h.topic = @topic AND h.handled_at >= record.produced_at - interval '1 hour';

-- name: EventsMarkHandled :many
-- Records the keys and returns those that had not been handled before.
INSERT INTO handled_events (topic, event_key)
SELECT @topic::text, key FROM (SELECT DISTINCT unnest(@event_keys::text[]) AS key) AS keys ORDER BY key
ON CONFLICT DO NOTHING
RETURNING event_key;

-- name: EventsBegun :many
-- When the effects of events were begun that take several transactions and are not finished. The keys are
-- those of the note, see EventSuspend.
SELECT event_key, handled_at AS begun_at FROM handled_events WHERE topic = @topic AND event_key = ANY(@note_keys::text[]);

-- name: EventSuspend :exec
-- In place of the record that the event was handled: a note of when its effect was begun. The first one counts.
WITH unrecorded AS (
    DELETE FROM handled_events WHERE topic = @topic::text AND event_key = @event_key::text
)
INSERT INTO handled_events (topic, event_key) VALUES (@topic, @note_key::text)
ON CONFLICT DO NOTHING;

-- name: EventFinish :exec
DELETE FROM handled_events WHERE topic = @topic AND event_key = @note_key::text;

-- name: CategoriesDropIcons :execrows
UPDATE categories SET icon_file_id = NULL, version = version + 1, updated_at = clock_timestamp(), updated_by = 'system'
WHERE icon_file_id = ANY(@file_ids::uuid[]);

-- name: TypesDropIcons :execrows
UPDATE types SET icon_file_id = NULL, version = version + 1, updated_at = clock_timestamp(), updated_by = 'system'
WHERE icon_file_id = ANY(@file_ids::uuid[]);

-- name: VehiclesLockByFiles :many
-- Vehicles of at most so many links to the files, of those that were made before a time, if one is given.
-- Whoever changes links holds the row of the vehicle. With each vehicle comes how many links were found.
WITH found AS (
    SELECT vehicle_id FROM vehicle_links
    WHERE file_id = ANY(@file_ids::uuid[]) AND (sqlc.narg(made_before)::timestamptz IS NULL OR created_at < sqlc.narg(made_before))
    LIMIT @most
)
SELECT id, (SELECT count(*) FROM found) AS links FROM vehicles
WHERE id IN (SELECT vehicle_id FROM found)
ORDER BY id
FOR NO KEY UPDATE OF vehicles;

-- name: LinksDropFiles :many
-- Returns the vehicle of each link that was removed.
DELETE FROM vehicle_links
WHERE vehicle_id = ANY(@vehicle_ids::uuid[]) AND file_id = ANY(@file_ids::uuid[])
    AND (sqlc.narg(made_before)::timestamptz IS NULL OR created_at < sqlc.narg(made_before))
RETURNING vehicle_id;

-- name: LinksCloseGaps :exec
-- The links that are left move up, in their order.
UPDATE vehicle_links AS l
SET position = ranked.position, version = version + 1, updated_at = clock_timestamp(), updated_by = 'system'
FROM (
    SELECT id, (row_number() OVER (PARTITION BY vehicle_id, kind ORDER BY position) - 1)::smallint AS position
    FROM vehicle_links WHERE vehicle_id = ANY(@vehicle_ids::uuid[])
) AS ranked
WHERE l.id = ranked.id AND l.position <> ranked.position;

-- name: VehiclesTouchBySystem :exec
-- The rising version queues the vehicle for the indexer (migration 3).
UPDATE vehicles SET version = version + 1, updated_at = clock_timestamp(), updated_by = 'system'
WHERE id = ANY(@vehicle_ids::uuid[]);
