-- How many vehicles each type, brand and search tag has: what the facets of all vehicles show without
-- counting them (contract 2.17). Writers only append their changes, so that two of them never wait for one popular
-- brand; now and then the catalog adds the changes up. What is counted is always the sum of both tables in
-- one snapshot, hence exact.
CREATE TABLE vehicle_counts (
    kind   text NOT NULL CHECK (kind IN ('type', 'brand', 'tag')),
    key    text COLLATE "C" NOT NULL, -- an id, or a brand as it is written
    folded text COLLATE "C" NOT NULL, -- the brand ignoring letter case; empty for ids
    active bigint NOT NULL,
    total  bigint NOT NULL,
    PRIMARY KEY (kind, key)
);
CREATE TABLE vehicle_count_changes (
    kind   text NOT NULL,
    key    text COLLATE "C" NOT NULL,
    active integer NOT NULL,
    total  integer NOT NULL
);

-- Changes of a vehicle's row. Its tags count with it: when it becomes active or inactive, and when it goes.
-- (Tags of a deleted vehicle go after it; count_vehicle_tags does not find the vehicle any more then.)
CREATE FUNCTION count_vehicle_facets() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    was_active integer := CASE WHEN TG_OP <> 'INSERT' THEN OLD.is_active::integer END;
    now_active integer := CASE WHEN TG_OP <> 'DELETE' THEN NEW.is_active::integer END;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.type_id = NEW.type_id AND OLD.brand_name = NEW.brand_name AND OLD.is_active = NEW.is_active THEN
        RETURN NULL;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO vehicle_count_changes VALUES
            ('type', OLD.type_id::text, -was_active, -1), ('brand', OLD.brand_name, -was_active, -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO vehicle_count_changes VALUES
            ('type', NEW.type_id::text, now_active, 1), ('brand', NEW.brand_name, now_active, 1);
    END IF;
    IF TG_OP = 'UPDATE' AND was_active <> now_active THEN
        INSERT INTO vehicle_count_changes
        SELECT 'tag', t.tag_id, now_active - was_active, 0 FROM vehicle_tags t WHERE t.vehicle_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION count_tags_of_deleted() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO vehicle_count_changes
    SELECT 'tag', t.tag_id, -OLD.is_active::integer, -1 FROM vehicle_tags t WHERE t.vehicle_id = OLD.id;
    RETURN OLD;
END $$;
CREATE FUNCTION count_vehicle_tags() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO vehicle_count_changes
        SELECT 'tag', r.tag_id, v.is_active::integer, 1 FROM new_rows r JOIN vehicles v ON v.id = r.vehicle_id;
    ELSE
        INSERT INTO vehicle_count_changes
        SELECT 'tag', r.tag_id, -v.is_active::integer, -1 FROM old_rows r JOIN vehicles v ON v.id = r.vehicle_id;
    END IF;
    RETURN NULL;
END $$;

LOCK TABLE vehicles, vehicle_tags IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO vehicle_counts
SELECT 'type', type_id::text, '', count(*) FILTER (WHERE is_active), count(*) FROM vehicles GROUP BY type_id
UNION ALL
SELECT 'brand', brand_name, fold(brand_name), count(*) FILTER (WHERE is_active), count(*) FROM vehicles GROUP BY brand_name
UNION ALL
SELECT 'tag', t.tag_id::text, '', count(*) FILTER (WHERE v.is_active), count(*)
FROM vehicle_tags t JOIN vehicles v ON v.id = t.vehicle_id GROUP BY t.tag_id;

CREATE TRIGGER vehicles_facets AFTER INSERT OR DELETE OR UPDATE OF type_id, brand_name, is_active ON vehicles
    FOR EACH ROW EXECUTE FUNCTION count_vehicle_facets();
CREATE TRIGGER vehicles_facets_deleted BEFORE DELETE ON vehicles
    FOR EACH ROW EXECUTE FUNCTION count_tags_of_deleted();
-- The tags of a link never change: links are made and removed.
CREATE TRIGGER vehicle_tags_facets_insert AFTER INSERT ON vehicle_tags REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_vehicle_tags();
CREATE TRIGGER vehicle_tags_facets_delete AFTER DELETE ON vehicle_tags REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_vehicle_tags();
