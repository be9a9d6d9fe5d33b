-- Vehicles: writing. Reading needs orders and filters that are put together from a closed table, see
-- internal/catalog.

-- name: VehicleCreate :one
-- A vehicle with all that belongs to it in one statement; foreign keys are checked at its end.
WITH vehicle AS (
    INSERT INTO vehicles (type_id, license_plate, brand_name, model_name, release_year, is_active, owner_user_id,
        created_by, updated_by)
    VALUES (@type_id, @license_plate, @brand_name, @model_name, @release_year, @is_active, @actor, @actor, @actor)
    RETURNING id, created_at
), stored_params AS (
    INSERT INTO vehicle_params (vehicle_id, param_id, position, value)
    SELECT vehicle.id, l.id, l.n - 1, (@param_values::text[])[l.n]
    FROM vehicle, unnest(@param_ids::uuid[]) WITH ORDINALITY AS l(id, n)
), stored_tags AS (
    INSERT INTO vehicle_tags (vehicle_id, tag_id, position)
    SELECT vehicle.id, l.id, l.n - 1 FROM vehicle, unnest(@tag_ids::uuid[]) WITH ORDINALITY AS l(id, n)
), stored_links AS (
    INSERT INTO vehicle_links (vehicle_id, kind, file_id, position, created_by, updated_by)
    SELECT vehicle.id, 'photo', l.id, l.n - 1, @actor, @actor FROM vehicle, unnest(@photo_ids::uuid[]) WITH ORDINALITY AS l(id, n)
    UNION ALL
    SELECT vehicle.id, 'doc', l.id, l.n - 1, @actor, @actor FROM vehicle, unnest(@doc_ids::uuid[]) WITH ORDINALITY AS l(id, n)
)
SELECT vehicle.id, vehicle.created_at, (SELECT version FROM dictionary_version)::bigint AS dictionary FROM vehicle;

-- name: VehicleLock :one
SELECT * FROM vehicles WHERE id = @id FOR UPDATE;

-- name: VehicleUpdate :exec
UPDATE vehicles SET type_id = @type_id, license_plate = @license_plate, brand_name = @brand_name,
    model_name = @model_name, release_year = @release_year, is_active = @is_active,
    version = version + 1, updated_at = clock_timestamp(), updated_by = @actor
WHERE id = @id;

-- name: VehicleTouch :exec
-- A change of a vehicle's links is a change of the vehicle.
UPDATE vehicles SET version = version + 1, updated_at = clock_timestamp(), updated_by = @actor WHERE id = @id;

-- name: VehicleDelete :exec
DELETE FROM vehicles WHERE id = @id;

-- name: VehicleAccess :one
-- What visibility and ownership are decided on.
SELECT owner_user_id, is_active FROM vehicles WHERE id = @id;

-- name: VehicleParamsDelete :exec
DELETE FROM vehicle_params WHERE vehicle_id = @vehicle_id;

-- name: VehicleParamsInsert :exec
INSERT INTO vehicle_params (vehicle_id, param_id, position, value)
SELECT @vehicle_id, l.id, l.n - 1, (@param_values::text[])[l.n] FROM unnest(@ids::uuid[]) WITH ORDINALITY AS l(id, n);

-- name: VehicleParamIDs :many
SELECT param_id FROM vehicle_params WHERE vehicle_id = @vehicle_id;

-- name: VehicleParamsDropUnbound :exec
-- After a change of type: values whose param the new type does not bind go (contract 2.9).
DELETE FROM vehicle_params p
WHERE p.vehicle_id = @vehicle_id
  AND NOT EXISTS (SELECT FROM type_params t WHERE t.type_id = @type_id AND t.param_id = p.param_id);

-- name: VehicleTagsDelete :exec
DELETE FROM vehicle_tags WHERE vehicle_id = @vehicle_id;

-- name: VehicleTagsInsert :exec
INSERT INTO vehicle_tags (vehicle_id, tag_id, position)
SELECT @vehicle_id, id, n - 1 FROM unnest(@ids::uuid[]) WITH ORDINALITY AS l(id, n);

-- name: VehicleGet :one
SELECT (SELECT version FROM dictionary_version)::bigint AS dictionary,
    d.id, d.type_id, d.license_plate, d.brand_name, d.model_name, d.release_year, d.is_active, d.owner_user_id,
    d.rating_hundredths, d.rating_count, d.version, d.created_at, d.updated_at, d.created_by, d.updated_by,
    d.param_ids, d.param_values, d.tag_ids,
    (CASE WHEN @all_links::boolean OR d.owner_user_id = @links_of::text THEN d.photo_ids ELSE d.active_photo_ids END)::uuid[] AS photo_ids,
    (CASE WHEN @all_links::boolean OR d.owner_user_id = @links_of::text THEN d.doc_ids ELSE d.active_doc_ids END)::uuid[] AS doc_ids
FROM vehicle_details d WHERE d.id = @id;
