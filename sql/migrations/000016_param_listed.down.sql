DROP INDEX CONCURRENTLY IF EXISTS vehicle_params_listed_idx;
