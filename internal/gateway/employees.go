package gateway

// This file: employees and their notices.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

func (g *Gateway) ListEmployees(ctx context.Context, _ gatewayapi.ListEmployeesRequestObject) (gatewayapi.ListEmployeesResponseObject, error) {
	answer, err := decode[exchangeapi.EmployeeList](g.provider.GetEmployees(ctx, &providerapi.GetEmployeesParams{BoxId: g.box}, queryOf(ctx).passOn))
	return gatewayapi.ListEmployees200JSONResponse(answer), err
}

func (g *Gateway) GetEmployee(ctx context.Context, req gatewayapi.GetEmployeeRequestObject) (gatewayapi.GetEmployeeResponseObject, error) {
	answer, err := decode[exchangeapi.EmployeesEmployee](g.provider.GetEmployee(ctx, &providerapi.GetEmployeeParams{
		BoxId: g.box, UserId: req.UserId,
	}))
	return gatewayapi.GetEmployee200JSONResponse(answer), err
}

func (g *Gateway) CreateEmployee(ctx context.Context, req gatewayapi.CreateEmployeeRequestObject) (gatewayapi.CreateEmployeeResponseObject, error) {
	answer, err := decode[exchangeapi.EmployeesEmployee](g.provider.CreateEmployee(ctx, &providerapi.CreateEmployeeParams{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.CreateEmployee200JSONResponse(answer), err
}

func (g *Gateway) UpdateEmployee(ctx context.Context, req gatewayapi.UpdateEmployeeRequestObject) (gatewayapi.UpdateEmployeeResponseObject, error) {
	answer, err := decode[exchangeapi.EmployeesEmployee](g.provider.UpdateEmployee(ctx, &providerapi.UpdateEmployeeParams{
		BoxId: g.box, UserId: req.UserId,
	}, *req.Body))
	return gatewayapi.UpdateEmployee200JSONResponse(answer), err
}

func (g *Gateway) DeleteEmployee(ctx context.Context, req gatewayapi.DeleteEmployeeRequestObject) (gatewayapi.DeleteEmployeeResponseObject, error) {
	return done(g.provider.DeleteEmployee(ctx, &providerapi.DeleteEmployeeParams{BoxId: g.box, UserId: req.UserId}))
}

func (g *Gateway) GetEmployeeSubscriptions(ctx context.Context, req gatewayapi.GetEmployeeSubscriptionsRequestObject) (gatewayapi.GetEmployeeSubscriptionsResponseObject, error) {
	answer, err := decode[exchangeapi.EmployeeSubscriptions](g.provider.GetSubscriptions(ctx, &providerapi.GetSubscriptionsParams{
		BoxId: g.box, UserId: req.UserId,
	}))
	return gatewayapi.GetEmployeeSubscriptions200JSONResponse(answer), err
}

func (g *Gateway) UpdateEmployeeSubscriptions(ctx context.Context, req gatewayapi.UpdateEmployeeSubscriptionsRequestObject) (gatewayapi.UpdateEmployeeSubscriptionsResponseObject, error) {
	answer, err := decode[exchangeapi.EmployeeSubscriptions](g.provider.UpdateSubscriptions(ctx, &providerapi.UpdateSubscriptionsParams{
		BoxId: g.box, UserId: req.UserId,
	}, *req.Body))
	return gatewayapi.UpdateEmployeeSubscriptions200JSONResponse(answer), err
}
