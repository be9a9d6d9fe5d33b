-- Ranges of numbers, with what the vehicles' list needs of each (contract 2.11): the table itself is not read.
CREATE INDEX CONCURRENTLY IF NOT EXISTS vehicle_params_listed_idx ON vehicle_params (param_id, number)
    INCLUDE (vehicle_id, vehicle_type_id, vehicle_is_active, vehicle_created_at) WHERE number IS NOT NULL;
