package catalog_test

// This file: license plates in requests and filters (contract 2.12, contract 2.11). The
// canonical form itself is tested in internal/plate.

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlatesOfRequests(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	path := base + "/vehicles/" + f.vehicle
	for sent, stored := range map[string]any{
		"": nil, " ": nil, " -_./\t\u00a0\u3000": nil,
		"a123bc77": "A123BC77", " a 123-bc_77./": "A123BC77", "а123вс77": "А123ВС77", "straße": "STRASSE", "İi": "İI", "ǆ1": "Ǆ1",
		"京A12345": "京A12345", "١٢٣": "١٢٣", "e\u0301a": "ÉA", "\ufb01x": "FIX", "हि12": "हि12", strings.Repeat("x", 32): strings.Repeat("X", 32),
		strings.Repeat("x- ", 32): strings.Repeat("X", 32), strings.Repeat("ß", 16): strings.Repeat("S", 32), strings.Repeat("𐐨", 32): strings.Repeat("𐐀", 32),
	} {
		body := m{"equipmentTypeId": f.equipmentType, "brandName": "B", "modelName": "M", "licensePlate": sent}
		require.Equal(t, stored, f.owner.Do(t, "POST", base+"/vehicles", body).Is(201).Field("licensePlate"), "%q", sent)
		require.Equal(t, stored, f.owner.Do(t, "PUT", path, m{"licensePlate": sent}).Is(200).Field("licensePlate"), "%q", sent)
		require.Equal(t, stored, f.owner.Do(t, "PATCH", path, m{"licensePlate": sent}).Is(200).Field("licensePlate"), "%q", sent)
		if s, ok := stored.(string); ok {
			require.Equal(t, stored, f.owner.Do(t, "PATCH", path, m{"licensePlate": s}).Is(200).Field("licensePlate"), "a fixed point")
		}
	}
	f.owner.Do(t, "PATCH", path, m{"licensePlate": "KEPT"}).Is(200)
	for sent, code := range map[string]string{
		"A#1": "license_plate_invalid", "A1!": "license_plate_invalid", "A:1": "license_plate_invalid", "A\\1": "license_plate_invalid", "A—1": "license_plate_invalid",
		"A\u200b1": "license_plate_invalid", "A\u0001": "license_plate_invalid", "😀": "license_plate_invalid", "½": "license_plate_invalid", "²": "license_plate_invalid",
		"Ⅷ": "license_plate_invalid", "\u0301A": "license_plate_invalid", "1\u0301": "license_plate_invalid", "%": "license_plate_invalid", "A'": "license_plate_invalid",
		strings.Repeat("x", 33): "license_plate_too_long", strings.Repeat("ß", 17): "license_plate_too_long", strings.Repeat("x", 100_000): "license_plate_too_long",
	} {
		body := m{"equipmentTypeId": f.equipmentType, "brandName": "B", "modelName": "M", "licensePlate": sent}
		f.owner.Do(t, "POST", base+"/vehicles", body).Fails(422, code, "licensePlate")
		f.owner.Do(t, "PUT", path, m{"licensePlate": sent}).Fails(422, code, "licensePlate")
		f.owner.Do(t, "PATCH", path, m{"licensePlate": sent}).Fails(422, code, "licensePlate")
	}
	for _, bad := range []any{1, true, []string{"A"}} {
		f.owner.Do(t, "PATCH", path, m{"licensePlate": bad}).Fails(400, "validation_failed", "licensePlate")
	}
	f.owner.Do(t, "PATCH", path, m{"licensePlate": "a\u0000"}).Fails(400, "validation_failed", "licensePlate")
	require.Equal(t, "KEPT", f.owner.Do(t, "GET", path, nil).Text("licensePlate"))
}

func TestPlateFilter(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for _, plate := range []string{"A123BC77", "B123", "STRASSE", "Ж1", "A123BC77"} {
		f.newVehicle(t, f.owner, m{"equipmentTypeId": f.equipmentType, "licensePlate": plate})
	}
	const all = 6 // with the fixture's vehicle, which has no plate
	for filter, want := range map[string]int64{
		"": all, " ": all, "-./_": all, "123": 3, "a-1 2.3b": 2, "bc77": 2, "ß": 1, "straß": 1, "ss": 1, "ж": 1, "A123BC77": 2, "A123BC777": 0,
		"%": 0, "_": all, "A%": 0, "A_1": 2, "#": 0, "A#": 0, "'": 0, `\`: 0, "*": 0, "😀": 0, "\u0301": 0, strings.Repeat("x", 40): 0, strings.Repeat("x", 5000): 0,
	} {
		q := "?" + url.Values{"licensePlate": {filter}}.Encode()
		p := getPage(t, f.Client, base+"/vehicles"+q)
		require.Equal(t, want, p.TotalElements, "%q", filter)
		require.Len(t, p.Content, int(want), "%q", filter)
		require.Equal(t, want, countOf(t, f.Client, base+"/vehicles/count"+q), "%q", filter)
	}
}
