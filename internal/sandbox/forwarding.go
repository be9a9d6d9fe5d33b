package sandbox

// This file: forwarded documents.

import (
	"context"
	"net/http"
	"slices"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

// ForwardDocument lets another box see a document.
func (s *Sandbox) ForwardDocument(ctx context.Context, r providerapi.ForwardDocumentRequestObject) (providerapi.ForwardDocumentResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	to := s.organizationOf(r.Body.ToBoxId)
	if to == nil {
		return nil, fail(http.StatusNotFound, "Box %s is unknown", r.Body.ToBoxId)
	}
	m, d, err := s.findDocument(o.boxID, r.Body.DocumentId.MessageId, r.Body.DocumentId.EntityId)
	if err != nil {
		return nil, err
	}
	at := stamp(s.now())
	id := exchangeapi.ForwardedDocumentId{FromBoxId: &o.boxID, DocumentId: new(d.id()), ForwardEventId: new(newID())}
	s.store.forwarded = append(s.store.forwarded, exchangeapi.ForwardedDocument{
		ForwardTimestamp: &at, ForwardedDocumentId: &id,
		DocumentWithDocflow: &exchangeapi.DocumentWithDocflow{
			DocumentId: new(d.id()), LastEventId: &d.lastEvent, LastEventTimestamp: new(stamp(d.lastEventAt)),
			DocumentInfo: &exchangeapi.DocumentInfo{DocumentType: &d.typeNamedID, DocumentDirection: new(m.direction(o.boxID)), Version: d.version, CounteragentBoxId: new(m.counteragent(o.boxID))},
			Docflow:      &exchangeapi.Docflow{IsFinished: new(d.finished()), SendTimestamp: new(stamp(m.created))},
		},
	})
	s.store.forwardedTo = append(s.store.forwardedTo, to.boxID)
	return providerapi.ForwardDocument200JSONResponse{ForwardTimestamp: &at, ForwardedDocumentId: &id}, nil
}

// forwardedIn lists what was forwarded to a box or from it.
func (s *Sandbox) forwardedIn(box string) []exchangeapi.ForwardedDocument {
	list := []exchangeapi.ForwardedDocument{}
	for i, f := range s.store.forwarded {
		if s.store.forwardedTo[i] == box || *f.ForwardedDocumentId.FromBoxId == box {
			list = append(list, f)
		}
	}
	return list
}

// GetForwardedDocuments shows forwarded documents by their ids.
func (s *Sandbox) GetForwardedDocuments(ctx context.Context, r providerapi.GetForwardedDocumentsRequestObject) (providerapi.GetForwardedDocumentsResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(s.forwardedIn(o.boxID), func(f exchangeapi.ForwardedDocument) bool {
		return !slices.ContainsFunc(value(r.Body.ForwardedDocumentIds), func(id exchangeapi.ForwardedDocumentId) bool {
			return value(id.ForwardEventId) == *f.ForwardedDocumentId.ForwardEventId
		})
	})
	return providerapi.GetForwardedDocuments200JSONResponse{ForwardedDocuments: &list}, nil
}

// GetForwardedDocumentEvents pages through forwardings.
func (s *Sandbox) GetForwardedDocumentEvents(ctx context.Context, r providerapi.GetForwardedDocumentEventsRequestObject) (providerapi.GetForwardedDocumentEventsResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	all := s.forwardedIn(o.boxID)
	key := func(f exchangeapi.ForwardedDocument) string {
		return encode([]byte(*f.ForwardedDocumentId.ForwardEventId))
	}
	shown, err := page(all, key, r.Body.AfterIndexKey, nil, 100, 100)
	events := []exchangeapi.ForwardedDocumentEvent{}
	for _, f := range shown {
		e := exchangeapi.ForwardedDocumentEvent{Timestamp: f.ForwardTimestamp, ForwardedDocumentId: f.ForwardedDocumentId, IndexKey: new(key(f))}
		if value(r.Body.PopulateForwardedDocuments) {
			e.ForwardedDocument = &f
		}
		events = append(events, e)
	}
	return providerapi.GetForwardedDocumentEvents200JSONResponse{Events: &events, TotalCount: new(int32(len(all))), TotalCountType: "Equal"}, err
}

// GetForwardedEntityContent answers the bytes of a forwarded document.
func (s *Sandbox) GetForwardedEntityContent(ctx context.Context, r providerapi.GetForwardedEntityContentRequestObject) (providerapi.GetForwardedEntityContentResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	for _, f := range s.forwardedIn(o.boxID) {
		id := f.ForwardedDocumentId
		if *id.ForwardEventId != r.Params.ForwardEventId || *id.FromBoxId != r.Params.FromBoxId || id.DocumentId.EntityId != r.Params.DocumentId {
			continue
		}
		if d := s.store.messages[id.DocumentId.MessageId].document(r.Params.EntityId); d != nil {
			return providerapi.GetForwardedEntityContent200AsteriskResponse{FileAsteriskResponse: fileAnswer(d.content, "application/octet-stream", d.fileName)}, nil
		}
	}
	return nil, fail(http.StatusNotFound, "Nothing of the kind was forwarded")
}
