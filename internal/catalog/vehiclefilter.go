package catalog

// This file: the filters of the vehicles' list, count and facets (contract 2.11).

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/plate"
)

// facet names a filter that a facet leaves out of what it counts.
type facet string

const (
	everyFilter   facet = ""
	typeFacet     facet = "equipmentTypeId"
	categoryFacet facet = "categoryId"
	brandFacet    facet = "brandName"
	yearFacet     facet = "releaseYear"
)

// vehicleFilters are the filters as they are sent; nil filters nothing.
type vehicleFilters struct {
	plate            *string
	minRatingAvg     *float64
	minRatingCount   *int32
	typeID           *uuid.UUID
	categoryID       *uuid.UUID
	tagIDs           *[]uuid.UUID
	brand            *string
	owner            *string
	yearFrom, yearTo *int32

	params []paramFilter // of `param`, see readParamFilters
}

// paramFilter is a value that a vehicle must hold: a number or a date in a range,
// ends included, a text, or any at all.
type paramFilter struct {
	id          uuid.UUID
	kind        paramKind
	least, most string
}

type paramKind int

const (
	anyValue paramKind = iota
	numberRange
	dateRange
	sameText
	noValue // nothing holds a value of a parameter that does not exist
)

// The ends of ranges that are open. Dates are of four digits (contract 2.9).
const (
	leastNumber, mostNumber = "-Infinity", "Infinity"
	firstDate, lastDate     = "0001-01-01", "9999-12-31"
)

// readParamFilters parses the `param` parameters. They are checked against the value types of their parameters, which
// cannot change while a vehicle holds a value.
func (s *Service) readParamFilters(ctx context.Context, db catalogdb.DBTX, sent *[]string) ([]paramFilter, error) {
	if len(value(sent)) == 0 {
		return nil, nil
	}
	ids := make([]uuid.UUID, len(*sent))
	for i, text := range *sent {
		id, _, _ := strings.Cut(text, ",")
		var err error
		if ids[i], err = uuid.Parse(id); err != nil {
			return nil, edge.InvalidField("param", fmt.Sprintf("%q does not begin with the id of a parameter", text))
		}
	}
	rows, err := s.queries.ParamValueTypes(ctx, db, ids)
	if err != nil {
		return nil, err
	}
	types := make(map[uuid.UUID]api.ParamValueType, len(rows))
	for _, row := range rows {
		types[row.ID] = api.ParamValueType(row.ValueType)
	}
	var filters []paramFilter
	for i, text := range *sent {
		f, err := parseParamFilter(ids[i], types[ids[i]], text)
		if err != nil {
			return nil, err
		}
		ranged := f.kind == numberRange || f.kind == dateRange
		if at := slices.IndexFunc(filters, func(other paramFilter) bool { return other.id == f.id && other.kind == f.kind }); at >= 0 && ranged {
			filters[at].narrow(f) // one range costs less than two
		} else {
			filters = append(filters, f)
		}
	}
	return filters, nil
}

// parseParamFilter reads `id,op,value`. valueType is empty for an unknown
// parameter, which matches nothing.
func parseParamFilter(id uuid.UUID, valueType api.ParamValueType, text string) (paramFilter, error) {
	refuse := func(why string) (paramFilter, error) {
		return paramFilter{}, edge.InvalidField("param", fmt.Sprintf("%q: %s", text, why))
	}
	parts := strings.SplitN(text, ",", 3)
	op := ""
	if len(parts) > 1 {
		op = parts[1]
	}
	switch {
	case op == "any" && len(parts) == 2:
	case (op == "eq" || op == "gte" || op == "lte") && len(parts) == 3 && parts[2] != "":
	case op == "any":
		return refuse("any takes no value")
	case op == "eq" || op == "gte" || op == "lte":
		return refuse("has no value")
	default:
		return refuse("has an unknown operator; eq, gte, lte or any is needed")
	}
	if valueType == "" {
		return paramFilter{id: id, kind: noValue}, nil
	}
	if op == "any" {
		return paramFilter{id: id, kind: anyValue}, nil
	}
	raw := json.RawMessage(parts[2])
	if valueType == api.STRING || valueType == api.DATE {
		raw = appendString(nil, parts[2])
	}
	if !json.Valid(raw) {
		raw = json.RawMessage(`null`)
	}
	if expected, ok := fits(raw, valueType); !ok {
		return refuse("the value " + expected)
	}
	f := paramFilter{id: id, kind: sameText, least: parts[2], most: parts[2]}
	first, last := firstDate, lastDate
	switch valueType {
	case api.NUMBER, api.INTEGER:
		f.kind, first, last = numberRange, leastNumber, mostNumber
	case api.DATE:
		f.kind = dateRange
	default:
		if op != "eq" {
			return refuse(op + " is for parameters of NUMBER, INTEGER and DATE")
		}
	}
	switch op {
	case "gte":
		f.most = last
	case "lte":
		f.least = first
	}
	return f, nil
}

// narrow leaves what lies in the range of g too.
func (f *paramFilter) narrow(g paramFilter) {
	if less(f.kind, f.least, g.least) {
		f.least = g.least
	}
	if less(f.kind, g.most, f.most) {
		f.most = g.most
	}
}

// less compares ends of ranges: dates as texts, numbers exactly, by value.
func less(kind paramKind, a, b string) bool {
	if kind == dateRange {
		return a < b
	}
	switch {
	case a == b || a == mostNumber || b == leastNumber:
		return false
	case a == leastNumber || b == mostNumber:
		return true
	}
	x, xOK := new(big.Rat).SetString(a)
	y, yOK := new(big.Rat).SetString(b)
	return xOK && yOK && x.Cmp(y) < 0
}

// apply adds the conditions of all filters but one facet's own and reports
// whether any restricts the set at all.
func (f vehicleFilters) apply(w *where, but facet) (restricts bool) {
	before := w.used()
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
	if f.typeID != nil && but != typeFacet {
		w.add("v.type_id = %s", *f.typeID)
	}
	if f.categoryID != nil && but != categoryFacet {
		w.add("v.type_id IN (SELECT c.type_id FROM type_categories c WHERE c.category_id = %s)", *f.categoryID)
	}
	if f.brand != nil && but != brandFacet {
		w.add("fold(v.brand_name) = fold(%s::text)", strings.TrimSpace(*f.brand))
	}
	if f.owner != nil {
		w.add("v.owner_user_id = %s", *f.owner)
	}
	if f.yearFrom != nil && but != yearFacet {
		w.add("v.release_year >= %s", *f.yearFrom)
	}
	if f.yearTo != nil && but != yearFacet {
		w.add("v.release_year <= %s", *f.yearTo)
	}
	f.applyLists(w, but)
	return w.used() > before
}

// applyLists adds what must be in a vehicle's lists, its search tags and
// parameter values, as one condition: the vehicles that as many of the asked
// ones belong to as are asked for. However many they are, the statement and the
// time to plan it stay the same; a semi-join for each would make both grow.
func (f vehicleFilters) applyLists(w *where, but facet) {
	tags := slices.Clone(value(f.tagIDs))
	slices.SortFunc(tags, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	tags = slices.Compact(tags)
	var held []uuid.UUID
	var numbers, texts paramRanges
	for _, p := range f.params {
		if but == facet(p.id.String()) {
			continue
		}
		switch p.kind {
		case noValue:
			w.add("false")
			return
		case anyValue:
			if !slices.Contains(held, p.id) {
				held = append(held, p.id)
			}
		case numberRange:
			numbers.add(p)
		default:
			texts.add(p)
		}
	}
	// a tag's rows know nothing else of their vehicles, a value's rows do
	columns, ofTag, ofValue := "l.id", "t.vehicle_id AS id", "p.vehicle_id AS id"
	if len(tags) == 0 {
		columns = "l.id, l.type_id, l.is_active, l.created_at"
		ofValue += ", p.vehicle_type_id AS type_id, p.vehicle_is_active AS is_active, p.vehicle_created_at AS created_at"
	}
	var lists []string
	list := func(n int, sql string, args ...any) {
		if n > 0 {
			lists = append(lists, "SELECT "+w.fill(sql, args...))
		}
	}
	list(len(tags), ofTag+" FROM vehicle_tags t JOIN tags g ON g.id = t.tag_id WHERE t.tag_id = ANY (%s) AND g.deleted_at IS NULL", tags)
	list(len(held), ofValue+" FROM vehicle_params p WHERE p.param_id = ANY (%s)", held)
	list(len(numbers.ids), ofValue+` FROM unnest(%s::uuid[], %s::text[]::numeric[], %s::text[]::numeric[]) r(id, least, most)
JOIN vehicle_params p ON p.param_id = r.id AND p.number BETWEEN r.least AND r.most`,
		numbers.ids, numbers.least, numbers.most)
	// the index keeps the beginning of a text
	list(len(texts.ids), ofValue+` FROM (SELECT u.id, fold(u.least) COLLATE "C", fold(u.most) COLLATE "C" FROM unnest(%s::uuid[], %s::text[], %s::text[]) u(id, least, most)) r(id, least, most)
JOIN vehicle_params p ON p.param_id = r.id AND ascii(p.value) NOT BETWEEN 45 AND 57
    AND left(param_text(p.value), 100) COLLATE "C" BETWEEN left(r.least, 100) AND left(r.most, 100) AND param_text(p.value) BETWEEN r.least AND r.most`,
		texts.ids, texts.least, texts.most)
	asked := len(tags) + len(held) + len(numbers.ids) + len(texts.ids)
	if asked == 0 {
		return
	}
	found := lists[0]
	if asked > 1 {
		found = w.fill("SELECT "+columns+" FROM ("+strings.Join(lists, " UNION ALL ")+") l GROUP BY "+columns+" HAVING count(*) = %s", asked)
	}
	if len(tags) == 0 {
		w.listed = found
	} else {
		w.add("v.id IN (" + found + ")")
	}
}

// listedColumns are the columns of a vehicle that its parameter values know.
var listedColumns = []string{"id", "type_id", "is_active", "created_at"}

var vehicleColumn = regexp.MustCompile(`\bv\.(\w+)`)

// onlyListed reports whether a piece of SQL needs no other columns of v.
func onlyListed(sql string) bool {
	for _, column := range vehicleColumn.FindAllStringSubmatch(sql, -1) {
		if !slices.Contains(listedColumns, column[1]) {
			return false
		}
	}
	return true
}

// vehicles is the relation v of the filtered vehicles with its conditions, to stand
// behind FROM; columns is what else is taken of v. Those that parameter values
// list are not looked up where all that is asked for stands beside the values.
func (w *where) vehicles(columns string) string {
	if w.listed == "" {
		return "vehicles v " + w.String()
	}
	listed := where{}
	for _, condition := range w.conditions {
		if onlyListed(condition) {
			listed.conditions = append(listed.conditions, condition)
		}
	}
	source := "(" + w.listed + ") v " + listed.String()
	if len(listed.conditions) == len(w.conditions) && onlyListed(columns) {
		return source
	}
	// an array, since the planner does not know how many a range finds and would read the whole table to be safe
	all := where{conditions: append(slices.Clone(w.conditions), "v.id = ANY (ARRAY(SELECT v.id FROM "+source+"))")}
	return "vehicles v " + all.String()
}

// inLists reports whether the filters look into lists of the vehicles, so that
// evaluating them twice, for page and total, costs more than keeping what they
// find.
func (f vehicleFilters) inLists() bool { return len(value(f.tagIDs)) > 0 || len(f.params) > 0 }

// paramRanges are ranges as the arrays that travel to the database.
type paramRanges struct {
	ids         []uuid.UUID
	least, most []string
}

func (r *paramRanges) add(p paramFilter) {
	r.ids, r.least, r.most = append(r.ids, p.id), append(r.least, p.least), append(r.most, p.most)
}
