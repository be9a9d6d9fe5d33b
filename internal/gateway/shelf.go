package gateway

// This file: the document shelf.

import (
	"context"

	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

func (g *Gateway) UploadToShelf(ctx context.Context, req gatewayapi.UploadToShelfRequestObject) (gatewayapi.UploadToShelfResponseObject, error) {
	answer, err := text(g.provider.ShelfUploadWithBody(ctx, &providerapi.ShelfUploadParams{}, binaryType, req.Body, queryOf(ctx).passOn))
	return gatewayapi.UploadToShelf200TextResponse(answer), err
}

func (g *Gateway) DownloadFromShelf(ctx context.Context, _ gatewayapi.DownloadFromShelfRequestObject) (gatewayapi.DownloadFromShelfResponseObject, error) {
	query := queryOf(ctx)
	answer, err := file(g.provider.ShelfDownload(ctx, &providerapi.ShelfDownloadParams{FileName: query.text("fileName", "")}, query.passOn))
	return gatewayapi.DownloadFromShelf200AsteriskResponse{FileAsteriskResponse: answer}, err
}

func (g *Gateway) InitShelfUpload(ctx context.Context, req gatewayapi.InitShelfUploadRequestObject) (gatewayapi.InitShelfUploadResponseObject, error) {
	answer, err := text(g.provider.ShelfUploadPartInitWithBody(ctx, &providerapi.ShelfUploadPartInitParams{}, binaryType, req.Body, queryOf(ctx).passOn))
	return gatewayapi.InitShelfUpload200TextResponse(answer), err
}

func (g *Gateway) UploadShelfPart(ctx context.Context, req gatewayapi.UploadShelfPartRequestObject) (gatewayapi.UploadShelfPartResponseObject, error) {
	query := queryOf(ctx)
	answer, err := text(g.provider.ShelfUploadPartWithBody(ctx, &providerapi.ShelfUploadPartParams{
		FileName: query.text("fileName", ""), PartIndex: query.number("partIndex"),
	}, binaryType, req.Body, query.passOn))
	return gatewayapi.UploadShelfPart200TextResponse(answer), err
}
