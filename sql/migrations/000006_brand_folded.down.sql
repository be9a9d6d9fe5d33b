DROP INDEX CONCURRENTLY IF EXISTS vehicles_brand_folded_idx;
