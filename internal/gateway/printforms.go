package gateway

// This file: print forms, protocols and archives.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

// GetPrintForm calls GeneratePrintForm: print form of a document.
func (g *Gateway) GetPrintForm(ctx context.Context, req gatewayapi.GetPrintFormRequestObject) (gatewayapi.GetPrintFormResponseObject, error) {
	answer, err := file(g.provider.GeneratePrintForm(ctx, &providerapi.GeneratePrintFormParams{
		BoxId: g.box, MessageId: req.Params.MessageId, DocumentId: req.Params.EntityId,
	}))
	if wait, ok := waiting(err); ok {
		return wait, nil
	}
	return gatewayapi.GetPrintForm200AsteriskResponse{FileAsteriskResponse: answer}, err
}

// StartPrintFormFromAttachment calls GeneratePrintFormFromAttachment: start the
// print form of a sent file.
func (g *Gateway) StartPrintFormFromAttachment(ctx context.Context, req gatewayapi.StartPrintFormFromAttachmentRequestObject) (gatewayapi.StartPrintFormFromAttachmentResponseObject, error) {
	query := queryOf(ctx)
	answer, err := text(g.provider.GeneratePrintFormFromAttachmentWithBody(ctx, &providerapi.GeneratePrintFormFromAttachmentParams{
		DocumentType: query.take("documentType", ""),
	}, binaryType, req.Body))
	return gatewayapi.StartPrintFormFromAttachment200TextResponse(answer), err
}

// GetGeneratedPrintForm calls GetGeneratedPrintForm: a started print form.
func (g *Gateway) GetGeneratedPrintForm(ctx context.Context, req gatewayapi.GetGeneratedPrintFormRequestObject) (gatewayapi.GetGeneratedPrintFormResponseObject, error) {
	answer, err := file(g.provider.GetGeneratedPrintForm(ctx, &providerapi.GetGeneratedPrintFormParams{PrintFormId: req.PrintFormId}))
	if wait, ok := waiting(err); ok {
		return wait, nil
	}
	return gatewayapi.GetGeneratedPrintForm200AsteriskResponse{FileAsteriskResponse: answer}, err
}

// DetectCustomPrintForms calls DetectCustomPrintForms: which documents have a
// custom print form.
func (g *Gateway) DetectCustomPrintForms(ctx context.Context, req gatewayapi.DetectCustomPrintFormsRequestObject) (gatewayapi.DetectCustomPrintFormsResponseObject, error) {
	answer, err := decode[exchangeapi.CustomPrintFormDetectionResult](g.provider.DetectCustomPrintForms(ctx, &providerapi.DetectCustomPrintFormsParams{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.DetectCustomPrintForms200JSONResponse(answer), err
}

// GetDocumentProtocol calls GenerateDocumentProtocol: transfer protocol of a
// document.
func (g *Gateway) GetDocumentProtocol(ctx context.Context, req gatewayapi.GetDocumentProtocolRequestObject) (gatewayapi.GetDocumentProtocolResponseObject, error) {
	answer, err := decode[exchangeapi.DocumentProtocol](g.provider.GenerateDocumentProtocol(ctx, &providerapi.GenerateDocumentProtocolParams{
		BoxId: g.box, MessageId: req.Params.MessageId, DocumentId: req.Params.EntityId,
	}))
	if wait, ok := waiting(err); ok {
		return wait, nil
	}
	return gatewayapi.GetDocumentProtocol200JSONResponse(answer), err
}

// GetDocumentZip calls GenerateDocumentZip: archive of a document.
func (g *Gateway) GetDocumentZip(ctx context.Context, req gatewayapi.GetDocumentZipRequestObject) (gatewayapi.GetDocumentZipResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.DocumentZipGenerationResult](g.provider.GenerateDocumentZip(ctx, &providerapi.GenerateDocumentZipParams{
		BoxId: g.box, MessageId: req.Params.MessageId, DocumentId: req.Params.EntityId, FullDocflow: query.takeBool("fullDocflow"),
	}))
	if wait, ok := waiting(err); ok {
		return wait, nil
	}
	return gatewayapi.GetDocumentZip200JSONResponse(answer), err
}
