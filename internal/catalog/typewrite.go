package catalog

// This file: creating, replacing, changing and deleting equipment types. Any
// VEHICLE_WRITE caller may write any type (contract 9.9).

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
)

// typeLinks are the lists of a type in a request. A nil list is left alone.
type typeLinks struct {
	categories, params, tags *[]uuid.UUID
}

func paramIDs(refs *[]api.TypeParamRef) *[]uuid.UUID {
	if refs == nil {
		return nil
	}
	ids := make([]uuid.UUID, len(*refs))
	for i, r := range *refs {
		ids[i] = r.ParamID
	}
	return &ids
}

// check is what the schema could not see: two spellings of one UUID.
func (l typeLinks) check() error {
	if err := noDuplicates("categoryIds", value(l.categories)); err != nil {
		return err
	}
	return noDuplicates("searchTagIds", value(l.tags))
}

// storeTypeLinks writes the lists that are not nil.
func (s *Service) storeTypeLinks(ctx context.Context, tx pgx.Tx, id uuid.UUID, l typeLinks) error {
	if l.categories != nil {
		existing, err := s.queries.CategoriesExisting(ctx, tx, *l.categories)
		if err != nil {
			return err
		}
		if i := missing(*l.categories, existing); i >= 0 {
			return at(errReference, element("categoryIds", i, ""), "does not exist")
		}
		if err := s.queries.TypeCategoriesDelete(ctx, tx, id); err != nil {
			return err
		}
		if err := s.queries.TypeCategoriesInsert(ctx, tx, catalogdb.TypeCategoriesInsertParams{TypeID: id, Ids: *l.categories}); err != nil {
			return err
		}
	}
	if l.params != nil {
		if i := firstDuplicate(*l.params); i >= 0 {
			return at(errParamDuplicate, element("params", i, "paramId"), "is there twice")
		}
		existing, err := s.queries.ParamsExisting(ctx, tx, *l.params)
		if err != nil {
			return err
		}
		if i := missing(*l.params, existing); i >= 0 {
			return at(errReference, element("params", i, "paramId"), "does not exist")
		}
		if err := s.queries.TypeParamsDelete(ctx, tx, id); err != nil {
			return err
		}
		if err := s.queries.TypeParamsInsert(ctx, tx, catalogdb.TypeParamsInsertParams{TypeID: id, Ids: *l.params}); err != nil {
			return err
		}
	}
	if l.tags != nil {
		if err := s.checkTags(ctx, tx, *l.tags); err != nil {
			return err
		}
		if err := s.queries.TypeTagsDelete(ctx, tx, id); err != nil {
			return err
		}
		if err := s.queries.TypeTagsInsert(ctx, tx, catalogdb.TypeTagsInsertParams{TypeID: id, Ids: *l.tags}); err != nil {
			return err
		}
	}
	return nil
}

// CreateType creates an equipment type.
func (s *Service) CreateType(ctx context.Context, r api.CreateTypeRequestObject) (api.CreateTypeResponseObject, error) {
	b := r.Body
	links := typeLinks{categories: &b.CategoryIds, params: ptr(value(paramIDs(b.Params))), tags: ptr(value(b.SearchTagIds))}
	if err := links.check(); err != nil {
		return nil, err
	}
	return s.create(ctx, "createType", r.Params.IdempotencyKey, func(tx pgx.Tx) (created, error) {
		row, err := s.queries.TypeCreate(ctx, tx, catalogdb.TypeCreateParams{
			Title: b.Title, IconFileID: pointer(b.IconFileID), IsActive: or(b.IsActive, true), Actor: actor(ctx),
		})
		if err != nil {
			return created{}, err
		}
		if err := s.storeTypeLinks(ctx, tx, row.ID, links); err != nil {
			return created{}, err
		}
		t, err := s.readType(ctx, tx, row.ID)
		if err != nil {
			return created{}, err
		}
		answer, err := newCreated("/api/v1/types/"+t.ID.String(), t.Version, t)
		if err == nil {
			err = checkContent(content{}, content{length: len(answer.body)})
		}
		return answer, err
	})
}

// changeType locks a type, so that no vehicle is written against bindings that
// are about to change, and stores what alter and links say.
func (s *Service) changeType(ctx context.Context, id uuid.UUID, ifMatch *string, links typeLinks, alter func(*catalogdb.Type) bool) (out api.EquipmentType, err error) {
	if err := links.check(); err != nil {
		return out, err
	}
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		t, err := s.queries.TypeLock(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := checkVersion(ifMatch, t.Version); err != nil {
			return err
		}
		if links.categories != nil && len(*links.categories) == 0 {
			return at(errCategoryRequired, "categoryIds", "must not be empty")
		}
		var before content
		if links.params != nil {
			if before, err = s.typeContent(ctx, tx, id, &out); err != nil {
				return err
			}
		}
		if changed := alter(&t); changed || links != (typeLinks{}) {
			if err := s.queries.TypeUpdate(ctx, tx, catalogdb.TypeUpdateParams{
				ID: id, Title: t.Title, IconFileID: t.IconFileID, IsActive: t.IsActive, Actor: actor(ctx),
			}); err != nil {
				return err
			}
			if err := s.storeTypeLinks(ctx, tx, id, links); err != nil {
				return err
			}
		}
		now, err := s.typeContent(ctx, tx, id, &out)
		if err != nil || links.params == nil {
			return err
		}
		return checkContent(before, now)
	})
	return out, err
}

// typeContent reads a type and how much it holds.
func (s *Service) typeContent(ctx context.Context, tx pgx.Tx, id uuid.UUID, out *api.EquipmentType) (content, error) {
	var err error
	if *out, err = s.readType(ctx, tx, id); err != nil {
		return content{}, err
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return content{}, err
	}
	return contentOf(len(raw), out.UpdatedAt, out.UpdatedBy, out.Version)
}

// ReplaceType overwrites all fields and links of a type.
func (s *Service) ReplaceType(ctx context.Context, r api.ReplaceTypeRequestObject) (api.ReplaceTypeResponseObject, error) {
	b := r.Body
	links := typeLinks{categories: &b.CategoryIds, params: ptr(value(paramIDs(b.Params))), tags: ptr(value(b.SearchTagIds))}
	t, err := s.changeType(ctx, r.ID, r.Params.IfMatch, links, func(t *catalogdb.Type) bool {
		t.Title, t.IconFileID, t.IsActive = b.Title, pointer(b.IconFileID), or(b.IsActive, true)
		return true
	})
	if err != nil {
		return nil, err
	}
	return api.ReplaceType200JSONResponse{Body: t, Headers: api.ReplaceType200ResponseHeaders{ETag: etag(t.Version)}}, nil
}

// UpdateType changes the sent fields of a type; an empty list clears, but not
// the categories (contract 2.19).
func (s *Service) UpdateType(ctx context.Context, r api.UpdateTypeRequestObject) (api.UpdateTypeResponseObject, error) {
	b := r.Body
	links := typeLinks{categories: b.CategoryIds, params: paramIDs(b.Params), tags: b.SearchTagIds}
	t, err := s.changeType(ctx, r.ID, r.Params.IfMatch, links, func(t *catalogdb.Type) bool {
		changed := set(&t.Title, b.Title)
		changed = merge(&t.IconFileID, b.IconFileID) || changed
		return set(&t.IsActive, b.IsActive) || changed
	})
	if err != nil {
		return nil, err
	}
	return api.UpdateType200JSONResponse{Body: t, Headers: api.UpdateType200ResponseHeaders{ETag: etag(t.Version)}}, nil
}

// DeleteType deletes a type that no vehicle references; a missing one is 204
// as well (contract 1.8).
func (s *Service) DeleteType(ctx context.Context, r api.DeleteTypeRequestObject) (api.DeleteTypeResponseObject, error) {
	k := resource[catalogdb.Type]{
		lock:    func(tx pgx.Tx) (catalogdb.Type, error) { return s.queries.TypeLock(ctx, tx, r.ID) },
		version: func(t catalogdb.Type) int64 { return t.Version },
	}
	err := remove(ctx, s, k, r.Params.IfMatch, func(tx pgx.Tx) error {
		return inUse(s.queries.TypeDelete(ctx, tx, r.ID), errTypeInUse)
	})
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, err
	}
	return api.DeleteType204Response{}, nil
}
