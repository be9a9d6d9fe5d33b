-- The dictionaries whose names stand in vehicles and types, in one statement and so in one snapshot.

-- name: DictionaryLoad :one
SELECT (SELECT version FROM dictionary_version)::bigint AS version,
    coalesce((SELECT json_agg(json_build_object('id', id, 'code', code, 'label', label, 'unitSystem', unit_system,
        'isActive', is_active, 'version', version, 'createdAt', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'updatedAt', to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'createdBy', created_by, 'updatedBy', updated_by)) FROM units), '[]')::text AS units,
    coalesce((SELECT json_agg(json_build_object('id', id, 'name', name, 'valueType', value_type, 'unitId', unit_id,
        'isRequired', is_required, 'isActive', is_active, 'version', version, 'createdAt', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'updatedAt', to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'createdBy', created_by, 'updatedBy', updated_by)) FROM params), '[]')::text AS params,
    coalesce((SELECT json_agg(json_build_object('id', id, 'name', name)) FROM tags), '[]')::text AS tags;

-- name: DictionaryHold :exec
-- Nobody changes the dictionaries until the transaction ends.
SELECT FROM dictionary_version FOR SHARE;
