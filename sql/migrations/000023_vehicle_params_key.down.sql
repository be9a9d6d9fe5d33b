-- Builds both indexes anew, and nobody reads or writes values of parameters meanwhile.
ALTER TABLE vehicle_params DROP CONSTRAINT vehicle_params_param_key, ADD CONSTRAINT vehicle_params_param_key UNIQUE (param_id, vehicle_id);
CREATE UNIQUE INDEX vehicle_params_of_type_key ON vehicle_params (param_id, vehicle_type_id, vehicle_id) INCLUDE (number);
