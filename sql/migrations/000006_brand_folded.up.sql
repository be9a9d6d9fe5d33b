-- The brand filter ignores letter case by full folding (contract 1.5). The index of the filter before stays while
-- programs of the version before may run.
CREATE INDEX CONCURRENTLY IF NOT EXISTS vehicles_brand_folded_idx ON vehicles (fold(brand_name), created_at, id);
