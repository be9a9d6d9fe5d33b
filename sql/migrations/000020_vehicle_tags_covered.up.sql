-- The tags of a vehicle in their order, from the index alone: facets count them for thousands of vehicles.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS vehicle_tags_covered_key ON vehicle_tags (vehicle_id, position) INCLUDE (tag_id);
