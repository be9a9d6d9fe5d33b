package gateway

// This file: the electronic waybill gateway.

import (
	"context"

	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/waybillapi"
)

func (g *Gateway) ListWaybills(ctx context.Context, _ gatewayapi.ListWaybillsRequestObject) (gatewayapi.ListWaybillsResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.waybill.ListWaybills(ctx, &waybillapi.ListWaybillsParams{}, queryOf(ctx).passOn))
	return gatewayapi.ListWaybills200JSONResponse(answer), err
}

func (g *Gateway) CreateWaybill(ctx context.Context, req gatewayapi.CreateWaybillRequestObject) (gatewayapi.CreateWaybillResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.waybill.CreateWaybill(ctx, *req.Body))
	return gatewayapi.CreateWaybill200JSONResponse(answer), err
}

func (g *Gateway) GetWaybill(ctx context.Context, req gatewayapi.GetWaybillRequestObject) (gatewayapi.GetWaybillResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.waybill.GetWaybill(ctx, req.WaybillId))
	return gatewayapi.GetWaybill200JSONResponse(answer), err
}

func (g *Gateway) SendWaybillTitle(ctx context.Context, req gatewayapi.SendWaybillTitleRequestObject) (gatewayapi.SendWaybillTitleResponseObject, error) {
	form := callOf(ctx)
	answer, err := decode[gatewayapi.GatewayJsonObject](g.waybill.SendWaybillTitleWithBody(ctx, req.WaybillId, form.contentType, form.body))
	return gatewayapi.SendWaybillTitle200JSONResponse(answer), err
}

func (g *Gateway) GetWaybillStatus(ctx context.Context, req gatewayapi.GetWaybillStatusRequestObject) (gatewayapi.GetWaybillStatusResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.waybill.GetWaybillStatus(ctx, req.WaybillId))
	return gatewayapi.GetWaybillStatus200JSONResponse(answer), err
}
