-- It takes the place of that key, whose other use the index of step 24 serves: one index in place of another. The lock is held for as long as changing the catalog takes.
ALTER TABLE vehicle_params DROP CONSTRAINT vehicle_params_param_key, ADD CONSTRAINT vehicle_params_param_key UNIQUE USING INDEX vehicle_params_of_vehicle_key;
