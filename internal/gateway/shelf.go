package gateway

// This file: the document shelf.

import (
	"context"

	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/providerapi"
)

// UploadToShelf calls ShelfUpload: upload a whole file to the shelf.
func (g *Gateway) UploadToShelf(ctx context.Context, req gatewayapi.UploadToShelfRequestObject) (gatewayapi.UploadToShelfResponseObject, error) {
	answer, err := text(g.provider.ShelfUploadWithBody(ctx, &providerapi.ShelfUploadParams{}, binaryType, req.Body))
	return gatewayapi.UploadToShelf200TextResponse(answer), err
}

// DownloadFromShelf calls ShelfDownload: download a file from the shelf.
func (g *Gateway) DownloadFromShelf(ctx context.Context, _ gatewayapi.DownloadFromShelfRequestObject) (gatewayapi.DownloadFromShelfResponseObject, error) {
	query := queryOf(ctx)
	answer, err := file(g.provider.ShelfDownload(ctx, &providerapi.ShelfDownloadParams{FileName: query.take("fileName", "")}))
	return gatewayapi.DownloadFromShelf200AsteriskResponse{FileAsteriskResponse: answer}, err
}

// InitShelfUpload calls ShelfUploadPartInit: start an upload in parts.
func (g *Gateway) InitShelfUpload(ctx context.Context, req gatewayapi.InitShelfUploadRequestObject) (gatewayapi.InitShelfUploadResponseObject, error) {
	answer, err := text(g.provider.ShelfUploadPartInitWithBody(ctx, &providerapi.ShelfUploadPartInitParams{}, binaryType, req.Body))
	return gatewayapi.InitShelfUpload200TextResponse(answer), err
}

// UploadShelfPart calls ShelfUploadPart: upload the next part.
func (g *Gateway) UploadShelfPart(ctx context.Context, req gatewayapi.UploadShelfPartRequestObject) (gatewayapi.UploadShelfPartResponseObject, error) {
	query := queryOf(ctx)
	answer, err := text(g.provider.ShelfUploadPartWithBody(ctx, &providerapi.ShelfUploadPartParams{
		FileName: query.take("fileName", ""), PartIndex: query.takeInt("partIndex"),
	}, binaryType, req.Body))
	return gatewayapi.UploadShelfPart200TextResponse(answer), err
}
