-- What lists need beside a parameter's value stands in its row, so that one index answers "at least 25 t" (contract
-- 2.11): the value as a number, and of its vehicle what is public, of which type, and the default order. Filled by
-- triggers, so that programs of the version before fill it too.

-- Vehicles first, as writers do: two that lock the tables in different orders would wait for each other.
LOCK TABLE vehicles IN SHARE ROW EXCLUSIVE MODE;

ALTER TABLE vehicle_params
    ADD COLUMN number numeric,
    ADD COLUMN vehicle_type_id uuid,
    ADD COLUMN vehicle_is_active boolean,
    ADD COLUMN vehicle_created_at timestamptz,
    -- of rows that are new or change; the next steps fill the others and prove the rule for all
    ADD CONSTRAINT vehicle_params_listed_check
        CHECK (vehicle_type_id IS NOT NULL AND vehicle_is_active IS NOT NULL AND vehicle_created_at IS NOT NULL) NOT VALID;

CREATE FUNCTION list_vehicle_param() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    NEW.number := param_number(NEW.value);
    SELECT v.type_id, v.is_active, v.created_at INTO NEW.vehicle_type_id, NEW.vehicle_is_active, NEW.vehicle_created_at
    FROM vehicles v WHERE v.id = NEW.vehicle_id FOR SHARE; -- nobody changes them before this value can be seen
    RETURN NEW;
END $$;
CREATE TRIGGER vehicle_params_listed BEFORE INSERT OR UPDATE OF vehicle_id, value ON vehicle_params
    FOR EACH ROW EXECUTE FUNCTION list_vehicle_param();

-- Every column, also of rows that the next step has not reached.
CREATE FUNCTION list_params_of_vehicle() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE vehicle_params SET number = param_number(value),
        vehicle_type_id = NEW.type_id, vehicle_is_active = NEW.is_active, vehicle_created_at = NEW.created_at
    WHERE vehicle_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER vehicles_params_listed AFTER UPDATE OF type_id, is_active, created_at ON vehicles
    FOR EACH ROW WHEN (OLD.type_id <> NEW.type_id OR OLD.is_active <> NEW.is_active OR OLD.created_at <> NEW.created_at)
    EXECUTE FUNCTION list_params_of_vehicle();
