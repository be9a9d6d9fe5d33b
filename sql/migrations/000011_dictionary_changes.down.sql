DROP TRIGGER tags_dictionary_truncate ON tags;
DROP TRIGGER tags_dictionary_delete ON tags;
DROP TRIGGER tags_dictionary_update ON tags;
DROP TRIGGER tags_dictionary_insert ON tags;
DROP TRIGGER units_dictionary_truncate ON units;
DROP TRIGGER units_dictionary_delete ON units;
DROP TRIGGER units_dictionary_update ON units;
DROP TRIGGER units_dictionary_insert ON units;
DROP TRIGGER params_dictionary_truncate ON params;
DROP TRIGGER params_dictionary_delete ON params;
DROP TRIGGER params_dictionary_update ON params;
DROP TRIGGER params_dictionary_insert ON params;
DROP FUNCTION forget_dictionary_changes();
DROP FUNCTION note_dictionary_change();
DROP TABLE dictionary_changes;
CREATE FUNCTION bump_dictionary_version() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE dictionary_version SET version = version + 1;
    RETURN NULL;
END $$;
CREATE TRIGGER params_dictionary AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON params
    FOR EACH STATEMENT EXECUTE FUNCTION bump_dictionary_version();
CREATE TRIGGER units_dictionary AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON units
    FOR EACH STATEMENT EXECUTE FUNCTION bump_dictionary_version();
CREATE TRIGGER tags_dictionary AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON tags
    FOR EACH STATEMENT EXECUTE FUNCTION bump_dictionary_version();
