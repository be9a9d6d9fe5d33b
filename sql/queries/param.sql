-- Parameter definitions.

-- name: ParamCreate :one
INSERT INTO params (name, value_type, unit_id, is_required, is_active, created_by, updated_by)
VALUES (@name, @value_type, @unit_id, @is_required, @is_active, @actor, @actor)
RETURNING *;

-- name: ParamLock :one
SELECT * FROM params WHERE id = @id FOR UPDATE;

-- name: ParamUpdate :exec
UPDATE params SET name = @name, value_type = @value_type, unit_id = @unit_id, is_required = @is_required,
    is_active = @is_active, version = version + 1, updated_at = clock_timestamp(), updated_by = @actor
WHERE id = @id;

-- name: ParamHasValues :one
SELECT EXISTS (SELECT FROM vehicle_params WHERE param_id = @id);

-- name: ParamDelete :exec
DELETE FROM params WHERE id = @id;

-- name: ParamsExisting :many
SELECT id FROM params WHERE id = ANY(@ids::uuid[]) FOR KEY SHARE;

-- name: ParamValueTypes :many
-- What the values of these parameters are; unknown ids are left out.
SELECT id, value_type FROM params WHERE id = ANY (@ids::uuid[]);
