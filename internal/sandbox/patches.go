package sandbox

// This file: reading messages, and additions to them: signatures, rejections,
// revocations and the rest.

import (
	"context"
	"net/http"
	"time"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

// GetMessage shows a message.
func (s *Sandbox) GetMessage(ctx context.Context, r providerapi.GetMessageRequestObject) (providerapi.GetMessageResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	m, err := s.find(o.boxID, r.Params.MessageId)
	if err != nil {
		return nil, err
	}
	if id := r.Params.EntityId; id != nil && m.document(*id) == nil {
		return nil, fail(http.StatusNotFound, "Entity %s is unknown", *id)
	}
	return providerapi.GetMessage200JSONResponse(s.present(m, o.boxID, r.Params.EntityId, newInliner(r.Params.InjectEntityContent))), nil
}

// GetEntityContent answers the bytes of an entity.
func (s *Sandbox) GetEntityContent(ctx context.Context, r providerapi.GetEntityContentRequestObject) (providerapi.GetEntityContentResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	m, err := s.find(o.boxID, r.Params.MessageId)
	if err != nil {
		return nil, err
	}
	if d := m.document(r.Params.EntityId); d != nil {
		d.readBy[o.boxID] = true
		return providerapi.GetEntityContent200AsteriskResponse{FileAsteriskResponse: fileAnswer(d.content, "application/octet-stream", d.fileName)}, nil
	}
	for _, e := range m.entitiesOf(o.boxID, nil, nil) {
		if data := value(e.Content).Data; e.EntityId == r.Params.EntityId && data != nil {
			raw, err := s.content(data, nil)
			return providerapi.GetEntityContent200AsteriskResponse{FileAsteriskResponse: fileAnswer(raw, "application/octet-stream", e.EntityId+".bin")}, err
		}
	}
	return nil, fail(http.StatusNotFound, "Entity %s has no content", r.Params.EntityId)
}

// entityOf makes an entity that says something about a document.
func entityOf(attachmentType, parent, box string, content []byte, at time.Time) exchangeapi.EventsEntity {
	return exchangeapi.EventsEntity{
		EntityType: new("Attachment"), EntityId: newID(), ParentEntityId: &parent, AttachmentType: &attachmentType, SignerBoxId: &box,
		Content: &exchangeapi.Content{Size: int32(len(content)), Data: new(encode(content))}, RawCreationDate: new(ticks(at)),
	}
}

// patch collects an addition to a message.
type patch struct {
	s        *Sandbox
	m        *message
	at       time.Time
	touched  []*document
	entities []exchangeapi.EventsEntity
}

func (s *Sandbox) newPatch(m *message) *patch { return &patch{s: s, m: m, at: s.now()} }

func (p *patch) add(d *document, e exchangeapi.EventsEntity) {
	p.touched = append(p.touched, d)
	p.entities = append(p.entities, e)
}

// finish applies the patch and makes its event.
func (p *patch) finish() exchangeapi.MessagePatch {
	p.m.entities = append(p.m.entities, p.entities...)
	p.m.patched = p.at
	entities := append([]exchangeapi.EventsEntity{}, p.entities...)
	v := exchangeapi.MessagePatch{MessageId: p.m.id, TimestampTicks: ticks(p.at), Entities: &entities, PatchId: newID(), MessageType: p.m.kind, MessageIsDelivered: new(true)}
	e := p.s.store.tell(p.m, &v, p.at)
	for _, d := range p.touched {
		e.touched = append(e.touched, d.entityID)
		d.lastEvent, d.lastEventAt = e.id, p.at
	}
	return v
}

// PostMessagePatch adds to a message.
func (s *Sandbox) PostMessagePatch(ctx context.Context, r providerapi.PostMessagePatchRequestObject) (providerapi.PostMessagePatchResponseObject, error) {
	o, err := s.mine(ctx, r.Body.BoxId)
	if err != nil {
		return nil, err
	}
	m, err := s.find(o.boxID, r.Body.MessageId)
	if err != nil {
		return nil, err
	}
	op := "patch/" + value(r.Params.OperationId)
	if first, ok := s.store.operations[op].(exchangeapi.MessagePatch); ok && value(r.Params.OperationId) != "" {
		return providerapi.PostMessagePatch200JSONResponse(first), nil
	}
	p := s.newPatch(m)
	for _, step := range []func(*patch, *organization, *exchangeapi.MessagePatchToPostV2) error{addSignatures, addRejections, addRevocations, addOthers, addData} {
		if err := step(p, o, r.Body); err != nil {
			return nil, err
		}
	}
	if len(p.entities) == 0 && len(p.touched) == 0 {
		return nil, fail(http.StatusBadRequest, "The patch is empty")
	}
	v := p.finish()
	s.store.operations[op] = v
	return providerapi.PostMessagePatch200JSONResponse(v), nil
}

func (p *patch) document(id string) (*document, error) {
	if d := p.m.document(id); d != nil {
		return d, nil
	}
	return nil, fail(http.StatusNotFound, "Document %s is unknown", id)
}

// parent finds the document that an id means: the document itself, or the one
// whose revocation request it is.
func (p *patch) parent(id string) (d *document, revocation bool, err error) {
	for _, d := range p.m.documents {
		if d.revocation != nil && d.revocation.id == id {
			return d, true, nil
		}
	}
	d, err = p.document(id)
	return d, false, err
}

func addSignatures(p *patch, o *organization, body *exchangeapi.MessagePatchToPostV2) error {
	for _, given := range value(body.Signatures) {
		d, revocation, err := p.parent(given.ParentEntityId)
		if err != nil {
			return err
		}
		sig, err := p.s.sign(o.boxID, d.content, given.Signature, given.SignatureNameOnShelf, given.SignWithTestSignature)
		if err != nil {
			return err
		}
		if sig == nil {
			return fail(http.StatusBadRequest, "A signature is empty")
		}
		switch {
		case revocation && (d.revocationEnd != nil || d.revocation.box == o.boxID):
			return fail(http.StatusConflict, "The revocation is not this box's to sign")
		case revocation:
			d.revocationEnd, d.revocationAccepted = &note{id: sig.id, box: o.boxID, at: p.at, content: sig.data}, true
			p.add(d, signatureEntity(sig, given.ParentEntityId))
			continue
		case o.boxID == p.m.from && d.signature == nil:
			d.signature = sig
		case o.boxID == p.m.to && d.answer == nil && d.rejection == nil:
			d.answer = sig
			p.add(d, signatureEntity(sig, d.entityID))
			continue
		default:
			return fail(http.StatusConflict, "Document %s is signed or rejected already", d.entityID)
		}
		p.touched = append(p.touched, d) // a sender's signature is shown with its document
	}
	return nil
}

func addRejections(p *patch, o *organization, body *exchangeapi.MessagePatchToPostV2) error {
	for _, given := range value(body.XmlSignatureRejections) {
		d, revocation, err := p.parent(given.ParentEntityId)
		if err != nil {
			return err
		}
		content, err := p.s.content(given.SignedContent.Content, given.SignedContent.NameOnShelf)
		if err != nil {
			return err
		}
		e := entityOf("XmlSignatureRejection", given.ParentEntityId, o.boxID, content, p.at)
		n := &note{id: e.EntityId, box: o.boxID, at: p.at, content: content}
		switch {
		case revocation && d.revocationEnd == nil && d.revocation.box != o.boxID:
			d.revocationEnd = n
		case !revocation && d.answer == nil && d.rejection == nil && o.boxID == p.m.to:
			d.rejection = n
		default:
			return fail(http.StatusConflict, "It is signed or rejected already, or not this box's to reject")
		}
		p.add(d, e)
	}
	return nil
}

func addRevocations(p *patch, o *organization, body *exchangeapi.MessagePatchToPostV2) error {
	for _, given := range value(body.RevocationRequests) {
		d, err := p.document(given.ParentEntityId)
		if err != nil {
			return err
		}
		if d.revocation != nil && (d.revocationEnd == nil || d.revocationAccepted) {
			return fail(http.StatusConflict, "A revocation of document %s is there already", d.entityID)
		}
		content, err := p.s.content(given.SignedContent.Content, given.SignedContent.NameOnShelf)
		if err != nil {
			return err
		}
		e := entityOf("RevocationRequest", d.entityID, o.boxID, content, p.at)
		d.revocation, d.revocationEnd, d.revocationAccepted = &note{id: e.EntityId, box: o.boxID, at: p.at, content: content}, nil, false
		p.add(d, e)
	}
	return nil
}

// addOthers keeps what does not change a document's state: receipts,
// correction requests, resolutions, titles of the recipient.
func addOthers(p *patch, o *organization, body *exchangeapi.MessagePatchToPostV2) error {
	type other struct {
		kind, parent string
		content      exchangeapi.SignedContent
		text         *string
	}
	var list []other
	for _, g := range value(body.Receipts) {
		list = append(list, other{"Receipt", g.ParentEntityId, g.SignedContent, nil})
	}
	for _, g := range value(body.CorrectionRequests) {
		list = append(list, other{"InvoiceCorrectionRequest", g.ParentEntityId, g.SignedContent, nil})
	}
	for _, g := range value(body.Resolutions) {
		list = append(list, other{"Resolution", g.InitialDocumentId, exchangeapi.SignedContent{}, g.Comment})
	}
	for _, g := range value(body.ResolutionRequests) {
		list = append(list, other{"ResolutionRequest", g.InitialDocumentId, exchangeapi.SignedContent{}, g.Comment})
	}
	for _, g := range value(body.UniversalMessages) {
		list = append(list, other{"UniversalMessage", g.ParentEntityId, exchangeapi.SignedContent{Content: g.UniversalMessageContent.Content, NameOnShelf: g.UniversalMessageContent.NameOnShelf}, nil})
	}
	for _, g := range value(body.RecipientTitles) {
		list = append(list, other{"Title", g.ParentEntityId, g.SignedContent, nil})
	}
	for _, g := range list {
		d, err := p.document(g.parent)
		if err != nil {
			return err
		}
		content, err := p.s.content(g.content.Content, g.content.NameOnShelf)
		if err != nil {
			return err
		}
		if g.text != nil {
			content = []byte(*g.text)
		}
		if g.kind == "Title" {
			if d.answer != nil || d.rejection != nil || o.boxID != p.m.to {
				return fail(http.StatusConflict, "Document %s is signed or rejected already, or not this box's to answer", d.entityID)
			}
			if d.answer, err = p.s.sign(o.boxID, content, g.content.Signature, g.content.SignatureNameOnShelf, g.content.SignWithTestSignature); err != nil {
				return err
			}
		}
		p.add(d, entityOf(g.kind, d.entityID, o.boxID, content, p.at))
	}
	return nil
}

// addData changes the caller's own data of documents, and their contents while
// they are drafts.
func addData(p *patch, _ *organization, body *exchangeapi.MessagePatchToPostV2) error {
	for _, g := range value(body.CustomDataPatches) {
		d, err := p.document(g.ParentEntityId)
		if err != nil {
			return err
		}
		if g.Operation == "Remove" {
			delete(d.data, g.Key)
		} else {
			d.data[g.Key] = value(g.Value)
		}
		p.touched = append(p.touched, d)
	}
	for _, g := range value(body.EditingPatches) {
		d, err := p.document(g.ParentEntityId)
		if err != nil {
			return err
		}
		if d.signature != nil {
			return fail(http.StatusConflict, "Document %s is signed", d.entityID)
		}
		if d.content, err = p.s.content(g.Content.Content, g.Content.NameOnShelf); err != nil {
			return err
		}
		p.touched = append(p.touched, d)
	}
	return nil
}
