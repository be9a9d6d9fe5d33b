-- Equipment types and their links.

-- name: TypeCreate :one
INSERT INTO types (title, icon_file_id, is_active, created_by, updated_by)
VALUES (@title, @icon_file_id, @is_active, @actor, @actor)
RETURNING *;

-- name: TypeLock :one
SELECT * FROM types WHERE id = @id FOR UPDATE;

-- name: TypeUpdate :exec
UPDATE types SET title = @title, icon_file_id = @icon_file_id, is_active = @is_active,
    version = version + 1, updated_at = clock_timestamp(), updated_by = @actor
WHERE id = @id;

-- name: TypeDelete :exec
DELETE FROM types WHERE id = @id;

-- name: TypeCategoriesDelete :exec
DELETE FROM type_categories WHERE type_id = @type_id;

-- name: TypeCategoriesInsert :exec
INSERT INTO type_categories (type_id, category_id, position)
SELECT @type_id, id, n - 1 FROM unnest(@ids::uuid[]) WITH ORDINALITY AS l(id, n);

-- name: TypeParamsDelete :exec
DELETE FROM type_params WHERE type_id = @type_id;

-- name: TypeParamsInsert :exec
INSERT INTO type_params (type_id, param_id, position)
SELECT @type_id, id, n - 1 FROM unnest(@ids::uuid[]) WITH ORDINALITY AS l(id, n);

-- name: TypeTagsDelete :exec
DELETE FROM type_tags WHERE type_id = @type_id;

-- name: TypeTagsInsert :exec
INSERT INTO type_tags (type_id, tag_id, position)
SELECT @type_id, id, n - 1 FROM unnest(@ids::uuid[]) WITH ORDINALITY AS l(id, n);

-- name: TypeParamsForVehicle :many
-- What a vehicle of the type may and must hold. The lock is the one that the foreign key of the values
-- takes later: whoever changes a definition locks it for update and waits.
SELECT p.id, p.value_type, p.is_required, p.is_active
FROM type_params tp JOIN params p ON p.id = tp.param_id
WHERE tp.type_id = @type_id
ORDER BY tp.position
FOR KEY SHARE OF p;

-- name: TypeShare :one
-- As a foreign key would lock it: whoever changes a type or its bindings locks it for update.
SELECT id FROM types WHERE id = @id FOR KEY SHARE;
