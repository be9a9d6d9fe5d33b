package catalog_test

// This file: optimistic locking of every resource: version, ETag, If-Match,
// If-None-Match, and concurrent changes (contract 1.3, contract 1.9, contract 9.10).

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge/edgetest"
)

// lockable is a kind of resource with all that changes it.
type lockable struct {
	name   string
	make   func() (path string)
	put    any // nil: the kind has no PUT
	patch  any // nil: the kind has no PATCH
	empty  bool
	writer edgetest.Client
}

func (f fixture) lockables(tb testing.TB) []lockable {
	tb.Helper()
	p := base + "/"
	categories := []string{f.category}
	return []lockable{
		{"group", func() string { return p + "groups/" + f.newGroup(tb) }, m{"name": "New"}, m{"name": "Newer"}, true, f.admin},
		{"category", func() string { return p + "groups/" + f.group + "/categories/" + f.newCategory(tb, f.group) }, m{"name": "New"}, m{"tenantIds": nil}, true, f.admin},
		{"tag", func() string { return p + "tags/" + f.newTag(tb) }, m{"name": "new " + unique()}, m{"isActive": true}, true, f.admin},
		{"param", func() string { return p + "params/" + f.newParam(tb, nil) }, m{"name": "New", "valueType": "DATE"}, m{"unitId": f.unit}, true, f.admin},
		{"unit", func() string { return p + "units/" + f.newUnit(tb) }, m{"code": unique(), "label": "New", "unitSystem": "SI"}, m{"label": "Newer"}, true, f.admin},
		{"type", func() string { return p + "types/" + f.newType(tb) }, m{"title": "New", "categoryIds": categories}, m{"params": []any{}}, true, f.owner},
		{"vehicle", func() string {
			return p + "vehicles/" + f.newVehicle(tb, f.owner, m{"equipmentTypeId": f.equipmentType})
		},
			m{"modelName": "New"}, m{"photoFileIds": []string{uuid.NewString()}}, true, f.owner},
		{"photo", func() string { return p + "vehicles/" + f.vehicle + "/photos/" + f.newLink(tb, f.vehicle, "photos") }, nil, m{"isActive": true}, false, f.owner},
		{"doc", func() string { return p + "vehicles/" + f.vehicle + "/docs/" + f.newLink(tb, f.vehicle, "docs") }, nil, m{"isActive": false}, false, f.owner},
		{"rating", func() string {
			vehicle := f.newVehicle(tb, f.owner, m{"equipmentTypeId": f.equipmentType})
			f.newRating(tb, vehicle, "customer", 4)
			return p + "vehicles/" + vehicle + "/ratings/me"
		}, m{"score": 3}, nil, false, f.customer},
	}
}

func version(n int) string { return fmt.Sprintf(`"%d"`, n) }

func TestVersions(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for _, l := range f.lockables(t) {
		path, by, n := l.make(), l.writer, 1
		read := func() edgetest.Answer {
			a := by.Do(t, "GET", path, nil).Is(200)
			require.Equal(t, version(n), a.Version(), l.name)
			require.Equal(t, mustJSON(t, n), mustJSON(t, a.Field("version")))
			return a
		}
		read()
		change := func(method string, body any, ifMatch string) {
			before := read()
			for _, stale := range []string{version(n + 1), version(n - 1), `"0"`, `""`, `"x"`, "W/" + version(n+1), version(n+1) + ", " + version(n+2), `"-1"`, `"01"`, `"0.1"`, `"9223372036854775808"`} {
				if stale == version(n) {
					continue
				}
				by.Do(t, method, path, body, edgetest.IfMatch(stale)).Fails(409, "version_conflict")
			}
			require.Equal(t, string(before.Body), string(read().Body), "nothing has changed")
			for _, malformed := range []string{"x", "1", `"1`, `1"`, `"1" "2"`, `"1",`, `*, "1"`, `'1'`, `**`, `w/"1"`} {
				status := by.Do(t, method, path, body, edgetest.IfMatch(malformed)).Status
				require.Contains(t, []int{400, 409}, status, "a malformed If-Match is never ignored: %s", malformed)
			}
			require.Equal(t, string(before.Body), string(read().Body), "nothing has changed")
			var headers []edgetest.Header
			if ifMatch != "" {
				headers = append(headers, edgetest.IfMatch(ifMatch))
			}
			if method == "DELETE" {
				by.Do(t, method, path, nil, headers...).Is(204)
				return
			}
			n++
			a := by.Do(t, method, path, body, headers...).Is(200)
			require.Equal(t, version(n), a.Version(), "%s: one more with every change", l.name)
			require.Equal(t, mustJSON(t, a.Field("createdAt")), mustJSON(t, before.Field("createdAt")))
			require.NotEqual(t, mustJSON(t, a.Field("updatedAt")), mustJSON(t, before.Field("updatedAt")))
			require.Equal(t, string(a.Body), string(read().Body), "the answer is what is read")
		}
		for _, ifMatch := range []func() string{
			func() string { return "" },
			func() string { return "*" },
			func() string { return " * " },
			func() string { return version(n) },
			func() string { return version(n) + `,"x"` },
			func() string { return version(99) + " , " + version(n) },
			func() string { return read().ETag() },
			func() string { return "W/" + read().ETag() },
			func() string { return strings.TrimSuffix(read().ETag(), `"`) + `-gzip"` },
		} {
			if l.put != nil {
				change("PUT", l.put, ifMatch())
			}
			if l.patch != nil {
				change("PATCH", l.patch, ifMatch())
			}
		}
		if l.empty {
			before := read()
			by.Do(t, "PATCH", path, m{}, edgetest.IfMatch(version(n+1))).Fails(409, "version_conflict")
			require.Equal(t, string(before.Body), string(by.Do(t, "PATCH", path, m{}).Is(200).Body))
			require.Equal(t, version(n), by.Do(t, "PATCH", path, m{}, edgetest.IfMatch(version(n))).Is(200).Version())
			read()
		} else if l.patch != nil {
			by.Do(t, "PATCH", path, m{}).Fails(400, "validation_failed", "isActive")
		}
		change("DELETE", nil, version(n))
		by.Do(t, "GET", path, nil).Fails(404, "not_found")
	}
}

func TestIfNoneMatch(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for _, l := range f.lockables(t) {
		path := l.make()
		get := func(tag string) edgetest.Answer { return l.writer.Do(t, "GET", path, nil, edgetest.IfNoneMatch(tag)) }
		tag := l.writer.Do(t, "GET", path, nil).Is(200).ETag()
		for _, same := range []string{tag, "W/" + tag, `"7", ` + tag, `"7",W/` + tag, "*"} {
			a := get(same).Is(http.StatusNotModified)
			require.Empty(t, a.Body)
			require.Equal(t, tag, a.ETag())
			require.Equal(t, "private, no-cache", a.Header.Get("Cache-Control"))
		}
		for _, other := range []string{`"2"`, `"0"`, `""`, `"x"`, `"11"`, `"1"`, strings.TrimSuffix(tag, `"`) + `-gzip"`} {
			get(other).Is(200)
		}
		if l.patch != nil {
			changed := l.writer.Do(t, "PATCH", path, l.patch).Is(200).ETag()
			get(tag).Is(200)
			get(changed).Is(304)
		}
		l.writer.Do(t, "DELETE", path, nil).Is(204)
		get("*").Fails(404, "not_found")
	}
	// what the caller may not see is 404, not 304
	hidden := f.newVehicle(t, f.owner, m{"equipmentTypeId": f.equipmentType, "isActive": false})
	f.Do(t, "GET", base+"/vehicles/"+hidden, nil, edgetest.IfNoneMatch("*")).Fails(404, "not_found")
}

// An If-Match that is there is never ignored, however odd it is.
func TestOddIfMatch(t *testing.T) {
	t.Parallel()
	a := setup(t)
	path := base + "/groups/" + a.newGroup(t)
	for _, values := range [][]string{{""}, {" "}, {`"2"`, `"3"`}, {`"2"`, ""}, {strings.Repeat(`"2",`, 100) + `"2"`}, {`"` + strings.Repeat("2", 1000) + `"`}} {
		for _, method := range []string{"PUT", "PATCH", "DELETE"} {
			status := raw(t, a.admin, method, path, `{"name":"x"}`, http.Header{"If-Match": values}).Status
			require.Contains(t, []int{400, 409}, status, "%q", values)
		}
	}
	require.Equal(t, `"1"`, a.Do(t, "GET", path, nil).Is(200).Version())
	// several lines are one list
	tag := a.Do(t, "GET", path, nil).Is(200).ETag()
	require.Equal(t, 304, raw(t, a.admin, "GET", path, "", http.Header{"If-None-Match": {`"2"`, tag}}).Status)
	require.Equal(t, 200, raw(t, a.admin, "PATCH", path, `{"name":"x"}`, http.Header{"If-Match": {`"2"`, `"1"`}}).Status)
}

// Which deletions of what is not there succeed (contract 1.8), and PUT never makes one.
func TestMissingResources(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	missing := uuid.NewString()
	v := "/vehicles/" + f.vehicle
	for path, c := range map[string]struct {
		put    any
		patch  any
		delete int
	}{
		"/groups/" + missing:                                     {m{"name": "x"}, m{"name": "x"}, 404},
		"/groups/" + f.group + "/categories/" + missing:          {m{"name": "x"}, m{"name": "x"}, 404},
		"/groups/" + missing + "/categories/" + f.category:       {m{"name": "x"}, m{"name": "x"}, 404},
		"/groups/" + f.newGroup(t) + "/categories/" + f.category: {m{"name": "x"}, m{"name": "x"}, 404},
		"/tags/" + missing:                                       {m{"name": "x"}, m{"name": "x"}, 404},
		"/types/" + missing:                                      {m{"title": "x", "categoryIds": []string{f.category}}, m{"title": "x"}, 204},
		"/params/" + missing:                                     {m{"name": "x", "valueType": "DATE"}, m{"name": "x"}, 404},
		"/units/" + missing:                                      {m{"code": "x", "label": "x", "unitSystem": "x"}, m{"code": "x"}, 404},
		"/vehicles/" + missing:                                   {m{"brandName": "x"}, m{"brandName": "x"}, 204},
		v + "/photos/" + missing:                                 {nil, m{"isActive": true}, 404},
		v + "/photos/" + f.doc:                                   {nil, m{"isActive": true}, 404},
		v + "/docs/" + missing:                                   {nil, m{"isActive": true}, 404},
		v + "/docs/" + f.photo:                                   {nil, m{"isActive": true}, 404},
		"/vehicles/" + missing + "/photos/" + f.photo:            {nil, m{"isActive": true}, 404},
		v + "/ratings/me":                                        {m{"score": 1}, nil, 404},
		"/vehicles/" + missing + "/ratings/me":                   {m{"score": 1}, nil, 404},
	} {
		f.admin.Do(t, "GET", base+path, nil).Fails(404, "not_found")
		if c.put != nil {
			f.admin.Do(t, "PUT", base+path, c.put).Fails(404, "not_found")
			f.admin.Do(t, "PUT", base+path, c.put, edgetest.IfMatch("*")).Fails(404, "not_found")
		}
		if c.patch != nil {
			f.admin.Do(t, "PATCH", base+path, c.patch, edgetest.IfMatch(`"1"`)).Fails(404, "not_found")
		}
		f.admin.Do(t, "DELETE", base+path, nil).Is(c.delete)
		f.admin.Do(t, "DELETE", base+path, nil, edgetest.IfMatch(`"1"`)).Is(c.delete)
		f.admin.Do(t, "GET", base+path, nil).Fails(404, "not_found")
	}
	for _, path := range []string{"/vehicles/", "/types/"} {
		gone := f.newVehicle(t, f.owner, m{"equipmentTypeId": f.equipmentType})
		if path == "/types/" {
			gone = f.newType(t)
		}
		for range 3 {
			f.owner.Do(t, "DELETE", base+path+gone, nil).Is(204)
		}
	}
	for _, path := range []string{"/groups/" + missing + "/categories", "/groups/" + missing + "/categories/count", "/vehicles/" + missing + "/photos",
		"/vehicles/" + missing + "/docs", "/vehicles/" + missing + "/ratings", "/vehicles/" + missing + "/ratings/summary"} {
		f.admin.Do(t, "GET", base+path, nil).Fails(404, "not_found")
	}
	f.admin.Do(t, "POST", base+"/groups/"+missing+"/categories", m{"name": "x"}).Fails(404, "not_found")
	f.admin.Do(t, "POST", base+"/vehicles/"+missing+"/docs", m{"fileId": missing}).Fails(404, "not_found")
}

// Any valid UUID is looked up, a malformed one is 400 (contract 1.1).
func TestPathIdentifiers(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	require.Equal(t, f.group, f.Do(t, "GET", base+"/groups/"+strings.ToUpper(f.group), nil).Is(200).ID())
	for _, unknown := range []string{"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "0b6f3c52-8a4e-1f0e-8b8e-2f6f1f0c9a01"} {
		f.Do(t, "GET", base+"/groups/"+unknown, nil).Fails(404, "not_found")
	}
	for _, bad := range []string{"x", "1", "null", "0b6f3c52-8a4e-4f0e-8b8e-2f6f1f0c9a0", "0b6f3c52-8a4e-4f0e-8b8e-2f6f1f0c9a011", "0b6f3c528a4e4f0e8b8e2f6f1f0c9a01",
		"%7B0b6f3c52-8a4e-4f0e-8b8e-2f6f1f0c9a01%7D", "urn:uuid:0b6f3c52-8a4e-4f0e-8b8e-2f6f1f0c9a01", "0b6f3c52-8a4e-4f0e-8b8e-2f6f1f0c9a0g",
		"0b6f3c52a8a4e-4f0e-8b8e-2f6f1f0c9a01", "%00", "a%2Fb", "%20" + f.group, f.group + "%20", f.group + "%00", "'", "%ff", "..%2f"} {
		for path, field := range map[string]string{
			"/groups/%s": "id", "/groups/%s/categories": "groupId", "/groups/" + f.group + "/categories/%s": "id", "/tags/%s": "id", "/types/%s": "id",
			"/vehicles/%s": "id", "/vehicles/%s/photos": "vehicleId", "/vehicles/%s/ratings/summary": "vehicleId", "/vehicles/" + f.vehicle + "/docs/%s": "id",
		} {
			f.Do(t, "GET", base+strings.ReplaceAll(path, "%s", bad), nil).Fails(400, "validation_failed", field)
		}
		f.admin.Do(t, "GET", base+"/params/"+bad, nil).Fails(400, "validation_failed", "id")
		f.admin.Do(t, "DELETE", base+"/units/"+bad, nil).Fails(400, "validation_failed", "id")
		f.admin.Do(t, "PATCH", base+"/vehicles/"+bad, m{}).Fails(400, "validation_failed", "id")
	}
}

// Without If-Match, concurrent patches of different fields both survive, and
// the versions count each of them; of one field the last wins, never a 409.
func TestConcurrentPatches(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	const rounds = 8
	for path, fields := range map[string][]string{
		"/units/" + f.unit:          {"code", "label", "unitSystem"},
		"/vehicles/" + f.vehicle:    {"brandName", "modelName", "licensePlate"},
		"/groups/" + f.group:        {"name"},
		"/types/" + f.equipmentType: {"title"},
	} {
		before := f.admin.Do(t, "GET", base+path, nil).Is(200)
		var group sync.WaitGroup
		for _, field := range fields {
			group.Go(func() {
				for n := range rounds {
					f.admin.Do(t, "PATCH", base+path, m{field: fmt.Sprint("X", n)}).Is(200)
				}
			})
		}
		group.Wait()
		after := f.admin.Do(t, "GET", base+path, nil).Is(200)
		for _, field := range fields {
			require.Equal(t, fmt.Sprint("X", rounds-1), after.Text(field))
		}
		var was, is struct{ Version int }
		before.JSON(&was)
		after.JSON(&is)
		require.Equal(t, was.Version+rounds*len(fields), is.Version)
	}
	// with If-Match exactly one of those who read the same version wins
	var group sync.WaitGroup
	results := make([]int, 8)
	etag := f.admin.Do(t, "GET", base+"/groups/"+f.group, nil).ETag()
	for i := range results {
		group.Go(func() {
			results[i] = f.admin.Do(t, "PATCH", base+"/groups/"+f.group, m{"name": fmt.Sprint("Name ", i)}, edgetest.IfMatch(etag)).Status
		})
	}
	group.Wait()
	require.ElementsMatch(t, []int{200, 409, 409, 409, 409, 409, 409, 409}, results)
}

func TestAuditFields(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	second := f.As(token(t, "second-admin", "SUPERADMIN"))
	for _, l := range f.lockables(t) {
		path := l.make()
		a := l.writer.Do(t, "GET", path, nil).Is(200)
		require.Equal(t, a.Text("createdBy"), a.Text("updatedBy"))
		require.Equal(t, a.Text("createdAt"), a.Text("updatedAt"))
		if l.patch == nil {
			continue
		}
		b := second.Do(t, "PATCH", path, l.patch).Is(200)
		require.Equal(t, a.Text("createdBy"), b.Text("createdBy"))
		require.Equal(t, a.Text("createdAt"), b.Text("createdAt"))
		require.Equal(t, "second-admin", b.Text("updatedBy"))
		require.Greater(t, b.Text("updatedAt"), b.Text("createdAt"))
		for _, field := range []string{"createdAt", "updatedAt"} {
			require.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$`, b.Text(field))
		}
	}
}
