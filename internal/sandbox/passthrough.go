package sandbox

// This file: the logistics, electronic waybill and transport upstreams. Their
// objects are kept as they come.

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"equipment-platform/gen/logisticsapi"
	"equipment-platform/gen/transportapi"
	"equipment-platform/gen/waybillapi"
)

// object is a JSON object that the gateway passes through unread.
type object = map[string]json.RawMessage

func raw(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null") // only made of texts and numbers here
	}
	return data
}

// passThrough keeps objects by kind and id, in the order in which they came.
type passThrough struct {
	sandbox *Sandbox
	mu      sync.Mutex
	objects map[string]map[string]object
	order   []string // kind/id
	files   map[string][]byte
	events  []object
}

var (
	_ logisticsapi.StrictServerInterface = (*passThrough)(nil)
	_ waybillapi.StrictServerInterface   = (*passThrough)(nil)
	_ transportapi.StrictServerInterface = (*passThrough)(nil)
)

func (p *passThrough) put(kind, id string, o object) {
	if p.objects[kind] == nil {
		p.objects[kind] = map[string]object{}
	}
	if _, known := p.objects[kind][id]; !known {
		p.order = append(p.order, kind+"/"+id)
	}
	p.objects[kind][id] = o
}

func (p *passThrough) get(kind, id string) (object, error) {
	o, ok := p.objects[kind][id]
	if !ok {
		return nil, fail(http.StatusNotFound, "%s %s is unknown", kind, id)
	}
	return o, nil
}

// list pages through the objects of a kind; `Status` narrows it.
func (p *passThrough) list(kind string, status *string, skip, take *int32) (items []object, total int) {
	items = []object{}
	for _, key := range p.order {
		id, ok := strings.CutPrefix(key, kind+"/")
		if !ok {
			continue
		}
		o := p.objects[kind][id]
		if value(status) != "" && string(o["status"]) != strconv.Quote(*status) {
			continue
		}
		items = append(items, o)
	}
	total = len(items)
	from, n := int(value(skip)), 50
	if take != nil {
		n = int(*take)
	}
	from = min(max(from, 0), total)
	return items[from:min(from+max(n, 0), total)], total
}

// parts reads a form; it must have a part of one of the names.
func parts(form *multipart.Reader, names ...string) (files [][]byte, err error) {
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fail(http.StatusBadRequest, "The form cannot be read")
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, fail(http.StatusBadRequest, "The form cannot be read")
		}
		if slices.Contains(names, part.FormName()) {
			files = append(files, data)
		}
	}
	if len(files) == 0 {
		return nil, fail(http.StatusBadRequest, "The form has no part %s", names[0])
	}
	return files, nil
}

func (p *passThrough) happened(transportationID, status string) {
	p.events = append(p.events, object{
		"id": raw("evt-" + strconv.Itoa(len(p.events)+1)), "transportationId": raw(transportationID), "status": raw(status), "at": raw(time.Now().UTC()),
	})
}

func zipped(name string, data []byte) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create(name)
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// SendLogisticsWaybillTitle keeps a signed title and starts a transportation.
func (p *passThrough) SendLogisticsWaybillTitle(_ context.Context, r logisticsapi.SendLogisticsWaybillTitleRequestObject) (logisticsapi.SendLogisticsWaybillTitleResponseObject, error) {
	files, err := parts(r.Body, "formFiles")
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	id := newID()
	if p.files == nil {
		p.files = map[string][]byte{}
	}
	p.files[id] = files[0]
	p.put("transportation", id, object{"transportationId": raw(id), "status": raw("NewTransportation"), "titles": raw([]string{"t1"})})
	p.happened(id, "NewTransportation")
	return logisticsapi.SendLogisticsWaybillTitle200JSONResponse{"transportationId": raw(id)}, nil
}

// SaveLogisticsWaybillDraft keeps a draft.
func (p *passThrough) SaveLogisticsWaybillDraft(_ context.Context, r logisticsapi.SaveLogisticsWaybillDraftRequestObject) (logisticsapi.SaveLogisticsWaybillDraftResponseObject, error) {
	if _, err := parts(r.Body, "draft"); err != nil {
		return nil, err
	}
	switch value(r.Params.DraftAction) {
	case "", "SavedDraft", "ApprovedForSignature":
	default:
		return nil, fail(http.StatusBadRequest, "draftAction is SavedDraft or ApprovedForSignature")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	id, draft := value(r.Params.TransportationId), newID()
	if id == "" {
		id = newID()
		p.put("transportation", id, object{"transportationId": raw(id), "status": raw("Draft")})
	} else if _, err := p.get("transportation", id); err != nil {
		return nil, err
	}
	p.happened(id, "Draft")
	return logisticsapi.SaveLogisticsWaybillDraft200JSONResponse{"transportationId": raw(id), "draftId": raw(draft)}, nil
}

// ListTransportations pages through transportations.
func (p *passThrough) ListTransportations(_ context.Context, r logisticsapi.ListTransportationsRequestObject) (logisticsapi.ListTransportationsResponseObject, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	items, total := p.list("transportation", r.Params.Status, r.Params.Skip, r.Params.Take)
	more := int(value(r.Params.Skip))+len(items) < total
	return logisticsapi.ListTransportations200JSONResponse{"items": raw(items), "totalCount": raw(total), "hasMoreResults": raw(more)}, nil
}

// GetTransportation shows one transportation.
func (p *passThrough) GetTransportation(_ context.Context, r logisticsapi.GetTransportationRequestObject) (logisticsapi.GetTransportationResponseObject, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, err := p.get("transportation", r.TransportationId)
	return logisticsapi.GetTransportation200JSONResponse{"transportationInfo": raw(o), "documentInfo": raw(object{"titles": o["titles"]})}, err
}

// ListTransportationEvents continues after FromId.
func (p *passThrough) ListTransportationEvents(_ context.Context, r logisticsapi.ListTransportationEventsRequestObject) (logisticsapi.ListTransportationEventsResponseObject, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.events
	if after := value(r.Params.FromId); after != "" {
		at := slices.IndexFunc(list, func(o object) bool { return string(o["id"]) == strconv.Quote(after) })
		if at < 0 {
			return nil, fail(http.StatusBadRequest, "There is no event %s", after)
		}
		list = list[at+1:]
	}
	if r.Params.Count != nil {
		list = list[:min(len(list), max(0, int(*r.Params.Count)))]
	}
	return logisticsapi.ListTransportationEvents200JSONResponse{"items": raw(append([]object{}, list...))}, nil
}

func (p *passThrough) transportationFile(id string) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.get("transportation", id); err != nil {
		return nil, err
	}
	return p.files[id], nil
}

func logisticsFile(data []byte, mediaType, name string) logisticsapi.FileAsteriskResponse {
	f := fileAnswer(data, mediaType, name)
	return logisticsapi.FileAsteriskResponse{
		Body: f.Body, ContentType: f.ContentType, ContentLength: f.ContentLength,
		Headers: logisticsapi.FileResponseHeaders{ContentDisposition: f.Headers.ContentDisposition},
	}
}

// GetTransportationPrintForm prints a transportation.
func (p *passThrough) GetTransportationPrintForm(_ context.Context, r logisticsapi.GetTransportationPrintFormRequestObject) (logisticsapi.GetTransportationPrintFormResponseObject, error) {
	_, err := p.transportationFile(r.TransportationId)
	return logisticsapi.GetTransportationPrintForm200AsteriskResponse{FileAsteriskResponse: logisticsFile(pdf("Transportation "+r.TransportationId), "application/pdf", "transportation.pdf")}, err
}

// GetTransportationArchive packs a transportation.
func (p *passThrough) GetTransportationArchive(_ context.Context, r logisticsapi.GetTransportationArchiveRequestObject) (logisticsapi.GetTransportationArchiveResponseObject, error) {
	data, err := p.transportationFile(r.TransportationId)
	if err != nil {
		return nil, err
	}
	packed, err := zipped("t1.xml", data)
	return logisticsapi.GetTransportationArchive200AsteriskResponse{FileAsteriskResponse: logisticsFile(packed, "application/zip", "docflow.zip")}, err
}

// GetTransportationTitle packs one title.
func (p *passThrough) GetTransportationTitle(_ context.Context, r logisticsapi.GetTransportationTitleRequestObject) (logisticsapi.GetTransportationTitleResponseObject, error) {
	data, err := p.transportationFile(r.TransportationId)
	if err != nil {
		return nil, err
	}
	if r.TitleId != "t1" {
		return nil, fail(http.StatusNotFound, "Title %s is unknown", r.TitleId)
	}
	packed, err := zipped(r.TitleId+".xml", data)
	return logisticsapi.GetTransportationTitle200AsteriskResponse{FileAsteriskResponse: logisticsFile(packed, "application/zip", r.TitleId+".zip")}, err
}

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
	for key, v := range *r.Body {
		o[key] = v
	}
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
	changed := object{}
	for key, v := range o {
		changed[key] = v
	}
	changed["titles"], changed["status"] = raw(n+1), raw([]string{"Created", "MedicalBefore", "Released", "OnTheWay", "Returned", "Completed"}[n])
	p.put("waybill", r.WaybillId, changed)
	return waybillapi.SendWaybillTitle200JSONResponse{"waybillId": raw(r.WaybillId), "title": raw(n + 1)}, nil
}

// GetWaybillStatus tells the status of a waybill.
func (p *passThrough) GetWaybillStatus(_ context.Context, r waybillapi.GetWaybillStatusRequestObject) (waybillapi.GetWaybillStatusResponseObject, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, err := p.get("waybill", r.WaybillId)
	return waybillapi.GetWaybillStatus200JSONResponse{"waybillId": raw(r.WaybillId), "status": o["status"]}, err
}

// GetTransportUuid takes an identifier out of the pool.
func (p *passThrough) GetTransportUuid(context.Context, transportapi.GetTransportUuidRequestObject) (transportapi.GetTransportUuidResponseObject, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := newID()
	p.put("state document", id, object{"uuid": raw(id), "status": raw("Issued")})
	return transportapi.GetTransportUuid200JSONResponse{Result: id}, nil
}

// GetTransportDocumentStatus tells what became of an identifier.
func (p *passThrough) GetTransportDocumentStatus(_ context.Context, r transportapi.GetTransportDocumentStatusRequestObject) (transportapi.GetTransportDocumentStatusResponseObject, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, err := p.get("state document", r.Uuid)
	return transportapi.GetTransportDocumentStatus200JSONResponse(o), err
}
