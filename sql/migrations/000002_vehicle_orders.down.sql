DROP INDEX vehicles_created_at_idx, vehicles_updated_at_idx, vehicles_brand_idx, vehicles_model_idx,
    vehicles_type_idx, vehicles_owner_idx, vehicles_is_active_idx, vehicles_created_by_idx,
    vehicles_updated_by_idx, vehicles_plate_asc_idx, vehicles_plate_desc_idx, vehicles_year_asc_idx,
    vehicles_year_desc_idx, vehicles_public_idx, vehicles_own_idx, vehicles_plate_trgm_idx,
    vehicles_brand_lower_idx, vehicles_rating_idx, vehicles_rating_count_idx;
