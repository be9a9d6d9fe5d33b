-- It becomes the primary key: one index in place of another. The lock is held for as long as changing the catalog takes.
ALTER TABLE vehicle_tags DROP CONSTRAINT vehicle_tags_pkey, ADD CONSTRAINT vehicle_tags_pkey PRIMARY KEY USING INDEX vehicle_tags_covered_key;
