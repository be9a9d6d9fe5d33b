package catalog

// This file: reading equipment types (contract 2.4).

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/auth"
	"equipment-platform/internal/edge"
)

var typeOrders = orders(map[string]sortable{"title": {column: "title"}})

// typeRow is a type with the ids of what belongs to it, in order, and the
// dictionary version of the snapshot.
type typeRow struct {
	catalogdb.Type
	categoryIDs, paramIDs, tagIDs []uuid.UUID
	dictionary                    int64
}

const typeColumns = `t.id, t.title, t.icon_file_id, t.is_active, t.version, t.created_at, t.updated_at, t.created_by, t.updated_by,
ARRAY(SELECT l.category_id FROM type_categories l WHERE l.type_id = t.id ORDER BY l.position),
ARRAY(SELECT l.param_id FROM type_params l WHERE l.type_id = t.id ORDER BY l.position),
ARRAY(SELECT l.tag_id FROM type_tags l WHERE l.type_id = t.id ORDER BY l.position), ` + dictionaryVersion

func scanType(t *typeRow) []any {
	return []any{
		&t.ID, &t.Title, &t.IconFileID, &t.IsActive, &t.Version, &t.CreatedAt, &t.UpdatedAt, &t.CreatedBy, &t.UpdatedBy,
		&t.categoryIDs, &t.paramIDs, &t.tagIDs, &t.dictionary,
	}
}

// held is about what a type and its JSON take in memory together: it shows whole
// definitions.
func (t *typeRow) held(names *dictionary) int64 {
	n := 2048
	for _, id := range t.paramIDs {
		if p := names.params[id]; p != nil {
			n += p.bytes
		}
	}
	return 2 * int64(n)
}

func typeOf(t typeRow, names *dictionary) (api.EquipmentType, error) {
	out := api.EquipmentType{
		ID: t.ID, Title: t.Title, IconFileID: show(t.IconFileID), IsActive: t.IsActive, Version: t.Version,
		CreatedAt: utc(t.CreatedAt), UpdatedAt: utc(t.UpdatedAt), CreatedBy: t.CreatedBy, UpdatedBy: t.UpdatedBy,
		CategoryIds: t.categoryIDs, SearchTagIds: make([]uuid.UUID, 0, len(t.tagIDs)),
		Params: make([]api.Param, len(t.paramIDs)), SearchTags: make([]api.TagRef, 0, len(t.tagIDs)),
	}
	for i, id := range t.paramIDs {
		name := names.params[id]
		if name == nil {
			return out, fmt.Errorf("type %s binds param %s, which is not in dictionary %d", t.ID, id, names.version)
		}
		out.Params[i] = name.param
	}
	for _, id := range t.tagIDs {
		name := names.tags[id]
		if name == nil {
			return out, fmt.Errorf("type %s has tag %s, which is not in dictionary %d", t.ID, id, names.version)
		}
		if !name.deleted {
			out.SearchTagIds, out.SearchTags = append(out.SearchTagIds, id), append(out.SearchTags, name.ref)
		}
	}
	return out, nil
}

func (s *Service) readType(ctx context.Context, db catalogdb.DBTX, id uuid.UUID) (api.EquipmentType, error) {
	var t typeRow
	names, err := s.withNames(ctx, db, func(db catalogdb.DBTX) (int64, error) {
		t = typeRow{}
		err := db.QueryRow(ctx, "SELECT "+typeColumns+" FROM types t WHERE t.id = $1", id).Scan(scanType(&t)...)
		return t.dictionary, err
	})
	if err != nil {
		return api.EquipmentType{}, err
	}
	return typeOf(t, names)
}

// typeFilter is the filter of the list and the count.
func typeFilter(ctx context.Context, categoryID, groupID *uuid.UUID, title, tenantID *string) where {
	w := onlyActive(ctx, "t")
	const ofCategory = "t.id IN (SELECT tc.type_id FROM type_categories tc JOIN categories c ON c.id = tc.category_id WHERE "
	if categoryID != nil {
		w.add("t.id IN (SELECT tc.type_id FROM type_categories tc WHERE tc.category_id = %s)", *categoryID)
	}
	if groupID != nil {
		w.add(ofCategory+"c.group_id = %s)", *groupID)
	}
	if tenantID != nil {
		w.add(ofCategory+"c.tenant_ids IS NULL OR %s = ANY(c.tenant_ids))", *tenantID)
	}
	w.contains("t.title", title)
	return w
}

// ListTypes answers a page of equipment types.
func (s *Service) ListTypes(ctx context.Context, r api.ListTypesRequestObject) (api.ListTypesResponseObject, error) {
	p := r.Params
	order, err := orderBy("t", p.Sort, typeOrders)
	if err != nil {
		return nil, err
	}
	w := windowOf(p.Page, p.Size)
	filter := typeFilter(ctx, p.CategoryID, p.GroupID, p.Title, p.TenantID)
	var rows []typeRow
	var total int64
	names, err := s.withNames(ctx, s.reads(ctx), func(db catalogdb.DBTX) (version int64, err error) {
		rows, total, err = fetch(ctx, db, list{from: "types t", columns: typeColumns, where: filter, order: order, rare: filter.rare(p.Sort), window: w}, scanType)
		if len(rows) > 0 {
			return rows[0].dictionary, err
		}
		return noNames, err
	})
	if err != nil {
		return nil, err
	}
	page := api.TypePage{Content: make([]api.EquipmentType, len(rows)), CurrentPage: w.page, PageSize: w.size, TotalElements: total}
	for i, row := range rows {
		if err := edge.Reserve(ctx, row.held(names)); err != nil {
			return nil, err
		}
		if page.Content[i], err = typeOf(row, names); err != nil {
			return nil, err
		}
	}
	return api.ListTypes200JSONResponse(page), nil
}

// CountTypes counts what ListTypes lists.
func (s *Service) CountTypes(ctx context.Context, r api.CountTypesRequestObject) (api.CountTypesResponseObject, error) {
	p := r.Params
	n, err := count(ctx, s.reads(ctx), "types t", typeFilter(ctx, p.CategoryID, p.GroupID, p.Title, p.TenantID))
	if err != nil {
		return nil, err
	}
	return api.CountTypes200JSONResponse(api.Count{Count: n}), nil
}

// GetType answers an equipment type by id.
func (s *Service) GetType(ctx context.Context, r api.GetTypeRequestObject) (api.GetTypeResponseObject, error) {
	t, err := s.readType(ctx, s.reads(ctx), r.ID)
	if err != nil {
		return nil, err
	}
	if !t.IsActive && !auth.FromContext(ctx).IsAdmin() {
		return nil, edge.ErrNotFound
	}
	return api.GetType200JSONResponse{Body: t, Headers: api.GetType200ResponseHeaders{ETag: etag(t.Version)}}, nil
}
