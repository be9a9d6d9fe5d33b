package sandbox

// This file: sending: messages, drafts, templates.

import (
	"context"
	"crypto/md5"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

// attachment is what all kinds of attachments have in common.
type attachment struct {
	SignedContent          *exchangeapi.SignedContent
	UnsignedContent        *exchangeapi.UnsignedContent
	FileName               string
	TypeNamedID            string `json:"TypeNamedId"`
	Function               string
	Version                string
	DocumentNumber         string
	DocumentDate           string
	CustomDocumentID       string `json:"CustomDocumentId"`
	NeedRecipientSignature bool
	CustomData             []exchangeapi.CustomDataItem
	Metadata               []exchangeapi.MetadataItem
}

// kindOf names the document type of a list of attachments; documents of
// DocumentAttachments name their own.
var kindOf = map[string]string{
	"Invoices": "Invoice", "NonformalizedDocuments": "Nonformalized", "Torg12Documents": "Torg12", "AcceptanceCertificates": "AcceptanceCertificate",
	"StructuredDataAttachments": "StructuredData", "ProformaInvoices": "ProformaInvoice", "XmlTorg12SellerTitles": "XmlTorg12",
	"XmlAcceptanceCertificateSellerTitles": "XmlAcceptanceCertificate", "PriceLists": "PriceList", "PriceListAgreements": "PriceListAgreement",
	"CertificateRegistries": "CertificateRegistry", "ReconciliationActs": "ReconciliationAct", "Contracts": "Contract", "Torg13Documents": "Torg13",
	"ServiceDetailsDocuments": "ServiceDetails", "EncryptedInvoices": "Invoice", "EncryptedXmlTorg12SellerTitles": "XmlTorg12",
	"EncryptedXmlAcceptanceCertificateSellerTitles": "XmlAcceptanceCertificate", "SupplementaryAgreements": "SupplementaryAgreement",
	"UniversalTransferDocumentSellerTitles": "UniversalTransferDocument", "DocumentAttachments": "",
}

// attachmentsOf collects the attachments of a body, whatever list they are in.
func attachmentsOf(body any) ([]attachment, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	var lists map[string]json.RawMessage
	if err := json.Unmarshal(raw, &lists); err != nil {
		return nil, err
	}
	var out []attachment
	for _, name := range sortedKeys(kindOf) {
		var list []attachment
		if lists[name] == nil || json.Unmarshal(lists[name], &list) != nil {
			continue
		}
		for _, a := range list {
			if kindOf[name] != "" {
				a.TypeNamedID, a.Function, a.Version = kindOf[name], "default", "v1"
			}
			out = append(out, a)
		}
	}
	if len(out) > 40 {
		return nil, fail(http.StatusBadRequest, "A message has at most 40 documents")
	}
	return out, nil
}

// newDocument makes a document of an attachment sent from box.
func (s *Sandbox) newDocument(a attachment, box string) (*document, error) {
	now := s.now()
	d := &document{
		entityID: newID(), typeNamedID: a.TypeNamedID, function: a.Function, version: a.Version, fileName: a.FileName,
		number: a.DocumentNumber, date: a.DocumentDate, customID: a.CustomDocumentID, created: now, needsSignature: a.NeedRecipientSignature,
	}
	for _, item := range a.Metadata {
		switch item.Key {
		case "FileName":
			d.fileName = item.Value
		case "DocumentNumber":
			d.number = item.Value
		case "DocumentDate":
			d.date = item.Value
		}
	}
	if d.fileName == "" {
		d.fileName = strings.ToLower(d.typeNamedID) + ".xml"
	}
	var err error
	switch {
	case a.SignedContent != nil:
		if d.content, err = s.content(a.SignedContent.Content, a.SignedContent.NameOnShelf); err != nil {
			return nil, err
		}
		d.signature, err = s.sign(box, d.content, a.SignedContent.Signature, a.SignedContent.SignatureNameOnShelf, a.SignedContent.SignWithTestSignature)
	case a.UnsignedContent != nil:
		d.content, err = s.content(a.UnsignedContent.Content, a.UnsignedContent.NameOnShelf)
	}
	if err == nil && d.content == nil {
		err = fail(http.StatusBadRequest, "A document has no content")
	}
	return d, err
}

// sign makes a signature of what a body gives; nil when it gives none.
func (s *Sandbox) sign(box string, content []byte, inline, onShelf *string, test *bool) (*signature, error) {
	data, err := s.content(inline, onShelf)
	switch {
	case err != nil:
		return nil, err
	case data == nil && value(test):
		data = testSignature(content)
	case data == nil:
		return nil, nil
	}
	return &signature{id: newID(), box: box, at: s.now(), data: data}, nil
}

// operation names a call for repeating: the caller's operationId, or the MD5
// of its body.
func operation(name string, id *string, body any) string {
	if value(id) != "" {
		return name + "/" + *id
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return ""
	}
	sum := md5.Sum(raw)
	return name + "/md5/" + string(sum[:])
}

// earlier finds the message that an earlier call with the same operation made.
func (s *Sandbox) earlier(operation string) *message {
	id, _ := s.store.operations[operation].(string)
	return s.store.messages[id]
}

// PostMessage sends a letter, or keeps a draft. An operationId makes repeating
// safe; without one the MD5 of the body serves.
func (s *Sandbox) PostMessage(ctx context.Context, r providerapi.PostMessageRequestObject) (providerapi.PostMessageResponseObject, error) {
	o, err := s.mine(ctx, r.Body.FromBoxId)
	if err != nil {
		return nil, err
	}
	op := operation("message", r.Params.OperationId, r.Body)
	if m := s.earlier(op); m != nil {
		return providerapi.PostMessage200JSONResponse(s.present(m, o.boxID, nil, nil)), nil
	}
	m := &message{
		id: newID(), kind: "Letter", from: o.boxID, to: value(r.Body.ToBoxId), created: s.now(), patched: s.now(),
		deletedFor: map[string]bool{}, lockMode: value(r.Body.LockMode),
	}
	switch {
	case value(r.Body.IsDraft):
		m.kind = "Draft"
	case value(r.Body.IsInternal):
		m.to = o.boxID
	}
	if err := s.addressee(m, o); err != nil {
		return nil, err
	}
	if value(r.Body.LockPacket) {
		m.packetID = newID()
	}
	list, err := attachmentsOf(r.Body)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fail(http.StatusBadRequest, "A message has no documents")
	}
	for _, a := range list {
		d, err := s.newDocument(a, o.boxID)
		if err != nil {
			return nil, err
		}
		m.add(d)
		for _, item := range a.CustomData {
			d.data[item.Key] = value(item.Value)
		}
	}
	if len(m.documents) > 1 && m.packetID == "" {
		m.packetID = newID()
	}
	s.store.post(m, op, s.now())
	return providerapi.PostMessage200JSONResponse(s.present(m, o.boxID, nil, nil)), nil
}

// addressee checks that a letter may go where it is meant to.
func (s *Sandbox) addressee(m *message, from *organization) error {
	if m.kind == "Draft" && m.to == "" {
		return nil
	}
	to := s.organizationOf(m.to)
	switch {
	case m.to == "":
		return fail(http.StatusBadRequest, "ToBoxId is missing")
	case to == nil:
		return fail(http.StatusNotFound, "Box %s is unknown", m.to)
	case to != from && from.partners[to.boxID].status != "IsMyCounteragent":
		return fail(http.StatusConflict, "There is no partnership with box %s", m.to)
	}
	m.to = to.boxID
	return nil
}

// SendDraft makes a letter of a draft.
func (s *Sandbox) SendDraft(ctx context.Context, r providerapi.SendDraftRequestObject) (providerapi.SendDraftResponseObject, error) {
	o, err := s.mine(ctx, r.Body.BoxId)
	if err != nil {
		return nil, err
	}
	op := operation("draft", r.Params.OperationId, r.Body)
	if m := s.earlier(op); m != nil {
		return providerapi.SendDraft200JSONResponse(s.present(m, o.boxID, nil, nil)), nil
	}
	draft, err := s.findKind(o.boxID, r.Body.DraftId, "Draft")
	if err != nil {
		return nil, err
	}
	if draft.recycled {
		return nil, fail(http.StatusConflict, "Draft %s was thrown away or sent", draft.id)
	}
	m := draft.copy(s.now())
	m.kind, m.fromDraft = "Letter", draft.id
	if value(r.Body.ToBoxId) != "" {
		m.to = *r.Body.ToBoxId
	}
	if err := s.addressee(m, o); err != nil {
		return nil, err
	}
	for _, sig := range value(r.Body.DocumentSignatures) {
		at := slices.IndexFunc(draft.documents, func(d *document) bool { return d.entityID == sig.ParentEntityId })
		if at < 0 {
			return nil, fail(http.StatusNotFound, "Document %s is unknown", sig.ParentEntityId)
		}
		if id := value(sig.PatchedContentId); id != "" && draft.documents[at].patchedContents[id] == nil {
			return nil, fail(http.StatusConflict, "Patched content %s is unknown", id)
		}
		if m.documents[at].signature, err = s.sign(o.boxID, m.documents[at].content, sig.Signature, nil, sig.SignWithTestSignature); err != nil {
			return nil, err
		}
	}
	draft.recycled, draft.madeInto = true, append(draft.madeInto, m.id)
	s.store.post(m, op, s.now())
	return providerapi.SendDraft200JSONResponse(s.present(m, o.boxID, nil, nil)), nil
}

// RecycleDraft throws a draft away.
func (s *Sandbox) RecycleDraft(ctx context.Context, r providerapi.RecycleDraftRequestObject) (providerapi.RecycleDraftResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	draft, err := s.findKind(o.boxID, r.Params.DraftId, "Draft")
	if err != nil {
		return nil, err
	}
	if draft.recycled {
		return nil, fail(http.StatusConflict, "Draft %s was thrown away before", draft.id)
	}
	draft.recycled = true
	return providerapi.DoneResponse{}, nil
}

func (s *Sandbox) findKind(box, id, kind string) (*message, error) {
	m, err := s.find(box, id)
	if err == nil && m.kind != kind {
		err = fail(http.StatusNotFound, "%s %s is unknown", kind, id)
	}
	return m, err
}

// copy makes a new message with the same documents, unsigned ones unsigned.
func (m *message) copy(at time.Time) *message {
	c := &message{id: newID(), kind: m.kind, from: m.from, to: m.to, created: at, patched: at, deletedFor: map[string]bool{}, lockMode: m.lockMode, packetID: m.packetID}
	for _, d := range m.documents {
		c.add(&document{
			entityID: newID(), typeNamedID: d.typeNamedID, function: d.function, version: d.version, fileName: d.fileName, number: d.number,
			date: d.date, customID: d.customID, content: d.content, created: at, needsSignature: d.needsSignature, signature: d.signature,
		})
	}
	return c
}

// PostTemplate keeps a template for the other side.
func (s *Sandbox) PostTemplate(ctx context.Context, r providerapi.PostTemplateRequestObject) (providerapi.PostTemplateResponseObject, error) {
	o, err := s.mine(ctx, r.Body.FromBoxId)
	if err != nil {
		return nil, err
	}
	op := operation("template", r.Params.OperationId, r.Body)
	m := s.earlier(op)
	if m == nil {
		m = &message{id: newID(), kind: "Template", from: o.boxID, to: r.Body.ToBoxId, created: s.now(), patched: s.now(), deletedFor: map[string]bool{}, lockMode: value(r.Body.LockMode)}
		if err := s.addressee(m, o); err != nil {
			return nil, err
		}
		list, err := attachmentsOf(r.Body)
		if err != nil {
			return nil, err
		}
		for _, a := range list {
			d, err := s.newDocument(a, o.boxID)
			if err != nil {
				return nil, err
			}
			m.add(d)
		}
		s.store.post(m, op, s.now())
	}
	entities := m.entitiesOf(o.boxID, nil, nil)
	return providerapi.PostTemplate200JSONResponse{
		MessageId: m.id, TimestampTicks: ticks(m.created), FromBoxId: m.from, ToBoxId: m.to,
		MessageFromBoxId: r.Body.MessageFromBoxId, MessageToBoxId: r.Body.MessageToBoxId, Entities: &entities, LockMode: orNone(m.lockMode),
	}, nil
}

// PostTemplatePatch refuses documents of a template.
func (s *Sandbox) PostTemplatePatch(ctx context.Context, r providerapi.PostTemplatePatchRequestObject) (providerapi.PostTemplatePatchResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	m, err := s.findKind(o.boxID, r.Params.TemplateId, "Template")
	if err != nil {
		return nil, err
	}
	if len(m.madeInto) > 0 {
		return nil, fail(http.StatusConflict, "Template %s has been used", m.id)
	}
	p := s.newPatch(m)
	for _, refusal := range value(r.Body.Refusals) {
		d := m.document(refusal.DocumentId)
		if d == nil {
			return nil, fail(http.StatusNotFound, "Document %s is unknown", refusal.DocumentId)
		}
		p.add(d, entityOf("TemplateRefusal", d.entityID, o.boxID, []byte(value(refusal.Comment)), s.now()))
	}
	return providerapi.PostTemplatePatch200JSONResponse(p.finish()), nil
}

// TransformTemplateToMessage makes a draft of a template.
func (s *Sandbox) TransformTemplateToMessage(ctx context.Context, r providerapi.TransformTemplateToMessageRequestObject) (providerapi.TransformTemplateToMessageResponseObject, error) {
	o, err := s.mine(ctx, r.Body.BoxId)
	if err != nil {
		return nil, err
	}
	op := operation("transformation", r.Params.OperationId, r.Body)
	if m := s.earlier(op); m != nil {
		return providerapi.TransformTemplateToMessage200JSONResponse(s.present(m, o.boxID, nil, nil)), nil
	}
	template, err := s.findKind(o.boxID, r.Body.TemplateId, "Template")
	if err != nil {
		return nil, err
	}
	for _, t := range value(r.Body.DocumentTransformations) {
		if template.document(t.DocumentId) == nil {
			return nil, fail(http.StatusNotFound, "Document %s is unknown", t.DocumentId)
		}
	}
	m := template.copy(s.now())
	m.kind, m.from, m.to, m.fromDraft = "Draft", o.boxID, template.counteragent(o.boxID), template.id
	template.madeInto = append(template.madeInto, m.id)
	s.store.post(m, op, s.now())
	return providerapi.TransformTemplateToMessage200JSONResponse(s.present(m, o.boxID, nil, nil)), nil
}
