package sandbox

// This file: the event stream, in its box, docflow, security and partner
// forms.

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

func (s *Sandbox) eventView(e *event, box string) exchangeapi.BoxEvent {
	v := exchangeapi.BoxEvent{EventId: e.id, IndexKey: new(indexKey(e.index))}
	if e.patch != nil {
		v.Patch = e.patch
	} else {
		v.Message = new(s.present(e.message, box, nil, nil))
	}
	return v
}

// eventsOf lists the events that a box sees.
func (s *Sandbox) eventsOf(box string) []*event {
	var out []*event
	for _, e := range s.store.events {
		if slices.Contains(e.boxes, box) {
			out = append(out, e)
		}
	}
	return out
}

// GetNewEvents pages through the events of a box.
func (s *Sandbox) GetNewEvents(ctx context.Context, r providerapi.GetNewEventsRequestObject) (providerapi.GetNewEventsResponseObject, error) {
	p := r.Params
	o, err := s.mine(ctx, p.BoxId)
	if err != nil {
		return nil, err
	}
	if value(p.AfterEventId) != "" && value(p.AfterIndexKey) != "" {
		return nil, fail(http.StatusBadRequest, "afterEventId and afterIndexKey exclude each other")
	}
	among := func(csv *string, v string) bool {
		return value(csv) == "" || slices.Contains(strings.Split(*csv, ","), v)
	}
	list := slices.DeleteFunc(s.eventsOf(o.boxID), func(e *event) bool {
		return !among(p.MessageType, e.message.kind) || !among(p.DocumentDirection, e.message.direction(o.boxID)) ||
			!slices.ContainsFunc(e.message.documents, func(d *document) bool { return among(p.TypeNamedId, d.typeNamedID) }) ||
			p.TimestampFromTicks != nil && ticks(e.at) < *p.TimestampFromTicks || p.TimestampToTicks != nil && ticks(e.at) > *p.TimestampToTicks ||
			!among(p.CounteragentBoxId, e.message.counteragent(o.boxID))
	})
	switch value(p.OrderBy) {
	case "", "Ascending":
	case "Descending":
		slices.Reverse(list)
	default:
		return nil, fail(http.StatusBadRequest, "orderBy is Ascending or Descending")
	}
	total := int32(len(list))
	key, after := func(e *event) string { return indexKey(e.index) }, p.AfterIndexKey
	if value(p.AfterEventId) != "" {
		key, after = func(e *event) string { return e.id }, p.AfterEventId
	}
	shown, err := page(list, key, after, p.Limit, 100, 100)
	out := []exchangeapi.BoxEvent{}
	for _, e := range shown {
		out = append(out, s.eventView(e, o.boxID))
	}
	return providerapi.GetNewEvents200JSONResponse{Events: &out, TotalCount: &total, TotalCountType: "Equal"}, err
}

// GetEvent shows one event.
func (s *Sandbox) GetEvent(ctx context.Context, r providerapi.GetEventRequestObject) (providerapi.GetEventResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	for _, e := range s.eventsOf(o.boxID) {
		if e.id == r.Params.EventId {
			return providerapi.GetEvent200JSONResponse(s.eventView(e, o.boxID)), nil
		}
	}
	return nil, fail(http.StatusNotFound, "Event %s is unknown", r.Params.EventId)
}

// GetLastEvent shows the newest event; 204 when there is none.
func (s *Sandbox) GetLastEvent(ctx context.Context, r providerapi.GetLastEventRequestObject) (providerapi.GetLastEventResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	list := s.eventsOf(o.boxID)
	if len(list) == 0 {
		return providerapi.NothingThereResponse{}, nil
	}
	return providerapi.GetLastEvent200JSONResponse(s.eventView(list[len(list)-1], o.boxID)), nil
}

// GetSecurityEvents finds no malware.
func (s *Sandbox) GetSecurityEvents(ctx context.Context, r providerapi.GetSecurityEventsRequestObject) (providerapi.GetSecurityEventsResponseObject, error) {
	if _, err := s.mine(ctx, r.Params.BoxId); err != nil {
		return nil, err
	}
	return providerapi.GetSecurityEvents200JSONResponse{Events: &[]exchangeapi.SecurityEvent{}}, nil
}

// docEvent is an event as it concerns one document.
type docEvent struct {
	*event
	d *document
}

func (e docEvent) key() string { return encode([]byte(indexKey(e.index) + e.d.entityID)) }

// docEvents pages through the events of documents.
func (s *Sandbox) docEvents(ctx context.Context, box string, q *exchangeapi.GetDocflowEventsRequest) (list []docEvent, total int32, boxID string, err error) {
	o, err := s.mine(ctx, box)
	if err != nil {
		return nil, 0, "", err
	}
	var all []docEvent
	for _, e := range s.eventsOf(o.boxID) {
		at := ticks(e.at)
		switch f := q.Filter; {
		case f.FromTimestamp != nil && at < f.FromTimestamp.Ticks, f.ToTimestamp != nil && at > f.ToTimestamp.Ticks,
			len(value(q.MessageTypes)) > 0 && !slices.Contains(*q.MessageTypes, e.message.kind),
			len(value(q.DocumentDirections)) > 0 && !slices.Contains(*q.DocumentDirections, e.message.direction(o.boxID)),
			value(q.CounteragentBoxId) != "" && *q.CounteragentBoxId != e.message.counteragent(o.boxID):
			continue
		}
		for _, id := range e.touched {
			if d := e.message.document(id); d != nil && (len(value(q.TypeNamedIds)) == 0 || slices.Contains(*q.TypeNamedIds, d.typeNamedID)) {
				all = append(all, docEvent{e, d})
			}
		}
	}
	if value(q.Filter.SortDirection) == "Descending" {
		slices.Reverse(all)
	}
	list, err = page(all, docEvent.key, q.AfterIndexKey, q.Limit, 100, 100)
	return list, int32(len(all)), o.boxID, err
}

// GetDocflowEventsV4 pages through the events of documents.
func (s *Sandbox) GetDocflowEventsV4(ctx context.Context, r providerapi.GetDocflowEventsV4RequestObject) (providerapi.GetDocflowEventsV4ResponseObject, error) {
	list, total, box, err := s.docEvents(ctx, r.Params.BoxId, r.Body)
	out := []exchangeapi.DocflowEventV4{}
	for _, e := range list {
		v := exchangeapi.DocflowEventV4{EventId: e.id, Timestamp: stamp(e.at), DocumentId: e.d.id(), IndexKey: e.key()}
		if value(r.Body.PopulateDocuments) {
			v.Document = new(e.message.flowV4(e.d, box, newInliner(r.Body.InjectEntityContent)))
		}
		out = append(out, v)
	}
	return providerapi.GetDocflowEventsV4200JSONResponse{Events: &out, TotalCount: &total, TotalCountType: "Equal"}, err
}

// GetDocflowEventsV5 pages through the events of documents.
func (s *Sandbox) GetDocflowEventsV5(ctx context.Context, r providerapi.GetDocflowEventsV5RequestObject) (providerapi.GetDocflowEventsV5ResponseObject, error) {
	list, total, box, err := s.docEvents(ctx, r.Params.BoxId, r.Body)
	out := []exchangeapi.DocflowEventV5{}
	for _, e := range list {
		v := exchangeapi.DocflowEventV5{EventId: e.id, Timestamp: stamp(e.at), DocumentId: e.d.id(), IndexKey: e.key()}
		if value(r.Body.PopulateDocuments) {
			v.Document = new(e.message.flowV5(e.d, box, newInliner(r.Body.InjectEntityContent)))
		}
		out = append(out, v)
	}
	return providerapi.GetDocflowEventsV5200JSONResponse{Events: &out, TotalCount: &total, TotalCountType: "Equal"}, err
}

// GetPartnerEvents pages through the events of all boxes of the user.
func (s *Sandbox) GetPartnerEvents(ctx context.Context, r providerapi.GetPartnerEventsRequestObject) (providerapi.GetPartnerEventsResponseObject, error) {
	var all []docEvent
	for _, e := range s.store.events {
		for _, id := range e.touched {
			seen := slices.ContainsFunc(userOf(ctx).boxes, func(box string) bool { return slices.Contains(e.boxes, box) })
			if d := e.message.document(id); d != nil && seen && (len(value(r.Body.MessageTypes)) == 0 || slices.Contains(*r.Body.MessageTypes, e.message.kind)) {
				all = append(all, docEvent{e, d})
			}
		}
	}
	list, err := page(all, docEvent.key, r.Body.Cursor, r.Body.Limit, 100, 100)
	out := []exchangeapi.PartnerEvent{}
	answer := providerapi.GetPartnerEvents200JSONResponse{Events: &out, LastCursor: r.Body.Cursor}
	for _, e := range list {
		out = append(out, exchangeapi.PartnerEvent{
			EventId: e.id, Timestamp: stamp(e.at), DocumentId: e.d.id(), Document: new(e.message.flowV4(e.d, userOf(ctx).boxes[0], nil)),
		})
		answer.LastCursor = new(e.key())
	}
	return answer, err
}
