package sandbox

// This file: messages, documents and events as the sandbox keeps them, and how
// they look in the API.

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"equipment-platform/gen/exchangeapi"
)

// message is a letter, a draft or a template.
type message struct {
	id, kind, from, to string // kind is a MessageType
	created, patched   time.Time
	documents          []*document
	entities           []exchangeapi.EventsEntity // what came after the documents
	deletedFor         map[string]bool            // by box
	recycled           bool
	fromDraft          string
	madeInto           []string // messages made of this draft or template
	lockMode           string
	packetID           string
}

// document is one attachment of a message, with the state of its flow.
type document struct {
	messageID, entityID                  string
	typeNamedID, function, version       string
	fileName, number, date, customID     string
	content                              []byte
	created                              time.Time
	needsSignature                       bool
	signature, answer                    *signature // of the sender, of the recipient
	rejection, revocation, revocationEnd *note
	revocationAccepted                   bool
	deletedFor                           map[string]bool
	department                           map[string]string // by box
	readBy                               map[string]bool
	data                                 map[string]string // CustomData
	patchedContents                      map[string][]byte
	lastEvent                            string
	lastEventAt                          time.Time
}

type signature struct {
	id, box string
	at      time.Time
	data    []byte
}

// note is an entity that says something about a document: a rejection, a
// revocation request.
type note struct {
	id, box string
	at      time.Time
	content []byte
}

// event is one change that the boxes of a message see.
type event struct {
	id      string
	index   int
	at      time.Time
	boxes   []string
	message *message
	patch   *exchangeapi.MessagePatch // nil: the message itself is new
	touched []string                  // documents
}

// add puts a document into a message that nobody has seen yet.
func (m *message) add(d *document) {
	d.messageID = m.id
	d.deletedFor, d.department, d.readBy = map[string]bool{}, map[string]string{}, map[string]bool{}
	d.data, d.patchedContents = map[string]string{}, map[string][]byte{}
	m.documents = append(m.documents, d)
}

// document finds a document of a message.
func (m *message) document(entityID string) *document {
	for _, d := range m.documents {
		if d.entityID == entityID {
			return d
		}
	}
	return nil
}

// sees reports whether a box takes part in a message: drafts and templates are
// seen by their makers (and templates by those they are for).
func (m *message) sees(box string) bool {
	return m.from == box || (m.to == box && m.kind != "Draft")
}

// post keeps a new message and makes its event.
func (s *store) post(m *message, operation string, at time.Time) {
	s.messages[m.id] = m
	s.order = append(s.order, m)
	e := s.tell(m, nil, at)
	for _, d := range m.documents {
		e.touched = append(e.touched, d.entityID)
		d.lastEvent, d.lastEventAt = e.id, at
	}
	if operation != "" {
		s.operations[operation] = m.id
	}
}

// tell adds an event.
func (s *store) tell(m *message, patch *exchangeapi.MessagePatch, at time.Time) *event {
	e := &event{id: newID(), index: len(s.events) + 1, at: at, message: m, patch: patch}
	for _, box := range []string{m.from, m.to} {
		if box != "" && m.sees(box) && !slices.Contains(e.boxes, box) {
			e.boxes = append(e.boxes, box)
		}
	}
	s.events = append(s.events, e)
	return e
}

// find looks a message up for a box.
func (s *Sandbox) find(box, messageID string) (*message, error) {
	m := s.store.messages[messageID]
	if m == nil || !m.sees(box) {
		return nil, fail(http.StatusNotFound, "Message %s is unknown in box %s", messageID, box)
	}
	return m, nil
}

// findDocument looks a document up for a box.
func (s *Sandbox) findDocument(box, messageID, entityID string) (*message, *document, error) {
	m, err := s.find(box, messageID)
	if err != nil {
		return nil, nil, err
	}
	d := m.document(entityID)
	if d == nil {
		return nil, nil, fail(http.StatusNotFound, "Entity %s is unknown in message %s", entityID, messageID)
	}
	return m, d, nil
}

// testSignature is what stands for a signature here.
func testSignature(content []byte) []byte {
	sum := sha256.Sum256(content)
	return append([]byte("sandbox signature "), sum[:]...)
}

func encode(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

// maxInline bounds the inlined contents of one answer; the rest is left out
// without an error.
const maxInline = 1 << 20

// inliner hands out contents until the answer is full.
type inliner struct{ left int }

func newInliner(wanted *bool) *inliner {
	if value(wanted) {
		return &inliner{left: maxInline}
	}
	return nil
}

func (i *inliner) content(data []byte) *exchangeapi.Content {
	c := &exchangeapi.Content{Size: int32(len(data))}
	if i != nil && len(data) <= i.left {
		i.left -= len(data)
		c.Data = new(encode(data))
	}
	return c
}

// direction of a message for a box.
func (m *message) direction(box string) string {
	switch m.from {
	case m.to:
		return "Internal"
	case box:
		return "Outbound"
	default:
		return "Inbound"
	}
}

func (m *message) counteragent(box string) string {
	if m.from == box {
		return m.to
	}
	return m.from
}

func (d *document) responseStatus() string {
	switch {
	case d.answer != nil:
		return "WithRecipientSignature"
	case d.rejection != nil:
		return "RecipientSignatureRequestRejected"
	case d.needsSignature && d.signature != nil:
		return "WaitingForRecipientSignature"
	default:
		return "RecipientResponseStatusNotAcceptable"
	}
}

func (d *document) senderStatus() string {
	if d.signature == nil {
		return "WaitingForSenderSignature"
	}
	return "SenderSignatureCheckedAndValid"
}

func (d *document) revocationStatus(box string) string {
	switch {
	case d.revocation == nil:
		return "RevocationStatusNone"
	case d.revocationEnd != nil && d.revocationAccepted:
		return "RevocationAccepted"
	case d.revocationEnd != nil:
		return "RevocationRejected"
	case d.revocation.box == box:
		return "RevocationIsRequestedByMe"
	default:
		return "RequestsMyRevocation"
	}
}

// finished reports whether the flow needs nothing more.
func (d *document) finished() bool {
	return d.answer != nil || d.rejection != nil || (d.signature != nil && !d.needsSignature) || (d.revocationEnd != nil && d.revocationAccepted)
}

func (d *document) flowStatus() exchangeapi.DocflowStatusV3 {
	severity, text := "Warning", "Signature required"
	switch {
	case d.revocationEnd != nil && d.revocationAccepted:
		severity, text = "Error", "Revoked"
	case d.rejection != nil:
		severity, text = "Error", "Signature rejected"
	case d.revocation != nil && d.revocationEnd == nil:
		text = "Revocation requested"
	case d.finished():
		severity, text = "Success", "Document flow completed"
	case d.signature == nil:
		severity, text = "Info", "Not signed yet"
	}
	return exchangeapi.DocflowStatusV3{PrimaryStatus: exchangeapi.DocflowStatusModelV3{Severity: &severity, StatusText: &text}}
}

// view is the document as lists and messages show it.
func (m *message) view(d *document, box string, in *inliner) exchangeapi.Document {
	var custom []exchangeapi.CustomDataItem
	for _, key := range sortedKeys(d.data) {
		custom = append(custom, exchangeapi.CustomDataItem{Key: key, Value: new(d.data[key])})
	}
	v := exchangeapi.Document{
		IndexKey: new(d.indexKey()), MessageId: m.id, EntityId: d.entityID, CreationTimestampTicks: ticks(d.created),
		CounteragentBoxId: new(m.counteragent(box)), DocumentType: new(d.typeNamedID), Content: in.content(d.content),
		FileName: new(d.fileName), DocumentDirection: new(m.direction(box)),
		IsDeleted: new(m.deletedFor[box] || d.deletedFor[box]), IsRead: new(d.readBy[box]), IsTest: new(true),
		DepartmentId: new(orRoot(d.department[box])), RevocationStatus: new(d.revocationStatus(box)),
		SenderSignatureStatus: new(d.senderStatus()), TypeNamedId: d.typeNamedID, Function: d.function, Version: d.version,
		WorkflowId: workflow(d.needsSignature), Title: d.title(), RecipientResponseStatus: d.responseStatus(), LockMode: orNone(m.lockMode),
		RecipientReceiptMetadata: exchangeapi.RecipientReceiptMetadata{ReceiptStatus: "GeneralReceiptStatusNotAcceptable"},
		ConfirmationMetadata:     exchangeapi.ConfirmationMetadata{ReceiptStatus: "GeneralReceiptStatusNotAcceptable"},
		AmendmentRequestMetadata: exchangeapi.AmendmentRequestMetadata{ReceiptStatus: "GeneralReceiptStatusNotAcceptable"},
		SenderReceiptMetadata:    exchangeapi.SenderReceiptMetadata{ReceiptStatus: "GeneralReceiptStatusNotAcceptable"},
		DocflowStatus:            d.flowStatus(), LastModificationTimestampTicks: new(ticks(d.lastEventAt)), HasCustomPrintForm: new(false),
	}
	if d.number != "" {
		v.DocumentNumber = new(d.number)
	}
	if d.date != "" {
		v.DocumentDate = new(d.date)
	}
	if d.customID != "" {
		v.CustomDocumentId = new(d.customID)
	}
	if custom != nil {
		v.CustomData = &custom
	}
	if m.packetID != "" {
		v.PacketId = new(m.packetID)
	}
	if m.kind == "Letter" {
		v.SendTimestampTicks, v.DeliveryTimestampTicks = new(ticks(m.created)), new(ticks(m.created))
	}
	return v
}

func (d *document) indexKey() string {
	return encode([]byte(strconv.FormatInt(ticks(d.created), 10) + d.entityID))
}

func (d *document) title() string {
	return strings.TrimSpace(d.typeNamedID + " " + d.number)
}

func workflow(needsSignature bool) int32 {
	if needsSignature {
		return 6
	}
	return 5
}

func orRoot(department string) string {
	if department == "" {
		return rootDepartment
	}
	return department
}

func orNone(lock string) string {
	if lock == "" {
		return "None"
	}
	return lock
}

// entity is a document as an entity of its message.
func (m *message) entity(d *document, box string, in *inliner) exchangeapi.EventsEntity {
	info := m.view(d, box, nil)
	return exchangeapi.EventsEntity{
		EntityType: new("Attachment"), EntityId: d.entityID, AttachmentType: new(d.typeNamedID), FileName: new(d.fileName),
		Content: in.content(d.content), NeedRecipientSignature: new(d.needsSignature), SignerBoxId: new(m.from),
		RawCreationDate: new(ticks(d.created)), DocumentInfo: &info, Version: new(d.version),
	}
}

// signatureEntity is a signature as an entity.
func signatureEntity(sig *signature, parent string) exchangeapi.EventsEntity {
	return exchangeapi.EventsEntity{
		EntityType: new("Signature"), EntityId: sig.id, ParentEntityId: new(parent), SignerBoxId: new(sig.box),
		Content: &exchangeapi.Content{Size: int32(len(sig.data)), Data: new(encode(sig.data))}, RawCreationDate: new(ticks(sig.at)),
	}
}

// entitiesOf lists what a message holds, or what belongs to one document.
func (m *message) entitiesOf(box string, only *string, in *inliner) []exchangeapi.EventsEntity {
	var out []exchangeapi.EventsEntity
	for _, d := range m.documents {
		if only != nil && *only != d.entityID {
			continue
		}
		out = append(out, m.entity(d, box, in))
		if d.signature != nil {
			out = append(out, signatureEntity(d.signature, d.entityID))
		}
	}
	for _, e := range m.entities {
		if only == nil || value(e.ParentEntityId) == *only {
			out = append(out, e)
		}
	}
	return out
}

// present is the message as a box sees it.
func (s *Sandbox) present(m *message, box string, only *string, in *inliner) exchangeapi.Message {
	entities := m.entitiesOf(box, only, in)
	made := append([]string{}, m.madeInto...)
	v := exchangeapi.Message{
		MessageId: m.id, TimestampTicks: ticks(m.created), LastPatchTimestampTicks: ticks(m.patched),
		FromBoxId: m.from, FromTitle: s.titleOf(m.from), Entities: &entities, IsDraft: new(m.kind == "Draft"),
		DraftIsRecycled: new(m.recycled), DraftIsTransformedToMessageIdList: &made,
		IsDeleted: new(m.deletedFor[box]), IsTest: new(true), LockMode: orNone(m.lockMode), MessageType: m.kind,
	}
	if m.to != "" {
		v.ToBoxId, v.ToTitle = new(m.to), new(s.titleOf(m.to))
	}
	if m.fromDraft != "" {
		v.CreatedFromDraftId = new(m.fromDraft)
	}
	return v
}

func (s *Sandbox) titleOf(box string) string {
	if o := s.organizationOf(box); o != nil {
		return o.name
	}
	return box
}
