-- Search tags.

-- name: TagCreate :one
INSERT INTO tags (name, is_active, created_by, updated_by) VALUES (@name, @is_active, @actor, @actor)
RETURNING *;

-- name: TagGet :one
SELECT * FROM tags WHERE id = @id AND deleted_at IS NULL;

-- name: TagLock :one
SELECT * FROM tags WHERE id = @id AND deleted_at IS NULL FOR UPDATE;

-- name: TagUpdate :one
UPDATE tags SET name = @name, is_active = @is_active,
    version = version + 1, updated_at = clock_timestamp(), updated_by = @actor
WHERE id = @id
RETURNING *;

-- name: TagUnlinkVehicles :execrows
-- Losing a tag is a change of the vehicle: its version rises and its text is indexed again. Vehicles are
-- locked first and in order, as those who change them do.
WITH locked AS (
    SELECT v.id FROM vehicles v
    WHERE v.id = ANY (ARRAY(SELECT t.vehicle_id FROM vehicle_tags t WHERE t.tag_id = @tag_id LIMIT @most::bigint))
    ORDER BY v.id FOR UPDATE
), unlinked AS (
    DELETE FROM vehicle_tags t USING locked l WHERE t.vehicle_id = l.id AND t.tag_id = @tag_id
)
UPDATE vehicles SET version = version + 1, updated_at = clock_timestamp(), updated_by = @actor
WHERE id IN (SELECT id FROM locked);

-- name: TagUnlinkTypes :execrows
WITH locked AS (
    SELECT y.id FROM types y
    WHERE y.id = ANY (ARRAY(SELECT t.type_id FROM type_tags t WHERE t.tag_id = @tag_id LIMIT @most::bigint))
    ORDER BY y.id FOR UPDATE
), unlinked AS (
    DELETE FROM type_tags t USING locked l WHERE t.type_id = l.id AND t.tag_id = @tag_id
)
UPDATE types SET version = version + 1, updated_at = clock_timestamp(), updated_by = @actor
WHERE id IN (SELECT id FROM locked);

-- name: TagHide :exec
-- Nobody sees it any more and its name is free; its links go later.
UPDATE tags SET deleted_at = now(), deleted_by = @actor::text WHERE id = @id;

-- name: TagHidden :one
-- One that is deleted and still has links, unless another process is at it.
SELECT id, deleted_by::text AS deleted_by FROM tags WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED;

-- name: TagDelete :exec
DELETE FROM tags WHERE id = @id;

-- name: TagsExisting :many
SELECT id FROM tags WHERE id = ANY(@ids::uuid[]) AND deleted_at IS NULL FOR KEY SHARE;
