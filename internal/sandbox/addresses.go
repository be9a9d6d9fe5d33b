package sandbox

// This file: the address register.

import (
	"context"
	"net/http"
	"strings"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

// addressParts splits an address at its commas.
func addressParts(text string) ([]string, error) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if len(parts) == 0 || parts[0] == "" {
		return nil, fail(http.StatusBadRequest, "The address is empty")
	}
	return append(parts, "", ""), nil
}

// ParseRussianAddress takes city, street and the rest.
func (s *Sandbox) ParseRussianAddress(_ context.Context, r providerapi.ParseRussianAddressRequestObject) (providerapi.ParseRussianAddressResponseObject, error) {
	parts, err := addressParts(r.Params.Address)
	if err != nil {
		return nil, err
	}
	return providerapi.ParseRussianAddress200JSONResponse{Region: "16", City: optional(parts[0]), Street: optional(parts[1]), Building: optional(parts[2])}, nil
}

// ParseGarAddress takes city and street.
func (s *Sandbox) ParseGarAddress(_ context.Context, r providerapi.ParseGarAddressRequestObject) (providerapi.ParseGarAddressResponseObject, error) {
	parts, err := addressParts(r.Params.Address)
	if err != nil {
		return nil, err
	}
	answer := providerapi.ParseGarAddress200JSONResponse{
		FiasId: "00000000-0000-4000-8000-0000000000f1", RegionCode: "16", DivisionType: "Municipal",
		City: &exchangeapi.GarAddressNameElement{Abbreviation: "c.", Name: parts[0]},
	}
	if parts[1] != "" {
		answer.Street = &exchangeapi.GarAddressNameElement{Abbreviation: "st.", Name: parts[1]}
	}
	return answer, nil
}
