-- What the vehicles of a type hold of a parameter, by its number: ranges within a type read what they find and no other
-- type's (contract 2.11), and facets the numbers of the type (contract 2.17), both without the table.
CREATE INDEX CONCURRENTLY IF NOT EXISTS vehicle_params_ranges_of_type_idx ON vehicle_params (param_id, vehicle_type_id, number)
    INCLUDE (vehicle_id, vehicle_is_active, vehicle_created_at);
