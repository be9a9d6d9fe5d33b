DROP INDEX CONCURRENTLY IF EXISTS vehicle_params_of_vehicle_key;
