-- Kept counts of vehicles (contract 2.17): what writers appended is added up, so that a reader has few rows to sum.

-- name: VehicleCountsAddUp :execrows
-- Takes changes that nobody else takes now. Keys in order, so that two who add up do not lock each other out.
WITH taken AS (
    DELETE FROM vehicle_count_changes WHERE ctid = ANY (ARRAY(
        SELECT c.ctid FROM vehicle_count_changes c LIMIT @most::bigint FOR UPDATE SKIP LOCKED))
    RETURNING kind, key, active, total
), sums AS (
    SELECT kind, key, sum(active) AS active, sum(total) AS total FROM taken GROUP BY kind, key ORDER BY kind, key
)
INSERT INTO vehicle_counts (kind, key, folded, active, total)
SELECT kind, key, CASE WHEN kind = 'brand' THEN fold(key) ELSE '' END, active, total FROM sums
ON CONFLICT (kind, key) DO UPDATE SET active = vehicle_counts.active + excluded.active, total = vehicle_counts.total + excluded.total;

-- name: VehicleCountsTidy :exec
-- What nothing is left of goes, unless somebody is at it.
DELETE FROM vehicle_counts WHERE (kind, key) IN (
    SELECT kind, key FROM vehicle_counts WHERE total = 0 AND active = 0 FOR UPDATE SKIP LOCKED);
