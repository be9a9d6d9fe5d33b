package gateway

// This file: events of the box, of its security and of a partner.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

func (g *Gateway) ListEvents(ctx context.Context, _ gatewayapi.ListEventsRequestObject) (gatewayapi.ListEventsResponseObject, error) {
	answer, err := decode[exchangeapi.BoxEventList](g.provider.GetNewEvents(ctx, &providerapi.GetNewEventsParams{BoxId: g.box}, queryOf(ctx).passOn))
	return gatewayapi.ListEvents200JSONResponse(answer), err
}

func (g *Gateway) GetEvent(ctx context.Context, req gatewayapi.GetEventRequestObject) (gatewayapi.GetEventResponseObject, error) {
	answer, err := decode[exchangeapi.BoxEvent](g.provider.GetEvent(ctx, &providerapi.GetEventParams{BoxId: g.box, EventId: req.EventId}))
	return gatewayapi.GetEvent200JSONResponse(answer), err
}

// GetLastEvent is 204 when there is no event yet (contract 8.13).
func (g *Gateway) GetLastEvent(ctx context.Context, _ gatewayapi.GetLastEventRequestObject) (gatewayapi.GetLastEventResponseObject, error) {
	answer, err := decode[exchangeapi.BoxEvent](g.provider.GetLastEvent(ctx, &providerapi.GetLastEventParams{BoxId: g.box}))
	return gatewayapi.GetLastEvent200JSONResponse(answer), err
}

func (g *Gateway) ListSecurityEvents(ctx context.Context, _ gatewayapi.ListSecurityEventsRequestObject) (gatewayapi.ListSecurityEventsResponseObject, error) {
	answer, err := decode[exchangeapi.SecurityEventList](g.provider.GetSecurityEvents(ctx, &providerapi.GetSecurityEventsParams{
		BoxId: g.box,
	}, queryOf(ctx).passOn))
	return gatewayapi.ListSecurityEvents200JSONResponse(answer), err
}

func (g *Gateway) ListPartnerEvents(ctx context.Context, req gatewayapi.ListPartnerEventsRequestObject) (gatewayapi.ListPartnerEventsResponseObject, error) {
	answer, err := decode[exchangeapi.GetPartnerEventsResponse](g.provider.GetPartnerEvents(ctx, *req.Body))
	return gatewayapi.ListPartnerEvents200JSONResponse(answer), err
}
