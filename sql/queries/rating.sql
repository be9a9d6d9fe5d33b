-- Ratings. The vehicle's row is locked first by every writer, so that the aggregates are exact under
-- any concurrency (contract 3.5).

-- name: RatingCreate :one
INSERT INTO ratings (vehicle_id, author_user_id, order_id, score_halves, comment, created_by, updated_by)
VALUES (@vehicle_id, @author, @order_id, @score_halves, @comment, @author, @author)
RETURNING *;

-- name: RatingGetOwn :one
SELECT * FROM ratings WHERE vehicle_id = @vehicle_id AND author_user_id = @author;

-- name: RatingOrderUsed :one
SELECT EXISTS (SELECT FROM ratings WHERE order_id = @order_id);

-- name: RatingUpdate :one
UPDATE ratings SET score_halves = @score_halves, comment = @comment,
    version = version + 1, updated_at = clock_timestamp(), updated_by = @author
WHERE id = @id
RETURNING *;

-- name: RatingDelete :exec
DELETE FROM ratings WHERE id = @id;

-- name: RatingSummary :one
SELECT rating_avg::float8 AS rating_avg, rating_count FROM vehicles WHERE id = @id;

-- name: VehicleRatingAdd :exec
-- The aggregates are part of what the vehicle shows, so its version rises; who changed it last does not
-- become the rater.
UPDATE vehicles SET rating_halves = rating_halves + @halves, rating_count = rating_count + @ratings, version = version + 1
WHERE id = @id;

-- name: EntitlementEligible :one
-- Whether the order entitles the caller to rate the vehicle (contract 3.9, contract 6.2). The letters of "C" are those
-- of ASCII: in the database's own locale PAİD might be "paid", or PAID might not.
SELECT EXISTS (
    SELECT FROM order_entitlements
    WHERE order_id = @order_id AND customer_id = @customer_id AND vehicle_id = @vehicle_id
      AND lower(status COLLATE "C") IN ('done', 'paid')
);

-- name: EntitlementsRateable :many
-- The caller's orders of a vehicle that entitle to a rating and that no rating has used (contract 3.6).
SELECT e.order_id, e.status, e.event_timestamp
FROM order_entitlements e
WHERE e.customer_id = @customer_id AND e.vehicle_id = @vehicle_id AND lower(e.status COLLATE "C") IN ('done', 'paid')
  AND NOT EXISTS (SELECT FROM ratings r WHERE r.order_id = e.order_id)
ORDER BY e.event_timestamp DESC, e.order_id LIMIT 100;
