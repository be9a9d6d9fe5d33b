package gateway

// This file: the logistics gateway.

import (
	"context"

	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/logisticsapi"
)

// SendLogisticsWaybillTitle passes a call through: send a signed waybill title.
func (g *Gateway) SendLogisticsWaybillTitle(ctx context.Context, _ gatewayapi.SendLogisticsWaybillTitleRequestObject) (gatewayapi.SendLogisticsWaybillTitleResponseObject, error) {
	form := callOf(ctx).body // byte for byte: the boundary stays the caller's
	answer, err := decode[gatewayapi.GatewayJsonObject](g.logistics.SendLogisticsWaybillTitleWithBody(ctx, form.Header.Get("Content-Type"), form.Body))
	return gatewayapi.SendLogisticsWaybillTitle200JSONResponse(answer), err
}

// SaveLogisticsWaybillDraft passes a call through: save a waybill draft.
func (g *Gateway) SaveLogisticsWaybillDraft(ctx context.Context, _ gatewayapi.SaveLogisticsWaybillDraftRequestObject) (gatewayapi.SaveLogisticsWaybillDraftResponseObject, error) {
	form := callOf(ctx).body // byte for byte: the boundary stays the caller's
	answer, err := decode[gatewayapi.GatewayJsonObject](g.logistics.SaveLogisticsWaybillDraftWithBody(ctx, &logisticsapi.SaveLogisticsWaybillDraftParams{}, form.Header.Get("Content-Type"), form.Body))
	return gatewayapi.SaveLogisticsWaybillDraft200JSONResponse(answer), err
}

// ListTransportations passes a call through: transportations.
func (g *Gateway) ListTransportations(ctx context.Context, _ gatewayapi.ListTransportationsRequestObject) (gatewayapi.ListTransportationsResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.logistics.ListTransportations(ctx, &logisticsapi.ListTransportationsParams{}))
	return gatewayapi.ListTransportations200JSONResponse(answer), err
}

// GetTransportation passes a call through: one transportation.
func (g *Gateway) GetTransportation(ctx context.Context, req gatewayapi.GetTransportationRequestObject) (gatewayapi.GetTransportationResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.logistics.GetTransportation(ctx, req.TransportationId))
	return gatewayapi.GetTransportation200JSONResponse(answer), err
}

// ListTransportationEvents passes a call through: events of transportations.
func (g *Gateway) ListTransportationEvents(ctx context.Context, _ gatewayapi.ListTransportationEventsRequestObject) (gatewayapi.ListTransportationEventsResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.logistics.ListTransportationEvents(ctx, &logisticsapi.ListTransportationEventsParams{}))
	return gatewayapi.ListTransportationEvents200JSONResponse(answer), err
}

// GetTransportationPrintForm passes a call through: print form of a
// transportation.
func (g *Gateway) GetTransportationPrintForm(ctx context.Context, req gatewayapi.GetTransportationPrintFormRequestObject) (gatewayapi.GetTransportationPrintFormResponseObject, error) {
	answer, err := file(g.logistics.GetTransportationPrintForm(ctx, req.TransportationId))
	return gatewayapi.GetTransportationPrintForm200AsteriskResponse{FileAsteriskResponse: answer}, err
}

// GetTransportationArchive passes a call through: archive of a transportation.
func (g *Gateway) GetTransportationArchive(ctx context.Context, req gatewayapi.GetTransportationArchiveRequestObject) (gatewayapi.GetTransportationArchiveResponseObject, error) {
	answer, err := file(g.logistics.GetTransportationArchive(ctx, req.TransportationId))
	return gatewayapi.GetTransportationArchive200AsteriskResponse{FileAsteriskResponse: answer}, err
}

// GetTransportationTitle passes a call through: one title of a transportation.
func (g *Gateway) GetTransportationTitle(ctx context.Context, req gatewayapi.GetTransportationTitleRequestObject) (gatewayapi.GetTransportationTitleResponseObject, error) {
	answer, err := file(g.logistics.GetTransportationTitle(ctx, req.TransportationId, req.TitleId))
	return gatewayapi.GetTransportationTitle200AsteriskResponse{FileAsteriskResponse: answer}, err
}
