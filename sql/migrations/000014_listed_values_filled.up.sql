-- Fills what the step before added, in transactions of its own: writers wait for a few thousand vehicles at most.
DO $$
DECLARE
    -- no id is less; ids are walked in their order
    behind uuid := '00000000-0000-0000-0000-000000000000';
    last uuid;
BEGIN
    LOOP
        WITH next AS (
            SELECT v.id, v.type_id, v.is_active, v.created_at FROM vehicles v WHERE v.id >= behind ORDER BY v.id LIMIT 5000
        ), filled AS (
            UPDATE vehicle_params p SET number = param_number(p.value), vehicle_type_id = next.type_id,
                vehicle_is_active = next.is_active, vehicle_created_at = next.created_at
            FROM next WHERE p.vehicle_id = next.id AND p.vehicle_created_at IS NULL
        )
        SELECT max(id::text COLLATE "C")::uuid INTO last FROM next;
        COMMIT;
        EXIT WHEN last IS NULL OR last = behind;
        behind := last;
    END LOOP;
END $$;
