DROP INDEX CONCURRENTLY IF EXISTS vehicle_params_number_idx;
