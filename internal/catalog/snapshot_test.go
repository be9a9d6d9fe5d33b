package catalog_test

// This file: every answer is one state of the database, also while others
// write (contract 1.11).

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// Names of params, units and tags stand in vehicles and types. While they are
// renamed together, no answer mixes two states, and none is a 500.
func TestRenamesDuringReads(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for range 3 {
		f.newVehicle(t, f.owner, m{"equipmentTypeId": f.equipmentType, "searchTagIds": []string{f.tag}, "params": []m{{"paramId": f.param, "value": 1}}})
	}
	f.embed(t, f.vehicle, "anything")
	rename := func(n int) {
		// one transaction, so that any two names that differ are a mixture
		tx, err := f.db.Begin(t.Context())
		require.NoError(t, err)
		for _, table := range []string{"params SET name", "tags SET name", "units SET label"} {
			_, err = tx.Exec(t.Context(), "UPDATE "+table+" = $1, version = version + 1 WHERE id = ANY($2)", fmt.Sprint("name ", n), []string{f.param, f.tag, f.unit})
			require.NoError(t, err)
		}
		require.NoError(t, tx.Commit(t.Context()))
	}
	rename(0)
	var stop atomic.Bool
	var writer, readers sync.WaitGroup
	writer.Go(func() {
		for n := 1; !stop.Load(); n++ {
			rename(n)
		}
	})
	// others change names without pause, so that no two statements see the same state
	for range 3 {
		noise := f.newTag(t)
		writer.Go(func() {
			for n := 0; !stop.Load(); n++ {
				_, err := f.db.Exec(t.Context(), "UPDATE tags SET name = $1 WHERE id = $2", fmt.Sprint(noise, n), noise)
				require.NoError(t, err)
			}
		})
	}
	names := func(v any) (out []string) {
		vehicle := v.(map[string]any)
		param := vehicle["params"].([]any)[0].(map[string]any)
		tag := vehicle["searchTags"].([]any)[0].(map[string]any)
		return []string{param["name"].(string), param["unit"].(map[string]any)["label"].(string), tag["name"].(string)}
	}
	for range 3 {
		readers.Go(func() {
			for range 40 {
				var seen []string
				for _, v := range getPage(t, f.Client, base+"/vehicles").Content {
					seen = append(seen, names(v)...)
				}
				for _, name := range seen {
					require.Equal(t, seen[0], name, "one state")
				}
				seen = names(fieldsOf(t, f.Do(t, "GET", base+"/vehicles/"+f.vehicle, nil).Is(200), m{"params": 0, "searchTags": 0}))
				require.Equal(t, seen[0], seen[2])
				require.Equal(t, seen[0], seen[1])
				kind := f.Do(t, "GET", base+"/types/"+f.equipmentType, nil).Is(200)
				param, tag := kind.Field("params").([]any)[0].(map[string]any), kind.Field("searchTags").([]any)[0].(map[string]any)
				require.Equal(t, param["name"], tag["name"])
				f.owner.Do(t, "PATCH", base+"/vehicles/"+f.vehicle, m{"releaseYear": 2000}).Is(200)
				f.Do(t, "POST", base+"/vehicles/semantic-search", m{"query": "anything"}).Is(200)
			}
		})
	}
	readers.Wait()
	stop.Store(true)
	writer.Wait()
}

// content and totalElements come from one snapshot: while vehicles come and go
// in pairs, the total is always that of the list.
func TestTotalsDuringWrites(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	var stop atomic.Bool
	var writers, readers sync.WaitGroup
	for n := range 2 {
		writers.Go(func() {
			for !stop.Load() {
				id := f.newVehicle(t, f.owner, m{"equipmentTypeId": f.equipmentType, "brandName": "Pair", "isActive": n == 0})
				f.owner.Do(t, "PATCH", base+"/vehicles/"+id, m{"isActive": n == 1}).Is(200)
				f.owner.Do(t, "DELETE", base+"/vehicles/"+id, nil).Is(204)
			}
		})
	}
	for range 2 {
		readers.Go(func() {
			for range 50 {
				for _, query := range []string{"", "?brandName=pair", "?view=own"} {
					for _, by := range []struct{ list func() page }{
						{func() page { return getPage(t, f.owner, base+"/vehicles"+query) }},
						{func() page { return getPage(t, f.admin, base+"/vehicles"+query) }},
					} {
						p := by.list()
						require.EqualValues(t, len(p.Content), p.TotalElements)
					}
				}
				p := getPage(t, f.Client, base+"/vehicles")
				require.EqualValues(t, len(p.Content), p.TotalElements)
			}
		})
	}
	readers.Wait()
	stop.Store(true)
	writers.Wait()
	require.EqualValues(t, 1, countOf(t, f.Client, base+"/vehicles/count"))
	require.EqualValues(t, 1, countOf(t, f.admin, base+"/vehicles/count"))
}

// Rows that refer to one another are made and deleted at the same time: each
// request ends in one of its two right answers, none in a 500, and nothing
// dangles.
func TestReferencesDuringDeletes(t *testing.T) {
	t.Parallel()
	a := setup(t)
	group := a.newGroup(t)
	for range 6 {
		category, tag, param := a.newCategory(t, group), a.newTag(t), a.newParam(t, nil)
		kind := a.newType(t, param)
		vehicle := a.newVehicle(t, a.owner, m{"equipmentTypeId": kind})
		var all sync.WaitGroup
		for _, c := range []struct {
			method, path string
			body         any
			good         []int
		}{
			{"DELETE", "/groups/" + group + "/categories/" + category, nil, []int{204, 422}},
			{"POST", "/types", m{"title": "T", "categoryIds": []string{category}, "searchTagIds": []string{tag}, "params": []m{{"paramId": param}}}, []int{201, 422}},
			{"PATCH", "/types/" + kind, m{"params": []m{}}, []int{200}},
			{"DELETE", "/params/" + param, nil, []int{204, 422}},
			{"DELETE", "/tags/" + tag, nil, []int{204}},
			{"PATCH", "/vehicles/" + vehicle, m{"searchTagIds": []string{tag}}, []int{200, 422}},
			{"PATCH", "/vehicles/" + vehicle, m{"params": []m{{"paramId": param, "value": 1}}}, []int{200, 422}},
			{"POST", "/vehicles", m{"equipmentTypeId": kind, "brandName": "B", "modelName": "M", "searchTagIds": []string{tag}}, []int{201, 422}},
			{"DELETE", "/types/" + kind, nil, []int{204, 422}},
			{"DELETE", "/vehicles/" + vehicle, nil, []int{204}},
			{"PATCH", "/params/" + param, m{"valueType": "STRING"}, []int{200, 404, 422}},
		} {
			all.Go(func() {
				answer := a.admin.Do(t, c.method, base+c.path, c.body)
				if c.path == "/vehicles/"+vehicle && answer.Status == 404 || c.path == "/types/"+kind && answer.Status == 404 {
					return // deleted first
				}
				require.Contains(t, c.good, answer.Status, answer.String())
			})
		}
		all.Wait()
	}
	getPage(t, a.admin, base+"/vehicles")
	getPage(t, a.admin, base+"/types")
}
