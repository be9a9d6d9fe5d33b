-- Semantic search (contract 4.2): the vehicles nearest to a query by cosine, among those that a search may find. A
-- stored vector of zeros has no direction: its distance is NaN, which comes last, and it counts as not indexed.

-- name: SearchNearest :many
-- By the index, whose numbers of 16 bits put neighbours in a slightly different order, and which gives those that pass
-- filters in no strict order: so it is asked for more than are wanted, and these are ranked by the vectors themselves. It
-- knows the order by distance only (an id in it would make the planner sort all vectors), so ties are taken whole and cut
-- by id afterwards.
WITH found AS MATERIALIZED (
    SELECT e.vehicle_id, e.embedding <=> sqlc.arg(query)::vector AS distance
    FROM searchable_vehicles(sqlc.narg(type_id), sqlc.narg(category_id), sqlc.narg(group_id), sqlc.narg(brand),
        sqlc.narg(model_name), sqlc.narg(release_year), sqlc.narg(tag_id), sqlc.narg(owner)) AS v(id)
    JOIN vehicle_embeddings e ON e.vehicle_id = v.id
    WHERE e.model = @model
    ORDER BY e.embedding::halfvec(1024) <=> sqlc.arg(query)::vector::halfvec(1024) FETCH FIRST (@ranked::bigint) ROWS WITH TIES
), nearest AS MATERIALIZED (
    SELECT * FROM found WHERE distance <> 'NaN' ORDER BY distance, vehicle_id LIMIT @top::bigint
)
SELECT (SELECT version FROM dictionary_version)::bigint AS dictionary, (1 - n.distance)::float8 AS score,
    d.id, d.type_id, d.license_plate, d.brand_name, d.model_name, d.release_year, d.is_active, d.owner_user_id,
    d.rating_hundredths, d.rating_count, d.version, d.created_at, d.updated_at, d.created_by, d.updated_by,
    d.param_ids, d.param_values, d.tag_ids,
    (CASE WHEN @all_links::boolean OR d.owner_user_id = @links_of::text THEN d.photo_ids ELSE d.active_photo_ids END)::uuid[] AS photo_ids,
    (CASE WHEN @all_links::boolean OR d.owner_user_id = @links_of::text THEN d.doc_ids ELSE d.active_doc_ids END)::uuid[] AS doc_ids
FROM nearest n JOIN vehicle_details d ON d.id = n.vehicle_id
ORDER BY n.distance, d.id;

-- name: SearchExact :many
-- By all distances, if there are fewer candidates than the bound; else it computes nothing.
WITH candidates AS MATERIALIZED (
    SELECT v.id
    FROM searchable_vehicles(sqlc.narg(type_id), sqlc.narg(category_id), sqlc.narg(group_id), sqlc.narg(brand),
        sqlc.narg(model_name), sqlc.narg(release_year), sqlc.narg(tag_id), sqlc.narg(owner)) AS v(id)
    LIMIT @bound::bigint
), nearest AS MATERIALIZED (
    SELECT e.vehicle_id, e.embedding <=> sqlc.arg(query)::vector AS distance
    FROM candidates c JOIN vehicle_embeddings e ON e.vehicle_id = c.id
    WHERE e.model = @model AND (SELECT count(*) FROM candidates) < @bound::bigint
    ORDER BY 2, 1 LIMIT @top::bigint
)
SELECT (SELECT version FROM dictionary_version)::bigint AS dictionary, (1 - n.distance)::float8 AS score,
    d.id, d.type_id, d.license_plate, d.brand_name, d.model_name, d.release_year, d.is_active, d.owner_user_id,
    d.rating_hundredths, d.rating_count, d.version, d.created_at, d.updated_at, d.created_by, d.updated_by,
    d.param_ids, d.param_values, d.tag_ids,
    (CASE WHEN @all_links::boolean OR d.owner_user_id = @links_of::text THEN d.photo_ids ELSE d.active_photo_ids END)::uuid[] AS photo_ids,
    (CASE WHEN @all_links::boolean OR d.owner_user_id = @links_of::text THEN d.doc_ids ELSE d.active_doc_ids END)::uuid[] AS doc_ids
FROM nearest n JOIN vehicle_details d ON d.id = n.vehicle_id
WHERE n.distance <> 'NaN'
ORDER BY n.distance, d.id;

-- name: SearchCandidates :one
-- How many vehicles a search may find, counted up to a bound.
SELECT count(*) FROM (
    SELECT FROM searchable_vehicles(sqlc.narg(type_id), sqlc.narg(category_id), sqlc.narg(group_id), sqlc.narg(brand),
        sqlc.narg(model_name), sqlc.narg(release_year), sqlc.narg(tag_id), sqlc.narg(owner)) AS v(id)
    LIMIT @bound::bigint
) counted;

-- name: SearchIndexed :one
-- How many vectors the index holds, of which three stand on a page: by its size, which is known at once, while the
-- planner's count is that of the last ANALYZE. And in how many lists they are (ivfflat, which has 100 by default); 0: it is a
-- graph (hnsw).
SELECT coalesce(max(pg_relation_size(c.oid) * 3 / 8192), 0)::bigint AS vectors,
    coalesce(max(CASE a.amname WHEN 'ivfflat' THEN coalesce(substring(array_to_string(c.reloptions, ',') FROM 'lists=([0-9]+)'), '100')::bigint END), 0)::bigint AS lists
FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid JOIN pg_catalog.pg_am a ON a.oid = c.relam
WHERE i.indrelid = to_regclass('vehicle_embeddings') AND i.indisvalid AND i.indexprs IS NOT NULL AND i.indpred IS NULL AND a.amname IN ('hnsw', 'ivfflat');
