DROP INDEX CONCURRENTLY IF EXISTS vehicle_params_text_idx;
