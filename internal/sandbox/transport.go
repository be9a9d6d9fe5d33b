package sandbox

// This file: the transport upstream.

import (
	"context"

	"equipment-platform/gen/transportapi"
)

// GetTransportUuid takes an identifier out of the pool.
func (p *passThrough) GetTransportUuid(context.Context, transportapi.GetTransportUuidRequestObject) (transportapi.GetTransportUuidResponseObject, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := newID()
	p.put("state document", id, object{"uuid": raw(id), "status": raw("Issued")})
	return transportapi.GetTransportUuid200JSONResponse{Result: id}, nil
}

// GetTransportDocumentStatus shows what became of an identifier.
func (p *passThrough) GetTransportDocumentStatus(_ context.Context, r transportapi.GetTransportDocumentStatusRequestObject) (transportapi.GetTransportDocumentStatusResponseObject, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, err := p.get("state document", r.Uuid)
	return transportapi.GetTransportDocumentStatus200JSONResponse(o), err
}
