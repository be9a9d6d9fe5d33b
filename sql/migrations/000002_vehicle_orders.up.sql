-- One index for each order that the vehicles list allows (contract 1.18), and for each of its filters.
-- Columns that are never null are read in both directions from one index; nullable ones need two,
-- because nulls come last in both directions (contract 1.11).
CREATE INDEX vehicles_created_at_idx ON vehicles (created_at, id);
CREATE INDEX vehicles_updated_at_idx ON vehicles (updated_at, id);
CREATE INDEX vehicles_brand_idx ON vehicles (brand_name, id);
CREATE INDEX vehicles_model_idx ON vehicles (model_name, id);
CREATE INDEX vehicles_type_idx ON vehicles (type_id, id);
CREATE INDEX vehicles_owner_idx ON vehicles (owner_user_id, id);
CREATE INDEX vehicles_is_active_idx ON vehicles (is_active, id);
CREATE INDEX vehicles_created_by_idx ON vehicles (created_by, id);
CREATE INDEX vehicles_updated_by_idx ON vehicles (updated_by, id);
CREATE INDEX vehicles_plate_asc_idx ON vehicles (license_plate ASC NULLS LAST, id);
CREATE INDEX vehicles_plate_desc_idx ON vehicles (license_plate DESC NULLS LAST, id DESC);
CREATE INDEX vehicles_year_asc_idx ON vehicles (release_year ASC NULLS LAST, id);
CREATE INDEX vehicles_year_desc_idx ON vehicles (release_year DESC NULLS LAST, id DESC);

-- The default list of anonymous callers: ids of deep pages come from the index alone.
CREATE INDEX vehicles_public_idx ON vehicles (created_at, id) WHERE is_active;
-- The own list: an owner's records in the default order.
CREATE INDEX vehicles_own_idx ON vehicles (owner_user_id, created_at, id);

CREATE INDEX vehicles_plate_trgm_idx ON vehicles USING gin (license_plate gin_trgm_ops);
CREATE INDEX vehicles_brand_lower_idx ON vehicles (lower(brand_name), created_at, id);
CREATE INDEX vehicles_rating_idx ON vehicles (rating_avg, rating_count) WHERE rating_count > 0;
CREATE INDEX vehicles_rating_count_idx ON vehicles (rating_count) WHERE rating_count > 0;
