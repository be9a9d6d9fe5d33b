package catalog_test

// This file: the generated Go client, as a program of somebody else uses it.

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/require"

	client "equipment-platform/gen/catalogclient"
)

func TestGoClient(t *testing.T) {
	t.Parallel()
	a := setup(t)
	numeric := a.newParam(t, m{"valueType": "NUMBER"})
	typeID := uuid.MustParse(a.newType(t, numeric))
	c, err := client.NewClient(a.Base, client.WithRequestEditorFn(bearer(token(t, "owner", "USER"))))
	require.NoError(t, err)

	key := "go-client-1"
	body := client.VehicleCreate{
		EquipmentTypeID: typeID, BrandName: "Kubota", ModelName: "U27",
		Params: &[]client.VehicleParamInput{{ParamID: uuid.MustParse(numeric), Value: json.RawMessage("2.50")}},
	}
	var created client.Vehicle
	first := called(t, 201, &created)(c.CreateVehicle(t.Context(), &client.CreateVehicleParams{IdempotencyKey: &key}, body))
	var again client.Vehicle
	replayed := called(t, 201, &again)(c.CreateVehicle(t.Context(), &client.CreateVehicleParams{IdempotencyKey: &key}, body))
	require.Equal(t, created.ID, again.ID)
	require.Equal(t, "true", replayed.Header.Get("Idempotency-Replayed"))

	brand := "kubota"
	var page client.VehiclePage
	called(t, 200, &page)(c.ListVehicles(t.Context(), &client.ListVehiclesParams{BrandName: &brand}))
	require.Len(t, page.Content, 1)
	require.JSONEq(t, "2.50", string(page.Content[0].Params[0].Value))

	etag := first.Header.Get("ETag")
	model := "U27-4"
	var patched client.Vehicle
	called(t, 200, &patched)(c.UpdateVehicle(t.Context(), created.ID, &client.UpdateVehicleParams{IfMatch: &etag}, client.VehiclePatch{ModelName: nullable.NewNullableWithValue(model)}))
	require.Equal(t, model, patched.ModelName)
	var refused client.APIErrorDto
	called(t, 409, &refused)(c.UpdateVehicle(t.Context(), created.ID, &client.UpdateVehicleParams{IfMatch: &etag}, client.VehiclePatch{ModelName: nullable.NewNullableWithValue("other")}))
	require.Equal(t, client.ErrorCode("version_conflict"), refused.Code)
	called(t, 400, &refused)(c.ListVehicles(t.Context(), &client.ListVehiclesParams{Sort: &[]string{"color"}}))
	require.Contains(t, refused.Details.MustGet(), "sort")
}

// bearer sends a token with each request.
func bearer(token string) client.RequestEditorFn {
	return func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
}

// called decodes the answer of a call, whose status must be want.
func called(t *testing.T, want int, into any) func(*http.Response, error) *http.Response {
	t.Helper()
	return func(r *http.Response, err error) *http.Response {
		t.Helper()
		require.NoError(t, err)
		defer r.Body.Close()
		require.Equal(t, want, r.StatusCode)
		require.NoError(t, json.NewDecoder(r.Body).Decode(into))
		return r
	}
}
