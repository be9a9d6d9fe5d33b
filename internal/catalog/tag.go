package catalog

// This file: search tags (contract 2.3).

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/auth"
	"equipment-platform/internal/edge"
)

var tagOrders = orders(map[string]sortable{"name": {column: "name"}})

func tagOf(t catalogdb.Tag) api.Tag {
	return api.Tag{
		ID: t.ID, Name: t.Name, IsActive: t.IsActive, Version: t.Version,
		CreatedAt: utc(t.CreatedAt), UpdatedAt: utc(t.UpdatedAt), CreatedBy: t.CreatedBy, UpdatedBy: t.UpdatedBy,
	}
}

// onlyActive hides inactive rows from everybody but ADMIN and SUPERADMIN
// (contract 2.3).
func onlyActive(ctx context.Context, alias string) (w where) {
	if !auth.FromContext(ctx).IsAdmin() {
		w.add(alias + ".is_active")
	}
	return w
}

func tagFilter(ctx context.Context, name *string) where {
	w := onlyActive(ctx, "t")
	w.add("t.deleted_at IS NULL")
	w.contains("t.name", name)
	return w
}

// ListTags answers a page of search tags.
func (s *Service) ListTags(ctx context.Context, r api.ListTagsRequestObject) (api.ListTagsResponseObject, error) {
	order, err := orderBy("t", r.Params.Sort, tagOrders)
	if err != nil {
		return nil, err
	}
	w := windowOf(r.Params.Page, r.Params.Size)
	filter := tagFilter(ctx, r.Params.Name)
	items, total, err := fetch(ctx, s.reads(ctx), list{
		from: "tags t", where: filter, order: order, rare: filter.rare(r.Params.Sort), window: w,
		columns: "t.id, t.name, t.is_active, t.version, t.created_at, t.updated_at, t.created_by, t.updated_by",
	}, func(t *catalogdb.Tag) []any {
		return []any{&t.ID, &t.Name, &t.IsActive, &t.Version, &t.CreatedAt, &t.UpdatedAt, &t.CreatedBy, &t.UpdatedBy}
	})
	if err != nil {
		return nil, err
	}
	return api.ListTags200JSONResponse(api.TagPage{
		Content: convert(items, tagOf), CurrentPage: w.page, PageSize: w.size, TotalElements: total,
	}), nil
}

// CountTags counts the search tags that the caller may see.
func (s *Service) CountTags(ctx context.Context, r api.CountTagsRequestObject) (api.CountTagsResponseObject, error) {
	n, err := count(ctx, s.reads(ctx), "tags t", tagFilter(ctx, r.Params.Name))
	if err != nil {
		return nil, err
	}
	return api.CountTags200JSONResponse(api.Count{Count: n}), nil
}

// GetTag answers a search tag by id.
func (s *Service) GetTag(ctx context.Context, r api.GetTagRequestObject) (api.GetTagResponseObject, error) {
	t, err := s.queries.TagGet(ctx, s.reads(ctx), r.ID)
	if err != nil {
		return nil, err
	}
	if !t.IsActive && !auth.FromContext(ctx).IsAdmin() {
		return nil, edge.ErrNotFound
	}
	return api.GetTag200JSONResponse{Body: tagOf(t), Headers: api.GetTag200ResponseHeaders{ETag: etag(t.Version)}}, nil
}

// CreateTag creates a search tag.
func (s *Service) CreateTag(ctx context.Context, r api.CreateTagRequestObject) (api.CreateTagResponseObject, error) {
	return s.create(ctx, "createTag", r.Params.IdempotencyKey, func(tx pgx.Tx) (created, error) {
		t, err := s.queries.TagCreate(ctx, tx, catalogdb.TagCreateParams{Name: r.Body.Name, IsActive: or(r.Body.IsActive, true), Actor: actor(ctx)})
		if err != nil {
			return created{}, err
		}
		return newCreated("/api/v1/tags/"+t.ID.String(), t.Version, tagOf(t))
	})
}

func (s *Service) tag(ctx context.Context, id uuid.UUID) resource[catalogdb.Tag] {
	return resource[catalogdb.Tag]{
		lock:    func(tx pgx.Tx) (catalogdb.Tag, error) { return s.queries.TagLock(ctx, tx, id) },
		version: func(t catalogdb.Tag) int64 { return t.Version },
		store: func(tx pgx.Tx, t catalogdb.Tag) (catalogdb.Tag, error) {
			return s.queries.TagUpdate(ctx, tx, catalogdb.TagUpdateParams{ID: t.ID, Name: t.Name, IsActive: t.IsActive, Actor: actor(ctx)})
		},
	}
}

// ReplaceTag overwrites the fields of a search tag.
func (s *Service) ReplaceTag(ctx context.Context, r api.ReplaceTagRequestObject) (api.ReplaceTagResponseObject, error) {
	t, err := change(ctx, s, s.tag(ctx, r.ID), r.Params.IfMatch, func(t *catalogdb.Tag) bool {
		t.Name, t.IsActive = r.Body.Name, or(r.Body.IsActive, true)
		return true
	})
	if err != nil {
		return nil, err
	}
	return api.ReplaceTag200JSONResponse{Body: tagOf(t), Headers: api.ReplaceTag200ResponseHeaders{ETag: etag(t.Version)}}, nil
}

// UpdateTag changes the sent fields of a search tag.
func (s *Service) UpdateTag(ctx context.Context, r api.UpdateTagRequestObject) (api.UpdateTagResponseObject, error) {
	t, err := change(ctx, s, s.tag(ctx, r.ID), r.Params.IfMatch, func(t *catalogdb.Tag) bool {
		changed := set(&t.Name, r.Body.Name)
		return set(&t.IsActive, r.Body.IsActive) || changed
	})
	if err != nil {
		return nil, err
	}
	return api.UpdateTag200JSONResponse{Body: tagOf(t), Headers: api.UpdateTag200ResponseHeaders{ETag: etag(t.Version)}}, nil
}

// DeleteTag deletes a search tag with its links. Vehicles and types that had
// it have changed, so their versions rise: at once where they are few, in steps
// that follow where they are many (contract 2.3).
func (s *Service) DeleteTag(ctx context.Context, r api.DeleteTagRequestObject) (api.DeleteTagResponseObject, error) {
	err := remove(ctx, s, s.tag(ctx, r.ID), r.Params.IfMatch, func(tx pgx.Tx) error {
		gone, err := s.unlinkTag(ctx, tx, r.ID, actor(ctx))
		if err != nil || gone {
			return err
		}
		return s.queries.TagHide(ctx, tx, catalogdb.TagHideParams{ID: r.ID, Actor: actor(ctx)})
	})
	if err != nil {
		return nil, err
	}
	return api.DeleteTag204Response{}, nil
}

// unlinkStep bounds what one transaction unlinks: each vehicle is written anew,
// with the entries of all its indexes.
const unlinkStep = 1000

// unlinkTag takes one step and reports whether the tag is gone with the last of
// its links.
func (s *Service) unlinkTag(ctx context.Context, tx pgx.Tx, id uuid.UUID, by string) (gone bool, err error) {
	vehicles, err := s.queries.TagUnlinkVehicles(ctx, tx, catalogdb.TagUnlinkVehiclesParams{TagID: id, Most: unlinkStep, Actor: by})
	if err != nil || vehicles == unlinkStep {
		return false, err
	}
	types, err := s.queries.TagUnlinkTypes(ctx, tx, catalogdb.TagUnlinkTypesParams{TagID: id, Most: unlinkStep, Actor: by})
	if err != nil || types == unlinkStep {
		return false, err
	}
	return true, s.queries.TagDelete(ctx, tx, id)
}

// unlinkPause is how often a process looks for deleted tags that still have links.
const unlinkPause = time.Second

// unlinkDeletedTags takes the steps that are left, whoever deleted the tag and
// whatever became of that process.
func (s *Service) unlinkDeletedTags(ctx context.Context) {
	for {
		more := false
		err := s.inTx(ctx, func(tx pgx.Tx) error {
			tag, err := s.queries.TagHidden(ctx, tx)
			if errors.Is(err, pgx.ErrNoRows) {
				more = false
				return nil
			}
			more = true
			if err != nil {
				return err
			}
			_, err = s.unlinkTag(ctx, tx, tag.ID, tag.DeletedBy)
			return err
		})
		if err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "a deleted tag could not be unlinked; the step will be taken again", "error", err)
			more = false
		}
		if more {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(unlinkPause):
		}
	}
}
