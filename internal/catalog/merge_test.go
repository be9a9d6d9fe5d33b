package catalog_test

// This file: PATCH as a merge patch and PUT as a replacement of groups,
// categories, tags, params, units and types (contract 1.9, contract 9.3).

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge/edgetest"
)

// fieldsOf returns some fields of an answer as JSON.
func fieldsOf(tb testing.TB, a edgetest.Answer, like m) m {
	tb.Helper()
	var all m
	a.JSON(&all)
	out := m{}
	for name := range like {
		out[name] = all[name]
	}
	return out
}

func TestMergePatch(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	icon, second := uuid.NewString(), f.newUnit(t)
	tag2, param2, category2 := f.newTag(t), f.newParam(t, nil), f.newCategory(t, f.group)
	type step struct {
		patch m
		want  m      // after the patch; the rest as before
		bad   string // or the field that is refused
	}
	null := func(field string) step { return step{patch: m{field: nil}, bad: field} }
	for name, c := range map[string]struct {
		path  string
		body  m
		full  m // as shown after creation
		steps []step
	}{
		"group": {"/groups", m{"name": "N"}, m{"name": "N"}, []step{
			{patch: m{"name": "M"}, want: m{"name": "M"}}, null("name"),
		}},
		"category": {"/groups/" + f.group + "/categories", m{"name": "N", "iconFileId": icon, "tenantIds": []string{"a", "b"}},
			m{"name": "N", "iconFileId": icon, "tenantIds": []any{"a", "b"}, "groupId": f.group}, []step{
				{patch: m{"name": "M"}, want: m{"name": "M"}}, null("name"),
				{patch: m{"iconFileId": nil}, want: m{"iconFileId": nil}},
				{patch: m{"tenantIds": nil}, want: m{"tenantIds": nil}},
				{patch: m{"tenantIds": []string{"c"}, "iconFileId": icon}, want: m{"tenantIds": []any{"c"}, "iconFileId": icon}},
				{patch: m{"tenantIds": []string{}}, bad: "tenantIds"},
				{patch: m{"groupId": uuid.NewString()}, bad: "groupId"},
			}},
		"tag": {"/tags", m{"name": "tag N", "isActive": false}, m{"name": "tag N", "isActive": false}, []step{
			{patch: m{"name": "tag M"}, want: m{"name": "tag M"}}, null("name"), null("isActive"),
			{patch: m{"isActive": true}, want: m{"isActive": true}},
			{patch: m{"isActive": "true"}, bad: "isActive"}, {patch: m{"isActive": 1}, bad: "isActive"},
		}},
		"param": {"/params", m{"name": "N", "valueType": "STRING", "unitId": f.unit, "isRequired": true, "isActive": false},
			m{"name": "N", "valueType": "STRING", "unitId": f.unit, "isRequired": true, "isActive": false}, []step{
				{patch: m{"name": "M"}, want: m{"name": "M"}}, null("name"), null("valueType"), null("isRequired"), null("isActive"),
				{patch: m{"unitId": second}, want: m{"unitId": second}},
				{patch: m{"unitId": nil}, want: m{"unitId": nil}},
				{patch: m{"valueType": "DATE", "isRequired": false, "isActive": true}, want: m{"valueType": "DATE", "isRequired": false, "isActive": true}},
				{patch: m{"valueType": "date"}, bad: "valueType"}, {patch: m{"valueType": ""}, bad: "valueType"},
				{patch: m{"unitId": ""}, bad: "unitId"}, {patch: m{"unitId": 1}, bad: "unitId"},
			}},
		"unit": {"/units", m{"code": "N1", "label": "N", "unitSystem": "SI", "isActive": false}, m{"code": "N1", "label": "N", "unitSystem": "SI", "isActive": false}, []step{
			{patch: m{"code": "M1"}, want: m{"code": "M1"}}, {patch: m{"label": "M"}, want: m{"label": "M"}},
			{patch: m{"unitSystem": "US"}, want: m{"unitSystem": "US"}}, {patch: m{"isActive": true}, want: m{"isActive": true}},
			null("code"), null("label"), null("unitSystem"), null("isActive"),
		}},
		"type": {"/types", m{"title": "N", "iconFileId": icon, "categoryIds": []string{f.category}, "params": []m{{"paramId": f.param}}, "searchTagIds": []string{f.tag}},
			m{"title": "N", "iconFileId": icon, "isActive": true, "categoryIds": []any{f.category}, "searchTagIds": []any{f.tag}}, []step{
				{patch: m{"title": "M"}, want: m{"title": "M"}}, {patch: m{"iconFileId": nil}, want: m{"iconFileId": nil}},
				null("title"), null("isActive"), null("categoryIds"), null("params"), null("searchTagIds"),
				{patch: m{"categoryIds": []string{category2, f.category}}, want: m{"categoryIds": []any{category2, f.category}}},
				{patch: m{"searchTagIds": []string{tag2, f.tag}}, want: m{"searchTagIds": []any{tag2, f.tag}}},
				{patch: m{"searchTagIds": []string{}}, want: m{"searchTagIds": []any{}}},
				{patch: m{"params": []m{{"paramId": param2}}}, want: m{}},
				{patch: m{"params": []m{}}, want: m{}},
				{patch: m{"params": []m{{}}}, bad: "params[0].paramId"},
				{patch: m{"params": []m{{"paramId": param2, "value": 1}}}, bad: "params[0].value"},
				{patch: m{"searchTags": []string{}}, bad: "searchTags"},
			}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			created := f.admin.Do(t, "POST", base+c.path, c.body).Is(201)
			path := base + c.path + "/" + created.ID()
			require.Equal(t, path, created.Header.Get("Location"))
			require.Equal(t, `"1"`, created.Version())
			want := c.full
			require.Equal(t, want, fieldsOf(t, created, want))
			n := 1
			for _, s := range c.steps {
				for _, contentType := range []string{"application/json", "application/merge-patch+json"} {
					a := f.admin.Do(t, "PATCH", path, s.patch, edgetest.Header{Name: "Content-Type", Value: contentType})
					if s.bad != "" {
						a.Fails(400, "validation_failed", s.bad)
						continue
					}
					n++
					require.Equal(t, version(n), a.Is(200).Version())
					for field, value := range s.want {
						want[field] = value
					}
					require.Equal(t, want, fieldsOf(t, a, want), "%v", s.patch)
					require.JSONEq(t, string(a.Body), string(f.admin.Do(t, "GET", path, nil).Is(200).Body))
				}
			}
		})
	}
}

// PUT: an optional field that is absent takes its default.
func TestReplaceTakesDefaults(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	icon := uuid.NewString()
	for path, c := range map[string]struct{ body, put, want m }{
		"/groups/" + f.group + "/categories": {m{"name": "N", "iconFileId": icon, "tenantIds": []string{"a"}}, m{"name": "M"}, m{"name": "M", "iconFileId": nil, "tenantIds": nil}},
		"/tags":                              {m{"name": "tag N", "isActive": false}, m{"name": "tag M"}, m{"name": "tag M", "isActive": true}},
		"/params":                            {m{"name": "N", "valueType": "DATE", "unitId": f.unit, "isRequired": true, "isActive": false}, m{"name": "M", "valueType": "STRING"}, m{"name": "M", "valueType": "STRING", "unitId": nil, "unit": nil, "isRequired": false, "isActive": true}},
		"/units":                             {m{"code": "N1", "label": "N", "unitSystem": "SI", "isActive": false}, m{"code": "M1", "label": "M", "unitSystem": "US"}, m{"code": "M1", "label": "M", "unitSystem": "US", "isActive": true}},
		"/types": {m{"title": "N", "iconFileId": icon, "isActive": false, "categoryIds": []string{f.category}, "params": []m{{"paramId": f.param}}, "searchTagIds": []string{f.tag}}, m{"title": "M", "categoryIds": []string{f.category}},
			m{"title": "M", "iconFileId": nil, "isActive": true, "params": []any{}, "searchTagIds": []any{}, "searchTags": []any{}}},
	} {
		id := f.admin.Do(t, "POST", base+path, c.body).Is(201).ID()
		a := f.admin.Do(t, "PUT", base+path+"/"+id, c.put).Is(200)
		require.Equal(t, c.want, fieldsOf(t, a, c.want))
		// what is required stays required
		for field := range c.put {
			less := m{}
			for k, v := range c.put {
				if k != field {
					less[k] = v
				}
			}
			f.admin.Do(t, "PUT", base+path+"/"+id, less).Fails(400, "validation_failed", field)
		}
		f.admin.Do(t, "PUT", base+path+"/"+id, m{}).Is(400)
	}
}

func TestDefaultsOfCreation(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for path, c := range map[string]struct{ body, want m }{
		"/groups/" + f.group + "/categories": {m{"name": "N"}, m{"iconFileId": nil, "tenantIds": nil, "groupId": f.group}},
		"/tags":                              {m{"name": "tag N"}, m{"isActive": true}},
		"/params":                            {m{"name": "N", "valueType": "DATE"}, m{"isRequired": false, "isActive": true, "unitId": nil}},
		"/units":                             {m{"code": "N1", "label": "N", "unitSystem": "SI"}, m{"isActive": true}},
		"/types":                             {m{"title": "N", "categoryIds": []string{f.category}}, m{"isActive": true, "iconFileId": nil, "params": []any{}, "searchTagIds": []any{}, "searchTags": []any{}}},
		"/vehicles": {m{"brandName": "B", "modelName": "M", "equipmentTypeId": f.equipmentType}, m{"isActive": true, "licensePlate": nil, "releaseYear": nil,
			"params": []any{}, "searchTags": []any{}, "photoFileIds": []any{}, "docFileIds": []any{}, "ratingAvg": 0., "ratingCount": 0., "ownerUserId": "admin"}},
		"/vehicles/" + f.vehicle + "/photos": {m{"fileId": icon1}, m{"isActive": true, "fileId": icon1, "position": 1., "vehicleId": f.vehicle}},
	} {
		a := f.admin.Do(t, "POST", base+path, c.body).Is(201)
		require.Equal(t, c.want, fieldsOf(t, a, c.want))
		require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, a.ID(), "UUID v4")
	}
}

const icon1 = "72d4a3c9-f1b5-4075-92f5-90d08073a108"
