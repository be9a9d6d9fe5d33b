package catalog_test

// This file: the facets of the vehicles (contract 2.17): against the list, against a
// count by hand, under writers, and for every kind of caller.

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/catalog"
	"equipment-platform/internal/edge/edgetest"
	"equipment-platform/internal/embedding"
)

type facetEntry struct {
	ID, GroupID, Title, Name string
	Count                    int64
}

type facets struct {
	TotalElements                                  int64
	EquipmentTypes, Categories, Brands, SearchTags []facetEntry
	ReleaseYears                                   struct{ Min, Max *int }
	Params                                         []struct {
		ParamID, Name, ValueType string
		Unit                     *struct{ Code string }
		Min, Max                 json.RawMessage
		Values                   []struct {
			Value json.RawMessage
			Count int64
		}
	}
}

func getFacets(tb testing.TB, by edgetest.Client, q url.Values) (f facets) {
	tb.Helper()
	by.Do(tb, "GET", base+"/vehicles/facets?"+q.Encode(), nil).Is(200).JSON(&f)
	return f
}

// facetFixture is a catalogue in which everything varies.
type facetFixture struct {
	*api
	types, categories, tags           []string
	number, integer, date, text, flag string
}

func newFacetFixture(t *testing.T, vehicles int) facetFixture {
	t.Helper()
	f := facetFixture{api: setup(t)}
	for range 3 {
		f.categories = append(f.categories, f.newCategory(t, f.newGroup(t)))
	}
	f.number, f.integer = f.newParam(t, m{"unitId": f.newUnit(t)}), f.newParam(t, m{"valueType": "INTEGER"})
	f.date, f.text, f.flag = f.newParam(t, m{"valueType": "DATE"}), f.newParam(t, m{"valueType": "STRING"}), f.newParam(t, m{"valueType": "BOOLEAN"})
	for i := range 4 {
		f.types = append(f.types, f.admin.Do(t, "POST", base+"/types", m{"title": fmt.Sprintf("Type %d", i), "isActive": i != 3,
			"categoryIds": f.categories[i%3 : i%3+1+i%2], "params": []m{{"paramId": f.flag}, {"paramId": f.number}, {"paramId": f.integer}, {"paramId": f.date}, {"paramId": f.text}}}).Is(201).ID())
		f.tags = append(f.tags, f.newTag(t))
	}
	f.admin.Do(t, "PATCH", base+"/tags/"+f.tags[3], m{"isActive": false}).Is(200)
	for range vehicles {
		f.random(t)
	}
	return f
}

var facetBrands = []string{"Kubota", "KUBOTA", "kubota", "Straße", "STRASSE", "Liebherr", "Lie%_\\"}

// random creates a vehicle of the owner or another one.
func (f facetFixture) random(tb testing.TB) string {
	tb.Helper()
	body := m{
		"equipmentTypeId": f.types[rand.IntN(len(f.types))], "brandName": facetBrands[rand.IntN(len(facetBrands))], "modelName": "M", "isActive": rand.IntN(5) > 0,
	}
	if rand.IntN(4) > 0 {
		body["releaseYear"] = 2000 + rand.IntN(5)
	}
	tags := []string{}
	for _, tag := range f.tags {
		if rand.IntN(2) == 0 {
			tags = append(tags, tag)
		}
	}
	body["searchTagIds"] = tags
	params := []m{}
	for id, v := range map[string]any{
		f.number: json.RawMessage(fmt.Sprintf("%d.%d0", rand.IntN(3), rand.IntN(2)*5)), f.integer: rand.IntN(3), f.date: fmt.Sprintf("2024-01-%02d", 1+rand.IntN(3)),
		f.text: []string{"6x4", "6X4", "8x4"}[rand.IntN(3)], f.flag: rand.IntN(2) == 0,
	} {
		if rand.IntN(3) > 0 {
			params = append(params, m{"paramId": id, "value": v})
		}
	}
	body["params"] = params
	by := f.owner
	if rand.IntN(3) == 0 {
		by = f.other
	}
	return by.Do(tb, "POST", base+"/vehicles", body).Is(201).ID()
}

// Choosing any value of any facet gives a list of exactly its count, whatever is
// chosen already.
func TestFacetsAgainstTheList(t *testing.T) {
	t.Parallel()
	f := newFacetFixture(t, 70)
	filters := []url.Values{
		{}, {"equipmentTypeId": f.types[:1]}, {"categoryId": f.categories[1:2]}, {"brandName": {"kubota"}}, {"searchTagId": f.tags[:2]}, {"ownerUserId": {"owner"}},
		{"releaseYearFrom": {"2002"}}, {"releaseYearTo": {"2002"}}, {"releaseYearFrom": {"2001"}, "releaseYearTo": {"2003"}, "brandName": {"strasse"}},
		{"equipmentTypeId": f.types[:1], "brandName": {"KUBOTA"}}, {"equipmentTypeId": f.types[1:2], "param": {f.number + ",gte,1"}},
		{"equipmentTypeId": f.types[1:2], "param": {f.number + ",gte,0.5", f.number + ",lte,2", f.text + ",eq,6X4", f.flag + ",any"}},
		{"param": {f.integer + ",lte,1", f.date + ",gte,2024-01-02"}, "categoryId": f.categories[:1], "searchTagId": f.tags[:1]},
		{"equipmentTypeId": {uuid.NewString()}}, {"minRatingAvg": {"5"}}, {"licensePlate": {"x"}},
	}
	callers := map[string]struct {
		by   edgetest.Client
		view string
	}{
		"anonymous": {f.Client, ""}, "admin": {f.admin, ""}, "customer": {f.customer, ""}, "owner": {f.owner, ""}, "own": {f.owner, "own"}, "public": {f.owner, "public"}, "admin's own": {f.admin, "own"}, "manager": {f.manager, ""},
	}
	for name, c := range callers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, q := range filters {
				q := clone(q)
				if c.view != "" {
					q.Set("view", c.view)
				}
				f.compare(t, c.by, q, name == "admin" || name == "admin's own")
			}
		})
	}
}

func clone(q url.Values) url.Values {
	out := url.Values{}
	for k, v := range q {
		out[k] = slices.Clone(v)
	}
	return out
}

// compare holds facets against counts of the list.
func (f facetFixture) compare(t *testing.T, by edgetest.Client, q url.Values, admin bool) {
	t.Helper()
	got := getFacets(t, by, q)
	total := func(change func(url.Values)) int64 {
		chosen := clone(q)
		change(chosen)
		return countOf(t, by, base+"/vehicles/count?"+chosen.Encode())
	}
	require.Equal(t, total(func(url.Values) {}), got.TotalElements, q)
	choose := func(name string, what []facetEntry, value func(facetEntry) string) {
		for i, e := range what {
			require.Equal(t, e.Count, total(func(c url.Values) { c.Set(name, value(e)) }), "%s %s of %s", name, value(e), q.Encode())
			require.Positive(t, e.Count)
			if i > 0 {
				require.GreaterOrEqual(t, what[i-1].Count, e.Count, "most frequent first")
			}
		}
	}
	id := func(e facetEntry) string { return e.ID }
	choose("equipmentTypeId", got.EquipmentTypes, id)
	choose("categoryId", got.Categories, id)
	choose("brandName", got.Brands, func(e facetEntry) string { return e.Name })
	for _, e := range got.SearchTags {
		if !slices.Contains(q["searchTagId"], e.ID) {
			require.Equal(t, e.Count, total(func(c url.Values) { c.Add("searchTagId", e.ID) }))
		}
	}
	// nothing is missing
	has := func(what []facetEntry, name string) bool {
		return slices.ContainsFunc(what, func(e facetEntry) bool { return e.ID == name || strings.EqualFold(e.Name, name) })
	}
	for i, kind := range f.types {
		want := total(func(c url.Values) { c.Set("equipmentTypeId", kind) }) > 0 && (i != 3 || admin)
		require.Equal(t, want, has(got.EquipmentTypes, kind), "type %d of %s", i, q.Encode())
	}
	for _, category := range f.categories {
		require.Equal(t, total(func(c url.Values) { c.Set("categoryId", category) }) > 0, has(got.Categories, category))
	}
	for i, tag := range f.tags {
		want := total(func(c url.Values) { c.Add("searchTagId", tag) }) > 0 && (i != 3 || admin)
		require.Equal(t, want, has(got.SearchTags, tag), "tag %d of %s", i, q.Encode())
	}
	if got.ReleaseYears.Min != nil {
		unbound := func(c url.Values) { c.Del("releaseYearFrom"); c.Del("releaseYearTo") }
		require.Zero(t, total(func(c url.Values) { unbound(c); c.Set("releaseYearTo", fmt.Sprint(*got.ReleaseYears.Min-1)) }))
		require.Positive(t, total(func(c url.Values) { unbound(c); c.Set("releaseYearTo", fmt.Sprint(*got.ReleaseYears.Min)) }))
		require.Zero(t, total(func(c url.Values) { unbound(c); c.Set("releaseYearFrom", fmt.Sprint(*got.ReleaseYears.Max+1)) }))
		require.Positive(t, total(func(c url.Values) { unbound(c); c.Set("releaseYearFrom", fmt.Sprint(*got.ReleaseYears.Max)) }))
	}
	if q.Get("equipmentTypeId") == "" {
		require.Empty(t, got.Params)
		return
	}
	for _, p := range got.Params {
		but := func(c url.Values, filter string) { // in place of the parameter's own
			c["param"] = slices.DeleteFunc(c["param"], func(text string) bool { return strings.HasPrefix(text, p.ParamID) })
			c.Add("param", p.ParamID+filter)
		}
		switch p.ValueType {
		case "STRING", "BOOLEAN":
			require.Nil(t, p.Min)
			var sum int64
			for _, v := range p.Values {
				require.Equal(t, v.Count, total(func(c url.Values) { but(c, ",eq,"+strings.Trim(string(v.Value), `"`)) }))
				sum += v.Count
			}
			require.Equal(t, sum, total(func(c url.Values) { but(c, ",any") }))
		default:
			require.Nil(t, p.Values)
			if p.Min == nil {
				require.Zero(t, total(func(c url.Values) { but(c, ",any") }))
				continue
			}
			least, most := strings.Trim(string(p.Min), `"`), strings.Trim(string(p.Max), `"`)
			require.Positive(t, total(func(c url.Values) { but(c, ",eq,"+least) }))
			require.Positive(t, total(func(c url.Values) { but(c, ",eq,"+most) }))
			inside := func(c url.Values) { but(c, ",gte,"+least); c.Add("param", p.ParamID+",lte,"+most) }
			require.Equal(t, total(func(c url.Values) { but(c, ",any") }), total(inside))
		}
	}
}

func TestFacetsOfBrands(t *testing.T) {
	t.Parallel()
	a := setup(t)
	kind := a.newType(t)
	for brand, n := range map[string]int{"Kubota": 2, "KUBOTA": 3, "kubota": 1, "Straße": 1, "STRASSE": 2, "Liebherr": 1, "100%": 1, "10_": 1} {
		for range n {
			a.newVehicle(t, a.owner, m{"equipmentTypeId": kind, "brandName": brand})
		}
	}
	a.newVehicle(t, a.owner, m{"equipmentTypeId": kind, "brandName": "Hidden", "isActive": false})
	brands := func(by edgetest.Client, prefix string) (out []string) {
		for _, e := range getFacets(t, by, url.Values{"brandPrefix": {prefix}}).Brands {
			out = append(out, fmt.Sprintf("%s %d", e.Name, e.Count))
		}
		return out
	}
	require.Equal(t, []string{"KUBOTA 6", "STRASSE 3", "10_ 1", "100% 1", "Liebherr 1"}, brands(a.Client, ""))
	require.Equal(t, []string{"KUBOTA 6", "STRASSE 3", "10_ 1", "100% 1", "Hidden 1", "Liebherr 1"}, brands(a.admin, ""))
	require.Equal(t, []string{"KUBOTA 6"}, brands(a.Client, "kub"))
	require.Equal(t, []string{"STRASSE 3"}, brands(a.Client, "straß"))
	require.Equal(t, []string{"100% 1"}, brands(a.Client, "100%"))
	require.Equal(t, []string{"10_ 1"}, brands(a.Client, "10_"))
	require.Empty(t, brands(a.Client, `%`))
	require.Empty(t, brands(a.Client, `\`))
	require.Empty(t, brands(a.Client, "ubota"))
	// an empty catalogue
	empty := getFacets(t, setup(t).Client, nil)
	require.Zero(t, empty.TotalElements)
	require.Nil(t, empty.ReleaseYears.Min)
	require.NotNil(t, empty.Brands)
}

// Whoever writes what, the kept counts follow, and each answer is of one
// snapshot.
func TestFacetsUnderWriters(t *testing.T) {
	t.Parallel()
	f := newFacetFixture(t, 20)
	service, err := catalog.New(catalog.Options{DB: f.db, Embedder: embedding.NewLexical(), Spec: contract().Spec, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var adding, writers, readers sync.WaitGroup
	for range 2 {
		adding.Go(func() { _ = service.Run(ctx) })
	}
	done := make(chan struct{})
	for range 4 {
		writers.Go(func() {
			for range 15 {
				id := f.random(t)
				path := base + "/vehicles/" + id
				for range rand.IntN(4) {
					change := []m{
						{"isActive": rand.IntN(2) == 0}, {"brandName": facetBrands[rand.IntN(len(facetBrands))]}, {"equipmentTypeId": f.types[rand.IntN(4)]},
						{"searchTagIds": []string{f.tags[rand.IntN(4)]}}, {"searchTagIds": []string{}}, {"isActive": true, "searchTagIds": f.tags},
					}[rand.IntN(6)]
					f.admin.Do(t, "PATCH", path, change).Is(200)
				}
				if rand.IntN(3) == 0 {
					f.admin.Do(t, "DELETE", path, nil).Is(204)
				}
			}
		})
	}
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				got := getFacets(t, f.admin, nil)
				var types, brands int64
				for _, e := range got.EquipmentTypes {
					types += e.Count
				}
				for _, e := range got.Brands {
					brands += e.Count
				}
				require.Equal(t, got.TotalElements, types)
				require.Equal(t, got.TotalElements, brands)
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	// a tag that goes takes its counts along
	f.admin.Do(t, "DELETE", base+"/tags/"+f.tags[0], nil).Is(204)
	for _, statement := range []string{ // what nobody but a person with psql does
		"UPDATE vehicles SET is_active = NOT is_active WHERE random() < 0.5", "DELETE FROM vehicles WHERE random() < 0.2",
		"DELETE FROM vehicle_tags WHERE random() < 0.2",
	} {
		_, err := f.db.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool {
		var appended int
		return f.db.QueryRow(t.Context(), "SELECT count(*) FROM vehicle_count_changes").Scan(&appended) == nil && appended == 0
	}, patience, 10*time.Millisecond, "what was appended is added up")
	stop()
	adding.Wait()
	_, err = f.db.Exec(t.Context(), "UPDATE vehicles SET brand_name = upper(brand_name) WHERE random() < 0.5")
	require.NoError(t, err)
	var wrong string
	require.NoError(t, f.db.QueryRow(t.Context(), `
WITH kept AS (
    SELECT kind, key, sum(active) AS active, sum(total) AS total
    FROM (SELECT kind, key, active, total FROM vehicle_counts UNION ALL SELECT kind, key, active, total FROM vehicle_count_changes) c GROUP BY kind, key
), counted AS (
    SELECT 'type' AS kind, type_id::text COLLATE "C" AS key, count(*) FILTER (WHERE is_active) AS active, count(*) AS total FROM vehicles GROUP BY type_id
    UNION ALL SELECT 'brand', brand_name COLLATE "C", count(*) FILTER (WHERE is_active), count(*) FROM vehicles GROUP BY brand_name
    UNION ALL SELECT 'tag', tag_id::text, count(*) FILTER (WHERE is_active), count(*) FROM vehicle_tags JOIN vehicles ON id = vehicle_id GROUP BY tag_id
)
SELECT coalesce(string_agg(format('%s %s: kept %s/%s, counted %s/%s', kind, key, k.active, k.total, c.active, c.total), '; '), '')
FROM kept k FULL JOIN counted c USING (kind, key)
WHERE coalesce(k.active, 0) <> coalesce(c.active, 0) OR coalesce(k.total, 0) <> coalesce(c.total, 0)`).Scan(&wrong))
	require.Empty(t, wrong)
	f.compare(t, f.admin, url.Values{}, true)
	f.compare(t, f.Client, url.Values{}, false)
}

func TestRateableOrders(t *testing.T) {
	t.Parallel()
	a := setup(t)
	vehicle, elsewhere := a.newVehicle(t, a.owner, nil), a.newVehicle(t, a.owner, nil)
	path := base + "/vehicles/" + vehicle + "/ratings/me/orders"
	orders := func(by edgetest.Client) (out []string) {
		var list []struct{ OrderID, Status, EventTimestamp string }
		by.Do(t, "GET", path, nil).Is(200).JSON(&list)
		require.NotNil(t, list)
		for _, o := range list {
			require.NotEmpty(t, o.EventTimestamp)
			out = append(out, o.OrderID)
		}
		return out
	}
	require.Empty(t, orders(a.customer))
	first, second := a.entitle(t, "customer", vehicle, "Done"), a.entitle(t, "customer", vehicle, "pAID")
	a.entitle(t, "customer", vehicle, "New")
	a.entitle(t, "customer", elsewhere, "Done")
	a.entitle(t, "other", vehicle, "Done")
	require.Equal(t, []string{second, first}, orders(a.customer), "newest first")
	a.Do(t, "GET", path, nil).Fails(401, "unauthorized")
	a.customer.Do(t, "GET", base+"/vehicles/"+uuid.NewString()+"/ratings/me/orders", nil).Fails(404, "not_found")
	a.customer.Do(t, "POST", base+"/vehicles/"+vehicle+"/ratings", m{"score": 5, "orderId": second}).Is(201)
	require.Equal(t, []string{first}, orders(a.customer))
	for range 101 {
		a.entitle(t, "customer", vehicle, "Done")
	}
	require.Len(t, orders(a.customer), 100)
	a.owner.Do(t, "PATCH", base+"/vehicles/"+vehicle, m{"isActive": false}).Is(200)
	a.customer.Do(t, "GET", path, nil).Fails(404, "not_found")
	require.Empty(t, orders(a.owner))
	require.Empty(t, orders(a.manager))
}
