DROP INDEX CONCURRENTLY IF EXISTS vehicle_tags_covered_key;
