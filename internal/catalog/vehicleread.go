package catalog

// This file: reading vehicles: by id, lists and counts (contract 2.8, contract 2.11, contract 2.13).

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/plate"
)

var vehicleOrders = orders(map[string]sortable{
	"brandName":        {column: "brand_name"},
	"modelName":        {column: "model_name"},
	"equipmentType.id": {column: "type_id"},
	"equipmentTypeId":  {column: "type_id"},
	"ownerUserId":      {column: "owner_user_id"},
	"licensePlate":     {column: "license_plate", nullable: true},
	"releaseYear":      {column: "release_year", nullable: true},
	"isActive":         {column: "is_active"},
})

// vehicleColumns are what scanVehicle takes of a row d of vehicle_details, with
// the links that the viewer sees behind them.
const vehicleColumns = `d.id, d.type_id, d.license_plate, d.brand_name, d.model_name, d.release_year, d.is_active, d.owner_user_id,
d.rating_hundredths, d.rating_count, d.version, d.created_at, d.updated_at, d.created_by, d.updated_by, d.param_ids, d.param_values, d.tag_ids, `

func scanVehicle(v *vehicleRow) []any {
	m := &rowMemory{}
	text := func(into *string) any { return &scannedText{m, into} }
	ids := func(into *pgtype.FlatArray[uuid.UUID]) any { return &scannedIDs{m, into} }
	return []any{
		&v.id, &v.typeID, &scannedNullableText{m, &v.plate}, text(&v.brand), text(&v.model), &scannedYear{m, &v.year}, &v.active, text(&v.owner),
		&v.ratingHundredths, &v.ratingCount, &v.version, &v.createdAt, &v.updatedAt, text(&v.createdBy), text(&v.updatedBy),
		ids(&v.paramIDs), &scannedTexts{memory: m, into: &v.paramValues}, ids(&v.tagIDs), ids(&v.photos), ids(&v.docs),
	}
}

const dictionaryVersion = "(SELECT version FROM dictionary_version)"

// readVehicle reads one vehicle with its names.
func (s *Service) readVehicle(ctx context.Context, db catalogdb.DBTX, id uuid.UUID, by viewer) (v vehicleRow, names *dictionary, err error) {
	all, of := by.links()
	names, err = s.withNames(ctx, db, func(db catalogdb.DBTX) (version int64, err error) {
		row, err := s.queries.VehicleGet(ctx, db, catalogdb.VehicleGetParams{ID: id, AllLinks: all, LinksOf: of})
		v = vehicleRow{
			id: row.ID, typeID: row.TypeID, plate: row.LicensePlate, brand: row.BrandName, model: row.ModelName, year: row.ReleaseYear,
			active: row.IsActive, owner: row.OwnerUserID, ratingHundredths: row.RatingHundredths, ratingCount: row.RatingCount,
			version: row.Version, createdAt: row.CreatedAt, updatedAt: row.UpdatedAt, createdBy: row.CreatedBy, updatedBy: row.UpdatedBy,
			paramIDs: row.ParamIds, paramValues: row.ParamValues, tagIDs: row.TagIds, photos: row.PhotoIds, docs: row.DocIds,
		}
		return row.Dictionary, err
	})
	return v, names, err
}

// GetVehicle answers a vehicle by id.
func (s *Service) GetVehicle(ctx context.Context, r api.GetVehicleRequestObject) (api.GetVehicleResponseObject, error) {
	by, err := s.newViewer(ctx, string(value(r.Params.View)))
	if err != nil {
		return nil, err
	}
	v, names, err := s.readVehicle(ctx, s.reads(ctx), r.ID, by)
	if err != nil {
		return nil, err
	}
	if !by.canRead(v.owner, v.active) {
		return nil, edge.ErrNotFound
	}
	return answerVehicle(&v, names)
}

func answerVehicle(v *vehicleRow, names *dictionary) (vehicleAnswer, error) {
	body, err := appendVehicle(make([]byte, 0, vehicleBytes), v, names)
	return vehicleAnswer{etag: etag(v.version), body: append(body, '\n')}, err
}

// total is the exact number of vehicles in the list. Without filters the
// public and the whole number are kept by the writers (see the migration).
func (v viewer) total(filtered bool, w where) string {
	switch {
	case filtered || v.view == viewOwn:
	case v.caller.Anonymous():
		return "(SELECT sum(active) FROM vehicle_totals)::bigint"
	case v.caller.IsAdmin():
		return "(SELECT sum(total) FROM vehicle_totals)::bigint"
	}
	return "(SELECT count(*) FROM " + w.vehicles("") + ")"
}

// ListVehicles answers a page of vehicles.
func (s *Service) ListVehicles(ctx context.Context, r api.ListVehiclesRequestObject) (api.ListVehiclesResponseObject, error) {
	p := r.Params
	by, err := s.newViewer(ctx, string(value(p.View)))
	if err != nil {
		return nil, err
	}
	order, err := orderBy("v", p.Sort, vehicleOrders)
	if err != nil {
		return nil, err
	}
	f := vehicleFilters{plate: p.LicensePlate, minRatingAvg: p.MinRatingAvg, minRatingCount: p.MinRatingCount, typeID: p.EquipmentTypeID, categoryID: p.CategoryID,
		tagIDs: p.SearchTagID, brand: p.BrandName, owner: p.OwnerUserID, yearFrom: p.ReleaseYearFrom, yearTo: p.ReleaseYearTo}
	if f.params, err = s.readParamFilters(ctx, s.reads(ctx), p.Param); err != nil {
		return nil, err
	}
	var w where
	by.filter(&w)
	filtered := f.apply(&w, everyFilter)
	window, rare := windowOf(p.Page, p.Size), w.rare(p.Sort)
	sql := vehiclePageSQL(&w, by, order, by.total(filtered, w), window, value(p.LicensePlate) != "" || f.inLists())

	var rows []vehicleRow
	var total int64
	plan := planAuto
	if plates := len([]rune(plate.Fold(value(p.LicensePlate)))); !rare && (plates >= trigram || plates == 0 && w.listed != "") {
		plan = planGeneric
	}
	names, err := s.withNames(ctx, s.reads(ctx), func(db catalogdb.DBTX) (version int64, err error) {
		rows, total, version, err = queryVehicles(ctx, db, plan, sql, prepared(rare, w.args), window.size)
		return version, err
	})
	if err != nil {
		return nil, err
	}
	return answerVehicles(rows, names, window, total)
}

// vehiclePageSQL finds the ids of the page first, from the index of the order
// where there is one, and fetches whole vehicles only for them. What an expensive
// filter finds (keepHits) is kept and serves total and page.
func vehiclePageSQL(w *where, by viewer, order, total string, window window, keepHits bool) string {
	limit, offset := w.arg(window.size), w.arg(window.offset())
	with, source := "", w.vehicles(order)
	if keepHits {
		ordered := vehicleColumn.FindAllString(order, -1) // the id among them
		with = "WITH hits AS MATERIALIZED (SELECT " + strings.Join(ordered, ", ") + " FROM " + source + ")\n"
		source, total = "hits v", "(SELECT count(*) FROM hits)"
	}
	return fmt.Sprintf(`%[8]sSELECT counted.total, %[1]s, page.n, %[2]s
FROM (SELECT %[3]s AS total) counted
LEFT JOIN (
    SELECT ordered.id, row_number() OVER () AS n
    FROM (SELECT v.id FROM %[4]s ORDER BY %[5]s LIMIT %[6]s OFFSET %[7]s) ordered
) page ON true
LEFT JOIN vehicle_details d ON d.id = page.id
ORDER BY page.n`, dictionaryVersion, vehicleColumns+by.linkColumns(w), total, source, order, limit, offset, with)
}

// Values of plan_cache_mode. PostgreSQL plans a LIKE with a parameter anew on
// every call, which costs as much as running it; with three characters or more
// the trigram index is right for every pattern, so one plan serves all. So is the index of
// listed values for every range.
const (
	planAuto    = "auto"
	planGeneric = "force_generic_plan"
	trigram     = 3
)

// queryVehicles runs a statement of total, dictionary version, number, vehicle
// columns, for most vehicles at most. A page past the end has one row without a
// vehicle.
func queryVehicles(ctx context.Context, db catalogdb.DBTX, plan, sql string, args []any, most int32) (rows []vehicleRow, total, version int64, err error) {
	read := func(result pgx.Rows) error {
		// every row is scanned into one and copied: its lists and texts are cut anew each time
		var v vehicleRow
		targets := append([]any{&total, &version, nil}, scanVehicle(&v)...)
		for result.Next() {
			if result.RawValues()[2] == nil {
				if err := result.Scan(append([]any{&total, &version}, make([]any, len(targets)-2)...)...); err != nil {
					return err
				}
				continue
			}
			if err := result.Scan(targets...); err != nil {
				return err
			}
			if err := edge.Reserve(ctx, v.held()); err != nil {
				return err
			}
			if rows == nil {
				rows = make([]vehicleRow, 0, most)
			}
			rows = append(rows, v)
		}
		return result.Err()
	}
	if plan == planAuto {
		result, err := db.Query(ctx, sql, args...)
		if err != nil {
			return nil, 0, 0, err
		}
		defer result.Close()
		err = read(result)
		return rows, total, version, err
	}
	// one implicit transaction: the setting ends with it
	batch := &pgx.Batch{}
	batch.Queue("SELECT set_config('plan_cache_mode', '" + plan + "', true)").Exec(func(pgconn.CommandTag) error { return nil })
	batch.Queue(sql, args...).Query(read)
	err = db.SendBatch(ctx, batch).Close()
	return rows, total, version, err
}

func answerVehicles(rows []vehicleRow, names *dictionary, w window, total int64) (vehiclesAnswer, error) {
	page := newPage(len(rows))
	b := append(*page, `{"content":[`...)
	var err error
	for i := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendVehicle(b, &rows[i], names); err != nil {
			return vehiclesAnswer{}, err
		}
	}
	*page = fmt.Appendf(b, "],\"currentPage\":%d,\"pageSize\":%d,\"totalElements\":%d}\n", w.page, w.size, total)
	return vehiclesAnswer{page}, nil
}

// vehicleBytes is about the size of a vehicle's JSON, a little more than usual:
// growing the buffer of a page costs more than the encoding saves.
const vehicleBytes = 2400

// CountVehicles counts what ListVehicles lists.
func (s *Service) CountVehicles(ctx context.Context, r api.CountVehiclesRequestObject) (api.CountVehiclesResponseObject, error) {
	p := r.Params
	by, err := s.newViewer(ctx, string(value(p.View)))
	if err != nil {
		return nil, err
	}
	f := vehicleFilters{plate: p.LicensePlate, minRatingAvg: p.MinRatingAvg, minRatingCount: p.MinRatingCount, typeID: p.EquipmentTypeID, categoryID: p.CategoryID,
		tagIDs: p.SearchTagID, brand: p.BrandName, owner: p.OwnerUserID, yearFrom: p.ReleaseYearFrom, yearTo: p.ReleaseYearTo}
	if f.params, err = s.readParamFilters(ctx, s.reads(ctx), p.Param); err != nil {
		return nil, err
	}
	var w where
	by.filter(&w)
	filtered := f.apply(&w, everyFilter)
	var n int64
	if err := s.reads(ctx).QueryRow(ctx, "SELECT "+by.total(filtered, w), prepared(w.rare(nil), w.args)...).Scan(&n); err != nil {
		return nil, err
	}
	return api.CountVehicles200JSONResponse(api.Count{Count: n}), nil
}

// vehicleAccess reads what decides about nested resources; a vehicle that is
// hidden from the caller is not found.
func (s *Service) vehicleAccess(ctx context.Context, db catalogdb.DBTX, id uuid.UUID) (viewer, catalogdb.VehicleAccessRow, error) {
	e, err := s.newViewer(ctx, "")
	if err != nil {
		return e, catalogdb.VehicleAccessRow{}, err
	}
	v, err := s.queries.VehicleAccess(ctx, db, id)
	if err != nil {
		return e, v, err
	}
	if !e.canReadChildren(v.OwnerUserID, v.IsActive) {
		return e, v, edge.ErrNotFound
	}
	return e, v, nil
}

// lockVehicle locks a vehicle that the caller may change; for anyone else it
// does not exist (contract 2.14).
func (s *Service) lockVehicle(ctx context.Context, tx pgx.Tx, id uuid.UUID, e viewer) (catalogdb.Vehicle, error) {
	v, err := s.queries.VehicleLock(ctx, tx, id)
	if err != nil {
		return v, err
	}
	if !mayChange(e.caller, v.OwnerUserID) {
		return v, edge.ErrNotFound
	}
	return v, nil
}
