-- Categories inside groups.

-- name: CategoryCreate :one
INSERT INTO categories (group_id, name, icon_file_id, tenant_ids, created_by, updated_by)
VALUES (@group_id, @name, @icon_file_id, @tenant_ids, @actor, @actor)
RETURNING *;

-- name: CategoryGet :one
SELECT * FROM categories WHERE id = @id AND group_id = @group_id;

-- name: CategoryLock :one
SELECT * FROM categories WHERE id = @id AND group_id = @group_id FOR UPDATE;

-- name: CategoryUpdate :one
UPDATE categories SET name = @name, icon_file_id = @icon_file_id, tenant_ids = @tenant_ids,
    version = version + 1, updated_at = clock_timestamp(), updated_by = @actor
WHERE id = @id
RETURNING *;

-- name: CategoryDelete :exec
DELETE FROM categories WHERE id = @id;

-- name: CategoriesExisting :many
-- Key-share locks: a category that is being referenced cannot be deleted meanwhile.
SELECT id FROM categories WHERE id = ANY(@ids::uuid[]) FOR KEY SHARE;
