package gateway

// This file: forwarded documents, obsolete at the provider.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

func (g *Gateway) ForwardDocument(ctx context.Context, req gatewayapi.ForwardDocumentRequestObject) (gatewayapi.ForwardDocumentResponseObject, error) {
	answer, err := decode[exchangeapi.ForwardDocumentResult](g.provider.ForwardDocument(ctx, &providerapi.ForwardDocumentParams{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.ForwardDocument200JSONResponse(answer), err
}

func (g *Gateway) GetForwardedDocuments(ctx context.Context, req gatewayapi.GetForwardedDocumentsRequestObject) (gatewayapi.GetForwardedDocumentsResponseObject, error) {
	answer, err := decode[exchangeapi.GetForwardedDocumentsResult](g.provider.GetForwardedDocuments(ctx, &providerapi.GetForwardedDocumentsParams{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.GetForwardedDocuments200JSONResponse(answer), err
}

func (g *Gateway) GetForwardedDocumentEvents(ctx context.Context, req gatewayapi.GetForwardedDocumentEventsRequestObject) (gatewayapi.GetForwardedDocumentEventsResponseObject, error) {
	answer, err := decode[exchangeapi.GetForwardedDocumentEventsResult](g.provider.GetForwardedDocumentEvents(ctx, &providerapi.GetForwardedDocumentEventsParams{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.GetForwardedDocumentEvents200JSONResponse(answer), err
}

func (g *Gateway) GetForwardedEntityContent(ctx context.Context, req gatewayapi.GetForwardedEntityContentRequestObject) (gatewayapi.GetForwardedEntityContentResponseObject, error) {
	query := queryOf(ctx)
	answer, err := file(g.provider.GetForwardedEntityContent(ctx, &providerapi.GetForwardedEntityContentParams{
		BoxId: g.box, FromBoxId: query.text("fromBoxId", ""), MessageId: req.Params.MessageId, DocumentId: query.text("documentId", ""), ForwardEventId: query.text("forwardEventId", ""), EntityId: req.Params.EntityId,
	}, query.passOn))
	return gatewayapi.GetForwardedEntityContent200AsteriskResponse{FileAsteriskResponse: answer}, err
}
