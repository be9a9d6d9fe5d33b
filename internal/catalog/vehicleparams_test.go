package catalog_test

// This file: the parameter values of a vehicle (contract 2.9, contract 9.8).

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge"
	"equipment-platform/internal/edge/edgetest"
)

func TestParamValues(t *testing.T) {
	t.Parallel()
	a := setup(t)
	for valueType, c := range map[string]struct{ good, bad []string }{
		"STRING": {[]string{`"x"`, `""`, `" x "`, `"1"`, `"😀"`, `"\u00e9"`, `"<&>"`, `"` + strings.Repeat("é", 4000) + `"`},
			[]string{`1`, `true`, `{}`, `[]`, `["x"]`, `"` + strings.Repeat("é", 4001) + `"`}},
		"NUMBER": {[]string{`1`, `0`, `-0`, `-1.50`, `1e3`, `1E+3`, `0.1000`, `123456789012345678901234567890.123456789`, `1.0`, `-0.0`, `1e-400`, `1e-16383`, `0.10E-16381`, `0e+16383`, "0." + strings.Repeat("1", 3998)},
			[]string{`"1"`, `true`, `{}`, `[]`, `""`, "0." + strings.Repeat("1", 3999), `1e309`, `-1e400`, `1e-16384`, `0.10e-16382`, `0e-20000`, `0e16384`, `1e-99999999999999999999`, `-0e99999999999`, strings.Repeat("9", 400)}},
		"INTEGER": {[]string{`1`, `0`, `-1`, `9223372036854775807`, `-9223372036854775808`},
			[]string{`"1"`, `1.5`, `true`, `9223372036854775808`, `-9223372036854775809`, `1e400`, `[]`, `{}`}},
		"BOOLEAN": {[]string{`true`, `false`}, []string{`"true"`, `1`, `0`, `""`, `[]`, `{}`}},
		"DATE": {[]string{`"2026-02-28"`, `"2024-02-29"`, `"1999-12-31"`, `"0001-01-01"`, `"9999-12-31"`},
			[]string{`"0000-01-01"`, `"10000-01-01"`, `"-001-01-01"`, `"2026-02-29"`, `"2026-2-8"`, `"28.02.2026"`, `"2026-02-28T00:00:00Z"`, `"2026-13-01"`, `""`, `" 2026-02-28"`, `20260228`, `true`, `{}`}},
	} {
		param := a.newParam(t, m{"valueType": valueType})
		kind := a.newType(t, param)
		vehicle := base + "/vehicles/" + a.newVehicle(t, a.owner, m{"equipmentTypeId": kind})
		send := func(value string) []edgetest.Answer {
			list := `"params":[{"paramId":"` + param + `","value":` + value + `}]}`
			return []edgetest.Answer{
				a.owner.Do(t, "POST", base+"/vehicles", []byte(`{"equipmentTypeId":"`+kind+`","brandName":" B ","modelName":"M",`+list)),
				a.owner.Do(t, "PUT", vehicle, []byte(`{`+list)),
				a.owner.Do(t, "PATCH", vehicle, []byte(`{`+list)),
			}
		}
		for _, value := range c.good {
			for i, answer := range send(value) {
				if i == 0 {
					answer.Is(201)
				} else {
					answer.Is(200)
				}
				shown := answer.Field("params").([]any)[0].(map[string]any)
				require.Equal(t, valueType, shown["valueType"])
				require.JSONEq(t, value, mustJSON(t, shown["value"]), "%s", answer)
				if valueType == "NUMBER" || valueType == "INTEGER" {
					require.Contains(t, string(answer.Body), `"value":`+value, "the exact decimal text")
				}
			}
		}
		for _, value := range c.bad {
			for _, answer := range send(value) {
				if value[0] == '[' || value[0] == '{' { // no scalar: the schema says so
					answer.Fails(400, "validation_failed", "params[0].value")
					require.Equal(t, "must be a string, a number or a boolean", answer.Field("details").(map[string]any)["params[0].value"])
					continue
				}
				answer.Fails(422, "param_value_invalid", "params[0].value")
			}
		}
		for _, answer := range send("null") { // no value
			answer.Fails(400, "validation_failed", "params[0].value")
		}
	}
}

func TestParamRules(t *testing.T) {
	t.Parallel()
	a := setup(t)
	must, may, off := a.newParam(t, m{"isRequired": true}), a.newParam(t, nil), a.newParam(t, m{"isActive": false, "isRequired": true})
	stray := a.newParam(t, nil)
	kind := a.newType(t, may, must, off)
	vehicle := base + "/vehicles/" + a.newVehicle(t, a.owner, m{"equipmentTypeId": kind, "params": []m{{"paramId": must, "value": 1}}})
	value := func(id string) m { return m{"paramId": id, "value": 1} }
	for _, c := range []struct {
		name   string
		params []m
		code   string
		field  string
	}{
		{"in the order sent", []m{value(must), value(may)}, "", ""},
		{"only what is required", []m{value(must)}, "", ""},
		{"not bound", []m{value(must), value(stray)}, "param_not_bound", "params[1].paramId"},
		{"inactive", []m{value(must), value(off)}, "param_not_bound", "params[1].paramId"},
		{"twice", []m{value(must), value(must)}, "param_duplicate", "params[1].paramId"},
		{"twice, spelled otherwise", []m{value(must), value(strings.ToUpper(must))}, "param_duplicate", "params[1].paramId"},
		{"without the required one", []m{value(may)}, "param_required", "params"},
	} {
		body := m{"equipmentTypeId": kind, "brandName": "B", "modelName": "M", "params": c.params}
		created, put, patched := a.owner.Do(t, "POST", base+"/vehicles", body), a.owner.Do(t, "PUT", vehicle, m{"params": c.params}), a.owner.Do(t, "PATCH", vehicle, m{"params": c.params})
		for _, answer := range []edgetest.Answer{created, put, patched} {
			if c.code != "" {
				answer.Fails(422, c.code, c.field)
				continue
			}
			for i, p := range answer.Field("params").([]any) {
				require.Equal(t, c.params[i]["paramId"], p.(map[string]any)["paramId"], c.name)
			}
		}
	}
	// an empty list is incomplete for POST and clears for PUT and PATCH
	for _, none := range []any{[]m{}, "absent"} {
		body := m{"equipmentTypeId": kind, "brandName": "B", "modelName": "M", "params": none}
		if none == "absent" {
			delete(body, "params")
		}
		a.owner.Do(t, "POST", base+"/vehicles", body).Fails(422, "param_required", "params")
	}
	require.Empty(t, a.owner.Do(t, "PATCH", vehicle, m{"params": []m{}}).Is(200).Field("params"))
	require.Empty(t, a.owner.Do(t, "PUT", vehicle, m{"params": []m{}}).Is(200).Field("params"))
	// other changes do not ask for it again
	a.owner.Do(t, "PATCH", vehicle, m{"brandName": "C"}).Is(200)
	// more than 100
	many := make([]m, 101)
	for i := range many {
		many[i] = value(may)
	}
	a.owner.Do(t, "PATCH", vehicle, m{"params": many}).Fails(400, "validation_failed", "params")
	for _, bad := range []m{{"paramId": may}, {"value": 1}, {"paramId": may, "value": 1, "name": "x"}, {"paramId": nil, "value": 1}, {}} {
		a.owner.Do(t, "PATCH", vehicle, m{"params": []m{bad}}).Is(400)
	}
}

func TestParamUnitIsShown(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	shown := func() m {
		return f.Do(t, "GET", base+"/vehicles/"+f.vehicle, nil).Is(200).Field("params").([]any)[0].(map[string]any)
	}
	require.JSONEq(t, string(f.other.Do(t, "GET", base+"/units/"+f.unit, nil).Is(200).Body), mustJSON(t, shown()["unit"]))
	f.admin.Do(t, "PATCH", base+"/units/"+f.unit, m{"label": "Renamed"}).Is(200)
	require.Equal(t, "Renamed", shown()["unit"].(map[string]any)["label"])
	f.admin.Do(t, "PATCH", base+"/params/"+f.param, m{"unitId": nil, "name": "Renamed"}).Is(200)
	require.Equal(t, "Renamed", shown()["name"])
	require.NotContains(t, shown(), "unit")
}

func TestChangeOfType(t *testing.T) {
	t.Parallel()
	a := setup(t)
	shared, gone, must := a.newParam(t, nil), a.newParam(t, nil), a.newParam(t, m{"isRequired": true})
	from, to, strict := a.newType(t, shared, gone), a.newType(t, shared), a.newType(t, shared, must)
	offParam := a.newParam(t, m{"isRequired": true, "isActive": false})
	lenient := a.newType(t, offParam)
	value := func(id string) m { return m{"paramId": id, "value": 1} }
	fresh := func() string {
		return base + "/vehicles/" + a.newVehicle(t, a.owner, m{"equipmentTypeId": from, "params": []m{value(shared), value(gone)}})
	}
	held := func(answer edgetest.Answer) (out []string) {
		for _, p := range answer.Is(200).Field("params").([]any) {
			out = append(out, fmt.Sprint(p.(map[string]any)["paramId"]))
		}
		return out
	}
	v := fresh()
	require.Equal(t, []string{shared}, held(a.owner.Do(t, "PATCH", v, m{"equipmentTypeId": to})), "values that the new type does not bind go")
	require.Equal(t, to, a.owner.Do(t, "GET", v, nil).Text("equipmentTypeId"))
	v = fresh()
	a.owner.Do(t, "PATCH", v, m{"equipmentTypeId": strict}).Fails(422, "param_required", "params")
	require.Equal(t, []string{shared, gone}, held(a.owner.Do(t, "GET", v, nil)), "nothing has changed")
	require.Empty(t, held(a.owner.Do(t, "PATCH", v, m{"equipmentTypeId": lenient})), "an inactive one is not required")
	v = fresh()
	a.owner.Do(t, "PATCH", v, m{"equipmentTypeId": strict, "params": []m{value(shared)}}).Fails(422, "param_required", "params")
	a.owner.Do(t, "PATCH", v, m{"equipmentTypeId": to, "params": []m{value(gone)}}).Fails(422, "param_not_bound", "params[0].paramId")
	require.Equal(t, []string{must}, held(a.owner.Do(t, "PATCH", v, m{"equipmentTypeId": strict, "params": []m{value(must)}})))
	require.Empty(t, held(a.owner.Do(t, "PATCH", fresh(), m{"equipmentTypeId": strict, "params": []m{}})), "an empty list clears")
	require.Empty(t, held(a.owner.Do(t, "PUT", fresh(), m{"equipmentTypeId": to})), "PUT clears what is absent")
	require.Equal(t, []string{shared}, held(a.owner.Do(t, "PUT", fresh(), m{"equipmentTypeId": to, "params": []m{value(shared)}})))
	// the same type is no change
	v = fresh()
	require.Equal(t, []string{shared, gone}, held(a.owner.Do(t, "PATCH", v, m{"equipmentTypeId": strings.ToUpper(from)})))
	// a definition that is required later does not touch what is there
	a.admin.Do(t, "PATCH", base+"/params/"+gone, m{"isRequired": true, "isActive": false}).Is(200)
	require.Equal(t, []string{shared, gone}, held(a.owner.Do(t, "PATCH", v, m{"brandName": "C"})))
}

// One vehicle or type holds 256 KiB of JSON at most; what is larger already may
// shrink (contract 2.9).
func TestContentOfOneResource(t *testing.T) {
	t.Parallel()
	a := setup(t)
	var params []string
	for range 100 {
		params = append(params, a.newParam(t, m{"valueType": "STRING"}))
	}
	kind := a.newType(t, params...)
	values := func(n, length int) []m {
		list := make([]m, n)
		for i := range list {
			list[i] = m{"paramId": params[i], "value": strings.Repeat("x", length)}
		}
		return list
	}
	body := m{"equipmentTypeId": kind, "brandName": "B", "modelName": "M", "params": values(100, 4000)}
	a.owner.Do(t, "POST", base+"/vehicles", body).Fails(422, "too_much_content", "params")
	require.Zero(t, countOf(t, a.admin, base+"/vehicles/count"))
	body["params"] = values(60, 4000)
	id := a.owner.Do(t, "POST", base+"/vehicles", body).Is(201).ID()
	path := base + "/vehicles/" + id
	for _, method := range []string{"PUT", "PATCH"} {
		a.owner.Do(t, method, path, m{"params": values(100, 4000)}).Fails(422, "too_much_content", "params")
	}
	require.Len(t, a.Do(t, "GET", path, nil).Is(200).Field("params"), 60)
	// stored before there was a limit
	_, err := a.db.Exec(t.Context(), `UPDATE vehicle_params SET value = '"' || repeat('ж', 4000) || '"'`)
	require.NoError(t, err)
	a.Do(t, "GET", path, nil).Is(200)
	// what a change leaves of itself is no content: as much as before is not less because of it
	_, err = a.db.Exec(t.Context(), "UPDATE vehicles SET updated_by = repeat('u', 255)")
	require.NoError(t, err)
	same := values(60, 0)
	for i := range same {
		same[i]["value"] = strings.Repeat("ж", 4000)
	}
	a.owner.Do(t, "PATCH", path, m{"params": same}).Fails(422, "too_much_content", "params")
	a.owner.Do(t, "PATCH", path, m{"params": same[:59]}).Is(200)
	a.owner.Do(t, "PATCH", path, m{"modelName": "New"}).Is(200)
	a.owner.Do(t, "PATCH", path, m{"params": values(90, 4000)}).Is(200)
	a.owner.Do(t, "PATCH", path, m{"params": values(91, 4000)}).Fails(422, "too_much_content", "params")
	a.owner.Do(t, "PATCH", path, m{"params": values(1, 1)}).Is(200)
	// a type shows its parameters whole
	for _, id := range params {
		a.admin.Do(t, "PATCH", base+"/params/"+id, m{"name": strings.Repeat("😀", 255)}).Is(200)
	}
	label := a.admin.Do(t, "POST", base+"/units", m{"code": strings.Repeat("😀", 64), "label": strings.Repeat("😀", 255), "unitSystem": strings.Repeat("😀", 64)}).Is(201).ID()
	for _, id := range params {
		a.admin.Do(t, "PATCH", base+"/params/"+id, m{"unitId": label}).Is(200)
	}
	refs := make([]m, len(params))
	for i, id := range params {
		refs[i] = m{"paramId": id}
	}
	category := a.newCategory(t, a.newGroup(t))
	a.owner.Do(t, "POST", base+"/types", m{"title": "T", "categoryIds": []string{category}, "params": refs}).Fails(422, "too_much_content", "params")
	_, err = a.db.Exec(t.Context(), "UPDATE types SET updated_by = repeat('u', 255)")
	require.NoError(t, err)
	a.owner.Do(t, "PATCH", base+"/types/"+kind, m{"params": refs}).Fails(422, "too_much_content", "params")
	a.owner.Do(t, "PATCH", base+"/types/"+kind, m{"params": refs[:50]}).Is(200)
}

// Answers share a budget by what they hold: what does not fit is refused before it
// is built, and ordinary lists go on (contract 7.5).
func TestLargeAnswersShareABudget(t *testing.T) {
	t.Parallel()
	const budget = 4 << 20
	a := setup(t, func(o *edge.Options) { o.Answers = budget })
	var params []string
	for range 40 {
		params = append(params, a.newParam(t, m{"valueType": "STRING"}))
	}
	kind := a.newType(t, params...)
	_, err := a.db.Exec(t.Context(), `WITH v AS (
    INSERT INTO vehicles (type_id, brand_name, model_name, owner_user_id, created_by, updated_by)
    SELECT $1, 'Large', 'M', 'owner', 'owner', 'owner' FROM generate_series(1, 100) RETURNING id
) INSERT INTO vehicle_params SELECT v.id, p.id, p.n - 1, '"' || repeat('x', 4000) || '"' FROM v, unnest($2::uuid[]) WITH ORDINALITY p(id, n)`, kind, params)
	require.NoError(t, err)
	for _, path := range []string{"/vehicles?size=100", "/vehicles?brandName=large&size=100"} {
		a.Do(t, "GET", base+path, nil).Fails(503, "overloaded")
	}
	a.Do(t, "GET", base+"/vehicles?size=1", nil).Is(200)
	a.Do(t, "GET", base+"/groups", nil).Is(200)
}
