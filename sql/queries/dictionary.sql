-- The dictionaries whose names stand in vehicles and types, in one statement and so in one snapshot.

-- name: DictionaryLoad :one
-- What has changed since a version, or everything where that is not known any more (or since is negative):
-- complete tells which. Params come with a unit that has changed too.
WITH since AS (
    SELECT (@since::bigint < 0 OR NOT EXISTS (SELECT FROM dictionary_changes c WHERE c.version - 1 = @since::bigint)
        AND @since::bigint <> (SELECT v.version FROM dictionary_version v)) AS complete
), changed AS MATERIALIZED (
    SELECT DISTINCT c.kind, c.id FROM dictionary_changes c WHERE c.version > @since::bigint AND NOT (SELECT complete FROM since)
)
SELECT (SELECT v.version FROM dictionary_version v)::bigint AS version, since.complete::boolean AS complete,
    coalesce((SELECT json_agg(id) FROM changed), '[]')::text AS changed,
    coalesce((SELECT json_agg(json_build_object('id', id, 'code', code, 'label', label, 'unitSystem', unit_system,
        'isActive', is_active, 'version', version, 'createdAt', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'updatedAt', to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'createdBy', created_by, 'updatedBy', updated_by)) FROM units
        WHERE since.complete OR id IN (SELECT id FROM changed WHERE kind = 'unit')), '[]')::text AS units,
    coalesce((SELECT json_agg(json_build_object('id', id, 'name', name, 'valueType', value_type, 'unitId', unit_id,
        'isRequired', is_required, 'isActive', is_active, 'version', version, 'createdAt', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'updatedAt', to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'createdBy', created_by, 'updatedBy', updated_by)) FROM params
        WHERE since.complete OR id IN (SELECT id FROM changed WHERE kind = 'param') OR unit_id IN (SELECT id FROM changed WHERE kind = 'unit')), '[]')::text AS params,
    coalesce((SELECT json_agg(json_build_object('id', id, 'name', name, 'deleted', deleted_at IS NOT NULL)) FROM tags
        WHERE since.complete OR id IN (SELECT id FROM changed WHERE kind = 'tag')), '[]')::text AS tags
FROM since;

-- name: DictionaryHold :exec
-- Nobody changes the dictionaries until the transaction ends.
SELECT FROM dictionary_version FOR SHARE;
