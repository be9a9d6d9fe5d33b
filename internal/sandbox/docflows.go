package sandbox

// This file: document flows, in the V4 and the V5 model, and preparing
// documents for signing.

import (
	"context"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

func attachmentOf(id, name string, at exchangeapi.ProviderTimestamp, content *exchangeapi.Content) exchangeapi.Attachment {
	return exchangeapi.Attachment{
		Entity:             &exchangeapi.DocflowEntity{EntityId: &id, CreationTimestamp: &at, Content: content},
		AttachmentFilename: &name, DisplayFilename: &name,
	}
}

func (sig *signature) flow() *exchangeapi.SignatureV3 {
	if sig == nil {
		return nil
	}
	at := stamp(sig.at)
	return &exchangeapi.SignatureV3{
		Cms:         exchangeapi.DocflowEntity{EntityId: new(sig.id), CreationTimestamp: &at, Content: &exchangeapi.Content{Size: int32(len(sig.data))}},
		SignerBoxId: sig.box, SignerDepartmentId: rootDepartment, IsValid: true, DeliveredAt: &at,
		VerificationResult: &exchangeapi.SignatureVerificationResult{IsValid: true},
	}
}

func (n *note) flow(name string) exchangeapi.SignedAttachmentV3 {
	return exchangeapi.SignedAttachmentV3{
		Attachment: attachmentOf(n.id, name, stamp(n.at), &exchangeapi.Content{Size: int32(len(n.content))}), ContentTypeId: "xml",
	}
}

func (d *document) rejectionFlow() *exchangeapi.SignatureRejectionDocflowV4 {
	if d.rejection == nil {
		return nil
	}
	attachment := d.rejection.flow("rejection.xml")
	return &exchangeapi.SignatureRejectionDocflowV4{SignatureRejection: &attachment, IsFormal: true, DeliveredAt: new(stamp(d.rejection.at))}
}

func (d *document) title0(in *inliner) exchangeapi.SignedAttachmentV3 {
	return exchangeapi.SignedAttachmentV3{
		Attachment: attachmentOf(d.entityID, d.fileName, stamp(d.created), in.content(d.content)),
		Signature:  d.signature.flow(), ContentTypeId: d.typeNamedID,
	}
}

func (m *message) participant(box, role, current string) exchangeapi.DocumentParticipantV2 {
	return exchangeapi.DocumentParticipantV2{BoxId: box, Role: role, Type: role, IsCurrentBox: box == current}
}

func (d *document) customData() *[]exchangeapi.CustomDataItem {
	list := []exchangeapi.CustomDataItem{}
	for _, key := range sortedKeys(d.data) {
		list = append(list, exchangeapi.CustomDataItem{Key: key, Value: new(d.data[key])})
	}
	return &list
}

func (d *document) id() exchangeapi.DocumentId {
	return exchangeapi.DocumentId{MessageId: d.messageID, EntityId: d.entityID}
}

func (d *document) last() exchangeapi.LastEvent {
	return exchangeapi.LastEvent{EventId: d.lastEvent, Timestamp: stamp(d.lastEventAt)}
}

// flowV5 is a document in the multi-title model.
func (m *message) flowV5(d *document, box string, in *inliner) exchangeapi.DocumentWithDocflowV5 {
	participants := []exchangeapi.DocumentParticipantV2{m.participant(m.from, "Sender", box)}
	title := exchangeapi.TitleDocflow{
		TitleIndex: 0, Author: m.participant(m.from, "Sender", box),
		Version:       &exchangeapi.TitleVersionV5{EntityId: d.entityID, Status: "TitleVersionStatusCurrent"},
		AuthorSigning: exchangeapi.TitleAuthorDocflow{IsFinished: d.signature != nil, Status: "TitleAuthorStatusWaiting", Title: new(d.title0(in))},
	}
	if d.signature != nil {
		title.AuthorSigning.Status = "TitleAuthorStatusSigned"
	}
	if m.to != "" {
		participants = append(participants, m.participant(m.to, "Recipient", box))
		response := exchangeapi.TitleParticipantResponseDocflow{IsFinished: d.answer != nil || d.rejection != nil, Status: "TitleParticipantResponseStatusNotAcceptable", Signature: d.answer.flow(), Rejection: d.rejectionFlow()}
		switch {
		case d.answer != nil:
			response.Status = "TitleParticipantResponseStatusSigned"
		case d.rejection != nil:
			response.Status = "TitleParticipantResponseStatusSignatureRejected"
		case d.needsSignature:
			response.Status = "TitleParticipantResponseStatusWaiting"
		}
		sent := stamp(m.created)
		title.ParticipantDocflows = &[]exchangeapi.TitleParticipantDocflow{{
			Participant: m.participant(m.to, "Recipient", box), Response: &response,
			TitleDelivery: &exchangeapi.TitleDeliveryDocflowV5{Delivery: &exchangeapi.DeliveryDocflowV5{Status: "DeliveryStatusDelivered", SentAt: &sent, DeliveredAt: &sent}},
		}}
	}
	flow := exchangeapi.DocflowV5{Titles: &[]exchangeapi.TitleDocflow{title}, DocflowStatus: d.flowStatus()}
	if d.revocation != nil {
		flow.Revocation = &exchangeapi.RevocationDocflowV5{
			IsFinished: d.revocationEnd != nil, Initiator: m.participant(d.revocation.box, "Sender", box), RevocationStatus: d.revocationStatus(box),
			RevocationRequest: exchangeapi.RevocationRequestDocflowV5{RevocationRequest: d.revocation.flow("revocation.xml"), SentAt: new(stamp(d.revocation.at))},
		}
	}
	return exchangeapi.DocumentWithDocflowV5{
		DocumentId: d.id(), LastEvent: d.last(), Docflow: flow,
		DocumentInfo: exchangeapi.DocumentInfoV5{
			FullVersion: exchangeapi.FullVersion{TypeNamedId: d.typeNamedID, Function: d.function, Version: d.version},
			MessageType: m.kind, WorkflowId: workflow(d.needsSignature), Participants: exchangeapi.DocumentParticipantsV2{Participants: &participants},
			DocumentDirection: m.direction(box), DepartmentId: orRoot(d.department[box]), CustomData: d.customData(), CustomDocumentId: optional(d.customID),
			PacketInfo: exchangeapi.PacketInfo{LockMode: orNone(m.lockMode), PacketId: optional(m.packetID)},
			IsRead:     d.readBy[box], IsDeleted: m.deletedFor[box] || d.deletedFor[box], LetterInfo: &exchangeapi.DocumentLetterInfo{IsTest: true},
		},
	}
}

// flowV4 is a document in the older model.
func (m *message) flowV4(d *document, box string, in *inliner) exchangeapi.DocumentWithDocflowV4 {
	sent := stamp(m.created)
	flow := exchangeapi.DocflowV4{
		SenderTitle:   exchangeapi.SenderTitleDocflow{IsFinished: d.signature != nil, Attachment: d.title0(in), SentAt: &sent, DeliveredAt: &sent, SenderSignatureStatus: d.senderStatus()},
		DocflowStatus: d.flowStatus(),
	}
	if m.to != "" {
		flow.RecipientResponse = &exchangeapi.ParticipantResponseDocflowV4{
			IsFinished: d.answer != nil || d.rejection != nil, Signature: d.answer.flow(), Rejection: d.rejectionFlow(), ResponseStatus: d.responseStatus(),
		}
	}
	if d.revocation != nil {
		flow.Revocation = &exchangeapi.RevocationDocflowV4{
			IsFinished: d.revocationEnd != nil, InitiatorBoxId: d.revocation.box, RevocationStatus: d.revocationStatus(box),
			RevocationRequest: exchangeapi.RevocationRequestDocflow{RevocationRequest: d.revocation.flow("revocation.xml"), SentAt: new(stamp(d.revocation.at))},
		}
	}
	info := exchangeapi.DocumentInfoV3{
		FullVersion: exchangeapi.FullVersion{TypeNamedId: d.typeNamedID, Function: d.function, Version: d.version},
		MessageType: m.kind, WorkflowId: workflow(d.needsSignature), DocumentDirection: m.direction(box), DepartmentId: orRoot(d.department[box]),
		Participants: exchangeapi.DocumentParticipants{Sender: exchangeapi.DocumentParticipant{BoxId: m.from}, IsInternal: m.from == m.to},
		CustomData:   d.customData(), CustomDocumentId: optional(d.customID),
		PacketInfo: exchangeapi.PacketInfo{LockMode: orNone(m.lockMode), PacketId: optional(m.packetID)},
		IsRead:     d.readBy[box], IsDeleted: m.deletedFor[box] || d.deletedFor[box], LetterInfo: &exchangeapi.DocumentLetterInfo{IsTest: true},
	}
	if m.to != "" {
		info.Participants.Recipient = &exchangeapi.DocumentParticipant{BoxId: m.to}
	}
	return exchangeapi.DocumentWithDocflowV4{DocumentId: d.id(), LastEvent: d.last(), DocumentInfo: info, Docflow: flow}
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// flows looks documents up by a batch.
func flows[T any](ctx context.Context, s *Sandbox, box string, batch *exchangeapi.GetDocflowBatchRequest, show func(*message, *document, string, *inliner) T) ([]T, error) {
	o, err := s.mine(ctx, box)
	if err != nil {
		return nil, err
	}
	out := []T{}
	full := newInliner(new(true))
	for _, q := range value(batch.Requests) {
		m, d, err := s.findDocument(o.boxID, q.DocumentId.MessageId, q.DocumentId.EntityId)
		if err != nil {
			return nil, err
		}
		in := full
		if !value(q.InjectEntityContent) {
			in = nil
		}
		out = append(out, show(m, d, o.boxID, in))
	}
	return out, nil
}

// GetDocflowsV4 shows flows by document.
func (s *Sandbox) GetDocflowsV4(ctx context.Context, r providerapi.GetDocflowsV4RequestObject) (providerapi.GetDocflowsV4ResponseObject, error) {
	list, err := flows(ctx, s, r.Params.BoxId, r.Body, (*message).flowV4)
	return providerapi.GetDocflowsV4200JSONResponse{Documents: &list}, err
}

// GetDocflowsV5 shows flows by document.
func (s *Sandbox) GetDocflowsV5(ctx context.Context, r providerapi.GetDocflowsV5RequestObject) (providerapi.GetDocflowsV5ResponseObject, error) {
	list, err := flows(ctx, s, r.Params.BoxId, r.Body, (*message).flowV5)
	return providerapi.GetDocflowsV5200JSONResponse{Documents: &list}, err
}

// found is a document of a box with its message.
type found struct {
	m *message
	d *document
}

// search finds documents whose name, number or type holds every word; "key:
// value" words look at their value alone.
func (s *Sandbox) search(box, text string) []found {
	var words []string
	for _, w := range strings.Fields(strings.ToLower(text)) {
		if !strings.HasSuffix(w, ":") {
			words = append(words, w)
		}
	}
	out := []found{}
	for _, m := range s.store.order {
		for _, d := range m.documents {
			all := strings.ToLower(strings.Join([]string{d.fileName, d.number, d.typeNamedID, d.customID, m.id, d.entityID, s.titleOf(m.counteragent(box))}, " "))
			if m.sees(box) && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(all, w) }) {
				out = append(out, found{m, d})
			}
		}
	}
	return out
}

func searchPage[T any](ctx context.Context, s *Sandbox, box string, q *exchangeapi.SearchDocflowsRequest, show func(*message, *document, string, *inliner) T) ([]T, bool, error) {
	o, err := s.mine(ctx, box)
	if err != nil {
		return nil, false, err
	}
	hits := s.search(o.boxID, q.QueryString)
	from, count := int(value(q.FirstIndex)), 100
	if q.Count != nil {
		count = int(*q.Count)
	}
	if from < 0 || count < 0 || count > 100 {
		return nil, false, fail(http.StatusBadRequest, "Count is at most 100")
	}
	in := newInliner(q.InjectEntityContent)
	out := []T{}
	for i := min(from, len(hits)); i < min(from+count, len(hits)); i++ {
		out = append(out, show(hits[i].m, hits[i].d, o.boxID, in))
	}
	return out, from+count < len(hits), nil
}

// SearchDocflowsV4 searches.
func (s *Sandbox) SearchDocflowsV4(ctx context.Context, r providerapi.SearchDocflowsV4RequestObject) (providerapi.SearchDocflowsV4ResponseObject, error) {
	list, more, err := searchPage(ctx, s, r.Params.BoxId, r.Body, (*message).flowV4)
	return providerapi.SearchDocflowsV4200JSONResponse{Documents: &list, HaveMoreDocuments: &more}, err
}

// SearchDocflowsV5 searches.
func (s *Sandbox) SearchDocflowsV5(ctx context.Context, r providerapi.SearchDocflowsV5RequestObject) (providerapi.SearchDocflowsV5ResponseObject, error) {
	list, more, err := searchPage(ctx, s, r.Params.BoxId, r.Body, (*message).flowV5)
	return providerapi.SearchDocflowsV5200JSONResponse{Documents: &list, HaveMoreDocuments: more}, err
}

// packet lists a page of a packet; next is the key of the following one.
func (s *Sandbox) packet(ctx context.Context, box string, q *exchangeapi.GetDocflowsByPacketIdRequest) (list []found, boxID string, next *string, err error) {
	o, err := s.mine(ctx, box)
	if err != nil {
		return nil, "", nil, err
	}
	var all []found
	for _, m := range s.store.order {
		if m.packetID == q.PacketId && m.sees(o.boxID) {
			for _, d := range m.documents {
				all = append(all, found{m, d})
			}
		}
	}
	key := func(f found) string { return encode([]byte(f.d.entityID)) }
	if list, err = page(all, key, q.AfterIndexKey, q.Count, 100, 100); err != nil {
		return nil, "", nil, err
	}
	if n := len(list); n > 0 && list[n-1] != all[len(all)-1] {
		next = new(key(list[n-1]))
	}
	return list, o.boxID, next, nil
}

// GetDocflowsByPacketIdV4 shows the flows of a packet.
func (s *Sandbox) GetDocflowsByPacketIdV4(ctx context.Context, r providerapi.GetDocflowsByPacketIdV4RequestObject) (providerapi.GetDocflowsByPacketIdV4ResponseObject, error) {
	list, box, next, err := s.packet(ctx, r.Params.BoxId, r.Body)
	out := []exchangeapi.FetchedDocumentV4{}
	for _, f := range list {
		out = append(out, exchangeapi.FetchedDocumentV4{IndexKey: encode([]byte(f.d.entityID)), Document: f.m.flowV4(f.d, box, newInliner(r.Body.InjectEntityContent))})
	}
	return providerapi.GetDocflowsByPacketIdV4200JSONResponse{Documents: &out, NextPageIndexKey: next}, err
}

// GetDocflowsByPacketIdV5 shows the flows of a packet.
func (s *Sandbox) GetDocflowsByPacketIdV5(ctx context.Context, r providerapi.GetDocflowsByPacketIdV5RequestObject) (providerapi.GetDocflowsByPacketIdV5ResponseObject, error) {
	list, box, next, err := s.packet(ctx, r.Params.BoxId, r.Body)
	out := []exchangeapi.FetchedDocumentV5{}
	for _, f := range list {
		out = append(out, exchangeapi.FetchedDocumentV5{IndexKey: encode([]byte(f.d.entityID)), Document: f.m.flowV5(f.d, box, newInliner(r.Body.InjectEntityContent))})
	}
	return providerapi.GetDocflowsByPacketIdV5200JSONResponse{Documents: &out, NextPageIndexKey: next}, err
}

// PrepareDocumentsToSign makes patched contents of the documents that are
// there; the others are left out of the answer.
func (s *Sandbox) PrepareDocumentsToSign(ctx context.Context, r providerapi.PrepareDocumentsToSignRequestObject) (providerapi.PrepareDocumentsToSignResponseObject, error) {
	o, err := s.mine(ctx, r.Body.BoxId)
	if err != nil {
		return nil, err
	}
	var ids []exchangeapi.DocumentId
	for _, d := range value(r.Body.Documents) {
		ids = append(ids, d.DocumentId)
	}
	for _, d := range value(r.Body.DraftDocuments) {
		ids = append(ids, d.DocumentId)
	}
	out := []exchangeapi.DocumentPatchedContent{}
	for _, id := range ids {
		_, d, err := s.findDocument(o.boxID, id.MessageId, id.EntityId)
		if err != nil {
			return nil, err
		}
		patched := exchangeapi.DocumentPatchedContent{DocumentId: id, PatchedContentId: newID()}
		d.patchedContents[patched.PatchedContentId] = d.content
		if r.Params.ExcludeContent == nil {
			patched.Content = new(base64.StdEncoding.EncodeToString(d.content))
		}
		out = append(out, patched)
	}
	return providerapi.PrepareDocumentsToSign200JSONResponse{DocumentPatchedContents: &out}, nil
}
