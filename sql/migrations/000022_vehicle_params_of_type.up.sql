-- The numbers that the vehicles of a type hold of a parameter (contract 2.17) lie side by side. A vehicle has one type,
-- which all rows of its values say, so this key forbids what the key of parameter and vehicle forbids.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS vehicle_params_of_type_key ON vehicle_params (param_id, vehicle_type_id, vehicle_id) INCLUDE (number);
