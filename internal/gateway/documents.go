package gateway

// This file: documents and what is done with them.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

// defaultFilterCategory is what GetDocuments filters by unless Query says
// otherwise (seed section 1).
const defaultFilterCategory = "Any.InboundNotRevoked"

// ListDocuments calls GetDocuments: documents by a filter.
func (g *Gateway) ListDocuments(ctx context.Context, _ gatewayapi.ListDocumentsRequestObject) (gatewayapi.ListDocumentsResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.DocumentList](g.provider.GetDocuments(ctx, &providerapi.GetDocumentsParams{
		BoxId: g.box, FilterCategory: query.take("filterCategory", defaultFilterCategory),
	}))
	return gatewayapi.ListDocuments200JSONResponse(answer), err
}

// GetDocument calls GetDocument: one document.
func (g *Gateway) GetDocument(ctx context.Context, req gatewayapi.GetDocumentRequestObject) (gatewayapi.GetDocumentResponseObject, error) {
	answer, err := decode[exchangeapi.Document](g.provider.GetDocument(ctx, &providerapi.GetDocumentParams{
		BoxId: g.box, MessageId: req.Params.MessageId, EntityId: req.Params.EntityId,
	}))
	return gatewayapi.GetDocument200JSONResponse(answer), err
}

// ListDocumentsByMessage calls GetDocumentsByMessageId: documents of a message.
func (g *Gateway) ListDocumentsByMessage(ctx context.Context, req gatewayapi.ListDocumentsByMessageRequestObject) (gatewayapi.ListDocumentsByMessageResponseObject, error) {
	answer, err := decode[exchangeapi.DocumentList](g.provider.GetDocumentsByMessageId(ctx, &providerapi.GetDocumentsByMessageIdParams{
		BoxId: g.box, MessageId: req.Params.MessageId,
	}))
	return gatewayapi.ListDocumentsByMessage200JSONResponse(answer), err
}

// ListWorkflowSettings calls GetWorkflowsSettings: workflow settings of
// documents.
func (g *Gateway) ListWorkflowSettings(ctx context.Context, _ gatewayapi.ListWorkflowSettingsRequestObject) (gatewayapi.ListWorkflowSettingsResponseObject, error) {
	answer, err := decode[exchangeapi.DocumentWorkflowSettingsListV2](g.provider.GetWorkflowsSettings(ctx, &providerapi.GetWorkflowsSettingsParams{
		BoxId: g.box,
	}))
	return gatewayapi.ListWorkflowSettings200JSONResponse(answer), err
}

// GetSignatureInfo calls GetSignatureInfo: what a signature says.
func (g *Gateway) GetSignatureInfo(ctx context.Context, req gatewayapi.GetSignatureInfoRequestObject) (gatewayapi.GetSignatureInfoResponseObject, error) {
	answer, err := decode[exchangeapi.SignatureInfo](g.provider.GetSignatureInfo(ctx, &providerapi.GetSignatureInfoParams{
		BoxId: g.box, MessageId: req.Params.MessageId, EntityId: req.Params.EntityId,
	}))
	return gatewayapi.GetSignatureInfo200JSONResponse(answer), err
}

// ListResolutionRoutes calls GetResolutionRoutes: approval routes.
func (g *Gateway) ListResolutionRoutes(ctx context.Context, _ gatewayapi.ListResolutionRoutesRequestObject) (gatewayapi.ListResolutionRoutesResponseObject, error) {
	answer, err := decode[exchangeapi.ResolutionRouteList](g.provider.GetResolutionRoutes(ctx, &providerapi.GetResolutionRoutesParams{
		BoxId: g.box,
	}))
	return gatewayapi.ListResolutionRoutes200JSONResponse(answer), err
}

// ListDocumentTypes calls GetDocumentTypes: document types open to the box.
func (g *Gateway) ListDocumentTypes(ctx context.Context, _ gatewayapi.ListDocumentTypesRequestObject) (gatewayapi.ListDocumentTypesResponseObject, error) {
	answer, err := decode[exchangeapi.GetDocumentTypesResponseV3](g.provider.GetDocumentTypes(ctx, &providerapi.GetDocumentTypesParams{
		BoxId: g.box,
	}))
	return gatewayapi.ListDocumentTypes200JSONResponse(answer), err
}

// GetDocumentTypeSchema calls GetContent: xML schema of a title.
func (g *Gateway) GetDocumentTypeSchema(ctx context.Context, _ gatewayapi.GetDocumentTypeSchemaRequestObject) (gatewayapi.GetDocumentTypeSchemaResponseObject, error) {
	query := queryOf(ctx)
	answer, err := file(g.provider.GetContent(ctx, &providerapi.GetContentParams{
		TypeNamedId: query.take("typeNamedId", ""), Function: query.take("function", ""), Version: query.take("version", ""), TitleIndex: query.takeInt("titleIndex"),
	}))
	return gatewayapi.GetDocumentTypeSchema200AsteriskResponse{FileAsteriskResponse: answer}, err
}

// DeleteDocument calls Delete: delete a document or a whole message.
func (g *Gateway) DeleteDocument(ctx context.Context, req gatewayapi.DeleteDocumentRequestObject) (gatewayapi.DeleteDocumentResponseObject, error) {
	return done(g.provider.Delete(ctx, &providerapi.DeleteParams{
		BoxId: g.box, MessageId: req.Params.MessageId, DocumentId: req.Params.EntityId,
	}))
}

// RestoreDocument calls Restore: restore a deleted document or message.
func (g *Gateway) RestoreDocument(ctx context.Context, req gatewayapi.RestoreDocumentRequestObject) (gatewayapi.RestoreDocumentResponseObject, error) {
	return done(g.provider.Restore(ctx, &providerapi.RestoreParams{
		BoxId: g.box, MessageId: req.Params.MessageId, DocumentId: req.Params.EntityId,
	}))
}

// MoveDocuments calls MoveDocuments: move documents to another department.
func (g *Gateway) MoveDocuments(ctx context.Context, req gatewayapi.MoveDocumentsRequestObject) (gatewayapi.MoveDocumentsResponseObject, error) {
	if err := g.fillBox(&req.Body.BoxId); err != nil {
		return nil, err
	}
	return done(g.provider.MoveDocuments(ctx, *req.Body))
}
