-- Search tags.

-- name: TagCreate :one
INSERT INTO tags (name, is_active, created_by, updated_by) VALUES (@name, @is_active, @actor, @actor)
RETURNING *;

-- name: TagGet :one
SELECT * FROM tags WHERE id = @id;

-- name: TagLock :one
SELECT * FROM tags WHERE id = @id FOR UPDATE;

-- name: TagUpdate :one
UPDATE tags SET name = @name, is_active = @is_active,
    version = version + 1, updated_at = clock_timestamp(), updated_by = @actor
WHERE id = @id
RETURNING *;

-- name: TagUnlinkVehicles :exec
-- Losing a tag is a change of the vehicle: its version rises and its text is indexed again.
UPDATE vehicles SET version = version + 1, updated_at = clock_timestamp(), updated_by = @actor
WHERE id IN (SELECT vehicle_id FROM vehicle_tags WHERE tag_id = @tag_id ORDER BY vehicle_id);

-- name: TagUnlinkTypes :exec
UPDATE types SET version = version + 1, updated_at = clock_timestamp(), updated_by = @actor
WHERE id IN (SELECT type_id FROM type_tags WHERE tag_id = @tag_id);

-- name: TagDelete :exec
DELETE FROM tags WHERE id = @id;

-- name: TagsExisting :many
SELECT id FROM tags WHERE id = ANY(@ids::uuid[]) FOR KEY SHARE;
