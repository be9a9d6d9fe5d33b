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

// ListMyOrganizations sends autoRegister as false unless Query says otherwise:
// the provider's own default may enrol the caller as an employee.
func (g *Gateway) ListMyOrganizations(ctx context.Context, _ gatewayapi.ListMyOrganizationsRequestObject) (gatewayapi.ListMyOrganizationsResponseObject, error) {
	query := queryOf(ctx)
	enrol := query.boolean("autoRegister")
	answer, err := decode[exchangeapi.OrganizationList](g.provider.GetMyOrganizations(ctx, &providerapi.GetMyOrganizationsParams{AutoRegister: &enrol}, query.passOn))
	return gatewayapi.ListMyOrganizations200JSONResponse(answer), err
}

// LookupOrganization asks for the organization of the configured box when Query
// has no identity.
func (g *Gateway) LookupOrganization(ctx context.Context, _ gatewayapi.LookupOrganizationRequestObject) (gatewayapi.LookupOrganizationResponseObject, error) {
	query := queryOf(ctx)
	var params providerapi.GetOrganizationParams
	if !slices.ContainsFunc([]string{"orgId", "fnsParticipantId", "inn", "foreignTaxpayerCode"}, query.has) {
		if g.box == "" {
			return nil, errNoBox
		}
		params.BoxId = &g.box
	}
	answer, err := decode[exchangeapi.Organization](g.provider.GetOrganization(ctx, &params, query.passOn))
	return gatewayapi.LookupOrganization200JSONResponse(answer), err
}

func (g *Gateway) FindOrganizationsByInnKpp(ctx context.Context, _ gatewayapi.FindOrganizationsByInnKppRequestObject) (gatewayapi.FindOrganizationsByInnKppResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.OrganizationList](g.provider.GetOrganizationsByInnKpp(ctx, &providerapi.GetOrganizationsByInnKppParams{
		Inn: query.text("inn", ""),
	}, query.passOn))
	return gatewayapi.FindOrganizationsByInnKpp200JSONResponse(answer), err
}

func (g *Gateway) FindOrganizationsByForeignTaxpayerCode(ctx context.Context, _ gatewayapi.FindOrganizationsByForeignTaxpayerCodeRequestObject) (gatewayapi.FindOrganizationsByForeignTaxpayerCodeResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.OrganizationList](g.provider.GetOrganizationsByForeignTaxpayerCode(ctx, &providerapi.GetOrganizationsByForeignTaxpayerCodeParams{
		ForeignTaxpayerCode: query.text("foreignTaxpayerCode", ""),
	}, query.passOn))
	return gatewayapi.FindOrganizationsByForeignTaxpayerCode200JSONResponse(answer), err
}

// FindOrganizationsByInnList sends the taxpayer numbers of Query in a body, and
// the box so that the answer has each counteragent's status towards it.
func (g *Gateway) FindOrganizationsByInnList(ctx context.Context, _ gatewayapi.FindOrganizationsByInnListRequestObject) (gatewayapi.FindOrganizationsByInnListResponseObject, error) {
	if g.box == "" {
		return nil, errNoBox
	}
	query := queryOf(ctx)
	list := strings.Split(query.text("inn", ""), ",")
	answer, err := decode[exchangeapi.GetOrganizationsByInnListResponse](g.provider.GetOrganizationsByInnList(ctx,
		&providerapi.GetOrganizationsByInnListParams{MyBoxId: &g.box},
		exchangeapi.GetOrganizationsByInnListRequest{InnList: &list}, query.without("inn").passOn))
	return gatewayapi.FindOrganizationsByInnList200JSONResponse(answer), err
}

func (g *Gateway) GetOrganizationFeatures(ctx context.Context, _ gatewayapi.GetOrganizationFeaturesRequestObject) (gatewayapi.GetOrganizationFeaturesResponseObject, error) {
	answer, err := decode[exchangeapi.OrganizationFeatures](g.provider.GetOrganizationFeatures(ctx, &providerapi.GetOrganizationFeaturesParams{
		BoxId: g.box,
	}))
	return gatewayapi.GetOrganizationFeatures200JSONResponse(answer), err
}

func (g *Gateway) ListRoamingOperators(ctx context.Context, _ gatewayapi.ListRoamingOperatorsRequestObject) (gatewayapi.ListRoamingOperatorsResponseObject, error) {
	answer, err := decode[exchangeapi.RoamingOperatorList](g.provider.GetRoamingOperators(ctx, &providerapi.GetRoamingOperatorsParams{
		BoxId: g.box,
	}))
	return gatewayapi.ListRoamingOperators200JSONResponse(answer), err
}
