-- A tag of very many vehicles is not unlinked in one transaction: the one that deletes it hides it and frees
-- its name, its links go in steps (contract 2.3). Programs of the version before see such a tag until it is gone.
ALTER TABLE tags ADD COLUMN deleted_at timestamptz, ADD COLUMN deleted_by text;
DROP INDEX tags_name_key;
CREATE UNIQUE INDEX tags_name_key ON tags (fold(name)) WHERE deleted_at IS NULL;
CREATE INDEX tags_deleted_idx ON tags (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE OR REPLACE FUNCTION searchable_vehicles(type_id uuid, category_id uuid, group_id uuid, brand text, model text, release_year integer,
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
      AND ($7 IS NULL OR v.id = ANY (ARRAY(
          SELECT t.vehicle_id FROM vehicle_tags t JOIN tags g ON g.id = t.tag_id WHERE t.tag_id = $7 AND g.deleted_at IS NULL)))
      AND ($8 IS NULL OR v.owner_user_id = $8);
END;
