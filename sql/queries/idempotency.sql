-- Kept answers of creations (contract 1.15).

-- name: IdempotencyTryLock :one
SELECT pg_try_advisory_xact_lock(hashtextextended(@scope::text, 0));

-- name: IdempotencyGet :one
SELECT request_hash, location, etag, body FROM idempotency_keys
WHERE caller = @caller AND operation = @operation AND key = @key AND created_at > now() - interval '24 hours';

-- name: IdempotencyPut :exec
INSERT INTO idempotency_keys (caller, operation, key, request_hash, location, etag, body)
VALUES (@caller, @operation, @key, @request_hash, @location, @etag, @body)
ON CONFLICT (caller, operation, key) DO UPDATE
SET request_hash = excluded.request_hash, location = excluded.location, etag = excluded.etag, body = excluded.body, created_at = now();

-- name: IdempotencyPurge :execrows
DELETE FROM idempotency_keys
WHERE (caller, operation, key) IN (
    SELECT caller, operation, key FROM idempotency_keys i
    WHERE i.created_at <= now() - interval '24 hours'
    LIMIT 1000 FOR UPDATE SKIP LOCKED
);
