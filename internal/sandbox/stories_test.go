package sandbox_test

// This file: what the two sides of the demo do with documents, from sending to
// the end of the flow.

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge/edgetest"
	"equipment-platform/internal/sandbox"
)

// flow is a document in the multi-title model, as a box sees it.
func (c caller) flow(l letter, box []string) edgetest.Answer {
	c.t.Helper()
	return c.post(200, "/V5/GetDocflows", object{"Requests": []object{{"DocumentId": l.id()}}}, box...)
}

func (c caller) patch(want int, box string, l letter, what string, entry object) edgetest.Answer {
	c.t.Helper()
	return c.post(want, "/V4/PostMessagePatch", object{"BoxId": box, "MessageId": l.message, what: []object{entry}})
}

const response = "TitleParticipantResponseStatus"

// state is the status of the recipient's response, and how the whole flow is.
func state(flow edgetest.Answer) []any {
	return []any{
		at(flow, "Documents", 0, "Docflow", "Titles", 0, "ParticipantDocflows", 0, "Response", "Status"),
		at(flow, "Documents", 0, "Docflow", "DocflowStatus", "PrimaryStatus", "Severity"),
	}
}

// The recipient prepares a document, signs it by DSS and sends the signature; both
// sides see the flow end.
func TestSendSignAndDocflow(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	sent := b.send("act-18.xml", true)
	require.Equal(t, []any{response + "Waiting", "Warning"}, state(b.own().flow(sent, mine)))
	event := text(t, b.other().get(200, "/V2/GetLastEvent", theirs...), "Message", "MessageId")
	require.Equal(t, sent.message, event, "the other side learns of it")

	other := b.other()
	prepared := other.post(200, "/PrepareDocumentsToSign", object{"BoxId": sandbox.CounteragentBoxID, "Documents": []object{{"DocumentId": sent.id()}}})
	task := text(t, other.post(200, "/V2/DssSign", object{"SignDataSource": "CertificateSign", "Files": []object{
		{"Content": object{"EntityId": sent.id(), "PatchedContentId": at(prepared, "DocumentPatchedContents", 0, "PatchedContentId")}},
	}}, theirs...), "TaskId")
	var result edgetest.Answer
	for range 10 {
		if result = other.get(200, "/DssSignResult", with(theirs, "taskId", task)...); at(result, "OperationStatus") == "Completed" {
			break
		}
	}
	signature := object{"ParentEntityId": sent.entity, "Signature": text(t, result, "FileSigningResults", 0, "Signature")}
	require.Equal(t, "Signature", at(other.patch(200, sandbox.CounteragentBoxID, sent, "Signatures", signature), "Entities", 0, "EntityType"))
	require.Equal(t, []any{response + "Signed", "Success"}, state(b.own().flow(sent, mine)))
	require.Equal(t, []any{response + "Signed", "Success"}, state(other.flow(sent, theirs)))
	old := b.own().post(200, "/V4/GetDocflows", object{"Requests": []object{{"DocumentId": sent.id()}}}, mine...)
	require.Equal(t, "WithRecipientSignature", at(old, "Documents", 0, "Docflow", "RecipientResponse", "ResponseStatus"))
	other.patch(409, sandbox.CounteragentBoxID, sent, "Signatures", signature)
	b.own().patch(409, sandbox.BoxID, sent, "Signatures", object{"ParentEntityId": sent.entity, "SignWithTestSignature": true})
}

func TestRefusal(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	rejection := b.own().post(200, "/V2/GenerateSignatureRejectionXml", object{"ErrorMessage": "Wrong quantity", "MessageId": inbound.message, "AttachmentId": inbound.entity, "SignerContent": b64("signer")}, mine...)
	name := string(b.own().post(200, "/V2/ShelfUpload", rejection.Body).Body)
	b.own().patch(200, sandbox.BoxID, inbound, "XmlSignatureRejections", object{"ParentEntityId": inbound.entity, "SignedContent": object{"NameOnShelf": name, "SignWithTestSignature": true}})
	require.Equal(t, []any{response + "SignatureRejected", "Error"}, state(b.own().flow(inbound, mine)))
	b.own().patch(409, sandbox.BoxID, inbound, "Signatures", object{"ParentEntityId": inbound.entity, "SignWithTestSignature": true})
	require.Equal(t, json.Number("1"), at(b.own().get(200, "/V3/GetDocuments", with(mine, "filterCategory", "Any.InboundRecipientSignatureRequestRejected")...), "TotalCount"))
}

// A revocation is requested by one side and accepted, or refused, by the other.
func TestRevocation(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	for _, c := range []struct{ how, status, severity string }{{"Signatures", "RevocationAccepted", "Error"}, {"XmlSignatureRejections", "RevocationRejected", "Success"}} {
		sent := b.send(c.how+".xml", false)
		ask := object{"ParentEntityId": sent.entity, "SignedContent": object{"Content": b64("<RevocationRequest/>"), "SignWithTestSignature": true}}
		request := text(t, b.own().patch(200, sandbox.BoxID, sent, "RevocationRequests", ask), "Entities", 0, "EntityId")
		status := func(flow edgetest.Answer) any {
			return at(flow, "Documents", 0, "Docflow", "Revocation", "RevocationStatus")
		}
		require.Equal(t, "RevocationIsRequestedByMe", status(b.own().flow(sent, mine)))
		require.Equal(t, "RequestsMyRevocation", status(b.other().flow(sent, theirs)))
		b.own().patch(409, sandbox.BoxID, sent, "RevocationRequests", ask)
		b.own().patch(409, sandbox.BoxID, sent, c.how, answerTo(request, c.how)) // it is the other side's to answer
		b.other().patch(200, sandbox.CounteragentBoxID, sent, c.how, answerTo(request, c.how))
		require.Equal(t, []any{c.status, c.severity}, []any{status(b.own().flow(sent, mine)), state(b.own().flow(sent, mine))[1]})
	}
}

func answerTo(request, how string) object {
	if how == "Signatures" {
		return object{"ParentEntityId": request, "SignWithTestSignature": true}
	}
	return object{"ParentEntityId": request, "SignedContent": object{"Content": b64("<Rejection/>"), "SignWithTestSignature": true}}
}

// The patches that do not end a flow: resolutions, receipts, the caller's own data,
// another content of a draft, the recipient's own title.
func TestOtherPatches(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	own := b.own()
	content := object{"Content": b64("<X/>"), "SignWithTestSignature": true}
	for what, entry := range map[string]object{
		"CorrectionRequests": {"ParentEntityId": inbound.entity, "SignedContent": content},
		"Resolutions":        {"InitialDocumentId": inbound.entity, "ResolutionType": "Approve", "Comment": "Fine"},
		"ResolutionRequests": {"InitialDocumentId": inbound.entity, "Type": "ApprovementRequest", "Comment": "Please"},
		"UniversalMessages":  {"ParentEntityId": inbound.entity, "UniversalMessageContent": object{"Content": b64("<X/>")}},
	} {
		require.NotEmpty(t, at(own.patch(200, sandbox.BoxID, inbound, what, entry), "Entities"), what)
	}
	own.patch(200, sandbox.BoxID, inbound, "CustomDataPatches", object{"ParentEntityId": inbound.entity, "Operation": "Set", "Key": "order", "Value": "17"})
	require.Equal(t, "17", at(own.get(200, "/V3/GetDocument", inbound.pair("entityId")...), "CustomData", 0, "Value"))
	own.patch(200, sandbox.BoxID, inbound, "CustomDataPatches", object{"ParentEntityId": inbound.entity, "Operation": "Remove", "Key": "order"})
	require.Nil(t, at(own.get(200, "/V3/GetDocument", inbound.pair("entityId")...), "CustomData", 0))
	own.patch(409, sandbox.BoxID, inbound, "EditingPatches", object{"ParentEntityId": inbound.entity, "Content": object{"Content": b64("other")}})
	title := object{"ParentEntityId": inbound.entity, "SignedContent": content, "NeedReceipt": false}
	own.patch(200, sandbox.BoxID, inbound, "RecipientTitles", title)
	require.Equal(t, []any{response + "Signed", "Success"}, state(own.flow(inbound, mine)))
	own.patch(409, sandbox.BoxID, inbound, "RecipientTitles", title)
	own.patch(404, sandbox.BoxID, inbound, "Receipts", object{"ParentEntityId": "none", "SignedContent": content})
	own.patch(404, sandbox.BoxID, inbound, "Receipts", object{"ParentEntityId": inbound.entity, "SignedContent": object{"NameOnShelf": "none"}})
	own.patch(400, sandbox.BoxID, inbound, "Signatures", object{"ParentEntityId": inbound.entity})
}

// What the provider's library caps is capped here: 1 MiB of inlined contents an
// answer, without an error.
func TestInlinedContentsAreBounded(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	big := string(make([]byte, 700<<10))
	sent := b.own().post(200, "/V3/PostMessage", object{"FromBoxId": sandbox.BoxID, "ToBoxId": sandbox.CounteragentBoxID, "NonformalizedDocuments": []object{
		{"FileName": "1.bin", "SignedContent": object{"Content": b64(big)}}, {"FileName": "2.bin", "SignedContent": object{"Content": b64(big)}},
	}})
	read := b.own().get(200, "/V6/GetMessage", with(mine, "messageId", text(t, sent, "MessageId"), "injectEntityContent", "true")...)
	require.Equal(t, b64(big), at(read, "Entities", 0, "Content", "Data"))
	require.Equal(t, []any{nil, json.Number("716800")}, []any{at(read, "Entities", 1, "Content", "Data"), at(read, "Entities", 1, "Content", "Size")})
}

// Bad input is refused before anything is done with it.
func TestBadInput(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	own := b.own()
	message := func(change object) object {
		out := object{"FromBoxId": sandbox.BoxID, "ToBoxId": sandbox.CounteragentBoxID, "NonformalizedDocuments": []object{{"FileName": "a", "SignedContent": object{"Content": b64("a")}}}}
		for name, v := range change {
			out[name] = v
		}
		return out
	}
	attachments := make([]object, 41)
	for i := range attachments {
		attachments[i] = object{"FileName": "a", "SignedContent": object{"Content": b64("a")}}
	}
	for name, change := range map[string]object{
		"unknown field": {"X": 1}, "wrong type": {"IsDraft": "yes"}, "unknown enumeration": {"LockMode": "Sometimes"}, "no addressee": {"ToBoxId": ""},
		"no content": {"NonformalizedDocuments": []object{{"FileName": "a", "SignedContent": object{}}}},
		"no Base64":  {"NonformalizedDocuments": []object{{"FileName": "a", "SignedContent": object{"Content": "###"}}}},
		"too many":   {"NonformalizedDocuments": attachments},
	} {
		require.NotEmpty(t, own.post(400, "/V3/PostMessage", message(change)).Body, name)
	}
	before := text(t, own.get(200, "/V2/GetLastEvent", mine...), "EventId")
	own.post(400, "/V3/PostMessage", []byte(`{"cut`))
	own.post(400, "/V2/KeyValueStorageGet", []byte(`[]`), mine...)
	require.Equal(t, before, at(own.get(200, "/V2/GetLastEvent", mine...), "EventId"))
}

// A draft is edited, signed while it is sent, and then a letter of its own.
func TestDraftToLetter(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	own := b.own()
	made := own.post(200, "/V3/PostMessage", object{"FromBoxId": sandbox.BoxID, "IsDraft": true, "NonformalizedDocuments": []object{
		{"FileName": "plan.txt", "SignedContent": object{"Content": b64("first")}, "NeedRecipientSignature": true},
	}})
	draft := letter{text(t, made, "MessageId"), text(t, made, "Entities", 0, "EntityId")}
	b.other().get(404, "/V6/GetMessage", with(theirs, "messageId", draft.message)...) // nobody else sees it
	own.patch(200, sandbox.BoxID, draft, "EditingPatches", object{"ParentEntityId": draft.entity, "Content": object{"Content": b64("second")}})
	signature := object{"ParentEntityId": draft.entity, "SignWithTestSignature": true}
	send := object{"BoxId": sandbox.BoxID, "DraftId": draft.message, "ToBoxId": sandbox.CounteragentBoxID, "DocumentSignatures": []object{signature}}
	signature["PatchedContentId"] = "none"
	own.post(409, "/SendDraft", send)
	delete(signature, "PatchedContentId")
	sent := own.post(200, "/SendDraft", send)
	plan := letter{text(t, sent, "MessageId"), text(t, sent, "Entities", 0, "EntityId")}
	require.Equal(t, "second", string(b.other().get(200, "/V4/GetEntityContent", with(theirs, "messageId", plan.message, "entityId", plan.entity)...).Body))
	require.Equal(t, []any{response + "Waiting", "Warning"}, state(b.other().flow(plan, theirs)))
	after := own.get(200, "/V6/GetMessage", with(mine, "messageId", draft.message)...)
	require.Equal(t, []any{true, plan.message}, []any{at(after, "DraftIsRecycled"), at(after, "DraftIsTransformedToMessageIdList", 0)})
}
