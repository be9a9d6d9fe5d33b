package catalog_test

// This file: what a page of fifty vehicles costs from the request to the answer, the
// caller's side of some seventy objects included.

import (
	"io"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func BenchmarkListOf50(b *testing.B) {
	a := setup(b)
	var params []string
	for range 5 {
		params = append(params, a.newParam(b, nil))
	}
	kind, tags := a.newType(b, params...), []string{a.newTag(b), a.newTag(b)}
	for range 50 {
		values, photos := []m{}, []string{}
		for i, id := range params {
			values = append(values, m{"paramId": id, "value": 1000 + i})
		}
		for range 3 {
			photos = append(photos, uuid.NewString())
		}
		a.newVehicle(b, a.owner, m{"equipmentTypeId": kind, "licensePlate": "A" + unique(), "releaseYear": 2019, "params": values, "searchTagIds": tags, "photoFileIds": photos})
	}
	b.ReportAllocs()
	for b.Loop() {
		resp, err := http.Get(a.Base + base + "/vehicles?size=50")
		require.NoError(b, err)
		n, err := io.Copy(io.Discard, resp.Body)
		require.NoError(b, err)
		require.NoError(b, resp.Body.Close())
		require.Equal(b, http.StatusOK, resp.StatusCode)
		b.SetBytes(n)
	}
}
