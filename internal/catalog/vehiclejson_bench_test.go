package catalog

// This file: writing a page of vehicles by hand beside encoding/json.

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/require"

	api "equipment-platform/gen/catalogapi"
)

// page makes n vehicles with five values, two tags and three photos.
func benchmarkPage(tb testing.TB, n int) ([]vehicleRow, *dictionary) {
	tb.Helper()
	unit := api.MeasurementUnit{ID: uuid.New(), Code: "kg", Label: "kilogram", UnitSystem: "SI", IsActive: true, Version: 1}
	var params []api.Param
	for i := range 10 {
		params = append(params, api.Param{ID: uuid.New(), Name: fmt.Sprint("Parameter ", i), ValueType: string(api.NUMBER), UnitID: nullable.NewNullableWithValue(unit.ID)})
	}
	tags := []storedTag{{TagRef: api.TagRef{ID: uuid.New(), Name: "demolition"}}, {TagRef: api.TagRef{ID: uuid.New(), Name: "trenching"}}}
	names, err := (&dictionary{}).with(1, nil, []api.MeasurementUnit{unit}, params, tags)
	require.NoError(tb, err)
	rows := make([]vehicleRow, n)
	year := int32(2019)
	for i := range rows {
		v := vehicleRow{
			id: uuid.New(), typeID: uuid.New(), brand: "Caterpillar", model: "320 GC", year: &year, active: true, owner: "user-17", version: 3,
			createdAt: time.Now(), updatedAt: time.Now(), createdBy: "user-17", updatedBy: "user-17",
			tagIDs: []uuid.UUID{tags[0].ID, tags[1].ID}, photos: []uuid.UUID{uuid.New(), uuid.New(), uuid.New()},
		}
		for k := range 5 {
			v.paramIDs, v.paramValues = append(v.paramIDs, params[(i+k)%10].ID), append(v.paramValues, "21.50")
		}
		rows[i] = v
	}
	return rows, names
}

func BenchmarkPageOf50(b *testing.B) {
	rows, names := benchmarkPage(b, 50)
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			answer, err := answerVehicles(rows, names, window{1, 50}, 137)
			require.NoError(b, err)
			b.SetBytes(int64(len(*answer.body)))
			answer.release()
		}
	})
	answer, err := answerVehicles(rows, names, window{1, 50}, 137)
	require.NoError(b, err)
	var page api.VehiclePage
	require.NoError(b, json.Unmarshal(*answer.body, &page))
	b.Run("encoding/json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			raw, err := json.Marshal(page)
			require.NoError(b, err)
			b.SetBytes(int64(len(raw)))
		}
	})
}
