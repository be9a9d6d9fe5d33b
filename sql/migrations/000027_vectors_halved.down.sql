DROP INDEX CONCURRENTLY IF EXISTS vehicle_embeddings_half_idx;
