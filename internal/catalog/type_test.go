package catalog_test

// This file: rules of equipment types (contract 2.4, contract 2.19).

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestTypeShowsWhatBelongsToIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	other, date := f.newTag(t), f.newParam(t, m{"valueType": "DATE", "isActive": false})
	category := f.newCategory(t, f.newGroup(t))
	a := f.owner.Do(t, "POST", base+"/types", m{"title": "T", "categoryIds": []string{category, strings.ToUpper(f.category)},
		"params": []m{{"paramId": date}, {"paramId": f.param}}, "searchTagIds": []string{other, f.tag}}).Is(201)
	require.Equal(t, []any{category, f.category}, a.Field("categoryIds"))
	require.Equal(t, []any{other, f.tag}, a.Field("searchTagIds"))
	params, tags := a.Field("params").([]any), a.Field("searchTags").([]any)
	for i, id := range []string{date, f.param} {
		require.JSONEq(t, string(f.other.Do(t, "GET", base+"/params/"+id, nil).Is(200).Body), mustJSON(t, params[i]))
	}
	for i, id := range []string{other, f.tag} {
		require.Equal(t, map[string]any{"id": id, "name": f.Do(t, "GET", base+"/tags/"+id, nil).Text("name")}, tags[i])
	}
	read := f.Do(t, "GET", base+"/types/"+a.ID(), nil).Is(200)
	require.JSONEq(t, string(a.Body), string(read.Body))
	for _, item := range getPage(t, f.Client, base+"/types").Content {
		if item["id"] == a.ID() {
			require.JSONEq(t, string(a.Body), mustJSON(t, item))
		}
	}
}

func TestTypeReferences(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	unknown := uuid.NewString()
	idle := base + "/types/" + f.newType(t)
	for _, c := range []struct {
		field  string
		value  any
		status int
		code   string
		named  string
	}{
		{"categoryIds", []string{f.category, unknown}, 422, "reference_not_found", "categoryIds[1]"},
		{"params", []m{{"paramId": unknown}}, 422, "reference_not_found", "params[0].paramId"},
		{"params", []m{{"paramId": f.param}, {"paramId": strings.ToUpper(f.param)}}, 422, "param_duplicate", "params[1].paramId"},
		{"searchTagIds", []string{f.tag, unknown}, 422, "reference_not_found", "searchTagIds[1]"},
		{"categoryIds", []string{f.category, f.category}, 400, "validation_failed", ""},
		{"categoryIds", []string{f.category, strings.ToUpper(f.category)}, 400, "validation_failed", ""},
		{"searchTagIds", []string{f.tag, strings.ToUpper(f.tag)}, 400, "validation_failed", ""},
		{"categoryIds", manyIDs(51), 400, "validation_failed", "categoryIds"},
		{"searchTagIds", manyIDs(51), 400, "validation_failed", "searchTagIds"},
		{"params", make([]m, 101), 400, "validation_failed", ""},
		{"categoryIds", []string{"x"}, 400, "validation_failed", "categoryIds[0]"},
	} {
		body := m{"title": "T", "categoryIds": []string{f.category}}
		body[c.field] = c.value
		named := []string{c.named}
		if c.named == "" {
			named = nil
		}
		f.owner.Do(t, "POST", base+"/types", body).Fails(c.status, c.code, named...)
		f.owner.Do(t, "PUT", idle, body).Fails(c.status, c.code, named...)
		a := f.owner.Do(t, "PATCH", idle, m{c.field: c.value}).Fails(c.status, c.code, named...)
		require.Contains(t, string(a.Body), c.field)
	}
	require.Equal(t, `"1"`, f.Do(t, "GET", idle, nil).Version(), "nothing half-written")
	for _, bad := range []any{[]string{}, nil} {
		f.owner.Do(t, "POST", base+"/types", m{"title": "T", "categoryIds": bad}).Fails(400, "validation_failed", "categoryIds")
		f.owner.Do(t, "PUT", idle, m{"title": "T", "categoryIds": bad}).Fails(400, "validation_failed", "categoryIds")
	}
	f.owner.Do(t, "PATCH", idle, m{"categoryIds": []string{}}).Fails(422, "category_required", "categoryIds")
	f.owner.Do(t, "PATCH", base+"/types/"+unknown, m{"categoryIds": []string{}}).Fails(404, "not_found")
}

func manyIDs(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = uuid.NewString()
	}
	return out
}

func TestTypeLimits(t *testing.T) {
	t.Parallel()
	a := setup(t)
	group := a.newGroup(t)
	categories, tags, params := make([]string, 50), make([]string, 50), make([]m, 100)
	for i := range 50 {
		categories[i], tags[i] = a.newCategory(t, group), a.newTag(t)
	}
	for i := range params {
		params[i] = m{"paramId": a.newParam(t, nil)}
	}
	k := a.owner.Do(t, "POST", base+"/types", m{"title": "T", "categoryIds": categories, "searchTagIds": tags, "params": params}).Is(201)
	require.Len(t, k.Field("categoryIds"), 50)
	require.Len(t, k.Field("params"), 100)
	require.Equal(t, tags[49], k.Field("searchTagIds").([]any)[49])
}

func TestTypeTitleFilter(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	titles := map[string]string{}
	for _, title := range []string{"100% Bagger", "Экскаватор", "ÄNDERUNG", "a_b", "acb", `back\slash`, "Straße"} {
		titles[f.owner.Do(t, "POST", base+"/types", m{"title": title, "categoryIds": []string{f.category}}).Is(201).ID()] = title
	}
	for query, want := range map[string][]string{
		"bagg": {"100% Bagger"}, "BAGG": {"100% Bagger"}, "100%": {"100% Bagger"}, "0% b": {"100% Bagger"}, "%": {"100% Bagger"}, "1%r": nil,
		"экскаВАТОР": {"Экскаватор"}, "änder": {"ÄNDERUNG"}, "a_b": {"a_b"}, "_": {"a_b"}, "a.b": nil, `\`: {`back\slash`}, `k\s`: {`back\slash`},
		`\%`: nil, "'": nil, "nothing": nil, "straße": {"Straße"}, "STRAßE": {"Straße"},
	} {
		q := "?" + url.Values{"title": {query}}.Encode()
		var got []string
		for _, item := range getPage(t, f.Client, base+"/types"+q).Content {
			got = append(got, titles[item["id"].(string)])
		}
		require.ElementsMatch(t, want, got, query)
		require.EqualValues(t, len(want), countOf(t, f.Client, base+"/types/count"+q))
	}
	require.EqualValues(t, 8, countOf(t, f.Client, base+"/types/count?title="))
}
