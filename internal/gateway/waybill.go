package gateway

// This file: the electronic waybill gateway.

import (
	"context"

	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/waybillapi"
)

// ListWaybills passes a call through: electronic waybills.
func (g *Gateway) ListWaybills(ctx context.Context, _ gatewayapi.ListWaybillsRequestObject) (gatewayapi.ListWaybillsResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.waybill.ListWaybills(ctx, &waybillapi.ListWaybillsParams{}))
	return gatewayapi.ListWaybills200JSONResponse(answer), err
}

// CreateWaybill passes a call through: create an electronic waybill.
func (g *Gateway) CreateWaybill(ctx context.Context, req gatewayapi.CreateWaybillRequestObject) (gatewayapi.CreateWaybillResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.waybill.CreateWaybill(ctx, *req.Body))
	return gatewayapi.CreateWaybill200JSONResponse(answer), err
}

// GetWaybill passes a call through: one electronic waybill.
func (g *Gateway) GetWaybill(ctx context.Context, req gatewayapi.GetWaybillRequestObject) (gatewayapi.GetWaybillResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.waybill.GetWaybill(ctx, req.WaybillId))
	return gatewayapi.GetWaybill200JSONResponse(answer), err
}

// SendWaybillTitle passes a call through: send one signed title of a waybill.
func (g *Gateway) SendWaybillTitle(ctx context.Context, req gatewayapi.SendWaybillTitleRequestObject) (gatewayapi.SendWaybillTitleResponseObject, error) {
	form := callOf(ctx).body // byte for byte: the boundary stays the caller's
	answer, err := decode[gatewayapi.GatewayJsonObject](g.waybill.SendWaybillTitleWithBody(ctx, req.WaybillId, form.Header.Get("Content-Type"), form.Body))
	return gatewayapi.SendWaybillTitle200JSONResponse(answer), err
}

// GetWaybillStatus passes a call through: status of an electronic waybill.
func (g *Gateway) GetWaybillStatus(ctx context.Context, req gatewayapi.GetWaybillStatusRequestObject) (gatewayapi.GetWaybillStatusResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.waybill.GetWaybillStatus(ctx, req.WaybillId))
	return gatewayapi.GetWaybillStatus200JSONResponse(answer), err
}
