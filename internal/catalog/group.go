package catalog

// This file: groups (contract 2.1).

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
)

var groupOrders = orders(map[string]sortable{"name": {column: "name"}})

func groupOf(g catalogdb.Group) api.Group {
	return api.Group{
		ID: g.ID, Name: g.Name, Version: g.Version,
		CreatedAt: utc(g.CreatedAt), UpdatedAt: utc(g.UpdatedAt), CreatedBy: g.CreatedBy, UpdatedBy: g.UpdatedBy,
	}
}

// ListGroups answers a page of groups.
func (s *Service) ListGroups(ctx context.Context, r api.ListGroupsRequestObject) (api.ListGroupsResponseObject, error) {
	order, err := orderBy("g", r.Params.Sort, groupOrders)
	if err != nil {
		return nil, err
	}
	w := windowOf(r.Params.Page, r.Params.Size)
	var filter where
	filter.contains("g.name", r.Params.Name)
	items, total, err := fetch(ctx, s.reads(ctx), list{
		from: "groups g", where: filter, columns: "g.id, g.name, g.version, g.created_at, g.updated_at, g.created_by, g.updated_by",
		order: order, rare: filter.rare(r.Params.Sort), window: w,
	}, func(g *catalogdb.Group) []any {
		return []any{&g.ID, &g.Name, &g.Version, &g.CreatedAt, &g.UpdatedAt, &g.CreatedBy, &g.UpdatedBy}
	})
	if err != nil {
		return nil, err
	}
	return api.ListGroups200JSONResponse(api.GroupPage{
		Content: convert(items, groupOf), CurrentPage: w.page, PageSize: w.size, TotalElements: total,
	}), nil
}

// CountGroups counts what ListGroups lists.
func (s *Service) CountGroups(ctx context.Context, r api.CountGroupsRequestObject) (api.CountGroupsResponseObject, error) {
	var filter where
	filter.contains("g.name", r.Params.Name)
	n, err := count(ctx, s.reads(ctx), "groups g", filter)
	if err != nil {
		return nil, err
	}
	return api.CountGroups200JSONResponse(api.Count{Count: n}), nil
}

// GetGroup answers a group by id.
func (s *Service) GetGroup(ctx context.Context, r api.GetGroupRequestObject) (api.GetGroupResponseObject, error) {
	g, err := s.queries.GroupGet(ctx, s.reads(ctx), r.ID)
	if err != nil {
		return nil, err
	}
	return api.GetGroup200JSONResponse{Body: groupOf(g), Headers: api.GetGroup200ResponseHeaders{ETag: etag(g.Version)}}, nil
}

// CreateGroup creates a group.
func (s *Service) CreateGroup(ctx context.Context, r api.CreateGroupRequestObject) (api.CreateGroupResponseObject, error) {
	return s.create(ctx, "createGroup", r.Params.IdempotencyKey, func(tx pgx.Tx) (created, error) {
		g, err := s.queries.GroupCreate(ctx, tx, catalogdb.GroupCreateParams{Name: r.Body.Name, Actor: actor(ctx)})
		if err != nil {
			return created{}, err
		}
		return newCreated("/api/v1/groups/"+g.ID.String(), g.Version, groupOf(g))
	})
}

func (s *Service) group(ctx context.Context, id uuid.UUID) resource[catalogdb.Group] {
	return resource[catalogdb.Group]{
		lock:    func(tx pgx.Tx) (catalogdb.Group, error) { return s.queries.GroupLock(ctx, tx, id) },
		version: func(g catalogdb.Group) int64 { return g.Version },
		store: func(tx pgx.Tx, g catalogdb.Group) (catalogdb.Group, error) {
			return s.queries.GroupUpdate(ctx, tx, catalogdb.GroupUpdateParams{ID: g.ID, Name: g.Name, Actor: actor(ctx)})
		},
	}
}

// ReplaceGroup replaces the fields of a group.
func (s *Service) ReplaceGroup(ctx context.Context, r api.ReplaceGroupRequestObject) (api.ReplaceGroupResponseObject, error) {
	g, err := change(ctx, s, s.group(ctx, r.ID), r.Params.IfMatch, func(g *catalogdb.Group) bool {
		g.Name = r.Body.Name
		return true
	})
	if err != nil {
		return nil, err
	}
	return api.ReplaceGroup200JSONResponse{Body: groupOf(g), Headers: api.ReplaceGroup200ResponseHeaders{ETag: etag(g.Version)}}, nil
}

// UpdateGroup changes the sent fields of a group (contract 1.9).
func (s *Service) UpdateGroup(ctx context.Context, r api.UpdateGroupRequestObject) (api.UpdateGroupResponseObject, error) {
	g, err := change(ctx, s, s.group(ctx, r.ID), r.Params.IfMatch, func(g *catalogdb.Group) bool {
		return set(&g.Name, r.Body.Name)
	})
	if err != nil {
		return nil, err
	}
	return api.UpdateGroup200JSONResponse{Body: groupOf(g), Headers: api.UpdateGroup200ResponseHeaders{ETag: etag(g.Version)}}, nil
}

// DeleteGroup deletes a group that has no categories.
func (s *Service) DeleteGroup(ctx context.Context, r api.DeleteGroupRequestObject) (api.DeleteGroupResponseObject, error) {
	err := remove(ctx, s, s.group(ctx, r.ID), r.Params.IfMatch, func(tx pgx.Tx) error {
		return inUse(s.queries.GroupDelete(ctx, tx, r.ID), errGroupInUse)
	})
	if err != nil {
		return nil, err
	}
	return api.DeleteGroup204Response{}, nil
}
