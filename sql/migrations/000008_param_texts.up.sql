-- Equal texts, and ranges of dates, among the values of a parameter (contract 2.11). A text may be longer than an
-- entry of an index: its beginning is kept, and the whole compared again.
CREATE INDEX CONCURRENTLY IF NOT EXISTS vehicle_params_text_idx ON vehicle_params (param_id, left(param_text(value), 100) COLLATE "C", vehicle_id)
    WHERE ascii(value) NOT BETWEEN 45 AND 57;
