CREATE INDEX CONCURRENTLY IF NOT EXISTS vehicle_embeddings_hnsw_idx ON vehicle_embeddings USING hnsw (embedding vector_cosine_ops)
    WITH (m = 16, ef_construction = 64);
