package gateway

// This file: the state transport-document gateway.

import (
	"context"

	"equipment-platform/gen/gatewayapi"
)

func (g *Gateway) GetTransportUuid(ctx context.Context, _ gatewayapi.GetTransportUuidRequestObject) (gatewayapi.GetTransportUuidResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayTransportUuid](g.transport.GetTransportUuid(ctx))
	return gatewayapi.GetTransportUuid200JSONResponse(answer), err
}

func (g *Gateway) GetTransportDocumentStatus(ctx context.Context, req gatewayapi.GetTransportDocumentStatusRequestObject) (gatewayapi.GetTransportDocumentStatusResponseObject, error) {
	answer, err := decode[gatewayapi.GatewayJsonObject](g.transport.GetTransportDocumentStatus(ctx, req.Uuid.String()))
	return gatewayapi.GetTransportDocumentStatus200JSONResponse(answer), err
}
