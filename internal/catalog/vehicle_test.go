package catalog_test

import (
	"testing"

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
	require.Equal(t, `"1"`, v.ETag())
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
