DROP TRIGGER vehicles_params_listed ON vehicles;
DROP FUNCTION list_params_of_vehicle();
DROP TRIGGER vehicle_params_listed ON vehicle_params;
DROP FUNCTION list_vehicle_param();
ALTER TABLE vehicle_params
    DROP COLUMN number,
    DROP COLUMN vehicle_type_id,
    DROP COLUMN vehicle_is_active,
    DROP COLUMN vehicle_created_at;
