package catalog_test

// This file: the filter `param` (contract 2.11): every operator on every type of value,
// borders, and what is refused.

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestParamFilters(t *testing.T) {
	t.Parallel()
	a := setup(t)
	number, integer := a.newParam(t, nil), a.newParam(t, m{"valueType": "INTEGER"})
	date, text, flag := a.newParam(t, m{"valueType": "DATE"}), a.newParam(t, m{"valueType": "STRING"}), a.newParam(t, m{"valueType": "BOOLEAN"})
	kind := a.newType(t, number, integer, date, text, flag)
	holding := func(values m) string {
		params := []m{}
		for _, id := range []string{number, integer, date, text, flag} {
			if v, ok := values[id]; ok {
				params = append(params, m{"paramId": id, "value": v})
			}
		}
		return a.newVehicle(t, a.owner, m{"equipmentTypeId": kind, "params": params})
	}
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	const long = 4000
	low := holding(m{number: raw("-12.50"), integer: raw("-9223372036854775808"), date: "0001-01-01", text: "Straße 6x4", flag: true})
	mid := holding(m{number: raw("2.5"), integer: raw("7"), date: "2024-02-29", text: "a,b,c", flag: false})
	same := holding(m{number: raw("25e-1"), integer: raw("7"), date: "2024-02-29", text: "STRASSE 6X4", flag: true})
	fine := holding(m{number: raw("2.5000000000000000000000001"), integer: raw("9223372036854775807"), date: "9999-12-31", text: strings.Repeat("ж", long), flag: false})
	huge := holding(m{number: raw("1e308"), text: strings.Repeat("ж", long-2) + "e\u0301"})
	none := holding(m{})
	hidden := a.newVehicle(t, a.owner, m{"equipmentTypeId": kind, "isActive": false, "params": []m{{"paramId": number, "value": 2.5}}})
	for _, c := range []struct {
		filters []string
		want    []string
	}{
		{[]string{number + ",eq,2.5"}, []string{mid, same}},
		{[]string{number + ",eq,2.50"}, []string{mid, same}},
		{[]string{number + ",eq,0.25e1"}, []string{mid, same}},
		{[]string{strings.ToUpper(number) + ",eq,2.5"}, []string{mid, same}},
		{[]string{number + ",gte,2.5"}, []string{mid, same, fine, huge}},
		{[]string{number + ",gte,2.5000000000000000000000001"}, []string{fine, huge}},
		{[]string{number + ",gte,2.5000000000000000000000002"}, []string{huge}},
		{[]string{number + ",lte,2.5"}, []string{low, mid, same}},
		{[]string{number + ",lte,2.4999999999999999999999999"}, []string{low}},
		{[]string{number + ",lte,-12.5"}, []string{low}},
		{[]string{number + ",lte,-12.500001"}, nil},
		{[]string{number + ",gte,1e308"}, []string{huge}},
		{[]string{number + ",lte,-0"}, []string{low}},
		{[]string{number + ",gte,2.5", number + ",lte,2.6"}, []string{mid, same, fine}},
		{[]string{number + ",gte,2.5", number + ",gte,-100", number + ",lte,2.5"}, []string{mid, same}},
		{[]string{number + ",gte,3", number + ",lte,2"}, nil},
		{[]string{number + ",any"}, []string{low, mid, same, fine, huge}},
		{[]string{number + ",any", number + ",any"}, []string{low, mid, same, fine, huge}},
		{[]string{number + ",any", number + ",lte,0"}, []string{low}},
		{[]string{integer + ",eq,7"}, []string{mid, same}},
		{[]string{integer + ",gte,9223372036854775807"}, []string{fine}},
		{[]string{integer + ",lte,-9223372036854775808"}, []string{low}},
		{[]string{integer + ",gte,-9223372036854775808"}, []string{low, mid, same, fine}},
		{[]string{date + ",eq,2024-02-29"}, []string{mid, same}},
		{[]string{date + ",gte,2024-02-29"}, []string{mid, same, fine}},
		{[]string{date + ",gte,2024-03-01"}, []string{fine}},
		{[]string{date + ",lte,2024-02-28"}, []string{low}},
		{[]string{date + ",gte,0001-01-01", date + ",lte,9999-12-31"}, []string{low, mid, same, fine}},
		{[]string{text + ",eq,straße 6X4"}, []string{low, same}},
		{[]string{text + ",eq,strasse 6x4"}, []string{low, same}},
		{[]string{text + ",eq,a,b,c"}, []string{mid}},
		{[]string{text + ",eq,a"}, nil},
		{[]string{text + ",eq,%"}, nil},
		{[]string{text + ",eq," + strings.Repeat("Ж", long)}, []string{fine}},
		{[]string{text + ",eq," + strings.Repeat("ж", long-2) + "É"}, []string{huge}},
		{[]string{text + ",eq," + strings.Repeat("ж", 100)}, nil},
		{[]string{text + ",eq,a,b,c", text + ",eq,A,B,C"}, []string{mid}},
		{[]string{text + ",eq,a,b,c", text + ",eq,other"}, nil},
		{[]string{flag + ",eq,true"}, []string{low, same}},
		{[]string{flag + ",eq,false"}, []string{mid, fine}},
		{[]string{number + ",eq,2.5", flag + ",eq,true", text + ",any", date + ",lte,2024-12-31", integer + ",gte,7"}, []string{same}},
		{[]string{uuid.NewString() + ",any"}, nil},
		{[]string{uuid.NewString() + ",gte,anything"}, nil},
		{[]string{number + ",any", uuid.NewString() + ",eq,1"}, nil},
	} {
		q := "?" + url.Values{"param": c.filters}.Encode()
		p := getPage(t, a.Client, base+"/vehicles"+q)
		require.ElementsMatch(t, c.want, ids(p.Content), c.filters)
		require.EqualValues(t, len(c.want), p.TotalElements, c.filters)
		require.EqualValues(t, len(c.want), countOf(t, a.Client, base+"/vehicles/count"+q), c.filters)
	}
	require.ElementsMatch(t, []string{mid, same, hidden}, ids(getPage(t, a.admin, base+"/vehicles?param="+number+",eq,2.5").Content))
	require.NotEmpty(t, none)
	// an inactive parameter filters too
	a.admin.Do(t, "PATCH", base+"/params/"+number, m{"isActive": false}).Is(200)
	require.EqualValues(t, 2, countOf(t, a.Client, base+"/vehicles/count?param="+number+",eq,2.5"))
	// with others, in any order of rows
	q := url.Values{"param": {number + ",any"}, "equipmentTypeId": {kind}, "sort": {"brandName,asc", "releaseYear,desc"}, "size": {"2"}, "page": {"2"}}
	p := getPage(t, a.Client, base+"/vehicles?"+q.Encode())
	require.Len(t, p.Content, 2)
	require.EqualValues(t, 5, p.TotalElements)
}

// What a list by values knows of a vehicle is what the vehicle is now, in every order and for every viewer.
func TestValuesFollowTheirVehicle(t *testing.T) {
	t.Parallel()
	a := setup(t)
	weight, year := a.newParam(t, nil), a.newParam(t, m{"valueType": "INTEGER"})
	first, second := a.newType(t, weight, year), a.newType(t, weight)
	vehicles := []string{}
	for n := range 4 {
		vehicles = append(vehicles, a.newVehicle(t, a.owner, m{"equipmentTypeId": first, "brandName": strings.Repeat("b", n+1),
			"params": []m{{"paramId": weight, "value": n}, {"paramId": year, "value": 2000 + n}}}))
	}
	found := func(filters string, want ...string) {
		t.Helper()
		for _, order := range []string{"", "&sort=createdAt,asc", "&sort=brandName,desc", "&sort=equipmentType.id&sort=licensePlate", "&sort=isActive"} {
			p := getPage(t, a.Client, base+"/vehicles?param="+weight+",gte,1"+filters+order)
			require.ElementsMatch(t, want, ids(p.Content), "%s %s", filters, order)
			require.EqualValues(t, len(want), p.TotalElements)
		}
		require.EqualValues(t, len(want), countOf(t, a.Client, base+"/vehicles/count?param="+weight+",gte,1"+filters))
	}
	change := func(id string, body m) { a.owner.Do(t, "PATCH", base+"/vehicles/"+id, body).Is(200) }
	found("", vehicles[1:]...)
	require.Equal(t, []string{vehicles[3], vehicles[2], vehicles[1]}, ids(getPage(t, a.Client, base+"/vehicles?param="+weight+",gte,1").Content), "newest first")
	change(vehicles[1], m{"isActive": false})
	found("", vehicles[2:]...)
	found("&equipmentTypeId="+first, vehicles[2:]...)
	require.EqualValues(t, 3, countOf(t, a.owner, base+"/vehicles/count?view=own&param="+weight+",gte,1"))
	require.EqualValues(t, 3, countOf(t, a.admin, base+"/vehicles/count?param="+weight+",gte,1"))
	change(vehicles[1], m{"isActive": true})
	found("", vehicles[1:]...)
	change(vehicles[2], m{"equipmentTypeId": second})
	found("&equipmentTypeId="+second, vehicles[2])
	found("&equipmentTypeId="+first+"&param="+year+",any", vehicles[1], vehicles[3])
	change(vehicles[3], m{"params": []m{{"paramId": weight, "value": 0.5}}})
	found("", vehicles[1:3]...)
	a.owner.Do(t, "DELETE", base+"/vehicles/"+vehicles[1], nil).Is(204)
	found("", vehicles[2])
}

func TestParamFiltersThatAreRefused(t *testing.T) {
	t.Parallel()
	a := setup(t)
	of := map[string]string{}
	for _, valueType := range []string{"NUMBER", "INTEGER", "DATE", "STRING", "BOOLEAN"} {
		of[valueType] = a.newParam(t, m{"valueType": valueType})
	}
	refused := []string{"", "x", ",", ",,", "x,eq,1", "not-a-uuid,any"}
	for _, id := range of {
		refused = append(refused, id, id+",", id+",eq", id+",eq,", id+",gte,", id+",any,", id+",any,1", id+",EQ,1", id+",gt,1", id+", eq,1")
	}
	for valueType, values := range map[string][]string{
		"NUMBER":  {"x", "1 ", " 1", "+1", "1,5", "01", ".5", "1.", "1e400", "1e-16384", "0e-20000", "0e99999999999", "1e-300000000", "NaN", "Infinity", "0x10", `"1"`, "null", "true", "[1]", "{}", "1 2"},
		"INTEGER": {"1.5", "1.0", "1e1", "9223372036854775808", "x", "true"},
		"DATE":    {"2024-02-30", "2024-2-3", "0000-01-01", "10000-01-01", "2024-02-29T00:00:00Z", `"2024-02-29"`, "1"},
		"BOOLEAN": {"True", "1", "yes", `"true"`, "null"},
		"STRING":  {strings.Repeat("x", 4001)},
	} {
		for _, v := range values {
			refused = append(refused, of[valueType]+",eq,"+v)
		}
	}
	for _, valueType := range []string{"STRING", "BOOLEAN"} {
		refused = append(refused, of[valueType]+",gte,true", of[valueType]+",lte,true")
	}
	for _, path := range []string{"/vehicles", "/vehicles/count", "/vehicles/facets"} {
		for _, filter := range refused {
			a.Do(t, "GET", base+path+"?param="+url.QueryEscape(filter), nil).Fails(400, "validation_failed", "param")
		}
		many := url.Values{"param": {}}
		for range 11 {
			many.Add("param", of["NUMBER"]+",any")
		}
		a.Do(t, "GET", base+path+"?"+many.Encode(), nil).Fails(400, "validation_failed", "param")
	}
}

func TestTextFiltersOfTheOtherLists(t *testing.T) {
	t.Parallel()
	a := setup(t)
	group := a.admin.Do(t, "POST", base+"/groups", m{"name": "Straße & 100%_"}).Is(201).ID()
	a.newGroup(t)
	category := a.admin.Do(t, "POST", base+"/groups/"+group+"/categories", m{"name": "Экскаваторы"}).Is(201).ID()
	a.newCategory(t, group)
	tag := a.admin.Do(t, "POST", base+"/tags", m{"name": "Кран-Балка"}).Is(201).ID()
	a.newTag(t)
	param := a.newParam(t, m{"name": "Höhe"})
	a.newParam(t, nil)
	unit := a.admin.Do(t, "POST", base+"/units", m{"code": "kgf/cm²", "label": "Kilogramm-Kraft", "unitSystem": "SI"}).Is(201).ID()
	a.newUnit(t)
	for _, c := range []struct{ list, filter, want string }{
		{"/groups", "name=STRASSE", group}, {"/groups", "name=100%25_", group}, {"/groups", "name=0%25%25", ""}, {"/groups", "name=%5C", ""},
		{"/categories", "name=экСКА", category}, {"/groups/" + group + "/categories", "name=ВАТОР", category}, {"/categories", "name=x", ""},
		{"/tags", "name=балка", tag}, {"/tags", "name=кранбалка", ""},
		{"/params", "name=HO%CC%88HE", param}, {"/params", "name=Hohe", ""},
		{"/units", "code=KGF", unit}, {"/units", "label=kraft", unit}, {"/units", "code=kgf&label=x", ""}, {"/units", "code=kgf&label=gramm", unit},
	} {
		p := getPage(t, a.admin, base+c.list+"?"+c.filter)
		want := []string{}
		if c.want != "" {
			want = append(want, c.want)
		}
		require.Equal(t, want, ids(p.Content), c.list+"?"+c.filter)
		require.EqualValues(t, len(want), p.TotalElements)
		require.EqualValues(t, len(want), countOf(t, a.admin, base+c.list+"/count?"+c.filter))
	}
	require.Len(t, getPage(t, a.admin, base+"/groups?name=").Content, 2, "an empty one filters nothing")
}
