-- Ranges of numbers among the values of a parameter (contract 2.11).
CREATE INDEX CONCURRENTLY IF NOT EXISTS vehicle_params_number_idx ON vehicle_params (param_id, param_number(value), vehicle_id)
    WHERE ascii(value) BETWEEN 45 AND 57;
