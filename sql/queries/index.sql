-- What the indexer reads and writes.

-- name: OutboxClaim :many
-- Rows stay locked until the work on them is committed; other indexers pass over
-- them. What was deferred goes behind what fell due before: else vehicles whose
-- texts always take too long would fill every batch.
SELECT id, entity, entity_id, attempts FROM index_outbox
WHERE not_before < 'infinity' AND not_before <= now()
ORDER BY not_before, id
LIMIT @most
FOR UPDATE SKIP LOCKED;

-- name: OutboxDone :exec
DELETE FROM index_outbox WHERE id = ANY(@ids::bigint[]);

-- name: OutboxRejected :exec
-- Tried again later; after the last attempt parked.
UPDATE index_outbox SET attempts = attempts + 1, last_error = @reason::text,
    not_before = CASE WHEN attempts + 1 >= @most_attempts::integer THEN 'infinity'
        ELSE clock_timestamp() + make_interval(secs => power(2, attempts)) END -- now() is when the batch began, minutes ago maybe
WHERE id = ANY(@ids::bigint[]);

-- name: OutboxDeferred :exec
-- Left for later without counting an attempt: as long again as the rows have
-- waited already, within bounds. So the time between attempts doubles, without a
-- count to keep.
UPDATE index_outbox SET last_error = @reason::text,
    not_before = clock_timestamp() + least(greatest(clock_timestamp() - created_at, interval '2 seconds'), interval '5 minutes')
WHERE id = ANY(@ids::bigint[]);

-- name: OutboxStatus :one
SELECT count(*) FILTER (WHERE not_before < 'infinity') AS waiting,
    count(*) FILTER (WHERE not_before = 'infinity') AS parked,
    coalesce(min(created_at) FILTER (WHERE not_before < 'infinity'), now())::timestamptz AS oldest
FROM index_outbox;

-- name: OutboxParked :many
SELECT entity_id, attempts, coalesce(last_error, '')::text AS last_error FROM index_outbox
WHERE not_before = 'infinity' ORDER BY id LIMIT 20;

-- name: OutboxRetryParked :execrows
UPDATE index_outbox SET not_before = now(), attempts = 0 WHERE not_before = 'infinity';

-- name: OutboxAddAll :exec
INSERT INTO index_outbox (entity, entity_id)
SELECT 'vehicle', id FROM vehicles WHERE is_active
UNION
SELECT 'vehicle', vehicle_id FROM vehicle_embeddings;

-- name: OutboxAddOfType :exec
INSERT INTO index_outbox (entity, entity_id) SELECT 'vehicle', id FROM vehicles WHERE type_id = @id;

-- name: OutboxAddOfCategory :exec
INSERT INTO index_outbox (entity, entity_id)
SELECT 'vehicle', id FROM vehicles WHERE type_id IN (SELECT type_id FROM type_categories WHERE category_id = @id);

-- name: OutboxAddOfGroup :exec
INSERT INTO index_outbox (entity, entity_id)
SELECT 'vehicle', id FROM vehicles
WHERE type_id IN (SELECT tc.type_id FROM type_categories tc JOIN categories c ON c.id = tc.category_id WHERE c.group_id = @id);

-- name: OutboxAddOfTag :exec
INSERT INTO index_outbox (entity, entity_id)
SELECT 'vehicle', vt.vehicle_id FROM vehicle_tags vt WHERE vt.tag_id = @id
UNION
SELECT 'vehicle', v.id FROM vehicles v JOIN type_tags tt ON tt.type_id = v.type_id WHERE tt.tag_id = @id;

-- name: OutboxAddOfParam :exec
INSERT INTO index_outbox (entity, entity_id) SELECT 'vehicle', vehicle_id FROM vehicle_params WHERE param_id = @id;

-- name: OutboxAddOfUnit :exec
INSERT INTO index_outbox (entity, entity_id)
SELECT DISTINCT 'vehicle', vp.vehicle_id FROM vehicle_params vp JOIN params p ON p.id = vp.param_id WHERE p.unit_id = @id::uuid;

-- name: VehiclesTryLock :many
-- One indexer at a time works on a vehicle: an older text must not be stored after a newer one.
SELECT id::uuid AS id FROM unnest(@ids::uuid[]) AS l(id) WHERE pg_try_advisory_xact_lock(hashtextextended(id::text, 1));

-- name: PassagesRead :many
-- The text of public vehicles, with the fingerprint of the vector that is there.
SELECT v.id, v.brand_name, v.model_name, coalesce(v.release_year, 0)::integer AS release_year, t.title,
    ARRAY(SELECT c.name FROM type_categories tc JOIN categories c ON c.id = tc.category_id
        WHERE tc.type_id = t.id ORDER BY tc.position)::text[] AS categories,
    ARRAY(SELECT g.name FROM type_categories tc JOIN categories c ON c.id = tc.category_id JOIN groups g ON g.id = c.group_id
        WHERE tc.type_id = t.id ORDER BY tc.position)::text[] AS groups,
    ARRAY(SELECT tag.name FROM vehicle_tags vt JOIN tags tag ON tag.id = vt.tag_id
        WHERE vt.vehicle_id = v.id AND tag.is_active AND tag.deleted_at IS NULL ORDER BY vt.position)::text[] AS vehicle_tags,
    ARRAY(SELECT tag.name FROM type_tags tt JOIN tags tag ON tag.id = tt.tag_id
        WHERE tt.type_id = t.id AND tag.is_active AND tag.deleted_at IS NULL ORDER BY tt.position)::text[] AS type_tags,
    ARRAY(SELECT p.name FROM vehicle_params vp JOIN params p ON p.id = vp.param_id
        WHERE vp.vehicle_id = v.id ORDER BY vp.position)::text[] AS param_names,
    ARRAY(SELECT p.value_type FROM vehicle_params vp JOIN params p ON p.id = vp.param_id
        WHERE vp.vehicle_id = v.id ORDER BY vp.position)::text[] AS param_types,
    ARRAY(SELECT vp.value FROM vehicle_params vp WHERE vp.vehicle_id = v.id ORDER BY vp.position)::text[] AS param_values,
    ARRAY(SELECT coalesce(u.code, '') FROM vehicle_params vp JOIN params p ON p.id = vp.param_id LEFT JOIN units u ON u.id = p.unit_id
        WHERE vp.vehicle_id = v.id ORDER BY vp.position)::text[] AS param_units,
    coalesce((SELECT e.fingerprint FROM vehicle_embeddings e WHERE e.vehicle_id = v.id AND e.model = @model), '')::text AS fingerprint
FROM vehicles v JOIN types t ON t.id = v.type_id
WHERE v.id = ANY(@ids::uuid[]) AND v.is_active;

-- name: VectorsLaidOut :one
-- How many vectors there are, whether they are in lists (ivfflat), the second of which is part of their index's name, and how
-- many vectors are newer than these; how many indexes the program has made for the search, of which one will do; and what time it is.
SELECT count(e.vehicle_id) AS vectors, coalesce(bool_or(l.made IS NOT NULL), false)::boolean AS laid_out,
    count(e.vehicle_id) FILTER (WHERE l.made IS NULL OR e.embedded_at > l.made) AS newer,
    coalesce(max(l.indexes), 0)::bigint AS indexes, extract(epoch FROM now())::bigint AS second
FROM (
    SELECT count(*) AS indexes,
        max(to_timestamp(substring(c.relname FROM '^vehicle_embeddings_lists_([0-9]+)$')::bigint)) FILTER (WHERE i.indisvalid) AS made
    FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = to_regclass('vehicle_embeddings') AND c.relname ~ '^vehicle_embeddings_(half_idx|lists_[0-9]+)$'
) l LEFT JOIN vehicle_embeddings e ON true;

-- name: VectorsIndexes :many
-- The indexes that the migrations and indexers have made for the search, and nobody else: the newest lists that can be used first.
SELECT c.relname::text AS name, i.indisvalid AS valid, coalesce(c.relname ~ '^vehicle_embeddings_lists_[0-9]+$', false)::boolean AS lists
FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = to_regclass('vehicle_embeddings') AND c.relname ~ '^vehicle_embeddings_(half_idx|lists_[0-9]+)$'
ORDER BY 2 DESC, 3 DESC, 1 DESC;

-- name: EmbeddingPut :batchexec
-- Nothing is stored for a vehicle that has been deleted meanwhile.
INSERT INTO vehicle_embeddings (vehicle_id, model, fingerprint, embedding)
SELECT v.id, @model::text, @fingerprint::text, @embedding::vector FROM vehicles v WHERE v.id = @vehicle_id
ON CONFLICT (vehicle_id, model) DO UPDATE
SET fingerprint = excluded.fingerprint, embedding = excluded.embedding, embedded_at = now();

-- name: EmbeddingsRemove :execrows
-- Of every model: what is no longer public is in no index.
DELETE FROM vehicle_embeddings WHERE vehicle_id = ANY(@ids::uuid[]);

-- name: EmbeddingsPruneModels :execrows
DELETE FROM vehicle_embeddings WHERE model <> @model;

-- name: EmbeddingsByModel :many
SELECT model, count(*) AS vectors, max(embedded_at)::timestamptz AS newest FROM vehicle_embeddings GROUP BY model ORDER BY model;

-- name: VehiclesPublicAfter :many
SELECT id FROM vehicles WHERE is_active AND id > @after ORDER BY id LIMIT @most;

-- name: VehiclesPublicCount :one
SELECT coalesce(sum(active), 0)::bigint FROM vehicle_totals;

-- name: IndexModelClaim :one
INSERT INTO index_models (model) VALUES (@model)
ON CONFLICT (model) DO UPDATE SET model = excluded.model
RETURNING current;

-- name: IndexModelCurrent :exec
UPDATE index_models SET current = true, updated_at = now() WHERE model = @model;

-- name: IndexModelsOutdate :exec
-- Rows that this model takes from the outbox are lost for the others.
UPDATE index_models SET current = false, updated_at = now() WHERE model <> @model AND current;

-- name: IndexModelsForget :exec
DELETE FROM index_models WHERE model <> @model;
