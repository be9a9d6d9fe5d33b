DROP TABLE idempotency_keys, handled_events, order_entitlements, ratings, vehicle_links, vehicle_tags,
    vehicle_params, vehicles, type_tags, type_params, type_categories, types, params, units, tags,
    categories, groups;
DROP EXTENSION pg_trgm;
DROP EXTENSION vector;
