package gateway

// This file: the configured box and its departments.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

func (g *Gateway) GetBox(ctx context.Context, _ gatewayapi.GetBoxRequestObject) (gatewayapi.GetBoxResponseObject, error) {
	answer, err := decode[exchangeapi.ExchangeBox](g.provider.GetBox(ctx, &providerapi.GetBoxParams{BoxId: g.box}))
	return gatewayapi.GetBox200JSONResponse(answer), err
}

func (g *Gateway) ListDepartments(ctx context.Context, _ gatewayapi.ListDepartmentsRequestObject) (gatewayapi.ListDepartmentsResponseObject, error) {
	answer, err := decode[exchangeapi.DepartmentList](g.provider.GetDepartments(ctx, &providerapi.GetDepartmentsParams{BoxId: g.box}, queryOf(ctx).passOn))
	return gatewayapi.ListDepartments200JSONResponse(answer), err
}

func (g *Gateway) CreateDepartment(ctx context.Context, req gatewayapi.CreateDepartmentRequestObject) (gatewayapi.CreateDepartmentResponseObject, error) {
	answer, err := decode[exchangeapi.DepartmentsDepartment](g.provider.CreateDepartment(ctx, &providerapi.CreateDepartmentParams{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.CreateDepartment200JSONResponse(answer), err
}

func (g *Gateway) GetDepartment(ctx context.Context, req gatewayapi.GetDepartmentRequestObject) (gatewayapi.GetDepartmentResponseObject, error) {
	answer, err := decode[exchangeapi.DepartmentsDepartment](g.provider.GetDepartment(ctx, &providerapi.GetDepartmentParams{
		BoxId: g.box, DepartmentId: req.DepartmentId,
	}))
	return gatewayapi.GetDepartment200JSONResponse(answer), err
}

func (g *Gateway) UpdateDepartment(ctx context.Context, req gatewayapi.UpdateDepartmentRequestObject) (gatewayapi.UpdateDepartmentResponseObject, error) {
	answer, err := decode[exchangeapi.DepartmentsDepartment](g.provider.UpdateDepartment(ctx, &providerapi.UpdateDepartmentParams{
		BoxId: g.box, DepartmentId: req.DepartmentId,
	}, *req.Body))
	return gatewayapi.UpdateDepartment200JSONResponse(answer), err
}

func (g *Gateway) DeleteDepartment(ctx context.Context, req gatewayapi.DeleteDepartmentRequestObject) (gatewayapi.DeleteDepartmentResponseObject, error) {
	return done(g.provider.DeleteDepartment(ctx, &providerapi.DeleteDepartmentParams{BoxId: g.box, DepartmentId: req.DepartmentId}))
}
