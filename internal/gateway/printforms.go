package gateway

// This file: print forms, protocols and archives.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

func (g *Gateway) GetPrintForm(ctx context.Context, req gatewayapi.GetPrintFormRequestObject) (gatewayapi.GetPrintFormResponseObject, error) {
	answer, err := file(g.provider.GeneratePrintForm(ctx, &providerapi.GeneratePrintFormParams{
		BoxId: g.box, MessageId: req.Params.MessageId, DocumentId: req.Params.EntityId,
	}))
	return gatewayapi.GetPrintForm200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) StartPrintFormFromAttachment(ctx context.Context, req gatewayapi.StartPrintFormFromAttachmentRequestObject) (gatewayapi.StartPrintFormFromAttachmentResponseObject, error) {
	query := queryOf(ctx)
	answer, err := text(g.provider.GeneratePrintFormFromAttachmentWithBody(ctx, &providerapi.GeneratePrintFormFromAttachmentParams{
		DocumentType: query.text("documentType", ""),
	}, binaryType, req.Body, query.passOn))
	return gatewayapi.StartPrintFormFromAttachment200TextResponse(answer), err
}

func (g *Gateway) GetGeneratedPrintForm(ctx context.Context, req gatewayapi.GetGeneratedPrintFormRequestObject) (gatewayapi.GetGeneratedPrintFormResponseObject, error) {
	answer, err := file(g.provider.GetGeneratedPrintForm(ctx, &providerapi.GetGeneratedPrintFormParams{PrintFormId: req.PrintFormId}))
	return gatewayapi.GetGeneratedPrintForm200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) DetectCustomPrintForms(ctx context.Context, req gatewayapi.DetectCustomPrintFormsRequestObject) (gatewayapi.DetectCustomPrintFormsResponseObject, error) {
	answer, err := decode[exchangeapi.CustomPrintFormDetectionResult](g.provider.DetectCustomPrintForms(ctx, &providerapi.DetectCustomPrintFormsParams{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.DetectCustomPrintForms200JSONResponse(answer), err
}

func (g *Gateway) GetDocumentProtocol(ctx context.Context, req gatewayapi.GetDocumentProtocolRequestObject) (gatewayapi.GetDocumentProtocolResponseObject, error) {
	answer, err := decode[exchangeapi.DocumentProtocol](g.provider.GenerateDocumentProtocol(ctx, &providerapi.GenerateDocumentProtocolParams{
		BoxId: g.box, MessageId: req.Params.MessageId, DocumentId: req.Params.EntityId,
	}))
	return gatewayapi.GetDocumentProtocol200JSONResponse(answer), err
}

func (g *Gateway) GetDocumentZip(ctx context.Context, req gatewayapi.GetDocumentZipRequestObject) (gatewayapi.GetDocumentZipResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.DocumentZipGenerationResult](g.provider.GenerateDocumentZip(ctx, &providerapi.GenerateDocumentZipParams{
		BoxId: g.box, MessageId: req.Params.MessageId, DocumentId: req.Params.EntityId, FullDocflow: query.boolean("fullDocflow"),
	}, query.passOn))
	return gatewayapi.GetDocumentZip200JSONResponse(answer), err
}
