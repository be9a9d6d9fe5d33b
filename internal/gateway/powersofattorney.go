package gateway

// This file: machine-readable powers of attorney.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

func (g *Gateway) RegisterPowerOfAttorney(ctx context.Context, req gatewayapi.RegisterPowerOfAttorneyRequestObject) (gatewayapi.RegisterPowerOfAttorneyResponseObject, error) {
	answer, err := decode[exchangeapi.AsyncMethodResult](g.provider.RegisterPowerOfAttorney(ctx, &providerapi.RegisterPowerOfAttorneyParams{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.RegisterPowerOfAttorney200JSONResponse(answer), err
}

func (g *Gateway) GetPowerOfAttorneyRegistration(ctx context.Context, req gatewayapi.GetPowerOfAttorneyRegistrationRequestObject) (gatewayapi.GetPowerOfAttorneyRegistrationResponseObject, error) {
	answer, wait, err := decodeWithWait[exchangeapi.PowerOfAttorneyRegisterResult](g.provider.RegisterPowerOfAttorneyResult(ctx, &providerapi.RegisterPowerOfAttorneyResultParams{
		BoxId: g.box, TaskId: req.TaskId,
	}))
	return gatewayapi.GetPowerOfAttorneyRegistration200JSONResponse{Body: answer, Headers: gatewayapi.GetPowerOfAttorneyRegistration200ResponseHeaders{RetryAfter: wait}}, err
}

func (g *Gateway) PrevalidatePowerOfAttorney(ctx context.Context, req gatewayapi.PrevalidatePowerOfAttorneyRequestObject) (gatewayapi.PrevalidatePowerOfAttorneyResponseObject, error) {
	answer, err := decode[exchangeapi.PowerOfAttorneyPrevalidateResult](g.provider.PrevalidatePowerOfAttorney(ctx, &providerapi.PrevalidatePowerOfAttorneyParams{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.PrevalidatePowerOfAttorney200JSONResponse(answer), err
}

func (g *Gateway) GetPowerOfAttorneyInfo(ctx context.Context, req gatewayapi.GetPowerOfAttorneyInfoRequestObject) (gatewayapi.GetPowerOfAttorneyInfoResponseObject, error) {
	answer, err := decode[exchangeapi.PowerOfAttorney](g.provider.GetPowerOfAttorneyInfo(ctx, &providerapi.GetPowerOfAttorneyInfoParams{
		BoxId: g.box, MessageId: req.Params.MessageId, EntityId: req.Params.EntityId,
	}))
	return gatewayapi.GetPowerOfAttorneyInfo200JSONResponse(answer), err
}

func (g *Gateway) GetPowerOfAttorneyContent(ctx context.Context, req gatewayapi.GetPowerOfAttorneyContentRequestObject) (gatewayapi.GetPowerOfAttorneyContentResponseObject, error) {
	answer, err := decode[exchangeapi.PowerOfAttorneyContentResponse](g.provider.GetPowerOfAttorneyContent(ctx, &providerapi.GetPowerOfAttorneyContentParams{
		BoxId: g.box, MessageId: req.Params.MessageId, EntityId: req.Params.EntityId,
	}))
	return gatewayapi.GetPowerOfAttorneyContent200JSONResponse(answer), err
}

func (g *Gateway) ListEmployeePowersOfAttorney(ctx context.Context, req gatewayapi.ListEmployeePowersOfAttorneyRequestObject) (gatewayapi.ListEmployeePowersOfAttorneyResponseObject, error) {
	answer, err := decode[exchangeapi.EmployeePowerOfAttorneyList](g.provider.GetEmployeePowersOfAttorney(ctx, &providerapi.GetEmployeePowersOfAttorneyParams{
		BoxId: g.box, UserId: &req.UserId,
	}, queryOf(ctx).passOn))
	return gatewayapi.ListEmployeePowersOfAttorney200JSONResponse(answer), err
}

func (g *Gateway) AddEmployeePowerOfAttorney(ctx context.Context, req gatewayapi.AddEmployeePowerOfAttorneyRequestObject) (gatewayapi.AddEmployeePowerOfAttorneyResponseObject, error) {
	answer, err := decode[exchangeapi.EmployeePowerOfAttorney](g.provider.AddEmployeePowerOfAttorney(ctx, &providerapi.AddEmployeePowerOfAttorneyParams{
		BoxId: g.box, UserId: &req.UserId,
	}, *req.Body))
	return gatewayapi.AddEmployeePowerOfAttorney200JSONResponse(answer), err
}

func (g *Gateway) UpdateEmployeePowerOfAttorney(ctx context.Context, req gatewayapi.UpdateEmployeePowerOfAttorneyRequestObject) (gatewayapi.UpdateEmployeePowerOfAttorneyResponseObject, error) {
	answer, err := decode[exchangeapi.EmployeePowerOfAttorney](g.provider.UpdateEmployeePowerOfAttorney(ctx, &providerapi.UpdateEmployeePowerOfAttorneyParams{
		BoxId: g.box, UserId: &req.UserId,
	}, *req.Body))
	return gatewayapi.UpdateEmployeePowerOfAttorney200JSONResponse(answer), err
}

// DeleteEmployeePowerOfAttorney sends the identity of the power of attorney,
// which the caller gives in Query, in a body.
func (g *Gateway) DeleteEmployeePowerOfAttorney(ctx context.Context, req gatewayapi.DeleteEmployeePowerOfAttorneyRequestObject) (gatewayapi.DeleteEmployeePowerOfAttorneyResponseObject, error) {
	query := queryOf(ctx)
	return done(g.provider.DeleteEmployeePowerOfAttorney(ctx,
		&providerapi.DeleteEmployeePowerOfAttorneyParams{BoxId: g.box, UserId: &req.UserId},
		exchangeapi.PowerOfAttorneyFullId{
			RegistrationNumber: query.text("registrationNumber", ""),
			IssuerInn:          query.text("issuerInn", ""),
			RepresentativeInn:  query.optional("representativeInn"),
		}, query.without("registrationNumber", "issuerInn", "representativeInn").passOn))
}
