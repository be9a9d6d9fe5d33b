package catalog

// This file: measurement units (contract 2.6).

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
)

var unitOrders = orders(map[string]sortable{
	"code": {column: "code"}, "label": {column: "label"}, "unitSystem": {column: "unit_system"}, "isActive": {column: "is_active"},
})

func unitOf(u catalogdb.Unit) api.MeasurementUnit {
	return api.MeasurementUnit{
		ID: u.ID, Code: u.Code, Label: u.Label, UnitSystem: u.UnitSystem, IsActive: u.IsActive, Version: u.Version,
		CreatedAt: utc(u.CreatedAt), UpdatedAt: utc(u.UpdatedAt), CreatedBy: u.CreatedBy, UpdatedBy: u.UpdatedBy,
	}
}

func unitFilter(code, label *string) (w where) {
	w.contains("u.code", code)
	w.contains("u.label", label)
	return w
}

// ListUnits answers a page of units.
func (s *Service) ListUnits(ctx context.Context, r api.ListUnitsRequestObject) (api.ListUnitsResponseObject, error) {
	order, err := orderBy("u", r.Params.Sort, unitOrders)
	if err != nil {
		return nil, err
	}
	w := windowOf(r.Params.Page, r.Params.Size)
	filter := unitFilter(r.Params.Code, r.Params.Label)
	items, total, err := fetch(ctx, s.reads(ctx), list{
		from: "units u", where: filter, order: order, rare: filter.rare(r.Params.Sort), window: w,
		columns: "u.id, u.code, u.label, u.unit_system, u.is_active, u.version, u.created_at, u.updated_at, u.created_by, u.updated_by",
	}, func(u *catalogdb.Unit) []any {
		return []any{&u.ID, &u.Code, &u.Label, &u.UnitSystem, &u.IsActive, &u.Version, &u.CreatedAt, &u.UpdatedAt, &u.CreatedBy, &u.UpdatedBy}
	})
	if err != nil {
		return nil, err
	}
	return api.ListUnits200JSONResponse(api.UnitPage{
		Content: convert(items, unitOf), CurrentPage: w.page, PageSize: w.size, TotalElements: total,
	}), nil
}

// CountUnits counts what ListUnits lists.
func (s *Service) CountUnits(ctx context.Context, r api.CountUnitsRequestObject) (api.CountUnitsResponseObject, error) {
	n, err := count(ctx, s.reads(ctx), "units u", unitFilter(r.Params.Code, r.Params.Label))
	if err != nil {
		return nil, err
	}
	return api.CountUnits200JSONResponse(api.Count{Count: n}), nil
}

// GetUnit answers a unit by id.
func (s *Service) GetUnit(ctx context.Context, r api.GetUnitRequestObject) (api.GetUnitResponseObject, error) {
	u, err := s.queries.UnitGet(ctx, s.reads(ctx), r.ID)
	if err != nil {
		return nil, err
	}
	return api.GetUnit200JSONResponse{Body: unitOf(u), Headers: api.GetUnit200ResponseHeaders{ETag: etag(u.Version)}}, nil
}

// CreateUnit creates a unit.
func (s *Service) CreateUnit(ctx context.Context, r api.CreateUnitRequestObject) (api.CreateUnitResponseObject, error) {
	return s.create(ctx, "createUnit", r.Params.IdempotencyKey, func(tx pgx.Tx) (created, error) {
		u, err := s.queries.UnitCreate(ctx, tx, catalogdb.UnitCreateParams{
			Code: r.Body.Code, Label: r.Body.Label, UnitSystem: r.Body.UnitSystem, IsActive: or(r.Body.IsActive, true), Actor: actor(ctx),
		})
		if err != nil {
			return created{}, err
		}
		return newCreated("/api/v1/units/"+u.ID.String(), u.Version, unitOf(u))
	})
}

func (s *Service) unit(ctx context.Context, id uuid.UUID) resource[catalogdb.Unit] {
	return resource[catalogdb.Unit]{
		lock:    func(tx pgx.Tx) (catalogdb.Unit, error) { return s.queries.UnitLock(ctx, tx, id) },
		version: func(u catalogdb.Unit) int64 { return u.Version },
		store: func(tx pgx.Tx, u catalogdb.Unit) (catalogdb.Unit, error) {
			return s.queries.UnitUpdate(ctx, tx, catalogdb.UnitUpdateParams{
				ID: u.ID, Code: u.Code, Label: u.Label, UnitSystem: u.UnitSystem, IsActive: u.IsActive, Actor: actor(ctx),
			})
		},
	}
}

// ReplaceUnit replaces the fields of a unit.
func (s *Service) ReplaceUnit(ctx context.Context, r api.ReplaceUnitRequestObject) (api.ReplaceUnitResponseObject, error) {
	u, err := change(ctx, s, s.unit(ctx, r.ID), r.Params.IfMatch, func(u *catalogdb.Unit) bool {
		u.Code, u.Label, u.UnitSystem, u.IsActive = r.Body.Code, r.Body.Label, r.Body.UnitSystem, or(r.Body.IsActive, true)
		return true
	})
	if err != nil {
		return nil, err
	}
	return api.ReplaceUnit200JSONResponse{Body: unitOf(u), Headers: api.ReplaceUnit200ResponseHeaders{ETag: etag(u.Version)}}, nil
}

// UpdateUnit changes only the sent fields of a unit.
func (s *Service) UpdateUnit(ctx context.Context, r api.UpdateUnitRequestObject) (api.UpdateUnitResponseObject, error) {
	u, err := change(ctx, s, s.unit(ctx, r.ID), r.Params.IfMatch, func(u *catalogdb.Unit) bool {
		changed := set(&u.Code, r.Body.Code)
		changed = set(&u.Label, r.Body.Label) || changed
		changed = set(&u.UnitSystem, r.Body.UnitSystem) || changed
		return set(&u.IsActive, r.Body.IsActive) || changed
	})
	if err != nil {
		return nil, err
	}
	return api.UpdateUnit200JSONResponse{Body: unitOf(u), Headers: api.UpdateUnit200ResponseHeaders{ETag: etag(u.Version)}}, nil
}

// DeleteUnit deletes a unit that no parameter definition uses.
func (s *Service) DeleteUnit(ctx context.Context, r api.DeleteUnitRequestObject) (api.DeleteUnitResponseObject, error) {
	err := remove(ctx, s, s.unit(ctx, r.ID), r.Params.IfMatch, func(tx pgx.Tx) error {
		return inUse(s.queries.UnitDelete(ctx, tx, r.ID), errUnitInUse)
	})
	if err != nil {
		return nil, err
	}
	return api.DeleteUnit204Response{}, nil
}
