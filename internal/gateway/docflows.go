package gateway

// This file: document flows in both models.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
	"equipment-platform/internal/edge"
)

// batchOfOne asks for the document flow of one document.
func batchOfOne(messageID, entityID string) exchangeapi.GetDocflowBatchRequest {
	return exchangeapi.GetDocflowBatchRequest{Requests: &[]exchangeapi.GetDocflowRequest{
		{DocumentId: exchangeapi.DocumentId{MessageId: messageID, EntityId: entityID}},
	}}
}

// batchOfPair is batchOfOne for a pair that may be incomplete.
func batchOfPair(messageID, entityID *string) (exchangeapi.GetDocflowBatchRequest, error) {
	if err := needPair(messageID, entityID); err != nil {
		return exchangeapi.GetDocflowBatchRequest{}, err
	}
	return batchOfOne(*messageID, *entityID), nil
}

// needPair refuses a request that has neither a body nor the whole pair.
func needPair(messageID, entityID *string) error {
	details := map[string]string{}
	if messageID == nil {
		details["messageId"] = "is required without a body"
	}
	if entityID == nil {
		details["entityId"] = "is required without a body"
	}
	if len(details) > 0 {
		return edge.Invalid(details)
	}
	return nil
}

// GetDocflows takes the pair of messageId and entityId in the place of a body.
func (g *Gateway) GetDocflows(ctx context.Context, req gatewayapi.GetDocflowsRequestObject) (gatewayapi.GetDocflowsResponseObject, error) {
	if req.Body == nil {
		batch, err := batchOfPair(req.Params.MessageId, req.Params.EntityId)
		if err != nil {
			return nil, err
		}
		req.Body = &batch
	}
	answer, err := decode[exchangeapi.GetDocflowBatchResponseV4](g.provider.GetDocflowsV4(ctx, &providerapi.GetDocflowsV4Params{BoxId: g.box}, *req.Body))
	return gatewayapi.GetDocflows200JSONResponse(answer), err
}

// GetDocflowByDocument is GetDocflows with a batch of one document.
func (g *Gateway) GetDocflowByDocument(ctx context.Context, req gatewayapi.GetDocflowByDocumentRequestObject) (gatewayapi.GetDocflowByDocumentResponseObject, error) {
	batch := batchOfOne(req.Params.MessageId, req.Params.EntityId)
	answer, err := decode[exchangeapi.GetDocflowBatchResponseV4](g.provider.GetDocflowsV4(ctx, &providerapi.GetDocflowsV4Params{BoxId: g.box}, batch))
	return gatewayapi.GetDocflowByDocument200JSONResponse(answer), err
}

func (g *Gateway) GetDocflowEvents(ctx context.Context, req gatewayapi.GetDocflowEventsRequestObject) (gatewayapi.GetDocflowEventsResponseObject, error) {
	answer, err := decode[exchangeapi.GetDocflowEventsResponseV4](g.provider.GetDocflowEventsV4(ctx, &providerapi.GetDocflowEventsV4Params{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.GetDocflowEvents200JSONResponse(answer), err
}

func (g *Gateway) SearchDocflows(ctx context.Context, req gatewayapi.SearchDocflowsRequestObject) (gatewayapi.SearchDocflowsResponseObject, error) {
	answer, err := decode[exchangeapi.SearchDocflowsResponseV4](g.provider.SearchDocflowsV4(ctx, &providerapi.SearchDocflowsV4Params{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.SearchDocflows200JSONResponse(answer), err
}

func (g *Gateway) GetDocflowsByPacket(ctx context.Context, req gatewayapi.GetDocflowsByPacketRequestObject) (gatewayapi.GetDocflowsByPacketResponseObject, error) {
	answer, err := decode[exchangeapi.GetDocflowsByPacketIdResponseV4](g.provider.GetDocflowsByPacketIdV4(ctx, &providerapi.GetDocflowsByPacketIdV4Params{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.GetDocflowsByPacket200JSONResponse(answer), err
}

// PrepareDocumentsToSign takes the pair of messageId and entityId in the place
// of a body.
func (g *Gateway) PrepareDocumentsToSign(ctx context.Context, req gatewayapi.PrepareDocumentsToSignRequestObject) (gatewayapi.PrepareDocumentsToSignResponseObject, error) {
	if req.Body == nil {
		if err := needPair(req.Params.MessageId, req.Params.EntityId); err != nil {
			return nil, err
		}
		one := signingOfOne(*req.Params.MessageId, *req.Params.EntityId)
		req.Body = &one
	}
	answer, err := g.prepareToSign(ctx, *req.Body)
	return gatewayapi.PrepareDocumentsToSign200JSONResponse(answer), err
}

// signingOfOne asks to prepare one document for signing.
func signingOfOne(messageID, entityID string) exchangeapi.PrepareDocumentsToSignRequest {
	return exchangeapi.PrepareDocumentsToSignRequest{Documents: &[]exchangeapi.DocumentToPatch{
		{DocumentId: exchangeapi.DocumentId{MessageId: messageID, EntityId: entityID}},
	}}
}

func (g *Gateway) prepareToSign(ctx context.Context, body exchangeapi.PrepareDocumentsToSignRequest) (exchangeapi.PrepareDocumentsToSignResult, error) {
	if err := g.fillBox(&body.BoxId); err != nil {
		return exchangeapi.PrepareDocumentsToSignResult{}, err
	}
	return decode[exchangeapi.PrepareDocumentsToSignResult](g.provider.PrepareDocumentsToSign(ctx, &providerapi.PrepareDocumentsToSignParams{}, body))
}

// PrepareDocumentToSign is PrepareDocumentsToSign for one document.
func (g *Gateway) PrepareDocumentToSign(ctx context.Context, req gatewayapi.PrepareDocumentToSignRequestObject) (gatewayapi.PrepareDocumentToSignResponseObject, error) {
	answer, err := g.prepareToSign(ctx, signingOfOne(req.Params.MessageId, req.Params.EntityId))
	return gatewayapi.PrepareDocumentToSign200JSONResponse(answer), err
}

// GetDocflowsV5 takes the pair of messageId and entityId in the place of a body.
func (g *Gateway) GetDocflowsV5(ctx context.Context, req gatewayapi.GetDocflowsV5RequestObject) (gatewayapi.GetDocflowsV5ResponseObject, error) {
	if req.Body == nil {
		batch, err := batchOfPair(req.Params.MessageId, req.Params.EntityId)
		if err != nil {
			return nil, err
		}
		req.Body = &batch
	}
	answer, err := decode[exchangeapi.GetDocflowBatchResponseV5](g.provider.GetDocflowsV5(ctx, &providerapi.GetDocflowsV5Params{BoxId: g.box}, *req.Body))
	return gatewayapi.GetDocflowsV5200JSONResponse(answer), err
}

// GetDocflowByDocumentV5 is GetDocflowsV5 with a batch of one document.
func (g *Gateway) GetDocflowByDocumentV5(ctx context.Context, req gatewayapi.GetDocflowByDocumentV5RequestObject) (gatewayapi.GetDocflowByDocumentV5ResponseObject, error) {
	batch := batchOfOne(req.Params.MessageId, req.Params.EntityId)
	answer, err := decode[exchangeapi.GetDocflowBatchResponseV5](g.provider.GetDocflowsV5(ctx, &providerapi.GetDocflowsV5Params{BoxId: g.box}, batch))
	return gatewayapi.GetDocflowByDocumentV5200JSONResponse(answer), err
}

func (g *Gateway) GetDocflowEventsV5(ctx context.Context, req gatewayapi.GetDocflowEventsV5RequestObject) (gatewayapi.GetDocflowEventsV5ResponseObject, error) {
	answer, err := decode[exchangeapi.GetDocflowEventsResponseV5](g.provider.GetDocflowEventsV5(ctx, &providerapi.GetDocflowEventsV5Params{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.GetDocflowEventsV5200JSONResponse(answer), err
}

func (g *Gateway) SearchDocflowsV5(ctx context.Context, req gatewayapi.SearchDocflowsV5RequestObject) (gatewayapi.SearchDocflowsV5ResponseObject, error) {
	answer, err := decode[exchangeapi.SearchDocflowsResponseV5](g.provider.SearchDocflowsV5(ctx, &providerapi.SearchDocflowsV5Params{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.SearchDocflowsV5200JSONResponse(answer), err
}

func (g *Gateway) GetDocflowsByPacketV5(ctx context.Context, req gatewayapi.GetDocflowsByPacketV5RequestObject) (gatewayapi.GetDocflowsByPacketV5ResponseObject, error) {
	answer, err := decode[exchangeapi.GetDocflowsByPacketIdResponseV5](g.provider.GetDocflowsByPacketIdV5(ctx, &providerapi.GetDocflowsByPacketIdV5Params{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.GetDocflowsByPacketV5200JSONResponse(answer), err
}
