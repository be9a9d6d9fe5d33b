package catalog

// This file: creating, replacing, changing and deleting vehicles (contract 2.18, contract 2.7).

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/oapi-codegen/nullable"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/plate"
)

// canonicalPlate returns the plate as it is stored; blank is null.
func canonicalPlate(sent string) (*string, error) {
	canonical, err := plate.Canonical(sent)
	switch {
	case errors.Is(err, plate.ErrTooLong):
		return nil, at(errPlateTooLong, "licensePlate", "must have at most 32 characters in canonical form")
	case err != nil:
		return nil, at(errPlateInvalid, "licensePlate", "has a character other than a letter or digit")
	case canonical == "":
		return nil, nil
	default:
		return &canonical, nil
	}
}

// noDuplicates refuses a list of ids with one twice. The schema has refused
// equal texts; two spellings of one UUID come to here (contract 1.1).
func noDuplicates(field string, ids []uuid.UUID) error {
	if i := firstDuplicate(ids); i >= 0 {
		return edge.InvalidField(element(field, i, ""), "is there twice")
	}
	return nil
}

func noDuplicateFiles(field string, ids []uuid.UUID) error {
	if i := firstDuplicate(ids); i >= 0 {
		return at(errDuplicateFile, element(field, i, ""), "is there twice")
	}
	return nil
}

// children are the lists of a vehicle in a request. A nil list is left alone.
type children struct {
	params       *[]api.VehicleParamInput
	tags         *[]uuid.UUID
	photos, docs *[]uuid.UUID
}

// checkFiles holds the file lists against contract 2.18.
func (c children) checkFiles() error {
	if err := noDuplicateFiles("photoFileIds", value(c.photos)); err != nil {
		return err
	}
	return noDuplicateFiles("docFileIds", value(c.docs))
}

// CreateVehicle creates a vehicle; the caller is its owner.
func (s *Service) CreateVehicle(ctx context.Context, r api.CreateVehicleRequestObject) (api.CreateVehicleResponseObject, error) {
	b := r.Body
	lists := children{params: ptr(value(b.Params)), tags: ptr(value(b.SearchTagIds)), photos: ptr(value(b.PhotoFileIds)), docs: ptr(value(b.DocFileIds))}
	if err := noDuplicates("searchTagIds", *lists.tags); err != nil {
		return nil, err
	}
	if err := lists.checkFiles(); err != nil {
		return nil, err
	}
	plate, err := canonicalPlate(value(pointer(b.LicensePlate)))
	if err != nil {
		return nil, err
	}
	return s.create(ctx, "createVehicle", r.Params.IdempotencyKey, func(tx pgx.Tx) (created, error) {
		rules, err := s.vehicleRules(ctx, tx, b.EquipmentTypeID, *lists.tags)
		if err != nil {
			return created{}, err
		}
		// an empty list counts as incomplete here, and only here (contract 2.9)
		if err := s.checkParams(ctx, tx, *lists.params, rules.bound, true); err != nil {
			return created{}, err
		}
		if i := missing(*lists.tags, rules.tags); i >= 0 {
			return created{}, at(errReference, element("searchTagIds", i, ""), "does not exist")
		}
		v := vehicleRow{
			typeID: b.EquipmentTypeID, plate: plate, brand: b.BrandName, model: b.ModelName, year: pointer(b.ReleaseYear), active: or(b.IsActive, true),
			owner: actor(ctx), version: 1, createdBy: actor(ctx), updatedBy: actor(ctx),
			tagIDs: *lists.tags, photos: *lists.photos, docs: *lists.docs,
		}
		v.paramIDs, v.paramValues = split(*lists.params)
		return s.insertVehicle(ctx, tx, v)
	})
}

// insertVehicle stores a new vehicle. What it answers is what it stored: it is
// not read back.
func (s *Service) insertVehicle(ctx context.Context, tx pgx.Tx, v vehicleRow) (created, error) {
	row, err := s.queries.VehicleCreate(ctx, tx, catalogdb.VehicleCreateParams{
		TypeID: v.typeID, LicensePlate: v.plate, BrandName: v.brand, ModelName: v.model, ReleaseYear: v.year, IsActive: v.active, Actor: v.owner,
		ParamIds: v.paramIDs, ParamValues: v.paramValues, TagIds: v.tagIDs, PhotoIds: v.photos, DocIds: v.docs,
	})
	if err != nil {
		return created{}, err
	}
	v.id, v.createdAt, v.updatedAt = row.ID, row.CreatedAt, row.CreatedAt
	names := s.names.at(row.Dictionary)
	if names == nil {
		// any later state will do: what the vehicle references is locked and cannot go
		if names, err = s.loadDictionary(ctx, tx); err != nil {
			return created{}, err
		}
		s.names.put(names)
	}
	answer, err := answerVehicle(&v, names)
	if err == nil {
		err = checkContent(content{}, content{length: len(answer.body)})
	}
	return created{location: "/api/v1/vehicles/" + v.id.String(), etag: answer.etag, body: answer.body}, err
}

func split(params []api.VehicleParamInput) (ids []uuid.UUID, values []string) {
	for _, p := range params {
		ids = append(ids, p.ParamID)
		values = append(values, string(p.Value))
	}
	return ids, values
}

func ptr[T any](v T) *T { return &v }

// vehicleRules are what a vehicle is held against.
type vehicleRules struct {
	bound []catalogdb.TypeParamsForVehicleRow
	tags  []uuid.UUID // those of the asked ones that exist
}

// vehicleRules reads them in one round trip. The type is locked by a statement
// of its own before its bindings are read: within one statement the bindings
// would be those from before a change that the lock waited for.
func (s *Service) vehicleRules(ctx context.Context, tx pgx.Tx, typeID uuid.UUID, tags []uuid.UUID) (r vehicleRules, err error) {
	batch := &pgx.Batch{}
	batch.Queue(catalogdb.TypeShare, typeID).QueryRow(func(row pgx.Row) error {
		err := row.Scan(&typeID)
		if errors.Is(err, pgx.ErrNoRows) {
			return at(errReference, "equipmentTypeId", "does not exist")
		}
		return err
	})
	batch.Queue(catalogdb.TypeParamsForVehicle, typeID).Query(func(rows pgx.Rows) error {
		r.bound, err = pgx.CollectRows(rows, pgx.RowToStructByPos[catalogdb.TypeParamsForVehicleRow])
		return err
	})
	if len(tags) > 0 {
		batch.Queue(catalogdb.TagsExisting, tags).Query(func(rows pgx.Rows) error {
			r.tags, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			return err
		})
	}
	return r, tx.SendBatch(ctx, batch).Close()
}

// checkParams is checkValues, with the difference between a parameter that is
// not bound and one that does not exist at all (contract 9.2).
func (s *Service) checkParams(ctx context.Context, tx pgx.Tx, sent []api.VehicleParamInput, bound []catalogdb.TypeParamsForVehicleRow, complete bool) error {
	err := checkValues(sent, bound, complete)
	var p *edge.Problem
	if !errors.As(err, &p) || p.Code != errParamNotBound.Code {
		return err
	}
	ids := make([]uuid.UUID, len(sent))
	for i := range sent {
		ids[i] = sent[i].ParamID
	}
	existing, lookup := s.queries.ParamsExisting(ctx, tx, ids)
	if lookup != nil {
		return lookup
	}
	if i := missing(ids, existing); i >= 0 {
		return at(errReference, element("params", i, "paramId"), "does not exist")
	}
	return err
}

// storeChildren writes the lists that are not nil.
func (s *Service) storeChildren(ctx context.Context, tx pgx.Tx, id uuid.UUID, c children) error {
	if c.params != nil {
		if err := s.queries.VehicleParamsDelete(ctx, tx, id); err != nil {
			return err
		}
		if err := s.insertParams(ctx, tx, id, *c.params); err != nil {
			return err
		}
	}
	if c.tags != nil {
		if err := s.queries.VehicleTagsDelete(ctx, tx, id); err != nil {
			return err
		}
		if err := s.insertTags(ctx, tx, id, *c.tags); err != nil {
			return err
		}
	}
	for kind, files := range map[string]*[]uuid.UUID{kindPhoto: c.photos, kindDoc: c.docs} {
		if files == nil {
			continue
		}
		if err := s.putLinks(ctx, tx, id, kind, *files); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) insertParams(ctx context.Context, tx pgx.Tx, id uuid.UUID, params []api.VehicleParamInput) error {
	if len(params) == 0 {
		return nil
	}
	ids, values := split(params)
	return s.queries.VehicleParamsInsert(ctx, tx, catalogdb.VehicleParamsInsertParams{VehicleID: id, Ids: ids, ParamValues: values})
}

func (s *Service) insertTags(ctx context.Context, tx pgx.Tx, id uuid.UUID, tags []uuid.UUID) error {
	if len(tags) == 0 {
		return nil
	}
	if err := s.checkTags(ctx, tx, tags); err != nil {
		return err
	}
	return s.queries.VehicleTagsInsert(ctx, tx, catalogdb.VehicleTagsInsertParams{VehicleID: id, Ids: tags})
}

// checkTags names the first tag that does not exist.
func (s *Service) checkTags(ctx context.Context, tx pgx.Tx, tags []uuid.UUID) error {
	existing, err := s.queries.TagsExisting(ctx, tx, tags)
	if err != nil {
		return err
	}
	if i := missing(tags, existing); i >= 0 {
		return at(errReference, element("searchTagIds", i, ""), "does not exist")
	}
	return nil
}

// lengthOf is the length of the values that a request sends.
func lengthOf(params *[]api.VehicleParamInput) (n int) {
	for _, p := range value(params) {
		n += len(p.Value)
	}
	return n
}

// answerWritten reads a vehicle back as its writer sees it, with how much it holds.
func (s *Service) answerWritten(ctx context.Context, tx pgx.Tx, id uuid.UUID) (answer vehicleAnswer, held content, err error) {
	e, err := s.newViewer(ctx, "")
	if err != nil {
		return answer, held, err
	}
	v, names, err := s.readVehicle(ctx, tx, id, e)
	if err != nil {
		return answer, held, err
	}
	if answer, err = answerVehicle(&v, names); err != nil {
		return answer, held, err
	}
	held, err = contentOf(len(answer.body), v.updatedAt, v.updatedBy, v.version)
	return answer, held, err
}

// vehicleChange is a PUT or PATCH in common terms: nil scalars are unchanged.
type vehicleChange struct {
	typeID       *uuid.UUID
	plate        *string
	brand, model *string
	year         *int32
	active       *bool
	children
}

func (c vehicleChange) empty() bool {
	return c.typeID == nil && c.plate == nil && c.brand == nil && c.model == nil && c.year == nil && c.active == nil &&
		c.params == nil && c.tags == nil && c.photos == nil && c.docs == nil
}

// ReplaceVehicle replaces a vehicle: scalars that are null or absent stay,
// lists that are null, absent or empty are cleared (contract 2.18).
func (s *Service) ReplaceVehicle(ctx context.Context, r api.ReplaceVehicleRequestObject) (api.ReplaceVehicleResponseObject, error) {
	b := r.Body
	return s.changeVehicle(ctx, r.ID, r.Params.IfMatch, vehicleChange{
		typeID: pointer(b.EquipmentTypeID), plate: pointer(b.LicensePlate), brand: pointer(b.BrandName), model: pointer(b.ModelName),
		year: pointer(b.ReleaseYear), active: pointer(b.IsActive),
		children: children{params: whole(b.Params), tags: whole(b.SearchTagIds), photos: whole(b.PhotoFileIds), docs: whole(b.DocFileIds)},
	})
}

// whole is a list of a full replacement: null and absent are empty.
func whole[T any](sent nullable.Nullable[[]T]) *[]T { return ptr(value(pointer(sent))) }

// UpdateVehicle changes a vehicle: absent or null leaves everything unchanged,
// an empty list clears (contract 2.18).
func (s *Service) UpdateVehicle(ctx context.Context, r api.UpdateVehicleRequestObject) (api.UpdateVehicleResponseObject, error) {
	b := r.Body
	return s.changeVehicle(ctx, r.ID, r.Params.IfMatch, vehicleChange{
		typeID: pointer(b.EquipmentTypeID), plate: pointer(b.LicensePlate), brand: pointer(b.BrandName), model: pointer(b.ModelName),
		year: pointer(b.ReleaseYear), active: pointer(b.IsActive),
		children: children{params: pointer(b.Params), tags: pointer(b.SearchTagIds), photos: pointer(b.PhotoFileIds), docs: pointer(b.DocFileIds)},
	})
}

func (s *Service) changeVehicle(ctx context.Context, id uuid.UUID, ifMatch *string, c vehicleChange) (answer vehicleAnswer, err error) {
	e, err := s.newViewer(ctx, "")
	if err != nil {
		return answer, err
	}
	if err := noDuplicates("searchTagIds", value(c.tags)); err != nil {
		return answer, err // 400 before 404
	}
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		v, err := s.lockVehicle(ctx, tx, id, e)
		if err != nil {
			return err
		}
		if err := checkVersion(ifMatch, v.Version); err != nil {
			return err
		}
		if c.empty() {
			answer, _, err = s.answerWritten(ctx, tx, id)
			return err
		}
		var before, now content
		if lengthOf(c.params) > contentCheckFrom {
			if _, before, err = s.answerWritten(ctx, tx, id); err != nil {
				return err
			}
		}
		if err := s.storeVehicle(ctx, tx, v, c); err != nil {
			return err
		}
		if answer, now, err = s.answerWritten(ctx, tx, id); err != nil || c.params == nil {
			return err
		}
		return checkContent(before, now)
	})
	return answer, err
}

// storeVehicle applies a change to a locked vehicle.
func (s *Service) storeVehicle(ctx context.Context, tx pgx.Tx, v catalogdb.Vehicle, c vehicleChange) error {
	if err := c.checkFiles(); err != nil {
		return err
	}
	if c.plate != nil {
		plate, err := canonicalPlate(*c.plate)
		if err != nil {
			return err
		}
		v.LicensePlate = plate
	}
	newType := c.typeID != nil && *c.typeID != v.TypeID
	set(&v.TypeID, c.typeID)
	set(&v.BrandName, c.brand)
	set(&v.ModelName, c.model)
	set(&v.IsActive, c.active)
	if c.year != nil {
		v.ReleaseYear = c.year
	}
	if newType || len(value(c.params)) > 0 {
		if err := s.fitParams(ctx, tx, v, c.params); err != nil {
			return err
		}
	}
	if err := s.queries.VehicleUpdate(ctx, tx, catalogdb.VehicleUpdateParams{
		ID: v.ID, TypeID: v.TypeID, LicensePlate: v.LicensePlate, BrandName: v.BrandName, ModelName: v.ModelName,
		ReleaseYear: v.ReleaseYear, IsActive: v.IsActive, Actor: actor(ctx),
	}); err != nil {
		return err
	}
	return s.storeChildren(ctx, tx, v.ID, c.children)
}

// fitParams holds sent values against the type, or, when the type changes and
// no values are sent, drops those that the new type does not bind and asks
// whether the rest is complete (contract 2.9, contract 9.8).
func (s *Service) fitParams(ctx context.Context, tx pgx.Tx, v catalogdb.Vehicle, sent *[]api.VehicleParamInput) error {
	rules, err := s.vehicleRules(ctx, tx, v.TypeID, nil)
	if err != nil {
		return err
	}
	bound := rules.bound
	if sent != nil {
		return s.checkParams(ctx, tx, *sent, bound, len(*sent) > 0)
	}
	if err := s.queries.VehicleParamsDropUnbound(ctx, tx, catalogdb.VehicleParamsDropUnboundParams{VehicleID: v.ID, TypeID: v.TypeID}); err != nil {
		return err
	}
	held, err := s.queries.VehicleParamIDs(ctx, tx, v.ID)
	if err != nil {
		return err
	}
	return checkRequired(bound, func(id uuid.UUID) bool { return slices.Contains(held, id) })
}

// DeleteVehicle deletes a vehicle with all that belongs to it; a missing one
// is 204 as well, one of another owner 404.
func (s *Service) DeleteVehicle(ctx context.Context, r api.DeleteVehicleRequestObject) (api.DeleteVehicleResponseObject, error) {
	e, err := s.newViewer(ctx, "")
	if err != nil {
		return nil, err
	}
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		v, err := s.queries.VehicleLock(ctx, tx, r.ID)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if !mayChange(e.caller, v.OwnerUserID) {
			return edge.ErrNotFound
		}
		if err := checkVersion(r.Params.IfMatch, v.Version); err != nil {
			return err
		}
		return s.queries.VehicleDelete(ctx, tx, r.ID)
	})
	if err != nil {
		return nil, err
	}
	return api.DeleteVehicle204Response{}, nil
}
