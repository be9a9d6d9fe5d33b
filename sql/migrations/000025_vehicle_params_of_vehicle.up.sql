-- A vehicle holds a parameter once. The keys of a vehicle's values lie side by side, so that writing them changes one
-- page and not one for each.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS vehicle_params_of_vehicle_key ON vehicle_params (vehicle_id, param_id);
