package catalog_test

// This file: rules of groups, categories, tags, params and units (contract 2.1, contract 2.2,
// contract 2.3, contract 2.5, contract 2.6): what is in use, duplicates, references, tenants.

import (
	"context"
	"fmt"
	"log/slog"
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

func TestInUse(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	f.admin.Do(t, "DELETE", base+"/groups/"+f.group, nil).Fails(422, "group_in_use")
	f.admin.Do(t, "DELETE", base+"/groups/"+f.group+"/categories/"+f.category, nil).Fails(422, "category_in_use")
	f.admin.Do(t, "DELETE", base+"/types/"+f.equipmentType, nil).Fails(422, "type_in_use")
	f.owner.Do(t, "DELETE", base+"/types/"+f.equipmentType, nil).Fails(422, "type_in_use")
	f.admin.Do(t, "DELETE", base+"/params/"+f.param, nil).Fails(422, "param_in_use")
	f.admin.Do(t, "DELETE", base+"/units/"+f.unit, nil).Fails(422, "unit_in_use")
	// the version is compared first
	f.admin.Do(t, "DELETE", base+"/units/"+f.unit, nil, edgetest.IfMatch(`"9"`)).Fails(409, "version_conflict")
	// held by a vehicle, bound by no type any more
	f.owner.Do(t, "PATCH", base+"/types/"+f.equipmentType, m{"params": []m{}}).Is(200)
	f.admin.Do(t, "DELETE", base+"/params/"+f.param, nil).Fails(422, "param_in_use")
	for _, path := range []string{"/vehicles/" + f.vehicle, "/types/" + f.equipmentType, "/params/" + f.param, "/units/" + f.unit,
		"/groups/" + f.group + "/categories/" + f.category, "/groups/" + f.group} {
		f.admin.Do(t, "DELETE", base+path, nil).Is(204)
		f.admin.Do(t, "GET", base+path, nil).Fails(404, "not_found")
	}
	bound := f.newParam(t, nil)
	f.newType(t, bound)
	f.admin.Do(t, "DELETE", base+"/params/"+bound, nil).Fails(422, "param_in_use")
}

func TestValueTypeIsFixedWhileHeld(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	path := base + "/params/" + f.param
	f.admin.Do(t, "PATCH", path, m{"valueType": "STRING"}).Fails(422, "param_in_use", "valueType")
	f.admin.Do(t, "PUT", path, m{"name": "P", "valueType": "INTEGER"}).Fails(422, "param_in_use", "valueType")
	f.admin.Do(t, "PATCH", path, m{"valueType": "NUMBER", "name": "Other"}).Is(200)
	f.admin.Do(t, "PUT", path, m{"name": "P", "valueType": "NUMBER"}).Is(200)
	f.owner.Do(t, "PATCH", base+"/vehicles/"+f.vehicle, m{"params": []m{}}).Is(200)
	f.admin.Do(t, "PATCH", path, m{"valueType": "STRING"}).Is(200)
}

func TestDuplicates(t *testing.T) {
	t.Parallel()
	a := setup(t)
	for range 2 { // names of groups need not be unique
		a.admin.Do(t, "POST", base+"/groups", m{"name": "Same"}).Is(201)
	}
	a.admin.Do(t, "POST", base+"/tags", m{"name": "Größe Ж"}).Is(201)
	second := a.newTag(t)
	for _, same := range []string{"Größe Ж", "größe ж", "GRÖßE Ж", "  GRÖßE ж ", "Grösse Ж", "GRÖSSE ж", "Gro\u0308ße Ж", "GRÖẞE Ж"} {
		a.admin.Do(t, "POST", base+"/tags", m{"name": same}).Fails(409, "duplicate")
		a.admin.Do(t, "PUT", base+"/tags/"+second, m{"name": same}).Fails(409, "duplicate")
		a.admin.Do(t, "PATCH", base+"/tags/"+second, m{"name": same}).Fails(409, "duplicate")
	}
	for _, other := range []string{"Grosse Ж", "Groesse Ж", "Größe  Ж"} {
		a.admin.Do(t, "POST", base+"/tags", m{"name": other}).Is(201)
	}
	a.admin.Do(t, "PATCH", base+"/tags/"+second, m{"name": "mine"}).Is(200)
	a.admin.Do(t, "PATCH", base+"/tags/"+second, m{"name": "MINE"}).Is(200) // its own name
	// an inactive one counts
	a.admin.Do(t, "PATCH", base+"/tags/"+second, m{"isActive": false}).Is(200)
	a.admin.Do(t, "POST", base+"/tags", m{"name": "Mine"}).Fails(409, "duplicate")

	unit := func(code string) m { return m{"code": code, "label": "L", "unitSystem": "SI"} }
	a.admin.Do(t, "POST", base+"/units", unit("kg")).Is(201)
	a.admin.Do(t, "POST", base+"/units", unit("KG")).Is(201)
	a.admin.Do(t, "POST", base+"/units", unit(" kg ")).Fails(409, "duplicate")
	g := a.admin.Do(t, "POST", base+"/units", unit("g")).Is(201).ID()
	a.admin.Do(t, "PATCH", base+"/units/"+g, m{"code": "kg"}).Fails(409, "duplicate")
	a.admin.Do(t, "PUT", base+"/units/"+g, unit("KG")).Fails(409, "duplicate")
	a.admin.Do(t, "PUT", base+"/units/"+g, unit("g")).Is(200)
}

func TestUnitOfParam(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	unknown := uuid.NewString()
	body := func(unit any) m { return m{"name": "P", "valueType": "NUMBER", "unitId": unit} }
	f.admin.Do(t, "POST", base+"/params", body(unknown)).Fails(422, "reference_not_found", "unitId")
	f.admin.Do(t, "PUT", base+"/params/"+f.param, body(unknown)).Fails(422, "reference_not_found", "unitId")
	f.admin.Do(t, "PATCH", base+"/params/"+f.param, m{"unitId": unknown}).Fails(422, "reference_not_found", "unitId")
	a := f.admin.Do(t, "POST", base+"/params", body(strings.ToUpper(f.unit))).Is(201)
	require.Equal(t, f.unit, a.Text("unitId"))
	unit := f.admin.Do(t, "GET", base+"/units/"+f.unit, nil).Is(200)
	require.JSONEq(t, string(unit.Body), mustJSON(t, a.Field("unit")))
	without := f.admin.Do(t, "PATCH", base+"/params/"+a.ID(), m{"unitId": nil}).Is(200)
	require.Nil(t, without.Field("unitId"))
	require.NotContains(t, string(without.Body), `"unit":`)
	// the list shows the same
	for _, p := range getPage(t, f.other, base+"/params").Content {
		require.Equal(t, p["unitId"] != nil, p["unit"] != nil)
	}
	for _, valueType := range []string{"STRING", "NUMBER", "INTEGER", "BOOLEAN", "DATE"} {
		f.admin.Do(t, "POST", base+"/params", m{"name": "P", "valueType": valueType}).Is(201)
	}
	for _, bad := range []any{"string", "TEXT", "", nil, 1} {
		f.admin.Do(t, "POST", base+"/params", m{"name": "P", "valueType": bad}).Fails(400, "validation_failed", "valueType")
	}
}

func TestTenants(t *testing.T) {
	t.Parallel()
	a := setup(t)
	group, other := a.newGroup(t), a.newGroup(t)
	add := func(group string, tenants any) string {
		return a.admin.Do(t, "POST", base+"/groups/"+group+"/categories", m{"name": "C", "tenantIds": tenants}).Is(201).ID()
	}
	open, one, two, far := add(group, nil), add(group, []string{"a"}), add(group, []string{"b", "a"}), add(other, []string{"b"})
	typeOf := func(categories ...string) string {
		return a.owner.Do(t, "POST", base+"/types", m{"title": "T", "categoryIds": categories}).Is(201).ID()
	}
	openType, oneType, farType, mixed := typeOf(open), typeOf(one), typeOf(far), typeOf(one, far)
	for _, c := range []struct {
		path string
		want map[string][]string
	}{
		{"/categories", map[string][]string{"": {open, one, two, far}, "?tenantId=a": {open, one, two}, "?tenantId=b": {open, two, far},
			"?tenantId=A": {open}, "?tenantId=z": {open}, "?tenantId=%25": {open}, "?tenantId=a%20": {open}, "?tenantId={a}": {open}}},
		{"/groups/" + group + "/categories", map[string][]string{"": {open, one, two}, "?tenantId=a": {open, one, two}, "?tenantId=b": {open, two}}},
		{"/groups/" + other + "/categories", map[string][]string{"": {far}, "?tenantId=a": {}, "?tenantId=b": {far}}},
		{"/types", map[string][]string{"": {openType, oneType, farType, mixed}, "?tenantId=a": {openType, oneType, mixed}, "?tenantId=b": {openType, farType, mixed},
			"?tenantId=z": {openType}, "?groupId=" + group: {openType, oneType, mixed}, "?groupId=" + other: {farType, mixed},
			"?categoryId=" + one: {oneType, mixed}, "?categoryId=" + two: {}, "?categoryId=" + one + "&groupId=" + other: {mixed}, "?tenantId=b&categoryId=" + one: {mixed}}},
	} {
		for query, want := range c.want {
			p := getPage(t, a.Client, base+c.path+query)
			require.ElementsMatch(t, want, ids(p.Content), c.path+query)
			require.EqualValues(t, len(want), p.TotalElements)
			require.EqualValues(t, len(want), countOf(t, a.Client, base+c.path+"/count"+query), c.path+query)
		}
	}
	hundred := make([]string, 101)
	for i := range hundred {
		hundred[i] = fmt.Sprint("t", i)
	}
	add(group, hundred[:100])
	add(group, []string{strings.Repeat("😀", 64)})
	for _, c := range []struct {
		tenants any
		field   string
	}{
		{[]string{}, "tenantIds"}, {hundred, "tenantIds"}, {[]string{"a", "a"}, "tenantIds"}, {[]string{""}, "tenantIds[0]"}, {"a", "tenantIds"},
		{[]any{"a", 1}, "tenantIds[1]"}, {[]any{nil}, "tenantIds[0]"}, {[]string{"a", strings.Repeat("x", 65)}, "tenantIds[1]"},
	} {
		a.admin.Do(t, "POST", base+"/groups/"+group+"/categories", m{"name": "C", "tenantIds": c.tenants}).Fails(400, "validation_failed", c.field)
		a.admin.Do(t, "PATCH", base+"/groups/"+group+"/categories/"+one, m{"tenantIds": c.tenants}).Fails(400, "validation_failed", c.field)
	}
}

// Inactive tags and types exist for ADMIN and SUPERADMIN only.
func TestInactiveTagsAndTypes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	tag := f.admin.Do(t, "POST", base+"/tags", m{"name": "hidden", "isActive": false}).Is(201).ID()
	hidden := f.owner.Do(t, "POST", base+"/types", m{"title": "T", "isActive": false, "categoryIds": []string{f.category}}).Is(201)
	require.Equal(t, false, hidden.Field("isActive"))
	callers := map[string]bool{"ADMIN": true, "SUPERADMIN": true, "USER": false, "MANAGER": false, "OPERATOR": false, "SERVICE": false, "": false}
	for role, sees := range callers {
		by := f.As(token(t, "owner", role))
		if role == "" {
			by = f.Client
		}
		status, n := 404, 1
		if sees {
			status, n = 200, 2
		}
		for path, id := range map[string]string{"/tags": tag, "/types": hidden.ID()} {
			by.Do(t, "GET", base+path+"/"+id, nil).Is(status)
			require.Len(t, getPage(t, by, base+path).Content, n)
			require.EqualValues(t, n, getPage(t, by, base+path).TotalElements)
			require.EqualValues(t, n, countOf(t, by, base+path+"/count"))
		}
	}
	// any writer may write it and sees it in the answer (contract 9.9)
	require.Equal(t, false, f.other.Do(t, "PATCH", base+"/types/"+hidden.ID(), m{"title": "New"}).Is(200).Field("isActive"))
	f.other.Do(t, "PATCH", base+"/types/"+hidden.ID(), m{"isActive": true}).Is(200)
	f.Do(t, "GET", base+"/types/"+hidden.ID(), nil).Is(200)
	// params and units are shown to every token, inactive ones too
	param := f.newParam(t, m{"isActive": false})
	f.other.Do(t, "GET", base+"/params/"+param, nil).Is(200)
	require.Len(t, getPage(t, f.other, base+"/params").Content, 2)
}

func TestDeletingATagUnlinksIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	second := f.newTag(t)
	f.owner.Do(t, "PATCH", base+"/vehicles/"+f.vehicle, m{"searchTagIds": []string{second, f.tag}}).Is(200)
	f.owner.Do(t, "PATCH", base+"/types/"+f.equipmentType, m{"searchTagIds": []string{f.tag, second}}).Is(200)
	etags := []string{f.Do(t, "GET", base+"/vehicles/"+f.vehicle, nil).ETag(), f.Do(t, "GET", base+"/types/"+f.equipmentType, nil).ETag()}
	f.admin.Do(t, "DELETE", base+"/tags/"+f.tag, nil).Is(204)
	name := f.Do(t, "GET", base+"/tags/"+second, nil).Text("name")
	v := f.Do(t, "GET", base+"/vehicles/"+f.vehicle, nil).Is(200)
	require.Equal(t, []any{map[string]any{"id": second, "name": name}}, v.Field("searchTags"))
	require.NotEqual(t, etags[0], v.ETag(), "the vehicle has changed")
	k := f.Do(t, "GET", base+"/types/"+f.equipmentType, nil).Is(200)
	require.Equal(t, []any{second}, k.Field("searchTagIds"))
	require.NotEqual(t, etags[1], k.ETag(), "the type has changed")
	f.admin.Do(t, "DELETE", base+"/tags/"+f.tag, nil).Fails(404, "not_found")
}

// A tag of very many vehicles is hidden at once and unlinked in steps, which any
// process goes on with.
func TestDeletingATagOfVeryManyVehicles(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	const many = 2500
	_, err := f.db.Exec(t.Context(), `WITH v AS (
    INSERT INTO vehicles (type_id, brand_name, model_name, owner_user_id, created_by, updated_by)
    SELECT $1, 'Many', 'M', 'owner', 'owner', 'owner' FROM generate_series(1, $2) RETURNING id
) INSERT INTO vehicle_tags SELECT id, $3, 0 FROM v`, f.equipmentType, many, f.tag)
	require.NoError(t, err)
	name := f.Do(t, "GET", base+"/tags/"+f.tag, nil).Text("name")
	f.admin.Do(t, "DELETE", base+"/tags/"+f.tag, nil).Is(204)
	// hidden everywhere, and its name is free
	f.admin.Do(t, "GET", base+"/tags/"+f.tag, nil).Fails(404, "not_found")
	f.admin.Do(t, "DELETE", base+"/tags/"+f.tag, nil).Fails(404, "not_found")
	f.admin.Do(t, "PATCH", base+"/tags/"+f.tag, m{"name": "x"}).Fails(404, "not_found")
	require.NotContains(t, ids(getPage(t, f.admin, base+"/tags").Content), f.tag)
	require.Zero(t, countOf(t, f.admin, base+"/vehicles/count?searchTagId="+f.tag))
	require.Empty(t, getPage(t, f.Client, base+"/vehicles?brandName=many&size=1").Content[0]["searchTags"])
	require.Empty(t, f.Do(t, "GET", base+"/types/"+f.equipmentType, nil).Is(200).Field("searchTagIds"))
	require.Empty(t, getFacets(t, f.admin, nil).SearchTags)
	f.owner.Do(t, "PATCH", base+"/vehicles/"+f.vehicle, m{"searchTagIds": []string{f.tag}}).Fails(422, "reference_not_found", "searchTagIds[0]")
	again := f.admin.Do(t, "POST", base+"/tags", m{"name": name}).Is(201).ID()
	f.owner.Do(t, "PATCH", base+"/vehicles/"+f.vehicle, m{"searchTagIds": []string{again}}).Is(200)
	var left int
	require.NoError(t, f.db.QueryRow(t.Context(), "SELECT count(*) FROM vehicle_tags WHERE tag_id = $1", f.tag).Scan(&left))
	require.Positive(t, left, "the rest is not done while the caller waits")
	service, err := catalog.New(catalog.Options{DB: f.db, Embedder: embedding.NewLexical(), Spec: contract().Spec, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for range 2 {
		running.Go(func() { _ = service.Run(ctx) })
	}
	require.Eventually(t, func() bool {
		var rows int
		return f.db.QueryRow(t.Context(), "SELECT count(*) FROM tags WHERE id = $1", f.tag).Scan(&rows) == nil && rows == 0
	}, patience, 10*time.Millisecond)
	stop()
	running.Wait()
	var raised int
	require.NoError(t, f.db.QueryRow(t.Context(), "SELECT count(*) FROM vehicles WHERE brand_name = 'Many' AND version = 2 AND updated_by = 'admin'").Scan(&raised))
	require.Equal(t, many, raised, "each of them once, by who deleted the tag")
	require.Len(t, getFacets(t, f.admin, nil).SearchTags, 1)
}
