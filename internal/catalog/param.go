package catalog

// This file: parameter definitions (contract 2.5).

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
)

var paramOrders = orders(map[string]sortable{
	"name": {column: "name"}, "isRequired": {column: "is_required"}, "isActive": {column: "is_active"},
})

// paramRow is a definition with its unit, if any.
type paramRow struct {
	catalogdb.Param
	unit struct {
		id                   *uuid.UUID
		code, label, system  *string
		active               *bool
		version              *int64
		createdAt, updatedAt *time.Time
		createdBy, updatedBy *string
	}
}

const (
	paramFrom    = "params p LEFT JOIN units u ON u.id = p.unit_id"
	paramColumns = `p.id, p.name, p.value_type, p.unit_id, p.is_required, p.is_active, p.version, p.created_at, p.updated_at, p.created_by, p.updated_by,
u.id AS u_id, u.code, u.label, u.unit_system, u.is_active AS u_active, u.version AS u_version, u.created_at AS u_created_at,
u.updated_at AS u_updated_at, u.created_by AS u_created_by, u.updated_by AS u_updated_by`
)

func scanParam(p *paramRow) []any {
	u := &p.unit
	return []any{
		&p.ID, &p.Name, &p.ValueType, &p.UnitID, &p.IsRequired, &p.IsActive, &p.Version, &p.CreatedAt, &p.UpdatedAt, &p.CreatedBy, &p.UpdatedBy,
		&u.id, &u.code, &u.label, &u.system, &u.active, &u.version, &u.createdAt, &u.updatedAt, &u.createdBy, &u.updatedBy,
	}
}

func paramOf(p paramRow) api.Param {
	out := api.Param{
		ID: p.ID, Name: p.Name, ValueType: p.ValueType, UnitID: show(p.UnitID), IsRequired: p.IsRequired, IsActive: p.IsActive,
		Version: p.Version, CreatedAt: utc(p.CreatedAt), UpdatedAt: utc(p.UpdatedAt), CreatedBy: p.CreatedBy, UpdatedBy: p.UpdatedBy,
	}
	if u := p.unit; u.id != nil {
		out.Unit = &api.MeasurementUnit{
			ID: *u.id, Code: *u.code, Label: *u.label, UnitSystem: *u.system, IsActive: *u.active, Version: *u.version,
			CreatedAt: utc(*u.createdAt), UpdatedAt: utc(*u.updatedAt), CreatedBy: *u.createdBy, UpdatedBy: *u.updatedBy,
		}
	}
	return out
}

func (s *Service) readParam(ctx context.Context, db querier, id uuid.UUID) (api.Param, error) {
	var p paramRow
	err := db.QueryRow(ctx, "SELECT "+paramColumns+" FROM "+paramFrom+" WHERE p.id = $1", id).Scan(scanParam(&p)...)
	return paramOf(p), err
}

// ListParams answers a page of parameter definitions.
func (s *Service) ListParams(ctx context.Context, r api.ListParamsRequestObject) (api.ListParamsResponseObject, error) {
	order, err := orderBy("p", r.Params.Sort, paramOrders)
	if err != nil {
		return nil, err
	}
	w := windowOf(r.Params.Page, r.Params.Size)
	var filter where
	filter.contains("p.name", r.Params.Name)
	items, total, err := fetch(ctx, s.reads(ctx), list{from: paramFrom, columns: paramColumns, where: filter, order: order, rare: filter.rare(r.Params.Sort), window: w}, scanParam)
	if err != nil {
		return nil, err
	}
	return api.ListParams200JSONResponse(api.ParamPage{
		Content: convert(items, paramOf), CurrentPage: w.page, PageSize: w.size, TotalElements: total,
	}), nil
}

// CountParams counts what ListParams lists.
func (s *Service) CountParams(ctx context.Context, r api.CountParamsRequestObject) (api.CountParamsResponseObject, error) {
	var filter where
	filter.contains("p.name", r.Params.Name)
	n, err := count(ctx, s.reads(ctx), "params p", filter)
	if err != nil {
		return nil, err
	}
	return api.CountParams200JSONResponse(api.Count{Count: n}), nil
}

// GetParam answers a parameter definition by id.
func (s *Service) GetParam(ctx context.Context, r api.GetParamRequestObject) (api.GetParamResponseObject, error) {
	p, err := s.readParam(ctx, s.reads(ctx), r.ID)
	if err != nil {
		return nil, err
	}
	return api.GetParam200JSONResponse{Body: p, Headers: api.GetParam200ResponseHeaders{ETag: etag(p.Version)}}, nil
}

// CreateParam creates a parameter definition.
func (s *Service) CreateParam(ctx context.Context, r api.CreateParamRequestObject) (api.CreateParamResponseObject, error) {
	return s.create(ctx, "createParam", r.Params.IdempotencyKey, func(tx pgx.Tx) (created, error) {
		row, err := s.queries.ParamCreate(ctx, tx, catalogdb.ParamCreateParams{
			Name: r.Body.Name, ValueType: string(r.Body.ValueType), UnitID: pointer(r.Body.UnitID),
			IsRequired: or(r.Body.IsRequired, false), IsActive: or(r.Body.IsActive, true), Actor: actor(ctx),
		})
		if err != nil {
			return created{}, err
		}
		p, err := s.readParam(ctx, tx, row.ID)
		if err != nil {
			return created{}, err
		}
		return newCreated("/api/v1/params/"+p.ID.String(), p.Version, p)
	})
}

// changeParam is change for a definition: its value type is fixed while
// vehicles hold a value.
func (s *Service) changeParam(ctx context.Context, id uuid.UUID, ifMatch *string, alter func(*catalogdb.Param) bool) (out api.Param, err error) {
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		p, err := s.queries.ParamLock(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := checkVersion(ifMatch, p.Version); err != nil {
			return err
		}
		before := p.ValueType
		if alter(&p) {
			if p.ValueType != before {
				held, err := s.queries.ParamHasValues(ctx, tx, id)
				if err != nil {
					return err
				}
				if held {
					return at(errParamInUse, "valueType", "cannot change while vehicles hold a value")
				}
			}
			if err := s.queries.ParamUpdate(ctx, tx, catalogdb.ParamUpdateParams{
				ID: id, Name: p.Name, ValueType: p.ValueType, UnitID: p.UnitID, IsRequired: p.IsRequired, IsActive: p.IsActive, Actor: actor(ctx),
			}); err != nil {
				return err
			}
		}
		out, err = s.readParam(ctx, tx, id)
		return err
	})
	return out, err
}

// ReplaceParam replaces the fields of a parameter definition.
func (s *Service) ReplaceParam(ctx context.Context, r api.ReplaceParamRequestObject) (api.ReplaceParamResponseObject, error) {
	p, err := s.changeParam(ctx, r.ID, r.Params.IfMatch, func(p *catalogdb.Param) bool {
		p.Name, p.ValueType, p.UnitID = r.Body.Name, string(r.Body.ValueType), pointer(r.Body.UnitID)
		p.IsRequired, p.IsActive = or(r.Body.IsRequired, false), or(r.Body.IsActive, true)
		return true
	})
	if err != nil {
		return nil, err
	}
	return api.ReplaceParam200JSONResponse{Body: p, Headers: api.ReplaceParam200ResponseHeaders{ETag: etag(p.Version)}}, nil
}

// UpdateParam changes the sent fields of a parameter definition.
func (s *Service) UpdateParam(ctx context.Context, r api.UpdateParamRequestObject) (api.UpdateParamResponseObject, error) {
	p, err := s.changeParam(ctx, r.ID, r.Params.IfMatch, func(p *catalogdb.Param) bool {
		changed := set(&p.Name, r.Body.Name)
		if r.Body.ValueType != nil {
			p.ValueType, changed = string(*r.Body.ValueType), true
		}
		changed = merge(&p.UnitID, r.Body.UnitID) || changed
		changed = set(&p.IsRequired, r.Body.IsRequired) || changed
		return set(&p.IsActive, r.Body.IsActive) || changed
	})
	if err != nil {
		return nil, err
	}
	return api.UpdateParam200JSONResponse{Body: p, Headers: api.UpdateParam200ResponseHeaders{ETag: etag(p.Version)}}, nil
}

// DeleteParam deletes a definition that no type binds and no vehicle holds.
func (s *Service) DeleteParam(ctx context.Context, r api.DeleteParamRequestObject) (api.DeleteParamResponseObject, error) {
	k := resource[catalogdb.Param]{
		lock:    func(tx pgx.Tx) (catalogdb.Param, error) { return s.queries.ParamLock(ctx, tx, r.ID) },
		version: func(p catalogdb.Param) int64 { return p.Version },
	}
	err := remove(ctx, s, k, r.Params.IfMatch, func(tx pgx.Tx) error {
		return inUse(s.queries.ParamDelete(ctx, tx, r.ID), errParamInUse)
	})
	if err != nil {
		return nil, err
	}
	return api.DeleteParam204Response{}, nil
}
