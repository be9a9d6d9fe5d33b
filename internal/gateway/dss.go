package gateway

// This file: DSS signing.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

func (g *Gateway) SignWithDss(ctx context.Context, req gatewayapi.SignWithDssRequestObject) (gatewayapi.SignWithDssResponseObject, error) {
	answer, err := decode[exchangeapi.AsyncMethodResult](g.provider.DssSign(ctx, &providerapi.DssSignParams{BoxId: g.box}, *req.Body, queryOf(ctx).passOn))
	return gatewayapi.SignWithDss200JSONResponse(answer), err
}

func (g *Gateway) SignWithDssV2(ctx context.Context, req gatewayapi.SignWithDssV2RequestObject) (gatewayapi.SignWithDssV2ResponseObject, error) {
	answer, err := decode[exchangeapi.AsyncMethodResult](g.provider.DssSignV2(ctx, &providerapi.DssSignV2Params{BoxId: g.box}, *req.Body))
	return gatewayapi.SignWithDssV2200JSONResponse(answer), err
}

func (g *Gateway) GetDssSignResult(ctx context.Context, req gatewayapi.GetDssSignResultRequestObject) (gatewayapi.GetDssSignResultResponseObject, error) {
	answer, wait, err := decodeWithWait[exchangeapi.DssSignResult](g.provider.DssSignResult(ctx, &providerapi.DssSignResultParams{
		BoxId: g.box, TaskId: req.TaskId,
	}))
	return gatewayapi.GetDssSignResult200JSONResponse{Body: answer, Headers: gatewayapi.GetDssSignResult200ResponseHeaders{RetryAfter: wait}}, err
}
