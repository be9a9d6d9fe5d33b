package gateway

// This file: messages, drafts and templates.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

func (g *Gateway) GetMessage(ctx context.Context, req gatewayapi.GetMessageRequestObject) (gatewayapi.GetMessageResponseObject, error) {
	answer, err := decode[exchangeapi.Message](g.provider.GetMessage(ctx, &providerapi.GetMessageParams{
		BoxId: g.box, MessageId: req.Params.MessageId, EntityId: req.Params.EntityId,
	}, queryOf(ctx).passOn))
	return gatewayapi.GetMessage200JSONResponse(answer), err
}

func (g *Gateway) GetEntityContent(ctx context.Context, req gatewayapi.GetEntityContentRequestObject) (gatewayapi.GetEntityContentResponseObject, error) {
	answer, err := file(g.provider.GetEntityContent(ctx, &providerapi.GetEntityContentParams{
		BoxId: g.box, MessageId: req.Params.MessageId, EntityId: req.Params.EntityId,
	}))
	return gatewayapi.GetEntityContent200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) SendMessage(ctx context.Context, req gatewayapi.SendMessageRequestObject) (gatewayapi.SendMessageResponseObject, error) {
	if err := g.fillBox(&req.Body.FromBoxId); err != nil {
		return nil, err
	}
	answer, err := decode[exchangeapi.Message](g.provider.PostMessage(ctx, &providerapi.PostMessageParams{}, *req.Body, queryOf(ctx).passOn))
	return gatewayapi.SendMessage200JSONResponse(answer), err
}

func (g *Gateway) SendMessagePatch(ctx context.Context, req gatewayapi.SendMessagePatchRequestObject) (gatewayapi.SendMessagePatchResponseObject, error) {
	if err := g.fillBox(&req.Body.BoxId); err != nil {
		return nil, err
	}
	answer, err := decode[exchangeapi.MessagePatch](g.provider.PostMessagePatch(ctx, &providerapi.PostMessagePatchParams{}, *req.Body, queryOf(ctx).passOn))
	return gatewayapi.SendMessagePatch200JSONResponse(answer), err
}

func (g *Gateway) SendDraft(ctx context.Context, req gatewayapi.SendDraftRequestObject) (gatewayapi.SendDraftResponseObject, error) {
	if err := g.fillBox(&req.Body.BoxId); err != nil {
		return nil, err
	}
	answer, err := decode[exchangeapi.Message](g.provider.SendDraft(ctx, &providerapi.SendDraftParams{}, *req.Body, queryOf(ctx).passOn))
	return gatewayapi.SendDraft200JSONResponse(answer), err
}

func (g *Gateway) RecycleDraft(ctx context.Context, req gatewayapi.RecycleDraftRequestObject) (gatewayapi.RecycleDraftResponseObject, error) {
	return done(g.provider.RecycleDraft(ctx, &providerapi.RecycleDraftParams{BoxId: g.box, DraftId: req.DraftId}))
}

func (g *Gateway) SendTemplate(ctx context.Context, req gatewayapi.SendTemplateRequestObject) (gatewayapi.SendTemplateResponseObject, error) {
	if err := g.fillBox(&req.Body.FromBoxId); err != nil {
		return nil, err
	}
	answer, err := decode[exchangeapi.Template](g.provider.PostTemplate(ctx, &providerapi.PostTemplateParams{}, *req.Body, queryOf(ctx).passOn))
	return gatewayapi.SendTemplate200JSONResponse(answer), err
}

func (g *Gateway) SendTemplatePatch(ctx context.Context, req gatewayapi.SendTemplatePatchRequestObject) (gatewayapi.SendTemplatePatchResponseObject, error) {
	answer, err := decode[exchangeapi.MessagePatch](g.provider.PostTemplatePatch(ctx, &providerapi.PostTemplatePatchParams{
		BoxId: g.box, TemplateId: req.TemplateId,
	}, *req.Body, queryOf(ctx).passOn))
	return gatewayapi.SendTemplatePatch200JSONResponse(answer), err
}

func (g *Gateway) TransformTemplate(ctx context.Context, req gatewayapi.TransformTemplateRequestObject) (gatewayapi.TransformTemplateResponseObject, error) {
	if err := g.fillBox(&req.Body.BoxId); err != nil {
		return nil, err
	}
	answer, err := decode[exchangeapi.Message](g.provider.TransformTemplateToMessage(ctx, &providerapi.TransformTemplateToMessageParams{}, *req.Body, queryOf(ctx).passOn))
	return gatewayapi.TransformTemplate200JSONResponse(answer), err
}
