-- The index of types until now; the one of the step before is in the same order and serves whatever it served.
DROP INDEX CONCURRENTLY IF EXISTS vehicles_type_idx;
