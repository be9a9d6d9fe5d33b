-- Builds both indexes anew, and nobody reads or writes tags of vehicles meanwhile.
ALTER TABLE vehicle_tags DROP CONSTRAINT vehicle_tags_pkey, ADD CONSTRAINT vehicle_tags_pkey PRIMARY KEY (vehicle_id, position);
CREATE UNIQUE INDEX vehicle_tags_covered_key ON vehicle_tags (vehicle_id, position) INCLUDE (tag_id);
