package catalog

// This file: reading vehicles: by id, lists and counts (D2.8, D2.11, D2.13).

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

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

// vehicleColumns is what scanVehicle takes: a vehicle with all that belongs to
// it, children as arrays in their order, so that a page costs one round trip.
func vehicleColumns(links string) string {
	return fmt.Sprintf(`v.id, v.type_id, v.license_plate, v.brand_name, v.model_name, v.release_year, v.is_active, v.owner_user_id,
(v.rating_avg * 100)::integer, v.rating_count, v.version, v.created_at, v.updated_at, v.created_by, v.updated_by,
ARRAY(SELECT p.param_id FROM vehicle_params p WHERE p.vehicle_id = v.id ORDER BY p.position),
ARRAY(SELECT p.value FROM vehicle_params p WHERE p.vehicle_id = v.id ORDER BY p.position),
ARRAY(SELECT t.tag_id FROM vehicle_tags t WHERE t.vehicle_id = v.id ORDER BY t.position),
ARRAY(SELECT l.file_id FROM vehicle_links l WHERE l.vehicle_id = v.id AND l.kind = 'photo' AND %[1]s ORDER BY l.position),
ARRAY(SELECT l.file_id FROM vehicle_links l WHERE l.vehicle_id = v.id AND l.kind = 'doc' AND %[1]s ORDER BY l.position)`, links)
}

func scanVehicle(v *vehicleRow) []any {
	return []any{
		&v.id, &v.typeID, &v.plate, &v.brand, &v.model, &v.year, &v.active, &v.owner,
		&v.ratingHundredths, &v.ratingCount, &v.version, &v.createdAt, &v.updatedAt, &v.createdBy, &v.updatedBy,
		&v.paramIDs, &v.paramValues, &v.tagIDs, &v.photos, &v.docs,
	}
}

const dictionaryVersion = "(SELECT version FROM dictionary_version)"

// readVehicle reads one vehicle with its names.
func (s *Service) readVehicle(ctx context.Context, db catalogdb.DBTX, id uuid.UUID, e eyes) (v vehicleRow, names *dictionary, err error) {
	var w where
	w.add("v.id = %s", id)
	sql := fmt.Sprintf("SELECT %s, %s FROM vehicles v %s", dictionaryVersion, vehicleColumns(e.linkCondition(&w)), w.String())
	names, err = s.withNames(ctx, db, func(db catalogdb.DBTX) (version int64, err error) {
		v = vehicleRow{}
		err = db.QueryRow(ctx, sql, w.args...).Scan(append([]any{&version}, scanVehicle(&v)...)...)
		return version, err
	})
	return v, names, err
}

// GetVehicle answers a vehicle by id.
func (s *Service) GetVehicle(ctx context.Context, r api.GetVehicleRequestObject) (api.GetVehicleResponseObject, error) {
	e, err := s.eyesOf(ctx, string(value(r.Params.View)))
	if err != nil {
		return nil, err
	}
	v, names, err := s.readVehicle(ctx, s.reads(ctx), r.ID, e)
	if err != nil {
		return nil, err
	}
	if !e.sees(v.owner, v.active) {
		return nil, edge.ErrNotFound
	}
	if notModified(r.Params.IfNoneMatch, v.version) {
		return api.GetVehicle304Response{Headers: api.NotModifiedResponseHeaders{ETag: etag(v.version)}}, nil
	}
	return answerVehicle(&v, names)
}

func answerVehicle(v *vehicleRow, names *dictionary) (vehicleAnswer, error) {
	body, err := appendVehicle(make([]byte, 0, vehicleBytes), v, names)
	return vehicleAnswer{etag: etag(v.version), body: append(body, '\n')}, err
}

// vehicleFilters are the filters of the list and the count.
type vehicleFilters struct {
	plate          *string
	minRatingAvg   *float64
	minRatingCount *int32
	typeID         *uuid.UUID
	categoryID     *uuid.UUID
	tagIDs         *[]uuid.UUID
	brand          *string
}

// apply adds the conditions and tells whether any restricts the set at all.
func (f vehicleFilters) apply(w *where) (restricts bool) {
	before := len(w.conditions)
	if f.plate != nil {
		switch canonical := plate.Fold(*f.plate); {
		case canonical == "": // filters nothing
		case !plate.Valid(canonical):
			w.add("false") // an illegal character is in no plate
		default:
			w.add("v.license_plate LIKE %s", likePattern(canonical))
		}
	}
	if f.minRatingAvg != nil && *f.minRatingAvg > 0 {
		// the shown average; the count repeats the condition of the index
		w.add("v.rating_count > 0 AND v.rating_avg >= %s::float8::numeric", *f.minRatingAvg)
	}
	if n := value(f.minRatingCount); n > 0 {
		w.add("v.rating_count > 0 AND v.rating_count >= %s", n)
	}
	if f.typeID != nil {
		w.add("v.type_id = %s", *f.typeID)
	}
	if f.categoryID != nil {
		w.add("v.type_id IN (SELECT c.type_id FROM type_categories c WHERE c.category_id = %s)", *f.categoryID)
	}
	for _, id := range value(f.tagIDs) {
		w.add("v.id IN (SELECT t.vehicle_id FROM vehicle_tags t WHERE t.tag_id = %s)", id)
	}
	if f.brand != nil {
		w.add("lower(v.brand_name) = lower(%s::text COLLATE \"und-x-icu\")", strings.TrimSpace(*f.brand))
	}
	return len(w.conditions) > before
}

// total is the exact number of vehicles in the list. Without filters the
// public and the whole number are kept by the writers (see the migration).
func (e eyes) total(filtered bool, w where) string {
	switch {
	case filtered || e.view == viewOwn:
	case e.caller.Anonymous():
		return "(SELECT sum(active) FROM vehicle_totals)::bigint"
	case e.caller.IsAdmin():
		return "(SELECT sum(total) FROM vehicle_totals)::bigint"
	}
	return fmt.Sprintf("(SELECT count(*) FROM vehicles v %s)", w.String())
}

// ListVehicles answers a page of vehicles.
func (s *Service) ListVehicles(ctx context.Context, r api.ListVehiclesRequestObject) (api.ListVehiclesResponseObject, error) {
	p := r.Params
	e, err := s.eyesOf(ctx, string(value(p.View)))
	if err != nil {
		return nil, err
	}
	order, err := orderBy("v", p.Sort, vehicleOrders)
	if err != nil {
		return nil, err
	}
	var w where
	e.filter(&w)
	filtered := vehicleFilters{p.LicensePlate, p.MinRatingAvg, p.MinRatingCount, p.EquipmentTypeID, p.CategoryID, p.SearchTagID, p.BrandName}.apply(&w)
	window := windowOf(p.Page, p.Size)
	sql := vehiclePageSQL(&w, e, order, e.total(filtered, w), window, value(p.LicensePlate) != "")

	var rows []vehicleRow
	var total int64
	plan := planAuto
	if len([]rune(plate.Fold(value(p.LicensePlate)))) >= trigram {
		plan = planGeneric
	}
	names, err := s.withNames(ctx, s.reads(ctx), func(db catalogdb.DBTX) (version int64, err error) {
		rows, total, version, err = queryVehicles(ctx, db, plan, sql, w.args, window.size)
		return version, err
	})
	if err != nil {
		return nil, err
	}
	return answerVehicles(rows, names, window, total)
}

// vehiclePageSQL finds the ids of the page first, from the index of the order
// where there is one, and fetches whole vehicles only for them. A plate filter
// is expensive to evaluate, so its hits are kept and serve total and page.
func vehiclePageSQL(w *where, e eyes, order, total string, window window, keepHits bool) string {
	limit, offset := w.arg(window.size), w.arg(window.offset())
	with, source := "", "vehicles v "+w.String()
	if keepHits {
		with = "WITH hits AS MATERIALIZED (SELECT v.id, v.created_at, v.updated_at, v.created_by, v.updated_by, v.brand_name, v.model_name, " +
			"v.type_id, v.owner_user_id, v.license_plate, v.release_year, v.is_active FROM vehicles v " + w.String() + ")\n"
		source, total = "hits v", "(SELECT count(*) FROM hits)"
	}
	return fmt.Sprintf(`%[8]sSELECT counted.total, %[1]s, page.n, %[2]s
FROM (SELECT %[3]s AS total) counted
LEFT JOIN (
    SELECT ordered.id, row_number() OVER () AS n
    FROM (SELECT v.id FROM %[4]s ORDER BY %[5]s LIMIT %[6]s OFFSET %[7]s) ordered
) page ON true
LEFT JOIN vehicles v ON v.id = page.id
ORDER BY page.n`, dictionaryVersion, vehicleColumns(e.linkCondition(w)), total, source, order, limit, offset, with)
}

// Values of plan_cache_mode. PostgreSQL plans a LIKE with a parameter anew on
// every call, which costs as much as running it; with three characters or more
// the trigram index is right for every pattern, so one plan serves all.
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
		// every row is scanned into one and copied: its lists are made anew each time
		var v vehicleRow
		targets := append([]any{&total, &version, nil}, scanVehicle(&v)...)
		for result.Next() {
			if result.RawValues()[2] == nil {
				if err := result.Scan(append([]any{&total, &version}, make([]any, len(targets)-2)...)...); err != nil {
					return err
				}
				continue
			}
			v = vehicleRow{}
			if err := result.Scan(targets...); err != nil {
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
	b := append(make([]byte, 0, 128+vehicleBytes*len(rows)), `{"content":[`...)
	var err error
	for i := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendVehicle(b, &rows[i], names); err != nil {
			return vehiclesAnswer{}, err
		}
	}
	b = fmt.Appendf(b, "],\"currentPage\":%d,\"pageSize\":%d,\"totalElements\":%d}\n", w.page, w.size, total)
	return vehiclesAnswer{b}, nil
}

// vehicleBytes is about the size of a vehicle's JSON, a little more than usual:
// growing the buffer of a page costs more than the encoding saves.
const vehicleBytes = 2400

// CountVehicles counts what ListVehicles lists.
func (s *Service) CountVehicles(ctx context.Context, r api.CountVehiclesRequestObject) (api.CountVehiclesResponseObject, error) {
	p := r.Params
	e, err := s.eyesOf(ctx, string(value(p.View)))
	if err != nil {
		return nil, err
	}
	var w where
	e.filter(&w)
	filtered := vehicleFilters{p.LicensePlate, p.MinRatingAvg, p.MinRatingCount, p.EquipmentTypeID, p.CategoryID, p.SearchTagID, p.BrandName}.apply(&w)
	var n int64
	if err := s.reads(ctx).QueryRow(ctx, "SELECT "+e.total(filtered, w), w.args...).Scan(&n); err != nil {
		return nil, err
	}
	return api.CountVehicles200JSONResponse{Body: api.Count{Count: n}}, nil
}

// vehicleAccess reads what decides about nested resources; a vehicle that is
// hidden from the caller is not found.
func (s *Service) vehicleAccess(ctx context.Context, db catalogdb.DBTX, id uuid.UUID) (eyes, catalogdb.VehicleAccessRow, error) {
	e, err := s.eyesOf(ctx, "")
	if err != nil {
		return e, catalogdb.VehicleAccessRow{}, err
	}
	v, err := s.queries.VehicleAccess(ctx, db, id)
	if err != nil {
		return e, v, err
	}
	if !e.seesInside(v.OwnerUserID, v.IsActive) {
		return e, v, edge.ErrNotFound
	}
	return e, v, nil
}

// lockVehicle locks a vehicle that the caller may change; for anyone else it
// does not exist (D2.14).
func (s *Service) lockVehicle(ctx context.Context, tx pgx.Tx, id uuid.UUID, e eyes) (catalogdb.Vehicle, error) {
	v, err := s.queries.VehicleLock(ctx, tx, id)
	if err != nil {
		return v, err
	}
	if !mayChange(e.caller, v.OwnerUserID) {
		return v, edge.ErrNotFound
	}
	return v, nil
}
