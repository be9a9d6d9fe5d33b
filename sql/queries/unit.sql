-- Measurement units.

-- name: UnitCreate :one
INSERT INTO units (code, label, unit_system, is_active, created_by, updated_by)
VALUES (@code, @label, @unit_system, @is_active, @actor, @actor)
RETURNING *;

-- name: UnitGet :one
SELECT * FROM units WHERE id = @id;

-- name: UnitLock :one
SELECT * FROM units WHERE id = @id FOR UPDATE;

-- name: UnitUpdate :one
UPDATE units SET code = @code, label = @label, unit_system = @unit_system, is_active = @is_active,
    version = version + 1, updated_at = clock_timestamp(), updated_by = @actor
WHERE id = @id
RETURNING *;

-- name: UnitDelete :exec
DELETE FROM units WHERE id = @id;
