package gateway

// This file: XML: recognizing, generating and parsing titles, receipts, rejections and so on.

import (
	"cmp"
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

// DetectTitlesOnShelf is the GET form of the operation that DetectTitlesInContent
// posts to.
func (g *Gateway) DetectTitlesOnShelf(ctx context.Context, _ gatewayapi.DetectTitlesOnShelfRequestObject) (gatewayapi.DetectTitlesOnShelfResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.DetectTitleResponse](g.provider.DetectDocumentTitlesOnShelf(ctx, &providerapi.DetectDocumentTitlesOnShelfParams{
		BoxId: g.box, NameOnShelf: query.text("nameOnShelf", ""),
	}, query.passOn))
	return gatewayapi.DetectTitlesOnShelf200JSONResponse(answer), err
}

func (g *Gateway) DetectTitlesInContent(ctx context.Context, req gatewayapi.DetectTitlesInContentRequestObject) (gatewayapi.DetectTitlesInContentResponseObject, error) {
	answer, err := decode[exchangeapi.DetectTitleResponse](g.provider.DetectDocumentTitlesWithBody(ctx, &providerapi.DetectDocumentTitlesParams{
		BoxId: g.box,
	}, binaryType, req.Body))
	return gatewayapi.DetectTitlesInContent200JSONResponse(answer), err
}

// GenerateTitleXml sends the plain messageId and entityId as letterId and
// documentId where Query leaves them out.
func (g *Gateway) GenerateTitleXml(ctx context.Context, req gatewayapi.GenerateTitleXmlRequestObject) (gatewayapi.GenerateTitleXmlResponseObject, error) {
	query := queryOf(ctx)
	params := providerapi.GenerateTitleXmlParams{
		BoxId:               g.box,
		DocumentTypeNamedId: query.text("documentTypeNamedId", ""),
		DocumentFunction:    query.text("documentFunction", ""),
		DocumentVersion:     query.text("documentVersion", ""),
		TitleIndex:          query.number("titleIndex"),
		LetterId:            cmp.Or(query.optional("letterId"), req.Params.MessageId),
		DocumentId:          cmp.Or(query.optional("documentId"), req.Params.EntityId),
	}
	answer, err := file(g.provider.GenerateTitleXmlWithBody(ctx, &params, xmlType, req.Body, query.passOn))
	return gatewayapi.GenerateTitleXml200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) ParseTitleXml(ctx context.Context, req gatewayapi.ParseTitleXmlRequestObject) (gatewayapi.ParseTitleXmlResponseObject, error) {
	query := queryOf(ctx)
	answer, err := file(g.provider.ParseTitleXmlWithBody(ctx, &providerapi.ParseTitleXmlParams{
		BoxId: g.box, DocumentTypeNamedId: query.text("documentTypeNamedId", ""), DocumentFunction: query.text("documentFunction", ""), DocumentVersion: query.text("documentVersion", ""), TitleIndex: query.number("titleIndex"),
	}, xmlType, req.Body, query.passOn))
	return gatewayapi.ParseTitleXml200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) GenerateReceiptXml(ctx context.Context, req gatewayapi.GenerateReceiptXmlRequestObject) (gatewayapi.GenerateReceiptXmlResponseObject, error) {
	answer, err := file(g.provider.GenerateReceiptXml(ctx, &providerapi.GenerateReceiptXmlParams{BoxId: g.box}, *req.Body))
	return gatewayapi.GenerateReceiptXml200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) GenerateCorrectionRequestXml(ctx context.Context, req gatewayapi.GenerateCorrectionRequestXmlRequestObject) (gatewayapi.GenerateCorrectionRequestXmlResponseObject, error) {
	answer, err := file(g.provider.GenerateInvoiceCorrectionRequestXml(ctx, &providerapi.GenerateInvoiceCorrectionRequestXmlParams{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.GenerateCorrectionRequestXml200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) GenerateRevocationRequestXml(ctx context.Context, req gatewayapi.GenerateRevocationRequestXmlRequestObject) (gatewayapi.GenerateRevocationRequestXmlResponseObject, error) {
	answer, err := file(g.provider.GenerateRevocationRequestXml(ctx, &providerapi.GenerateRevocationRequestXmlParams{
		BoxId: g.box, MessageId: req.Params.MessageId, AttachmentId: req.Params.EntityId,
	}, *req.Body, queryOf(ctx).passOn))
	return gatewayapi.GenerateRevocationRequestXml200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) ParseRevocationRequestXml(ctx context.Context, req gatewayapi.ParseRevocationRequestXmlRequestObject) (gatewayapi.ParseRevocationRequestXmlResponseObject, error) {
	answer, err := decode[exchangeapi.InvoicingRevocationRequestInfo](g.provider.ParseRevocationRequestXmlWithBody(ctx, xmlType, req.Body))
	return gatewayapi.ParseRevocationRequestXml200JSONResponse(answer), err
}

func (g *Gateway) GenerateSignatureRejectionXml(ctx context.Context, req gatewayapi.GenerateSignatureRejectionXmlRequestObject) (gatewayapi.GenerateSignatureRejectionXmlResponseObject, error) {
	answer, err := file(g.provider.GenerateSignatureRejectionXml(ctx, &providerapi.GenerateSignatureRejectionXmlParams{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.GenerateSignatureRejectionXml200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) ParseSignatureRejectionXml(ctx context.Context, req gatewayapi.ParseSignatureRejectionXmlRequestObject) (gatewayapi.ParseSignatureRejectionXmlResponseObject, error) {
	answer, err := decode[exchangeapi.SignatureRejectionInfo](g.provider.ParseSignatureRejectionXmlWithBody(ctx, xmlType, req.Body))
	return gatewayapi.ParseSignatureRejectionXml200JSONResponse(answer), err
}

func (g *Gateway) GenerateUniversalMessageXml(ctx context.Context, req gatewayapi.GenerateUniversalMessageXmlRequestObject) (gatewayapi.GenerateUniversalMessageXmlResponseObject, error) {
	answer, err := file(g.provider.GenerateUniversalMessageWithBody(ctx, &providerapi.GenerateUniversalMessageParams{
		BoxId: g.box, MessageId: req.Params.MessageId, AttachmentId: req.Params.EntityId,
	}, xmlType, req.Body))
	return gatewayapi.GenerateUniversalMessageXml200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) ParseUniversalMessageXml(ctx context.Context, req gatewayapi.ParseUniversalMessageXmlRequestObject) (gatewayapi.ParseUniversalMessageXmlResponseObject, error) {
	answer, err := file(g.provider.ParseUniversalMessageXmlWithBody(ctx, xmlType, req.Body))
	return gatewayapi.ParseUniversalMessageXml200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) GenerateFixationCancellationRequest(ctx context.Context, req gatewayapi.GenerateFixationCancellationRequestRequestObject) (gatewayapi.GenerateFixationCancellationRequestResponseObject, error) {
	answer, err := file(g.provider.GenerateTtGisFixationCancellationRequest(ctx, &providerapi.GenerateTtGisFixationCancellationRequestParams{
		BoxId: g.box, MessageId: req.Params.MessageId, DocumentId: req.Params.EntityId,
	}))
	return gatewayapi.GenerateFixationCancellationRequest200AsteriskResponse{FileAsteriskResponse: answer}, err
}
