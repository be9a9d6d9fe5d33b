package gateway

// This file: documents and what is done with them.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

// defaultFilterCategory is what GetDocuments filters by unless Query says
// otherwise (contract 8.17).
const defaultFilterCategory = "Any.InboundNotRevoked"

func (g *Gateway) ListDocuments(ctx context.Context, _ gatewayapi.ListDocumentsRequestObject) (gatewayapi.ListDocumentsResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.DocumentList](g.provider.GetDocuments(ctx, &providerapi.GetDocumentsParams{
		BoxId: g.box, FilterCategory: query.text("filterCategory", defaultFilterCategory),
	}, query.passOn))
	return gatewayapi.ListDocuments200JSONResponse(answer), err
}

func (g *Gateway) GetDocument(ctx context.Context, req gatewayapi.GetDocumentRequestObject) (gatewayapi.GetDocumentResponseObject, error) {
	answer, err := decode[exchangeapi.Document](g.provider.GetDocument(ctx, &providerapi.GetDocumentParams{
		BoxId: g.box, MessageId: req.Params.MessageId, EntityId: req.Params.EntityId,
	}, queryOf(ctx).passOn))
	return gatewayapi.GetDocument200JSONResponse(answer), err
}

func (g *Gateway) ListDocumentsByMessage(ctx context.Context, req gatewayapi.ListDocumentsByMessageRequestObject) (gatewayapi.ListDocumentsByMessageResponseObject, error) {
	answer, err := decode[exchangeapi.DocumentList](g.provider.GetDocumentsByMessageId(ctx, &providerapi.GetDocumentsByMessageIdParams{
		BoxId: g.box, MessageId: req.Params.MessageId,
	}))
	return gatewayapi.ListDocumentsByMessage200JSONResponse(answer), err
}

func (g *Gateway) ListWorkflowSettings(ctx context.Context, _ gatewayapi.ListWorkflowSettingsRequestObject) (gatewayapi.ListWorkflowSettingsResponseObject, error) {
	answer, err := decode[exchangeapi.DocumentWorkflowSettingsListV2](g.provider.GetWorkflowsSettings(ctx, &providerapi.GetWorkflowsSettingsParams{
		BoxId: g.box,
	}))
	return gatewayapi.ListWorkflowSettings200JSONResponse(answer), err
}

func (g *Gateway) GetSignatureInfo(ctx context.Context, req gatewayapi.GetSignatureInfoRequestObject) (gatewayapi.GetSignatureInfoResponseObject, error) {
	answer, err := decode[exchangeapi.SignatureInfo](g.provider.GetSignatureInfo(ctx, &providerapi.GetSignatureInfoParams{
		BoxId: g.box, MessageId: req.Params.MessageId, EntityId: req.Params.EntityId,
	}))
	return gatewayapi.GetSignatureInfo200JSONResponse(answer), err
}

func (g *Gateway) ListResolutionRoutes(ctx context.Context, _ gatewayapi.ListResolutionRoutesRequestObject) (gatewayapi.ListResolutionRoutesResponseObject, error) {
	answer, err := decode[exchangeapi.ResolutionRouteList](g.provider.GetResolutionRoutes(ctx, &providerapi.GetResolutionRoutesParams{
		BoxId: g.box,
	}))
	return gatewayapi.ListResolutionRoutes200JSONResponse(answer), err
}

func (g *Gateway) ListDocumentTypes(ctx context.Context, _ gatewayapi.ListDocumentTypesRequestObject) (gatewayapi.ListDocumentTypesResponseObject, error) {
	answer, err := decode[exchangeapi.GetDocumentTypesResponseV3](g.provider.GetDocumentTypes(ctx, &providerapi.GetDocumentTypesParams{
		BoxId: g.box,
	}))
	return gatewayapi.ListDocumentTypes200JSONResponse(answer), err
}

// GetDocumentTypeSchema streams the XML schema of a title, which is the content
// that the provider's list of document types refers to.
func (g *Gateway) GetDocumentTypeSchema(ctx context.Context, _ gatewayapi.GetDocumentTypeSchemaRequestObject) (gatewayapi.GetDocumentTypeSchemaResponseObject, error) {
	query := queryOf(ctx)
	answer, err := file(g.provider.GetContent(ctx, &providerapi.GetContentParams{
		TypeNamedId: query.text("typeNamedId", ""), Function: query.text("function", ""), Version: query.text("version", ""), TitleIndex: query.number("titleIndex"),
	}, query.passOn))
	return gatewayapi.GetDocumentTypeSchema200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) DeleteDocument(ctx context.Context, req gatewayapi.DeleteDocumentRequestObject) (gatewayapi.DeleteDocumentResponseObject, error) {
	return done(g.provider.Delete(ctx, &providerapi.DeleteParams{
		BoxId: g.box, MessageId: req.Params.MessageId, DocumentId: req.Params.EntityId,
	}))
}

func (g *Gateway) RestoreDocument(ctx context.Context, req gatewayapi.RestoreDocumentRequestObject) (gatewayapi.RestoreDocumentResponseObject, error) {
	return done(g.provider.Restore(ctx, &providerapi.RestoreParams{
		BoxId: g.box, MessageId: req.Params.MessageId, DocumentId: req.Params.EntityId,
	}))
}

func (g *Gateway) MoveDocuments(ctx context.Context, req gatewayapi.MoveDocumentsRequestObject) (gatewayapi.MoveDocumentsResponseObject, error) {
	if err := g.fillBox(&req.Body.BoxId); err != nil {
		return nil, err
	}
	return done(g.provider.MoveDocuments(ctx, *req.Body))
}
