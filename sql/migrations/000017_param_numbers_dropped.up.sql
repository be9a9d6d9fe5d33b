-- The index of ranges until now. Programs of the version before find ranges by the parameter alone, slower.
DROP INDEX CONCURRENTLY IF EXISTS vehicle_params_number_idx;
