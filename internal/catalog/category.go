package catalog

// This file: categories inside groups (contract 2.2).

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
)

var categoryOrders = orders(map[string]sortable{"name": {column: "name"}})

func categoryOf(c catalogdb.Category) api.Category {
	tenants := show(&c.TenantIds)
	if c.TenantIds == nil {
		tenants = show[[]string](nil)
	}
	return api.Category{
		ID: c.ID, GroupID: c.GroupID, Name: c.Name, IconFileID: show(c.IconFileID), TenantIds: tenants, Version: c.Version,
		CreatedAt: utc(c.CreatedAt), UpdatedAt: utc(c.UpdatedAt), CreatedBy: c.CreatedBy, UpdatedBy: c.UpdatedBy,
	}
}

// categoryFilter is the filter of both lists and counts: with a tenant, the
// categories open to all and those restricted to it.
func categoryFilter(tenantID, name *string, groupID *uuid.UUID) where {
	var w where
	if groupID != nil {
		w.add("c.group_id = %s", *groupID)
	}
	if tenantID != nil {
		w.add("(c.tenant_ids IS NULL OR %s = ANY(c.tenant_ids))", *tenantID)
	}
	w.contains("c.name", name)
	return w
}

func (s *Service) listCategories(ctx context.Context, filter where, sort *[]string, page, size *int32) (out api.CategoryPage, err error) {
	order, err := orderBy("c", sort, categoryOrders)
	if err != nil {
		return out, err
	}
	w := windowOf(page, size)
	items, total, err := fetch(ctx, s.reads(ctx), list{
		from: "categories c", where: filter, order: order, rare: filter.rare(sort), window: w,
		columns: "c.id, c.group_id, c.name, c.icon_file_id, c.tenant_ids, c.version, c.created_at, c.updated_at, c.created_by, c.updated_by",
	}, func(c *catalogdb.Category) []any {
		return []any{&c.ID, &c.GroupID, &c.Name, &c.IconFileID, &c.TenantIds, &c.Version, &c.CreatedAt, &c.UpdatedAt, &c.CreatedBy, &c.UpdatedBy}
	})
	return api.CategoryPage{Content: convert(items, categoryOf), CurrentPage: w.page, PageSize: w.size, TotalElements: total}, err
}

// ListCategories answers a page of the categories of all groups.
func (s *Service) ListCategories(ctx context.Context, r api.ListCategoriesRequestObject) (api.ListCategoriesResponseObject, error) {
	p, err := s.listCategories(ctx, categoryFilter(r.Params.TenantID, r.Params.Name, nil), r.Params.Sort, r.Params.Page, r.Params.Size)
	if err != nil {
		return nil, err
	}
	return api.ListCategories200JSONResponse(p), nil
}

// CountCategories counts the categories of all groups.
func (s *Service) CountCategories(ctx context.Context, r api.CountCategoriesRequestObject) (api.CountCategoriesResponseObject, error) {
	n, err := count(ctx, s.reads(ctx), "categories c", categoryFilter(r.Params.TenantID, r.Params.Name, nil))
	if err != nil {
		return nil, err
	}
	return api.CountCategories200JSONResponse(api.Count{Count: n}), nil
}

// ListGroupCategories answers a page of the categories of a group; a missing
// group is 404 (contract 9.4).
func (s *Service) ListGroupCategories(ctx context.Context, r api.ListGroupCategoriesRequestObject) (api.ListGroupCategoriesResponseObject, error) {
	if _, err := s.queries.GroupGet(ctx, s.reads(ctx), r.GroupID); err != nil {
		return nil, err
	}
	p, err := s.listCategories(ctx, categoryFilter(r.Params.TenantID, r.Params.Name, &r.GroupID), r.Params.Sort, r.Params.Page, r.Params.Size)
	if err != nil {
		return nil, err
	}
	return api.ListGroupCategories200JSONResponse(p), nil
}

// CountGroupCategories counts the categories of a group.
func (s *Service) CountGroupCategories(ctx context.Context, r api.CountGroupCategoriesRequestObject) (api.CountGroupCategoriesResponseObject, error) {
	if _, err := s.queries.GroupGet(ctx, s.reads(ctx), r.GroupID); err != nil {
		return nil, err
	}
	n, err := count(ctx, s.reads(ctx), "categories c", categoryFilter(r.Params.TenantID, r.Params.Name, &r.GroupID))
	if err != nil {
		return nil, err
	}
	return api.CountGroupCategories200JSONResponse(api.Count{Count: n}), nil
}

// GetCategory answers a category by id; under another group it is 404.
func (s *Service) GetCategory(ctx context.Context, r api.GetCategoryRequestObject) (api.GetCategoryResponseObject, error) {
	c, err := s.queries.CategoryGet(ctx, s.reads(ctx), catalogdb.CategoryGetParams{ID: r.ID, GroupID: r.GroupID})
	if err != nil {
		return nil, err
	}
	return api.GetCategory200JSONResponse{Body: categoryOf(c), Headers: api.GetCategory200ResponseHeaders{ETag: etag(c.Version)}}, nil
}

// CreateCategory creates a category in a group.
func (s *Service) CreateCategory(ctx context.Context, r api.CreateCategoryRequestObject) (api.CreateCategoryResponseObject, error) {
	return s.create(ctx, "createCategory", r.Params.IdempotencyKey, func(tx pgx.Tx) (created, error) {
		c, err := s.queries.CategoryCreate(ctx, tx, catalogdb.CategoryCreateParams{
			GroupID: r.GroupID, Name: r.Body.Name, IconFileID: pointer(r.Body.IconFileID),
			TenantIds: value(pointer(r.Body.TenantIds)), Actor: actor(ctx),
		})
		if err != nil {
			return created{}, err
		}
		return newCreated("/api/v1/groups/"+c.GroupID.String()+"/categories/"+c.ID.String(), c.Version, categoryOf(c))
	})
}

func (s *Service) category(ctx context.Context, groupID, id uuid.UUID) resource[catalogdb.Category] {
	return resource[catalogdb.Category]{
		lock: func(tx pgx.Tx) (catalogdb.Category, error) {
			return s.queries.CategoryLock(ctx, tx, catalogdb.CategoryLockParams{ID: id, GroupID: groupID})
		},
		version: func(c catalogdb.Category) int64 { return c.Version },
		store: func(tx pgx.Tx, c catalogdb.Category) (catalogdb.Category, error) {
			return s.queries.CategoryUpdate(ctx, tx, catalogdb.CategoryUpdateParams{
				ID: c.ID, Name: c.Name, IconFileID: c.IconFileID, TenantIds: c.TenantIds, Actor: actor(ctx),
			})
		},
	}
}

// ReplaceCategory replaces the fields of a category; it stays in its group.
func (s *Service) ReplaceCategory(ctx context.Context, r api.ReplaceCategoryRequestObject) (api.ReplaceCategoryResponseObject, error) {
	c, err := change(ctx, s, s.category(ctx, r.GroupID, r.ID), r.Params.IfMatch, func(c *catalogdb.Category) bool {
		c.Name, c.IconFileID, c.TenantIds = r.Body.Name, pointer(r.Body.IconFileID), value(pointer(r.Body.TenantIds))
		return true
	})
	if err != nil {
		return nil, err
	}
	return api.ReplaceCategory200JSONResponse{Body: categoryOf(c), Headers: api.ReplaceCategory200ResponseHeaders{ETag: etag(c.Version)}}, nil
}

// UpdateCategory changes the sent fields of a category.
func (s *Service) UpdateCategory(ctx context.Context, r api.UpdateCategoryRequestObject) (api.UpdateCategoryResponseObject, error) {
	c, err := change(ctx, s, s.category(ctx, r.GroupID, r.ID), r.Params.IfMatch, func(c *catalogdb.Category) bool {
		changed := set(&c.Name, r.Body.Name)
		changed = merge(&c.IconFileID, r.Body.IconFileID) || changed
		if r.Body.TenantIds.IsSpecified() {
			c.TenantIds, changed = value(pointer(r.Body.TenantIds)), true
		}
		return changed
	})
	if err != nil {
		return nil, err
	}
	return api.UpdateCategory200JSONResponse{Body: categoryOf(c), Headers: api.UpdateCategory200ResponseHeaders{ETag: etag(c.Version)}}, nil
}

// DeleteCategory deletes a category that no type uses.
func (s *Service) DeleteCategory(ctx context.Context, r api.DeleteCategoryRequestObject) (api.DeleteCategoryResponseObject, error) {
	err := remove(ctx, s, s.category(ctx, r.GroupID, r.ID), r.Params.IfMatch, func(tx pgx.Tx) error {
		return inUse(s.queries.CategoryDelete(ctx, tx, r.ID), errCategoryInUse)
	})
	if err != nil {
		return nil, err
	}
	return api.DeleteCategory204Response{}, nil
}
