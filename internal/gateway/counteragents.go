package gateway

// This file: counteragents and their groups.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

func (g *Gateway) ListCounteragents(ctx context.Context, _ gatewayapi.ListCounteragentsRequestObject) (gatewayapi.ListCounteragentsResponseObject, error) {
	answer, err := decode[exchangeapi.CounteragentList](g.provider.GetCounteragents(ctx, &providerapi.GetCounteragentsParams{
		MyBoxId: g.box,
	}, queryOf(ctx).passOn))
	return gatewayapi.ListCounteragents200JSONResponse(answer), err
}

func (g *Gateway) GetCounteragent(ctx context.Context, req gatewayapi.GetCounteragentRequestObject) (gatewayapi.GetCounteragentResponseObject, error) {
	answer, err := decode[exchangeapi.Counteragent](g.provider.GetCounteragent(ctx, &providerapi.GetCounteragentParams{
		MyBoxId: g.box, CounteragentBoxId: req.CounteragentBoxId,
	}))
	return gatewayapi.GetCounteragent200JSONResponse(answer), err
}

func (g *Gateway) ListCounteragentCertificates(ctx context.Context, req gatewayapi.ListCounteragentCertificatesRequestObject) (gatewayapi.ListCounteragentCertificatesResponseObject, error) {
	answer, err := decode[exchangeapi.CounteragentCertificateList](g.provider.GetCounteragentCertificates(ctx, &providerapi.GetCounteragentCertificatesParams{
		MyBoxId: g.box, CounteragentBoxId: req.CounteragentBoxId,
	}))
	return gatewayapi.ListCounteragentCertificates200JSONResponse(answer), err
}

func (g *Gateway) AcquireCounteragent(ctx context.Context, req gatewayapi.AcquireCounteragentRequestObject) (gatewayapi.AcquireCounteragentResponseObject, error) {
	answer, err := decode[exchangeapi.AsyncMethodResult](g.provider.AcquireCounteragent(ctx, &providerapi.AcquireCounteragentParams{
		MyBoxId: g.box,
	}, *req.Body, queryOf(ctx).passOn))
	return gatewayapi.AcquireCounteragent200JSONResponse(answer), err
}

func (g *Gateway) GetAcquireCounteragentResult(ctx context.Context, req gatewayapi.GetAcquireCounteragentResultRequestObject) (gatewayapi.GetAcquireCounteragentResultResponseObject, error) {
	answer, err := decode[exchangeapi.AcquireCounteragentResultV2](g.provider.AcquireCounteragentResult(ctx, &providerapi.AcquireCounteragentResultParams{
		TaskId: req.TaskId,
	}))
	return gatewayapi.GetAcquireCounteragentResult200JSONResponse(answer), err
}

func (g *Gateway) BreakWithCounteragent(ctx context.Context, req gatewayapi.BreakWithCounteragentRequestObject) (gatewayapi.BreakWithCounteragentResponseObject, error) {
	return done(g.provider.BreakWithCounteragent(ctx, &providerapi.BreakWithCounteragentParams{
		MyBoxId: g.box, CounteragentBoxId: req.CounteragentBoxId,
	}, queryOf(ctx).passOn))
}

func (g *Gateway) ListCounteragentEvents(ctx context.Context, _ gatewayapi.ListCounteragentEventsRequestObject) (gatewayapi.ListCounteragentEventsResponseObject, error) {
	answer, err := decode[exchangeapi.BoxCounteragentEventList](g.provider.GetCounteragentEvents(ctx, &providerapi.GetCounteragentEventsParams{
		BoxId: g.box,
	}, queryOf(ctx).passOn))
	return gatewayapi.ListCounteragentEvents200JSONResponse(answer), err
}

func (g *Gateway) ListCounteragentGroups(ctx context.Context, _ gatewayapi.ListCounteragentGroupsRequestObject) (gatewayapi.ListCounteragentGroupsResponseObject, error) {
	answer, err := decode[exchangeapi.CounteragentGroupsList](g.provider.GetCounteragentGroups(ctx, &providerapi.GetCounteragentGroupsParams{
		BoxId: g.box,
	}, queryOf(ctx).passOn))
	return gatewayapi.ListCounteragentGroups200JSONResponse(answer), err
}

func (g *Gateway) CreateCounteragentGroup(ctx context.Context, req gatewayapi.CreateCounteragentGroupRequestObject) (gatewayapi.CreateCounteragentGroupResponseObject, error) {
	answer, err := decode[exchangeapi.CounteragentGroup](g.provider.CreateCounteragentGroup(ctx, &providerapi.CreateCounteragentGroupParams{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.CreateCounteragentGroup200JSONResponse(answer), err
}

func (g *Gateway) GetCounteragentGroup(ctx context.Context, req gatewayapi.GetCounteragentGroupRequestObject) (gatewayapi.GetCounteragentGroupResponseObject, error) {
	answer, err := decode[exchangeapi.CounteragentGroup](g.provider.GetCounteragentGroup(ctx, &providerapi.GetCounteragentGroupParams{
		BoxId: g.box, CounteragentGroupId: req.CounteragentGroupId,
	}))
	return gatewayapi.GetCounteragentGroup200JSONResponse(answer), err
}

func (g *Gateway) UpdateCounteragentGroup(ctx context.Context, req gatewayapi.UpdateCounteragentGroupRequestObject) (gatewayapi.UpdateCounteragentGroupResponseObject, error) {
	answer, err := decode[exchangeapi.CounteragentGroup](g.provider.UpdateCounteragentGroup(ctx, &providerapi.UpdateCounteragentGroupParams{
		BoxId: g.box, CounteragentGroupId: req.CounteragentGroupId,
	}, *req.Body))
	return gatewayapi.UpdateCounteragentGroup200JSONResponse(answer), err
}

func (g *Gateway) DeleteCounteragentGroup(ctx context.Context, req gatewayapi.DeleteCounteragentGroupRequestObject) (gatewayapi.DeleteCounteragentGroupResponseObject, error) {
	return done(g.provider.DeleteCounteragentGroup(ctx, &providerapi.DeleteCounteragentGroupParams{
		BoxId: g.box, CounteragentGroupId: req.CounteragentGroupId,
	}))
}

func (g *Gateway) ListCounteragentsInGroup(ctx context.Context, req gatewayapi.ListCounteragentsInGroupRequestObject) (gatewayapi.ListCounteragentsInGroupResponseObject, error) {
	answer, err := decode[exchangeapi.CounteragentFromGroupResponse](g.provider.GetCounteragentsFromGroup(ctx, &providerapi.GetCounteragentsFromGroupParams{
		BoxId: g.box, CounteragentGroupId: req.CounteragentGroupId,
	}, queryOf(ctx).passOn))
	return gatewayapi.ListCounteragentsInGroup200JSONResponse(answer), err
}

func (g *Gateway) AddCounteragentToGroup(ctx context.Context, req gatewayapi.AddCounteragentToGroupRequestObject) (gatewayapi.AddCounteragentToGroupResponseObject, error) {
	return done(g.provider.AddCounteragentToGroup(ctx, &providerapi.AddCounteragentToGroupParams{
		BoxId: g.box, CounteragentBoxId: req.CounteragentBoxId, CounteragentGroupId: req.CounteragentGroupId,
	}))
}
