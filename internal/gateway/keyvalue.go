package gateway

// This file: the key-value storage.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

func (g *Gateway) GetKeyValueEntries(ctx context.Context, req gatewayapi.GetKeyValueEntriesRequestObject) (gatewayapi.GetKeyValueEntriesResponseObject, error) {
	answer, err := decode[exchangeapi.KeyValueStorageApiGetResponse](g.provider.KeyValueStorageGet(ctx, &providerapi.KeyValueStorageGetParams{
		BoxId: g.box,
	}, *req.Body))
	return gatewayapi.GetKeyValueEntries200JSONResponse(answer), err
}

func (g *Gateway) PutKeyValueEntries(ctx context.Context, req gatewayapi.PutKeyValueEntriesRequestObject) (gatewayapi.PutKeyValueEntriesResponseObject, error) {
	return done(g.provider.KeyValueStoragePut(ctx, &providerapi.KeyValueStoragePutParams{BoxId: g.box}, *req.Body))
}
