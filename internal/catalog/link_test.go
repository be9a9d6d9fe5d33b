package catalog_test

// This file: photo and document links (contract 2.15).

import (
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge/edgetest"
)

type link struct {
	ID, VehicleID, FileID string
	IsActive              bool
	Position, Version     int
	CreatedBy, UpdatedBy  string
}

func linksOf(tb testing.TB, by edgetest.Client, path string) (out []link) {
	tb.Helper()
	by.Do(tb, "GET", path, nil).Is(200).JSON(&out)
	require.NotNil(tb, out)
	for i, l := range out {
		if i > 0 {
			require.Greater(tb, l.Position, out[i-1].Position)
		}
	}
	return out
}

func filesOf(links []link) []string {
	out := []string{}
	for _, l := range links {
		out = append(out, l.FileID)
	}
	return out
}

// kinds runs a test for photos and documents.
func kinds(t *testing.T, test func(t *testing.T, kind, field string)) {
	t.Helper()
	for kind, field := range map[string]string{"photos": "photoFileIds", "docs": "docFileIds"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			test(t, kind, field)
		})
	}
}

func TestLinksAppendAndCloseGaps(t *testing.T) {
	t.Parallel()
	a := setup(t)
	kinds(t, func(t *testing.T, kind, field string) {
		t.Helper()
		vehicle := base + "/vehicles/" + a.newVehicle(t, a.owner, nil)
		path := vehicle + "/" + kind
		require.Empty(t, linksOf(t, a.Client, path))
		files := manyIDs(20)
		for i, file := range files {
			l := a.owner.Do(t, "POST", path, m{"fileId": file}).Is(201)
			require.Equal(t, path+"/"+l.ID(), l.Header.Get("Location"))
			require.Equal(t, mustJSON(t, i), mustJSON(t, l.Field("position")))
			if i == 4 {
				a.owner.Do(t, "POST", path, m{"fileId": file}).Fails(422, "duplicate_file", "fileId")
			}
		}
		require.Equal(t, files, filesOf(linksOf(t, a.Client, path)))
		a.owner.Do(t, "POST", path, m{"fileId": uuid.NewString()}).Fails(422, "link_limit", "fileId")
		links := linksOf(t, a.owner, path)
		for _, i := range []int{19, 0, 7} {
			a.owner.Do(t, "DELETE", path+"/"+links[i].ID, nil).Is(204)
			a.owner.Do(t, "DELETE", path+"/"+links[i].ID, nil).Fails(404, "not_found")
			links = append(links[:i], links[i+1:]...)
			now := linksOf(t, a.owner, path)
			require.Equal(t, filesOf(links), filesOf(now))
			for position, l := range now {
				require.Equal(t, position, l.Position, "positions close gaps")
			}
		}
		v := a.Do(t, "GET", vehicle, nil).Is(200)
		require.Equal(t, mustJSON(t, filesOf(links)), mustJSON(t, v.Field(field)))
		for _, bad := range []m{{}, {"fileId": nil}, {"fileId": "x"}, {"fileId": 1}} {
			a.owner.Do(t, "POST", path, bad).Fails(400, "validation_failed", "fileId")
		}
		a.owner.Do(t, "POST", path, m{"fileId": icon1, "isActive": nil}).Fails(400, "validation_failed", "isActive")
		a.owner.Do(t, "POST", path, m{"fileId": icon1, "position": 0}).Fails(400, "validation_failed", "position")
	})
}

// PUT and PATCH of the list keep the link of a file that stays.
func TestListsKeepLinks(t *testing.T) {
	t.Parallel()
	a := setup(t)
	kinds(t, func(t *testing.T, kind, field string) {
		t.Helper()
		files := manyIDs(4)
		vehicle := base + "/vehicles/" + a.newVehicle(t, a.owner, m{field: files[:3]})
		path := vehicle + "/" + kind
		before := linksOf(t, a.owner, path)
		a.owner.Do(t, "PATCH", path+"/"+before[1].ID, m{"isActive": false}).Is(200)
		for _, method := range []string{"PATCH", "PUT"} {
			order := []string{files[2], files[3], files[1]}
			v := a.owner.Do(t, method, vehicle, m{field: order}).Is(200)
			require.Equal(t, mustJSON(t, order), mustJSON(t, v.Field(field)))
			after := linksOf(t, a.owner, path)
			require.Equal(t, order, filesOf(after))
			require.Equal(t, []string{before[2].ID, before[1].ID}, []string{after[0].ID, after[2].ID}, "the ids stay")
			require.Equal(t, []bool{true, true, false}, []bool{after[0].IsActive, after[1].IsActive, after[2].IsActive})
			require.Equal(t, []int{0, 1, 2}, []int{after[0].Position, after[1].Position, after[2].Position})
		}
		// the same list again changes no link
		now := linksOf(t, a.owner, path)
		a.owner.Do(t, "PATCH", vehicle, m{field: filesOf(now)}).Is(200)
		require.Equal(t, now, linksOf(t, a.owner, path))
		a.owner.Do(t, "PATCH", vehicle, m{"brandName": "C"}).Is(200)
		require.Equal(t, now, linksOf(t, a.owner, path))
		a.owner.Do(t, "PUT", vehicle, m{}).Is(200)
		require.Empty(t, linksOf(t, a.owner, path))
		// a file linked again is a new link
		a.owner.Do(t, "PATCH", vehicle, m{field: files[1:2]}).Is(200)
		again := linksOf(t, a.owner, path)
		require.NotEqual(t, before[1].ID, again[0].ID)
		require.True(t, again[0].IsActive)
	})
}

// The two kinds are apart: same file, own limits, own items.
func TestKindsAreApart(t *testing.T) {
	t.Parallel()
	a := setup(t)
	files := manyIDs(20)
	vehicle := base + "/vehicles/" + a.newVehicle(t, a.owner, m{"photoFileIds": files})
	a.owner.Do(t, "POST", vehicle+"/docs", m{"fileId": files[0]}).Is(201)
	photo := linksOf(t, a.Client, vehicle+"/photos")[0].ID
	a.Do(t, "GET", vehicle+"/docs/"+photo, nil).Fails(404, "not_found")
	a.owner.Do(t, "DELETE", vehicle+"/docs/"+photo, nil).Fails(404, "not_found")
	other := base + "/vehicles/" + a.newVehicle(t, a.owner, nil)
	a.owner.Do(t, "DELETE", other+"/photos/"+photo, nil).Fails(404, "not_found")
	a.owner.Do(t, "PATCH", other+"/photos/"+photo, m{"isActive": false}).Fails(404, "not_found")
	a.Do(t, "GET", other+"/photos/"+photo, nil).Fails(404, "not_found")
	require.Len(t, linksOf(t, a.Client, vehicle+"/photos"), 20)
}

func TestConcurrentLinks(t *testing.T) {
	t.Parallel()
	a := setup(t)
	vehicle := base + "/vehicles/" + a.newVehicle(t, a.owner, nil)
	var group sync.WaitGroup
	statuses := make([]int, 25)
	for i := range statuses {
		group.Go(func() { statuses[i] = a.owner.Do(t, "POST", vehicle+"/photos", m{"fileId": uuid.NewString()}).Status })
	}
	group.Wait()
	made := 0
	for _, status := range statuses {
		require.Contains(t, []int{201, 422}, status)
		if status == 201 {
			made++
		}
	}
	require.Equal(t, 20, made)
	links := linksOf(t, a.Client, vehicle+"/photos")
	require.Len(t, links, 20)
	// deletions and a new list at the same time leave an order without gaps
	for i := range 10 {
		group.Go(func() {
			require.Contains(t, []int{204, 404}, a.owner.Do(t, "DELETE", vehicle+"/photos/"+links[i].ID, nil).Status)
		})
		group.Go(func() { a.owner.Do(t, "PATCH", vehicle, m{"photoFileIds": filesOf(links[5:])}).Is(200) })
	}
	group.Wait()
	for i, l := range linksOf(t, a.Client, vehicle+"/photos") {
		require.Equal(t, i, l.Position)
	}
	v := a.Do(t, "GET", vehicle, nil).Is(200)
	require.Equal(t, mustJSON(t, filesOf(linksOf(t, a.Client, vehicle+"/photos"))), mustJSON(t, v.Field("photoFileIds")))
}
