package gateway

// This file: the logistics gateway.

import (
	"context"

	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/logisticsapi"
)

func (g *Gateway) SendLogisticsWaybillTitle(ctx context.Context, _ gatewayapi.SendLogisticsWaybillTitleRequestObject) (gatewayapi.SendLogisticsWaybillTitleResponseObject, error) {
	form := callOf(ctx)
	answer, err := decode[gatewayapi.GatewayJsonObject](g.logistics.SendLogisticsWaybillTitleWithBody(ctx, form.contentType, form.body))
	return gatewayapi.SendLogisticsWaybillTitle200JSONResponse(answer), err
}

func (g *Gateway) SaveLogisticsWaybillDraft(ctx context.Context, _ gatewayapi.SaveLogisticsWaybillDraftRequestObject) (gatewayapi.SaveLogisticsWaybillDraftResponseObject, error) {
	form := callOf(ctx)
	answer, err := decode[gatewayapi.GatewayJsonObject](g.logistics.SaveLogisticsWaybillDraftWithBody(ctx, &logisticsapi.SaveLogisticsWaybillDraftParams{}, form.contentType, form.body, queryOf(ctx).passOn))
	return gatewayapi.SaveLogisticsWaybillDraft200JSONResponse(answer), err
}

func (g *Gateway) ListTransportations(ctx context.Context, _ gatewayapi.ListTransportationsRequestObject) (gatewayapi.ListTransportationsResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.logistics.ListTransportations(ctx, &logisticsapi.ListTransportationsParams{}, queryOf(ctx).passOn))
	return gatewayapi.ListTransportations200JSONResponse(answer), err
}

func (g *Gateway) GetTransportation(ctx context.Context, req gatewayapi.GetTransportationRequestObject) (gatewayapi.GetTransportationResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.logistics.GetTransportation(ctx, req.TransportationId))
	return gatewayapi.GetTransportation200JSONResponse(answer), err
}

func (g *Gateway) ListTransportationEvents(ctx context.Context, _ gatewayapi.ListTransportationEventsRequestObject) (gatewayapi.ListTransportationEventsResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.logistics.ListTransportationEvents(ctx, &logisticsapi.ListTransportationEventsParams{}, queryOf(ctx).passOn))
	return gatewayapi.ListTransportationEvents200JSONResponse(answer), err
}

func (g *Gateway) GetTransportationPrintForm(ctx context.Context, req gatewayapi.GetTransportationPrintFormRequestObject) (gatewayapi.GetTransportationPrintFormResponseObject, error) {
	answer, err := file(g.logistics.GetTransportationPrintForm(ctx, req.TransportationId))
	return gatewayapi.GetTransportationPrintForm200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) GetTransportationArchive(ctx context.Context, req gatewayapi.GetTransportationArchiveRequestObject) (gatewayapi.GetTransportationArchiveResponseObject, error) {
	answer, err := file(g.logistics.GetTransportationArchive(ctx, req.TransportationId))
	return gatewayapi.GetTransportationArchive200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) GetTransportationTitle(ctx context.Context, req gatewayapi.GetTransportationTitleRequestObject) (gatewayapi.GetTransportationTitleResponseObject, error) {
	answer, err := file(g.logistics.GetTransportationTitle(ctx, req.TransportationId, req.TitleId))
	return gatewayapi.GetTransportationTitle200AsteriskResponse{FileAsteriskResponse: answer}, err
}
