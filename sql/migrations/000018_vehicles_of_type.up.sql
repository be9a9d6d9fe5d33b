-- The vehicles of a type with what their facets need of each (contract 2.17): the table itself is not read. Each of these
-- columns is in an index already, so changing one of them costs no more than before.
CREATE INDEX CONCURRENTLY IF NOT EXISTS vehicles_of_type_idx ON vehicles (type_id, id) INCLUDE (brand_name, release_year, is_active);
