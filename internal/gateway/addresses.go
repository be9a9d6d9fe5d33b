package gateway

// This file: the address register.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

func (g *Gateway) ParseRussianAddress(ctx context.Context, _ gatewayapi.ParseRussianAddressRequestObject) (gatewayapi.ParseRussianAddressResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.RussianAddress](g.provider.ParseRussianAddress(ctx, &providerapi.ParseRussianAddressParams{
		Address: query.text("address", ""),
	}, query.passOn))
	return gatewayapi.ParseRussianAddress200JSONResponse(answer), err
}

func (g *Gateway) ParseGarAddress(ctx context.Context, _ gatewayapi.ParseGarAddressRequestObject) (gatewayapi.ParseGarAddressResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.GarAddress](g.provider.ParseGarAddress(ctx, &providerapi.ParseGarAddressParams{
		Address: query.text("address", ""),
	}, query.passOn))
	return gatewayapi.ParseGarAddress200JSONResponse(answer), err
}
