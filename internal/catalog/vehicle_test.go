package catalog_test

// This file: creating, replacing, changing and deleting vehicles (contract 2.18, contract 2.7,
// contract 2.8), without the values of parameters.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestVehicleKeepsWhatWasSent(t *testing.T) {
	t.Parallel()
	a := setup(t)
	number := a.newParam(t, m{"unitId": a.newUnit(t)})
	date := a.newParam(t, m{"valueType": "DATE"})
	tag := a.newTag(t)
	body := []byte(`{"equipmentTypeId":"` + a.newType(t, number, date) + `","brandName":" Caterpillar ","modelName":"320 GC",
		"licensePlate":"a 123-bc 77","releaseYear":2019,"searchTagIds":["` + tag + `"],
		"params":[{"paramId":"` + date + `","value":"2026-02-28"},{"paramId":"` + number + `","value":21.50}]}`)
	v := a.owner.Do(t, "POST", base+"/vehicles", body).Is(201)
	require.Equal(t, `"1"`, v.Version())
	require.Equal(t, base+"/vehicles/"+v.ID(), v.Header.Get("Location"))
	require.Equal(t, "Caterpillar", v.Text("brandName"))
	require.Equal(t, "A123BC77", v.Text("licensePlate"))
	require.Equal(t, "owner", v.Text("ownerUserId"))
	require.Contains(t, string(v.Body), `"value":21.50`, "a number keeps its exact decimal text")
	read := a.Do(t, "GET", base+"/vehicles/"+v.ID(), nil).Is(200)
	require.JSONEq(t, string(v.Body), string(read.Body))
	page := a.Do(t, "GET", base+"/vehicles", nil).Is(200)
	require.JSONEq(t, `[`+string(read.Body)+`]`, mustJSON(t, page.Field("content")))
}

func TestVehicleRequiredFieldsAndReadOnlyOnes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	full := m{"equipmentTypeId": f.equipmentType, "brandName": "B", "modelName": "M"}
	with := func(field string, value any) m {
		body := m{}
		for k, v := range full {
			body[k] = v
		}
		if value == "absent" {
			delete(body, field)
		} else {
			body[field] = value
		}
		return body
	}
	for field := range full {
		for _, bad := range []any{"absent", nil, "", 1} {
			f.owner.Do(t, "POST", base+"/vehicles", with(field, bad)).Fails(400, "validation_failed", field)
		}
	}
	path := base + "/vehicles/" + f.vehicle
	for _, field := range []string{"ownerUserId", "id", "ratingAvg", "ratingCount", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "searchTags", "BrandName", "brand_name"} {
		f.owner.Do(t, "POST", base+"/vehicles", with(field, nil)).Fails(400, "validation_failed", field)
		f.owner.Do(t, "PUT", path, m{field: 1}).Fails(400, "validation_failed", field)
		f.owner.Do(t, "PATCH", path, m{field: "x"}).Fails(400, "validation_failed", field)
	}
	for _, field := range []string{"isActive", "params", "searchTagIds", "photoFileIds", "docFileIds"} {
		f.owner.Do(t, "POST", base+"/vehicles", with(field, "x")).Fails(400, "validation_failed", field)
		f.owner.Do(t, "PATCH", path, m{field: "x"}).Fails(400, "validation_failed", field)
	}
	require.Len(t, getPage(t, f.Client, base+"/vehicles").Content, 1, "nothing half-written")
}

func TestVehicleReferencesAndLists(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	unknown, file := uuid.NewString(), uuid.NewString()
	path := base + "/vehicles/" + f.vehicle
	for _, c := range []struct {
		field  string
		value  any
		status int
		code   string
		named  string
	}{
		{"equipmentTypeId", unknown, 422, "reference_not_found", "equipmentTypeId"},
		{"searchTagIds", []string{f.tag, unknown}, 422, "reference_not_found", "searchTagIds[1]"},
		{"params", []m{{"paramId": f.param, "value": 1}, {"paramId": unknown, "value": 1}}, 422, "reference_not_found", "params[1].paramId"},
		{"photoFileIds", []string{file, icon1, file}, 422, "duplicate_file", "photoFileIds[2]"},
		{"docFileIds", []string{file, strings.ToUpper(file)}, 422, "duplicate_file", "docFileIds[1]"},
		{"photoFileIds", manyIDs(21), 400, "validation_failed", "photoFileIds"},
		{"docFileIds", manyIDs(21), 400, "validation_failed", "docFileIds"},
		{"searchTagIds", manyIDs(51), 400, "validation_failed", "searchTagIds"},
		{"searchTagIds", []string{f.tag, f.tag}, 400, "validation_failed", "searchTagIds"},
		{"searchTagIds", []string{f.tag, strings.ToUpper(f.tag)}, 400, "validation_failed", "searchTagIds[1]"},
		{"docFileIds", []any{file, "x"}, 400, "validation_failed", "docFileIds[1]"},
		{"photoFileIds", []any{nil}, 400, "validation_failed", "photoFileIds[0]"},
	} {
		before := f.owner.Do(t, "GET", path, nil).Is(200)
		body := m{"equipmentTypeId": f.equipmentType, "brandName": "B", "modelName": "M"}
		body[c.field] = c.value
		f.owner.Do(t, "POST", base+"/vehicles", body).Fails(c.status, c.code, c.named)
		f.owner.Do(t, "PUT", path, body).Fails(c.status, c.code, c.named)
		f.owner.Do(t, "PATCH", path, m{c.field: c.value, "brandName": "changed"}).Fails(c.status, c.code, c.named)
		require.Equal(t, string(before.Body), string(f.owner.Do(t, "GET", path, nil).Is(200).Body), "nothing half-written")
	}
	// the limit itself; file ids are never checked, and both kinds may hold the same file
	files := manyIDs(20)
	a := f.owner.Do(t, "PATCH", path, m{"photoFileIds": files, "docFileIds": files}).Is(200)
	require.Equal(t, mustJSON(t, files), mustJSON(t, a.Field("photoFileIds")))
	require.Equal(t, mustJSON(t, files), mustJSON(t, a.Field("docFileIds")))
	tags := []string{}
	for range 50 {
		tags = append(tags, f.newTag(t))
	}
	a = f.owner.Do(t, "PATCH", path, m{"searchTagIds": tags}).Is(200)
	for i, tag := range a.Field("searchTags").([]any) {
		require.Equal(t, tags[i], tag.(map[string]any)["id"], "order is preserved")
	}
}

// contract 2.18: what null, absence and an empty list mean to PUT and PATCH.
func TestVehiclePutAndPatch(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	photo, doc := uuid.NewString(), uuid.NewString()
	full := m{"equipmentTypeId": f.equipmentType, "brandName": "B", "modelName": "M", "licensePlate": "AB1", "releaseYear": 2000, "isActive": false,
		"params": []m{{"paramId": f.param, "value": 1}}, "searchTagIds": []string{f.tag}, "photoFileIds": []string{photo}, "docFileIds": []string{doc}}
	lists := []string{"params", "searchTags", "photoFileIds", "docFileIds"}
	scalars := m{"equipmentTypeId": f.equipmentType, "brandName": "B", "modelName": "M", "licensePlate": "AB1", "releaseYear": 2000., "isActive": false}
	nulls := m{}
	for field := range full {
		nulls[field] = nil
	}
	empty := m{"params": []any{}, "searchTagIds": []any{}, "photoFileIds": []any{}, "docFileIds": []any{}}
	for _, c := range []struct {
		name, method string
		body         m
		cleared      bool
	}{
		{"PUT of nothing", "PUT", m{}, true},
		{"PUT of nulls", "PUT", nulls, true},
		{"PUT of empty lists", "PUT", empty, true},
		{"PATCH of nothing", "PATCH", m{}, false},
		{"PATCH of nulls", "PATCH", nulls, false},
		{"PATCH of empty lists", "PATCH", empty, true},
		{"PUT of everything", "PUT", full, false},
		{"PATCH of everything", "PATCH", full, false},
	} {
		path := base + "/vehicles/" + f.newVehicle(t, f.owner, full)
		a := f.owner.Do(t, c.method, path, c.body).Is(200)
		require.Equal(t, scalars, fieldsOf(t, a, scalars), c.name)
		for _, list := range lists {
			require.Len(t, a.Field(list), map[bool]int{true: 0, false: 1}[c.cleared], "%s: %s", c.name, list)
		}
		changed := c.name != "PATCH of nothing" && c.name != "PATCH of nulls"
		require.Equal(t, changed, a.Version() == `"2"`, c.name)
	}
	// one field at a time leaves the others alone
	path := base + "/vehicles/" + f.newVehicle(t, f.owner, full)
	want := fieldsOf(t, f.owner.Do(t, "GET", path+"?view=own", nil).Is(200), full)
	delete(want, "searchTagIds")
	for _, c := range []struct {
		field string
		value any
	}{{"brandName", "C"}, {"modelName", "N"}, {"licensePlate", "XY2"}, {"releaseYear", 2100.}, {"isActive", true}, {"photoFileIds", []any{doc, photo}},
		{"docFileIds", []any{}}, {"params", []any{}}, {"licensePlate", nil}} {
		a := f.owner.Do(t, "PATCH", path, m{c.field: c.value}).Is(200)
		if c.value != nil {
			want[c.field] = c.value
		}
		require.Equal(t, want, fieldsOf(t, a, want), c.field)
	}
	require.Nil(t, f.owner.Do(t, "PATCH", path, m{"licensePlate": " - "}).Is(200).Field("licensePlate"), "a blank plate clears")
	require.Nil(t, f.owner.Do(t, "PUT", path, m{"licensePlate": ""}).Is(200).Field("licensePlate"))
}

func TestOnlyOwnerAndAdminWriteAVehicle(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for _, active := range []bool{true, false} {
		for role, may := range map[string]bool{"USER": false, "EXECUTOR": false, "MANAGER": false, "SUPERVISOR": false, "ADMIN": true, "SUPERADMIN": true} {
			id := f.newVehicle(t, f.owner, m{"equipmentTypeId": f.equipmentType, "isActive": active, "photoFileIds": manyIDs(2)})
			path := base + "/vehicles/" + id
			var photos []m
			f.owner.Do(t, "GET", path+"/photos", nil).JSON(&photos)
			link := path + "/photos/" + fmt.Sprint(photos[0]["id"])
			by := f.As(token(t, "stranger", role))
			for _, c := range []struct {
				method, path string
				body         any
				status       int
			}{
				{"PATCH", path, m{"brandName": "Mine"}, 200}, {"PATCH", path, m{}, 200}, {"PUT", path, m{"photoFileIds": []any{photos[0]["fileId"]}}, 200},
				{"POST", path + "/photos", m{"fileId": uuid.NewString()}, 201}, {"POST", path + "/docs", m{"fileId": uuid.NewString()}, 201},
				{"PATCH", link, m{"isActive": false}, 200}, {"DELETE", link, nil, 204}, {"DELETE", path, nil, 204},
			} {
				if may {
					by.Do(t, c.method, c.path, c.body).Is(c.status)
				} else {
					by.Do(t, c.method, c.path, c.body).Fails(404, "not_found")
				}
			}
			if !may {
				require.Equal(t, `"1"`, f.admin.Do(t, "GET", path, nil).Is(200).Version(), "nothing has changed")
			}
		}
	}
	// an owner keeps the right to write with every role of VEHICLE_WRITE, and none without one
	mine := base + "/vehicles/" + f.newVehicle(t, f.owner, m{"equipmentTypeId": f.equipmentType})
	f.As(token(t, "owner", "EXECUTOR")).Do(t, "PATCH", mine, m{"isActive": false}).Is(200)
	f.As(token(t, "owner", "OPERATOR")).Do(t, "PATCH", mine, m{"isActive": true}).Fails(403, "forbidden")
	a := f.admin.Do(t, "PATCH", mine, m{"brandName": "X"}).Is(200)
	require.Equal(t, "owner", a.Text("ownerUserId"), "the owner stays")
	require.Equal(t, "admin", a.Text("updatedBy"))
}

func TestDeletingAVehicleTakesAllOfIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	f.newRating(t, f.vehicle, "customer", 4)
	f.embed(t, f.vehicle, "anything")
	f.owner.Do(t, "DELETE", base+"/vehicles/"+f.vehicle, nil).Is(204)
	for _, table := range []string{"vehicles", "vehicle_params", "vehicle_tags", "vehicle_links", "ratings", "vehicle_embeddings"} {
		var n int
		require.NoError(t, f.db.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n))
		require.Zero(t, n, table)
	}
	require.EqualValues(t, 0, countOf(t, f.Client, base+"/vehicles/count"))
	for _, nested := range []string{"", "/photos", "/docs", "/ratings", "/ratings/summary"} {
		f.admin.Do(t, "GET", base+"/vehicles/"+f.vehicle+nested, nil).Fails(404, "not_found")
	}
	f.customer.Do(t, "GET", base+"/vehicles/"+f.vehicle+"/ratings/me", nil).Fails(404, "not_found")
}
