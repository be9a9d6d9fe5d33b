-- A vehicle with all that belongs to it, children as arrays in their order: the columns that answers are
-- made of, said once. A column that a statement does not use costs it nothing.
CREATE VIEW vehicle_details AS
SELECT v.id, v.type_id, v.license_plate, v.brand_name, v.model_name, v.release_year, v.is_active, v.owner_user_id,
    (v.rating_avg * 100)::integer AS rating_hundredths, v.rating_count,
    v.version, v.created_at, v.updated_at, v.created_by, v.updated_by,
    ARRAY(SELECT p.param_id FROM vehicle_params p WHERE p.vehicle_id = v.id ORDER BY p.position)::uuid[] AS param_ids,
    ARRAY(SELECT p.value FROM vehicle_params p WHERE p.vehicle_id = v.id ORDER BY p.position)::text[] AS param_values,
    ARRAY(SELECT t.tag_id FROM vehicle_tags t WHERE t.vehicle_id = v.id ORDER BY t.position)::uuid[] AS tag_ids,
    ARRAY(SELECT l.file_id FROM vehicle_links l WHERE l.vehicle_id = v.id AND l.kind = 'photo' ORDER BY l.position)::uuid[] AS photo_ids,
    ARRAY(SELECT l.file_id FROM vehicle_links l WHERE l.vehicle_id = v.id AND l.kind = 'photo' AND l.is_active ORDER BY l.position)::uuid[] AS active_photo_ids,
    ARRAY(SELECT l.file_id FROM vehicle_links l WHERE l.vehicle_id = v.id AND l.kind = 'doc' ORDER BY l.position)::uuid[] AS doc_ids,
    ARRAY(SELECT l.file_id FROM vehicle_links l WHERE l.vehicle_id = v.id AND l.kind = 'doc' AND l.is_active ORDER BY l.position)::uuid[] AS active_doc_ids
FROM vehicles v;

-- The vehicles that a search may find: public, and equal in each filter that is not null (contract 4.1). A statement
-- takes the body in place of the call; planned with its values, absent filters are gone, and lists in place
-- of joins let each of the others use its index.
CREATE FUNCTION searchable_vehicles(type_id uuid, category_id uuid, group_id uuid, brand text, model text, release_year integer,
    tag_id uuid, owner text) RETURNS SETOF uuid LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT v.id FROM vehicles v
    WHERE v.is_active
      AND ($1 IS NULL OR v.type_id = $1)
      AND ($2 IS NULL OR v.type_id = ANY (ARRAY(SELECT c.type_id FROM type_categories c WHERE c.category_id = $2)))
      AND ($3 IS NULL OR v.type_id = ANY (ARRAY(
          SELECT tc.type_id FROM type_categories tc JOIN categories c ON c.id = tc.category_id WHERE c.group_id = $3)))
      AND ($4 IS NULL OR fold(v.brand_name) = fold($4))
      AND ($5 IS NULL OR fold(v.model_name) = fold($5))
      AND ($6 IS NULL OR v.release_year = $6)
      AND ($7 IS NULL OR v.id = ANY (ARRAY(SELECT t.vehicle_id FROM vehicle_tags t WHERE t.tag_id = $7)))
      AND ($8 IS NULL OR v.owner_user_id = $8);
END;
