DROP FUNCTION searchable_vehicles(uuid, uuid, uuid, text, text, integer, uuid, text);
DROP VIEW vehicle_details;
