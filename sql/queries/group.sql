-- Groups. Names of queries are ObjectVerb; a Lock query is read and locked until the transaction ends.

-- name: GroupCreate :one
INSERT INTO groups (name, created_by, updated_by) VALUES (@name, @actor, @actor)
RETURNING *;

-- name: GroupGet :one
SELECT * FROM groups WHERE id = @id;

-- name: GroupLock :one
SELECT * FROM groups WHERE id = @id FOR UPDATE;

-- name: GroupUpdate :one
UPDATE groups SET name = @name, version = version + 1, updated_at = clock_timestamp(), updated_by = @actor
WHERE id = @id
RETURNING *;

-- name: GroupDelete :exec
DELETE FROM groups WHERE id = @id;
