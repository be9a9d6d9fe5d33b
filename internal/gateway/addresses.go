package gateway

// This file: the address register.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

// ParseRussianAddress calls ParseRussianAddress: take a Russian address apart.
func (g *Gateway) ParseRussianAddress(ctx context.Context, _ gatewayapi.ParseRussianAddressRequestObject) (gatewayapi.ParseRussianAddressResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.RussianAddress](g.provider.ParseRussianAddress(ctx, &providerapi.ParseRussianAddressParams{
		Address: query.take("address", ""),
	}))
	return gatewayapi.ParseRussianAddress200JSONResponse(answer), err
}

// ParseGarAddress calls ParseGarAddress: take an address apart by the state
// address register.
func (g *Gateway) ParseGarAddress(ctx context.Context, _ gatewayapi.ParseGarAddressRequestObject) (gatewayapi.ParseGarAddressResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.GarAddress](g.provider.ParseGarAddress(ctx, &providerapi.ParseGarAddressParams{
		Address: query.take("address", ""),
	}))
	return gatewayapi.ParseGarAddress200JSONResponse(answer), err
}
