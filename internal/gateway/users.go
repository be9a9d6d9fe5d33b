package gateway

// This file: the signed-in user, accounts and signer details.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

func (g *Gateway) GetMyUser(ctx context.Context, _ gatewayapi.GetMyUserRequestObject) (gatewayapi.GetMyUserResponseObject, error) {
	answer, err := decode[exchangeapi.UserV2](g.provider.GetMyUser(ctx))
	return gatewayapi.GetMyUser200JSONResponse(answer), err
}

func (g *Gateway) ListMyCertificates(ctx context.Context, _ gatewayapi.ListMyCertificatesRequestObject) (gatewayapi.ListMyCertificatesResponseObject, error) {
	answer, err := decode[exchangeapi.CertificateList](g.provider.GetMyCertificates(ctx, &providerapi.GetMyCertificatesParams{
		BoxId: g.box,
	}, queryOf(ctx).passOn))
	return gatewayapi.ListMyCertificates200JSONResponse(answer), err
}

func (g *Gateway) GetMyEmployee(ctx context.Context, _ gatewayapi.GetMyEmployeeRequestObject) (gatewayapi.GetMyEmployeeResponseObject, error) {
	answer, err := decode[exchangeapi.EmployeesEmployee](g.provider.GetMyEmployee(ctx, &providerapi.GetMyEmployeeParams{BoxId: g.box}))
	return gatewayapi.GetMyEmployee200JSONResponse(answer), err
}

func (g *Gateway) ListOrganizationUsers(ctx context.Context, _ gatewayapi.ListOrganizationUsersRequestObject) (gatewayapi.ListOrganizationUsersResponseObject, error) {
	answer, err := decode[exchangeapi.OrganizationUsersList](g.provider.GetOrganizationUsers(ctx, &providerapi.GetOrganizationUsersParams{
		BoxId: g.box,
	}))
	return gatewayapi.ListOrganizationUsers200JSONResponse(answer), err
}

func (g *Gateway) GetSignerDetails(ctx context.Context, _ gatewayapi.GetSignerDetailsRequestObject) (gatewayapi.GetSignerDetailsResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.ExtendedSignerDetails](g.provider.GetExtendedSignerDetails(ctx, &providerapi.GetExtendedSignerDetailsParams{
		BoxId: g.box, Thumbprint: query.text("thumbprint", ""), DocumentTitleType: query.number("documentTitleType"),
	}, query.passOn))
	return gatewayapi.GetSignerDetails200JSONResponse(answer), err
}

func (g *Gateway) SaveSignerDetails(ctx context.Context, req gatewayapi.SaveSignerDetailsRequestObject) (gatewayapi.SaveSignerDetailsResponseObject, error) {
	query := queryOf(ctx)
	answer, err := decode[exchangeapi.ExtendedSignerDetails](g.provider.PostExtendedSignerDetails(ctx, &providerapi.PostExtendedSignerDetailsParams{
		BoxId: g.box, Thumbprint: query.text("thumbprint", ""), DocumentTitleType: query.number("documentTitleType"),
	}, *req.Body, query.passOn))
	return gatewayapi.SaveSignerDetails200JSONResponse(answer), err
}
