-- Text that is compared ignoring letter case: after NFC and full case folding, so that "straße" equals
-- "STRASSE" and a composed "ë" a decomposed one (contract 1.5). Upper case of lower case is full case folding for
-- every character but the dotless i, which would become an ordinary one; it is set apart (U+E131 is a
-- private character). The body is bound when the function is made, whatever the search path later is.
CREATE FUNCTION fold(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN normalize(upper(replace(lower(normalize($1, NFC) COLLATE "und-x-icu"), 'ı', E'\uE131') COLLATE "und-x-icu"), NFC);

-- Names that were different until now may be equal by this rule. Which of them stays is a person's
-- decision: nothing is changed before it is made.
DO $$
DECLARE
    pairs text;
BEGIN
    SELECT string_agg(format('%s (%s) = %s (%s)', quote_literal(a.name), a.id, quote_literal(b.name), b.id), ', ' ORDER BY a.name, a.id)
    INTO pairs FROM tags a JOIN tags b ON fold(a.name) = fold(b.name) AND a.id < b.id;
    IF pairs IS NOT NULL THEN
        RAISE EXCEPTION 'tags have the same name ignoring letter case; rename or delete one of each: %', pairs;
    END IF;
END $$;
DROP INDEX tags_name_key;
CREATE UNIQUE INDEX tags_name_key ON tags (fold(name));

-- Substring filters of the lists (contract 2.11). Groups, categories and units are few: they are scanned.
DROP INDEX types_title_trgm_idx;
CREATE INDEX types_title_trgm_idx ON types USING gin (fold(title) gin_trgm_ops);
CREATE INDEX tags_name_trgm_idx ON tags USING gin (fold(name) gin_trgm_ops);
CREATE INDEX params_name_trgm_idx ON params USING gin (fold(name) gin_trgm_ops);

-- A vehicle's value as what it is compared by (contract 2.11): its JSON text says whether it is a number.
CREATE FUNCTION param_number(value text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ascii(value) BETWEEN 45 AND 57 THEN value::numeric END;
-- Dates are ordered as their texts are, byte by byte.
CREATE FUNCTION param_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN fold(CASE WHEN left(value, 1) = '"' THEN value::jsonb #>> '{}' ELSE value END) COLLATE "C";

-- Trigger functions find their tables also where the search path is empty, as pg_restore sets it.
ALTER FUNCTION bump_dictionary_version() SET search_path FROM CURRENT;
ALTER FUNCTION count_vehicle() SET search_path FROM CURRENT;
ALTER FUNCTION queue_indexing() SET search_path FROM CURRENT;
