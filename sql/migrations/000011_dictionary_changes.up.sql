-- What changed in the dictionaries with each of their versions, so that who has one version needs the few
-- rows that are new and not all of them. The last thousand versions are kept: who is further behind reads
-- everything.
CREATE TABLE dictionary_changes (
    version bigint NOT NULL,
    kind    text NOT NULL CHECK (kind IN ('param', 'unit', 'tag')),
    id      uuid NOT NULL,
    PRIMARY KEY (version, kind, id)
);

CREATE FUNCTION note_dictionary_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    now_at bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM changed_rows) THEN
        RETURN NULL;
    END IF;
    UPDATE dictionary_version SET version = version + 1 RETURNING version INTO now_at;
    INSERT INTO dictionary_changes SELECT now_at, TG_ARGV[0], id FROM changed_rows;
    DELETE FROM dictionary_changes WHERE version <= now_at - 1000;
    RETURN NULL;
END $$;
CREATE FUNCTION forget_dictionary_changes() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE dictionary_version SET version = version + 1;
    DELETE FROM dictionary_changes;
    RETURN NULL;
END $$;

DROP TRIGGER params_dictionary ON params;
DROP TRIGGER units_dictionary ON units;
DROP TRIGGER tags_dictionary ON tags;
DROP FUNCTION bump_dictionary_version();
CREATE TRIGGER params_dictionary_insert AFTER INSERT ON params REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_dictionary_change('param');
CREATE TRIGGER params_dictionary_update AFTER UPDATE ON params REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_dictionary_change('param');
CREATE TRIGGER params_dictionary_delete AFTER DELETE ON params REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_dictionary_change('param');
CREATE TRIGGER params_dictionary_truncate AFTER TRUNCATE ON params FOR EACH STATEMENT EXECUTE FUNCTION forget_dictionary_changes();
CREATE TRIGGER units_dictionary_insert AFTER INSERT ON units REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_dictionary_change('unit');
CREATE TRIGGER units_dictionary_update AFTER UPDATE ON units REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_dictionary_change('unit');
CREATE TRIGGER units_dictionary_delete AFTER DELETE ON units REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_dictionary_change('unit');
CREATE TRIGGER units_dictionary_truncate AFTER TRUNCATE ON units FOR EACH STATEMENT EXECUTE FUNCTION forget_dictionary_changes();
CREATE TRIGGER tags_dictionary_insert AFTER INSERT ON tags REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_dictionary_change('tag');
CREATE TRIGGER tags_dictionary_update AFTER UPDATE ON tags REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_dictionary_change('tag');
CREATE TRIGGER tags_dictionary_delete AFTER DELETE ON tags REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_dictionary_change('tag');
CREATE TRIGGER tags_dictionary_truncate AFTER TRUNCATE ON tags FOR EACH STATEMENT EXECUTE FUNCTION forget_dictionary_changes();
