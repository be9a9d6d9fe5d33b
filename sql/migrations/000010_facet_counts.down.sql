DROP TRIGGER vehicle_tags_facets_delete ON vehicle_tags;
DROP TRIGGER vehicle_tags_facets_insert ON vehicle_tags;
DROP TRIGGER vehicles_facets_deleted ON vehicles;
DROP TRIGGER vehicles_facets ON vehicles;
DROP FUNCTION count_vehicle_tags();
DROP FUNCTION count_tags_of_deleted();
DROP FUNCTION count_vehicle_facets();
DROP TABLE vehicle_count_changes;
DROP TABLE vehicle_counts;
