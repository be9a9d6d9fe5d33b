package sandbox

// This file: the logistics upstream.

import (
	"archive/zip"
	"bytes"
	"context"
	"net/http"
	"slices"
	"strconv"

	"equipment-platform/gen/logisticsapi"
)

// addEvent adds to the events of transportations.
func (p *passThrough) addEvent(transportationID, status string) {
	p.events = append(p.events, object{
		"id": raw("evt-" + strconv.Itoa(len(p.events)+1)), "transportationId": raw(transportationID), "status": raw(status), "at": raw(p.now().UTC()),
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

// titleID is the identifier of the one title that a transportation has here.
const titleID = "t1"

// startTransportation keeps a signed title and the transportation that it starts.
func (p *passThrough) startTransportation(id string, title []byte) {
	p.files[id] = title
	titles := []object{{"titleId": raw(titleID), "kind": raw("Sender")}}
	p.put("transportation", id, object{"transportationId": raw(id), "status": raw("NewTransportation"), "titles": raw(titles)})
	p.addEvent(id, "NewTransportation")
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
	p.startTransportation(id, files[0])
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
	p.addEvent(id, "Draft")
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
	packed, err := zipped(titleID+".xml", data)
	return logisticsapi.GetTransportationArchive200AsteriskResponse{FileAsteriskResponse: logisticsFile(packed, "application/zip", "docflow.zip")}, err
}

// GetTransportationTitle packs one title.
func (p *passThrough) GetTransportationTitle(_ context.Context, r logisticsapi.GetTransportationTitleRequestObject) (logisticsapi.GetTransportationTitleResponseObject, error) {
	data, err := p.transportationFile(r.TransportationId)
	if err != nil {
		return nil, err
	}
	if r.TitleId != titleID {
		return nil, fail(http.StatusNotFound, "Title %s is unknown", r.TitleId)
	}
	packed, err := zipped(r.TitleId+".xml", data)
	return logisticsapi.GetTransportationTitle200AsteriskResponse{FileAsteriskResponse: logisticsFile(packed, "application/zip", r.TitleId+".zip")}, err
}
