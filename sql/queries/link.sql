-- Photo and document links of vehicles. The vehicle's row is locked by whoever changes them.

-- name: LinksDeleteOthers :exec
DELETE FROM vehicle_links WHERE vehicle_id = @vehicle_id AND kind = @kind AND file_id <> ALL(@file_ids::uuid[]);

-- name: LinksPut :exec
-- Sets the list: a file that stays keeps its link (id, isActive) and changes only when it moves (contract 2.15).
INSERT INTO vehicle_links (vehicle_id, kind, file_id, position, created_by, updated_by)
SELECT @vehicle_id, @kind, id, n - 1, @actor::text, @actor::text FROM unnest(@file_ids::uuid[]) WITH ORDINALITY AS l(id, n)
ON CONFLICT ON CONSTRAINT vehicle_links_file_key DO UPDATE
SET position = excluded.position, version = vehicle_links.version + 1,
    updated_at = clock_timestamp(), updated_by = excluded.updated_by
WHERE vehicle_links.position <> excluded.position;

-- name: LinksList :many
SELECT * FROM vehicle_links
WHERE vehicle_id = @vehicle_id AND kind = @kind AND (is_active OR @inactive_too::boolean)
ORDER BY position;

-- name: LinkGet :one
SELECT * FROM vehicle_links WHERE id = @id AND vehicle_id = @vehicle_id AND kind = @kind;

-- name: LinksCount :one
SELECT count(*) FROM vehicle_links WHERE vehicle_id = @vehicle_id AND kind = @kind;

-- name: LinkCreate :one
INSERT INTO vehicle_links (vehicle_id, kind, file_id, is_active, position, created_by, updated_by)
VALUES (@vehicle_id, @kind, @file_id, @is_active, @position, @actor, @actor)
RETURNING *;

-- name: LinkSetActive :one
UPDATE vehicle_links SET is_active = @is_active, version = version + 1, updated_at = clock_timestamp(), updated_by = @actor
WHERE id = @id
RETURNING *;

-- name: LinkDelete :exec
DELETE FROM vehicle_links WHERE id = @id;

-- name: LinksCloseGap :exec
-- The links behind a removed one move up.
UPDATE vehicle_links SET position = position - 1, version = version + 1, updated_at = clock_timestamp(), updated_by = @actor
WHERE vehicle_id = @vehicle_id AND kind = @kind AND position > @position;
