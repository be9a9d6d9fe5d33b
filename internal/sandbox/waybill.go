package sandbox

// This file: the electronic waybill upstream.

import (
	"context"
	"maps"
	"net/http"
	"strconv"

	"equipment-platform/gen/waybillapi"
)

// ListWaybills pages through waybills.
func (p *passThrough) ListWaybills(_ context.Context, r waybillapi.ListWaybillsRequestObject) (waybillapi.ListWaybillsResponseObject, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	items, total := p.list("waybill", r.Params.Status, r.Params.Skip, r.Params.Take)
	return waybillapi.ListWaybills200JSONResponse{"items": raw(items), "totalCount": raw(total)}, nil
}

// CreateWaybill keeps what it gets and adds an id and a status.
func (p *passThrough) CreateWaybill(_ context.Context, r waybillapi.CreateWaybillRequestObject) (waybillapi.CreateWaybillResponseObject, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := newID()
	o := object{}
	maps.Copy(o, *r.Body)
	o["waybillId"], o["status"], o["titles"] = raw(id), raw("New"), raw(0)
	p.put("waybill", id, o)
	return waybillapi.CreateWaybill200JSONResponse(o), nil
}

// GetWaybill shows one waybill.
func (p *passThrough) GetWaybill(_ context.Context, r waybillapi.GetWaybillRequestObject) (waybillapi.GetWaybillResponseObject, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, err := p.get("waybill", r.WaybillId)
	return waybillapi.GetWaybill200JSONResponse(o), err
}

// SendWaybillTitle counts titles: six complete a waybill.
func (p *passThrough) SendWaybillTitle(_ context.Context, r waybillapi.SendWaybillTitleRequestObject) (waybillapi.SendWaybillTitleResponseObject, error) {
	if _, err := parts(r.Body, "formFiles"); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	o, err := p.get("waybill", r.WaybillId)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(string(o["titles"]))
	if err != nil {
		return nil, err
	}
	if n >= 6 {
		return nil, fail(http.StatusConflict, "The waybill is complete")
	}
	status := []string{"Created", "MedicalBefore", "Released", "OnTheWay", "Returned", "Completed"}[n]
	p.change("waybill", r.WaybillId, object{"titles": raw(n + 1), "status": raw(status)})
	return waybillapi.SendWaybillTitle200JSONResponse{"waybillId": raw(r.WaybillId), "title": raw(n + 1)}, nil
}

// GetWaybillStatus shows the status of a waybill.
func (p *passThrough) GetWaybillStatus(_ context.Context, r waybillapi.GetWaybillStatusRequestObject) (waybillapi.GetWaybillStatusResponseObject, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, err := p.get("waybill", r.WaybillId)
	return waybillapi.GetWaybillStatus200JSONResponse{"waybillId": raw(r.WaybillId), "status": o["status"]}, err
}
