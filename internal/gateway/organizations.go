package gateway

// This file: organizations and what they support.

import (
	"context"
	"slices"
	"strings"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

// ListMyOrganizations calls GetMyOrganizations: organizations the caller works
// in. autoRegister is sent as false unless Query says otherwise: the provider's
// own default may enrol the caller as an employee.
func (g *Gateway) ListMyOrganizations(ctx context.Context, _ gatewayapi.ListMyOrganizationsRequestObject) (gatewayapi.ListMyOrganizationsResponseObject, error) {
	enrol := queryOf(ctx).takeBool("autoRegister")
	answer, err := decode[exchangeapi.OrganizationList](g.provider.GetMyOrganizations(ctx, &providerapi.GetMyOrganizationsParams{AutoRegister: &enrol}))
	return gatewayapi.ListMyOrganizations200JSONResponse(answer), err
}

// LookupOrganization calls GetOrganization: one organization by an identity;
// the one of the configured box when Query names none.
func (g *Gateway) LookupOrganization(ctx context.Context, _ gatewayapi.LookupOrganizationRequestObject) (gatewayapi.LookupOrganizationResponseObject, error) {
	var params providerapi.GetOrganizationParams
	if !slices.ContainsFunc([]string{"orgId", "fnsParticipantId", "inn", "foreignTaxpayerCode"}, queryOf(ctx).has) {
		if g.box == "" {
			return nil, errNoBox
		}
		params.BoxId = &g.box
	}
	answer, err := decode[exchangeapi.Organization](g.provider.GetOrganization(ctx, &params))
	return gatewayapi.LookupOrganization200JSONResponse(answer), err
}

// FindOrganizationsByInnKpp calls GetOrganizationsByInnKpp: organizations by
// taxpayer number.
func (g *Gateway) FindOrganizationsByInnKpp(ctx context.Context, _ gatewayapi.FindOrganizationsByInnKppRequestObject) (gatewayapi.FindOrganizationsByInnKppResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.OrganizationList](g.provider.GetOrganizationsByInnKpp(ctx, &providerapi.GetOrganizationsByInnKppParams{
		Inn: query.take("inn", ""),
	}))
	return gatewayapi.FindOrganizationsByInnKpp200JSONResponse(answer), err
}

// FindOrganizationsByForeignTaxpayerCode calls
// GetOrganizationsByForeignTaxpayerCode: organizations by foreign taxpayer
// code.
func (g *Gateway) FindOrganizationsByForeignTaxpayerCode(ctx context.Context, _ gatewayapi.FindOrganizationsByForeignTaxpayerCodeRequestObject) (gatewayapi.FindOrganizationsByForeignTaxpayerCodeResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.OrganizationList](g.provider.GetOrganizationsByForeignTaxpayerCode(ctx, &providerapi.GetOrganizationsByForeignTaxpayerCodeParams{
		ForeignTaxpayerCode: query.take("foreignTaxpayerCode", ""),
	}))
	return gatewayapi.FindOrganizationsByForeignTaxpayerCode200JSONResponse(answer), err
}

// FindOrganizationsByInnList calls GetOrganizationsByInnList: organizations by
// a list of taxpayer numbers. The provider takes the list in a body, and the
// box so that the answer tells each counteragent's status towards it.
func (g *Gateway) FindOrganizationsByInnList(ctx context.Context, _ gatewayapi.FindOrganizationsByInnListRequestObject) (gatewayapi.FindOrganizationsByInnListResponseObject, error) {
	if g.box == "" {
		return nil, errNoBox
	}
	list := strings.Split(queryOf(ctx).take("inn", ""), ",")
	answer, err := decode[exchangeapi.GetOrganizationsByInnListResponse](g.provider.GetOrganizationsByInnList(ctx,
		&providerapi.GetOrganizationsByInnListParams{MyBoxId: &g.box},
		exchangeapi.GetOrganizationsByInnListRequest{InnList: &list}))
	return gatewayapi.FindOrganizationsByInnList200JSONResponse(answer), err
}

// GetOrganizationFeatures calls GetOrganizationFeatures: features and block
// status of the own organization.
func (g *Gateway) GetOrganizationFeatures(ctx context.Context, _ gatewayapi.GetOrganizationFeaturesRequestObject) (gatewayapi.GetOrganizationFeaturesResponseObject, error) {
	answer, err := decode[exchangeapi.OrganizationFeatures](g.provider.GetOrganizationFeatures(ctx, &providerapi.GetOrganizationFeaturesParams{
		BoxId: g.box,
	}))
	return gatewayapi.GetOrganizationFeatures200JSONResponse(answer), err
}

// ListRoamingOperators calls GetRoamingOperators: other operators and what they
// support.
func (g *Gateway) ListRoamingOperators(ctx context.Context, _ gatewayapi.ListRoamingOperatorsRequestObject) (gatewayapi.ListRoamingOperatorsResponseObject, error) {
	answer, err := decode[exchangeapi.RoamingOperatorList](g.provider.GetRoamingOperators(ctx, &providerapi.GetRoamingOperatorsParams{
		BoxId: g.box,
	}))
	return gatewayapi.ListRoamingOperators200JSONResponse(answer), err
}
