-- Builds both indexes anew, and nobody reads or writes values of parameters meanwhile.
ALTER TABLE vehicle_params DROP CONSTRAINT vehicle_params_param_key;
CREATE UNIQUE INDEX vehicle_params_of_vehicle_key ON vehicle_params (vehicle_id, param_id);
ALTER TABLE vehicle_params ADD CONSTRAINT vehicle_params_param_key UNIQUE (param_id, vehicle_type_id, vehicle_id) INCLUDE (number);
