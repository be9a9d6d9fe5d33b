DROP INDEX CONCURRENTLY IF EXISTS vehicle_params_of_type_key;
