package catalog_test

// This file: several callers do the same at once: exactly one wins, and the
// others hear why.

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge/edgetest"
)

// atOnce runs do eight times in parallel and returns the statuses in order.
func atOnce(do func(i int) edgetest.Answer) []int {
	var group sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		group.Go(func() { statuses[i] = do(i).Status })
	}
	group.Wait()
	slices.Sort(statuses)
	return statuses
}

func TestSameThingAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	one := func(first, others int) []int {
		out := append(slices.Repeat([]int{others}, 7), first)
		slices.Sort(out)
		return out
	}
	post := func(path string, body func(i int) any) []int {
		return atOnce(func(i int) edgetest.Answer { return f.admin.Do(t, "POST", base+path, body(i)) })
	}
	same := func(body any) func(int) any { return func(int) any { return body } }
	require.Equal(t, one(201, 409), post("/tags", func(i int) any { return m{"name": []string{"same", "SAME"}[i%2]} }))
	require.Equal(t, one(201, 409), post("/units", same(m{"code": "same", "label": "L", "unitSystem": "SI"})))
	require.Equal(t, one(201, 422), post("/vehicles/"+f.vehicle+"/photos", same(m{"fileId": icon1})))
	for path, missing := range map[string]int{
		"/groups/" + f.newGroup(t): 404, "/tags/" + f.newTag(t): 404, "/units/" + f.newUnit(t): 404, "/params/" + f.newParam(t, nil): 404,
		"/types/" + f.newType(t): 204, "/vehicles/" + f.newVehicle(t, f.owner, m{"equipmentTypeId": f.equipmentType}): 204,
		"/vehicles/" + f.vehicle + "/photos/" + f.photo: 404,
	} {
		got := atOnce(func(int) edgetest.Answer { return f.admin.Do(t, "DELETE", base+path, nil) })
		require.Equal(t, one(204, missing), got, path)
	}
	// a rating is deleted once, and counted down once
	f.newRating(t, f.vehicle, "customer", 4)
	f.newRating(t, f.vehicle, "other", 2)
	got := atOnce(func(int) edgetest.Answer {
		return f.customer.Do(t, "DELETE", base+"/vehicles/"+f.vehicle+"/ratings/me", nil)
	})
	require.Equal(t, one(204, 404), got)
	require.JSONEq(t, `{"ratingAvg":2,"ratingCount":1}`, string(f.Do(t, "GET", base+"/vehicles/"+f.vehicle+"/ratings/summary", nil).Is(200).Body))
	// whoever holds the version wins
	etag := f.Do(t, "GET", base+"/vehicles/"+f.vehicle, nil).ETag()
	got = atOnce(func(int) edgetest.Answer {
		return f.owner.Do(t, "PUT", base+"/vehicles/"+f.vehicle, m{"brandName": "B"}, edgetest.IfMatch(etag))
	})
	require.Equal(t, one(200, 409), got)
}

// A group is deleted while categories are made in it: either it is in use, or
// the makers hear that it is gone.
func TestParentDeletedAtOnce(t *testing.T) {
	t.Parallel()
	a := setup(t)
	for range 10 {
		group := base + "/groups/" + a.newGroup(t)
		statuses := make([]int, 2)
		var both sync.WaitGroup
		both.Go(func() { statuses[0] = a.admin.Do(t, "POST", group+"/categories", m{"name": "C"}).Status })
		both.Go(func() { statuses[1] = a.admin.Do(t, "DELETE", group, nil).Status })
		both.Wait()
		require.Contains(t, [][]int{{201, 422}, {404, 204}}, statuses)
	}
}

// Answers are made in buffers that serve others afterwards: whoever reads at the
// same time gets a page of its own.
func TestPagesAtOnce(t *testing.T) {
	t.Parallel()
	a := setup(t)
	kind := a.newType(t)
	pages := map[string]string{}
	for i := range 8 {
		brand := string(rune('A' + i))
		for n := range 1 + i {
			a.newVehicle(t, a.owner, m{"equipmentTypeId": kind, "brandName": brand, "modelName": unique(), "releaseYear": 1990 + n})
		}
		path := base + "/vehicles?brandName=" + brand
		pages[path] = string(a.Do(t, "GET", path, nil).Is(200).Body)
	}
	var group sync.WaitGroup
	for path, page := range pages {
		group.Go(func() {
			for range 20 {
				assert.JSONEq(t, page, string(a.Do(t, "GET", path, nil).Body), path)
			}
		})
	}
	group.Wait()
}
