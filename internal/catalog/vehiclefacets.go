package catalog

// This file: the facets of the vehicles (contract 2.17): what can be chosen next, with
// exact counts.

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
)

const (
	facetEntries = 100 // of each facet
	facetValues  = 20  // of a parameter
)

// facetRow is one row of the facets' statement.
type facetRow struct {
	facet     string
	id, group *uuid.UUID
	name      *string // of an entry; the JSON text of a parameter's value
	least     *string
	most      *string
	count     int64
}

// GetVehicleFacets answers what the filtered vehicles can be narrowed down by.
func (s *Service) GetVehicleFacets(ctx context.Context, r api.GetVehicleFacetsRequestObject) (api.GetVehicleFacetsResponseObject, error) {
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
	q := facetsQuery{by: by, filters: f, brandPrefix: value(p.BrandPrefix)}
	sql := q.build()
	var rows []facetRow
	names, err := s.withNames(ctx, s.reads(ctx), func(db catalogdb.DBTX) (version int64, err error) {
		rows, version, err = queryFacets(ctx, db, sql, prepared(q.rare(), q.args.args))
		return version, err
	})
	if err != nil {
		return nil, err
	}
	return answerFacets(rows, names)
}

func queryFacets(ctx context.Context, db catalogdb.DBTX, sql string, args []any) (rows []facetRow, version int64, err error) {
	result, err := db.Query(ctx, sql, args...)
	if err != nil {
		return nil, 0, err
	}
	rows, err = pgx.CollectRows(result, func(row pgx.CollectableRow) (f facetRow, err error) {
		err = row.Scan(&version, &f.facet, &f.id, &f.group, &f.name, &f.least, &f.most, &f.count)
		return f, err
	})
	return rows, version, err
}

// facetsQuery makes the one statement of the facets. Each facet counts the
// vehicles that pass all filters but its own; where its own is not asked for
// these are the hits, which are found once.
type facetsQuery struct {
	by          viewer
	filters     vehicleFilters
	brandPrefix string

	args    where // collects the arguments of all parts
	with    []string
	selects []string
}

const facetColumns = "v.id, v.type_id, v.brand_name, v.release_year"

// source is what a facet counts: a relation of id, type_id, brand_name and
// release_year, or the kept counts where no filter is left.
func (q *facetsQuery) source(own facet) (relation string, kept bool) {
	if own != everyFilter && !q.filters.asks(own) {
		return q.source(everyFilter)
	}
	name := "hits"
	if own != everyFilter {
		name = fmt.Sprintf("but_%d", len(q.with))
	}
	w := where{args: q.args.args}
	q.by.filter(&w)
	restricted := q.filters.apply(&w, own)
	if !restricted && q.by.countsKept() {
		return "", true
	}
	if own == everyFilter && slices.ContainsFunc(q.with, func(part string) bool { return strings.HasPrefix(part, "hits ") }) {
		return name, false
	}
	q.args.args = w.args
	q.with = append(q.with, name+" AS MATERIALIZED (SELECT "+facetColumns+" FROM "+w.vehicles(facetColumns)+")")
	return name, false
}

// rare reports whether the statement is not kept prepared, as for a list.
func (q *facetsQuery) rare() bool {
	var w where
	q.by.filter(&w)
	q.filters.apply(&w, everyFilter)
	return w.rare(nil)
}

// add adds the rows of a facet: columns facet, id, group, name, least, most, count.
func (q *facetsQuery) add(sql string, args ...any) {
	q.selects = append(q.selects, "("+q.args.fill(sql, args...)+")")
}

func (q *facetsQuery) build() string {
	active := "" // types and tags that are shown
	if !q.by.caller.IsAdmin() {
		active = " AND x.is_active"
	}
	counted := "active"
	if q.by.caller.IsAdmin() {
		counted = "total"
	}
	if relation, kept := q.source(everyFilter); kept {
		q.add(`SELECT 'total', NULL::uuid, NULL::uuid, NULL::text, NULL::text, NULL::text, (SELECT sum(` + counted + `) FROM vehicle_totals)::bigint`)
	} else {
		q.add(`SELECT 'total', NULL::uuid, NULL::uuid, NULL::text, NULL::text, NULL::text, count(*) FROM ` + relation)
	}
	types := func(own facet) string { // count by type
		relation, kept := q.source(own)
		if kept {
			return "SELECT key::uuid AS type_id, sum(" + counted + ")::bigint AS n FROM " + keptCounts("type") + " GROUP BY key"
		}
		return "SELECT type_id, count(*) AS n FROM " + relation + " GROUP BY type_id"
	}
	q.add(fmt.Sprintf(`SELECT 'type', x.id, NULL::uuid, x.title, NULL, NULL, c.n FROM (%s) c JOIN types x ON x.id = c.type_id
WHERE c.n > 0%s ORDER BY c.n DESC, x.title, x.id LIMIT %d`, types(typeFacet), active, facetEntries))
	q.add(fmt.Sprintf(`SELECT 'category', x.id, x.group_id, x.name, NULL, NULL, sum(c.n)::bigint AS n
FROM (%s) c JOIN type_categories l ON l.type_id = c.type_id JOIN categories x ON x.id = l.category_id
WHERE c.n > 0 GROUP BY x.id ORDER BY n DESC, x.name, x.id LIMIT %d`, types(categoryFacet), facetEntries))
	q.addBrands(counted)
	if relation, kept := q.source(everyFilter); kept {
		q.add(fmt.Sprintf(`SELECT 'tag', x.id, NULL::uuid, x.name, NULL, NULL, c.n
FROM (SELECT key::uuid AS tag_id, sum(%s)::bigint AS n FROM %s GROUP BY key) c JOIN tags x ON x.id = c.tag_id
WHERE c.n > 0 AND x.deleted_at IS NULL%s ORDER BY c.n DESC, x.name, x.id LIMIT %d`, counted, keptCounts("tag"), active, facetEntries))
	} else {
		q.add(fmt.Sprintf(`SELECT 'tag', x.id, NULL::uuid, x.name, NULL, NULL, c.n
FROM (SELECT t.tag_id, count(*) AS n FROM %s h JOIN vehicle_tags t ON t.vehicle_id = h.id GROUP BY t.tag_id) c JOIN tags x ON x.id = c.tag_id
WHERE x.deleted_at IS NULL%s ORDER BY c.n DESC, x.name, x.id LIMIT %d`, relation, active, facetEntries))
	}
	if relation, kept := q.source(yearFacet); kept {
		visible := ""
		if !q.by.caller.IsAdmin() {
			visible = "WHERE v.is_active"
		}
		q.add(`SELECT 'years', NULL::uuid, NULL::uuid, NULL, (SELECT min(v.release_year) FROM vehicles v ` + visible + `)::text, (SELECT max(v.release_year) FROM vehicles v ` + visible + `)::text, 0::bigint`)
	} else {
		q.add(`SELECT 'years', NULL::uuid, NULL::uuid, NULL, min(release_year)::text, max(release_year)::text, 0::bigint FROM ` + relation)
	}
	if q.filters.typeID != nil {
		q.addParams()
	}
	rows := "SELECT " + dictionaryVersion + ", f.* FROM (" + strings.Join(q.selects, "\nUNION ALL\n") + ") f(facet, id, group_id, name, least, most, n)\n" +
		`ORDER BY f.n DESC, f.name COLLATE "und-x-icu", f.id`
	if len(q.with) > 0 {
		rows = "WITH " + strings.Join(q.with, ", ") + "\n" + rows
	}
	return rows
}

// keptCounts are the kept counts of a kind as they are in this snapshot.
func keptCounts(kind string) string {
	return fmt.Sprintf(`(SELECT key, folded, active, total FROM vehicle_counts WHERE kind = '%[1]s'
UNION ALL SELECT key, CASE WHEN kind = 'brand' THEN fold(key) ELSE '' END, active, total FROM vehicle_count_changes WHERE kind = '%[1]s') k`, kind)
}

// addBrands counts spellings first, so that few of them are folded.
func (q *facetsQuery) addBrands(counted string) {
	var spellings string
	if relation, kept := q.source(brandFacet); kept {
		spellings = "SELECT key AS name, folded, sum(" + counted + ")::bigint AS n FROM " + keptCounts("brand") + " GROUP BY key, folded"
	} else {
		spellings = `SELECT brand_name AS name, fold(brand_name) AS folded, count(*) AS n FROM ` + relation + ` GROUP BY brand_name`
	}
	prefix := ""
	if q.brandPrefix != "" {
		prefix = q.args.fill(" AND b.folded LIKE replace(replace(replace(fold(%s::text), '\\', '\\\\'), '%%', '\\%%'), '_', '\\_') || '%%'", q.brandPrefix)
	}
	q.selects = append(q.selects, fmt.Sprintf(`(SELECT 'brand', NULL::uuid, NULL::uuid, r.name, NULL, NULL, r.n
FROM (SELECT (array_agg(b.name ORDER BY b.n DESC, b.name COLLATE "C"))[1] AS name, sum(b.n)::bigint AS n FROM (%s) b WHERE b.n > 0%s GROUP BY b.folded) r
ORDER BY r.n DESC, r.name COLLATE "und-x-icu" LIMIT %d)`, spellings, prefix, facetEntries))
}

// addParams describes the active parameters of the chosen type, each over the
// vehicles that pass all filters but those of its own.
func (q *facetsQuery) addParams() {
	groups := map[string][]uuid.UUID{} // relation to the parameters that have it of their own
	order := []string{}
	for _, p := range q.filters.params {
		if slices.ContainsFunc(order, func(r string) bool { return slices.Contains(groups[r], p.id) }) {
			continue
		}
		relation, _ := q.source(facet(p.id.String())) // the type is asked for: never kept
		groups[relation] = append(groups[relation], p.id)
		order = append(order, relation)
	}
	var own []uuid.UUID
	for _, relation := range order {
		own = append(own, groups[relation]...)
	}
	hits, _ := q.source(everyFilter)
	q.add(`SELECT 'param', p.id, NULL::uuid, NULL, NULL, NULL, t.position::bigint FROM type_params t JOIN params p ON p.id = t.param_id WHERE t.type_id = %s AND p.is_active`, *q.filters.typeID)
	if own == nil {
		own = []uuid.UUID{}
	}
	q.addValues(hits, "NOT (p.id = ANY (%s))", own)
	for _, relation := range order {
		q.addValues(relation, "p.id = ANY (%s)", groups[relation])
	}
}

// addValues adds what describes the values of some parameters over a relation. Numbers stand in an index that begins
// with parameter and type, so the values themselves are not read. They are for the others, and only where there are
// others: reading them costs a page of the table for each vehicle.
func (q *facetsQuery) addValues(relation, which string, ids []uuid.UUID) {
	part := len(q.with)
	described, held := fmt.Sprintf("described_%d", part), fmt.Sprintf("held_%d", part)
	q.with = append(q.with, described+" AS MATERIALIZED (SELECT p.id, p.value_type FROM type_params t JOIN params p ON p.id = t.param_id WHERE "+
		q.args.fill("t.type_id = %s AND p.is_active AND "+which, *q.filters.typeID, ids)+")")
	of := func(kinds string) string {
		return "FROM " + relation + " h JOIN vehicle_params x ON x.vehicle_id = h.id WHERE " + q.args.fill("x.vehicle_type_id = %s", *q.filters.typeID) +
			" AND x.param_id = ANY (ARRAY(SELECT d.id FROM " + described + " d WHERE d.value_type " + kinds + "))"
	}
	const numbers, others = "IN ('NUMBER', 'INTEGER')", "NOT IN ('NUMBER', 'INTEGER')"
	q.with = append(q.with, held+" AS MATERIALIZED (SELECT x.param_id AS id, x.value "+of(others)+" AND EXISTS (SELECT FROM "+described+" d WHERE d.value_type "+others+"))")
	kept := "FROM " + held + " x JOIN " + described + " d ON d.id = x.id WHERE d.value_type "
	q.selects = append(q.selects,
		`(SELECT 'range', x.param_id, NULL::uuid, NULL, min(x.number)::text, max(x.number)::text, 0::bigint `+of(numbers)+` GROUP BY x.param_id)`,
		`(SELECT 'range', x.id, NULL::uuid, NULL, min(x.value COLLATE "C"), max(x.value COLLATE "C"), 0::bigint `+kept+`= 'DATE' GROUP BY x.id)`,
		// spellings first, so that few of them are folded
		fmt.Sprintf(`(SELECT 'value', r.id, NULL::uuid, r.value, NULL, NULL, r.n FROM (
    SELECT s.id, (array_agg(s.value ORDER BY s.n DESC, s.value COLLATE "C"))[1] AS value, sum(s.n)::bigint AS n,
        row_number() OVER (PARTITION BY s.id ORDER BY sum(s.n) DESC, param_text(s.value)) AS place
    FROM (SELECT x.id, x.value, count(*) AS n %sIN ('STRING', 'BOOLEAN') GROUP BY x.id, x.value) s
    GROUP BY s.id, param_text(s.value)
) r WHERE r.place <= %d)`, kept, facetValues))
}

// asks reports whether a facet's own filter is there.
func (f vehicleFilters) asks(own facet) bool {
	switch own {
	case typeFacet:
		return f.typeID != nil
	case categoryFacet:
		return f.categoryID != nil
	case brandFacet:
		return f.brand != nil
	case yearFacet:
		return f.yearFrom != nil || f.yearTo != nil
	default:
		return slices.ContainsFunc(f.params, func(p paramFilter) bool { return facet(p.id.String()) == own })
	}
}

// countsKept reports whether what the viewer may list is what the writers count:
// all public vehicles, or all.
func (v viewer) countsKept() bool {
	return v.view != viewOwn && (v.caller.Anonymous() || v.caller.IsAdmin())
}

func answerFacets(rows []facetRow, names *dictionary) (api.GetVehicleFacets200JSONResponse, error) {
	out := api.VehicleFacets{
		EquipmentTypes: []api.EquipmentTypeFacet{}, Categories: []api.CategoryFacet{}, Brands: []api.BrandFacet{},
		SearchTags: []api.SearchTagFacet{}, Params: []api.ParamFacet{},
	}
	params := map[uuid.UUID]int{}
	for _, r := range rows {
		if r.facet != "param" {
			continue
		}
		name := names.params[*r.id]
		if name == nil {
			return api.GetVehicleFacets200JSONResponse{}, fmt.Errorf("facet of param %s, which is not in dictionary %d", r.id, names.version)
		}
		params[*r.id] = int(r.count)
		out.Params = append(out.Params, api.ParamFacet{ParamID: *r.id, Name: name.param.Name, ValueType: name.param.ValueType, Unit: name.param.Unit})
	}
	slices.SortFunc(out.Params, func(a, b api.ParamFacet) int { return params[a.ParamID] - params[b.ParamID] })
	for i, p := range out.Params {
		params[p.ParamID] = i
		if kind := api.ParamValueType(p.ValueType); kind == api.STRING || kind == api.BOOLEAN {
			out.Params[i].Values = &[]api.ParamValueFacet{}
		}
	}
	for _, r := range rows {
		switch r.facet {
		case "total":
			out.TotalElements = r.count
		case "type":
			out.EquipmentTypes = append(out.EquipmentTypes, api.EquipmentTypeFacet{ID: *r.id, Title: *r.name, Count: r.count})
		case "category":
			out.Categories = append(out.Categories, api.CategoryFacet{ID: *r.id, GroupID: *r.group, Name: *r.name, Count: r.count})
		case "brand":
			out.Brands = append(out.Brands, api.BrandFacet{Name: *r.name, Count: r.count})
		case "tag":
			out.SearchTags = append(out.SearchTags, api.SearchTagFacet{ID: *r.id, Name: *r.name, Count: r.count})
		case "years":
			out.ReleaseYears = api.YearRange{Min: yearOf(r.least), Max: yearOf(r.most)}
		case "range":
			p := &out.Params[params[*r.id]]
			p.Min, p.Max = ptr(json.RawMessage(*r.least)), ptr(json.RawMessage(*r.most))
		case "value":
			values := out.Params[params[*r.id]].Values
			*values = append(*values, api.ParamValueFacet{Value: json.RawMessage(*r.name), Count: r.count})
		}
	}
	return api.GetVehicleFacets200JSONResponse(out), nil
}

// yearOf reads a year of the database, null for none.
func yearOf(text *string) *int32 {
	if text == nil {
		return nil
	}
	var year int32
	if _, err := fmt.Sscan(*text, &year); err != nil {
		return nil
	}
	return &year
}
