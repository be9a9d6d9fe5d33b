-- The index of vectors until now, which programs of the version before still search by: without it they compute all
-- distances. Where that is a matter of milliseconds it goes now. Where there are many vectors it stays until they have been
-- replaced, and then goes by hand (docs/operations.md, Upgrade): each insertion pays for both until then.
DO $$
BEGIN
    IF (SELECT count(*) FROM (SELECT FROM vehicle_embeddings LIMIT 10001) counted) <= 10000 THEN
        DROP INDEX IF EXISTS vehicle_embeddings_hnsw_idx;
    END IF;
END $$;
