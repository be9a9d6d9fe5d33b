CREATE INDEX CONCURRENTLY IF NOT EXISTS vehicles_type_idx ON vehicles (type_id, id);
