package gateway_test

// This file: whole stories of a caller, through the gateway against the
// sandbox. Every answer is checked against the published spec.

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"mime/multipart"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/sandbox"
)

func TestStorySendSignDocflowV5(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	require.Equal(t, sandbox.BoxID, at(s.ask(200, "GET", api+"/organizations/my", nil), "Organizations", 0, "Boxes", 0, "BoxId"))
	list := s.ask(200, "GET", api+"/documents", nil)
	require.Equal(t, json.Number("2"), at(list, "TotalCount"))

	message, entity := s.post("act-18.xml", true)
	pair := "?messageId=" + message + "&entityId=" + entity
	require.Equal(t, json.Number("1"), at(s.ask(200, "GET", api+"/documents?Query="+url.QueryEscape("filterCategory=Any.OutboundWaitingForRecipientSignature"), nil), "TotalCount"))

	flow := s.ask(200, "POST", api+"/docflows/v5/by-document"+pair, nil)
	require.Equal(t, "TitleParticipantResponseStatusWaiting", at(flow, "Documents", 0, "Docflow", "Titles", 0, "ParticipantDocflows", 0, "Response", "Status"))

	// an inbound one: prepare, sign by DSS, send the signature
	inMessage, inEntity := at(list, "Documents", 0, "MessageId").(string), at(list, "Documents", 0, "EntityId").(string)
	inPair := "?messageId=" + inMessage + "&entityId=" + inEntity
	prepared := s.ask(200, "POST", api+"/docflows/prepare-to-sign"+inPair, nil)
	require.NotEmpty(t, at(prepared, "DocumentPatchedContents", 0, "PatchedContentId"))
	task := at(s.ask(200, "POST", api+"/dss/sign", map[string]any{"Files": []any{map[string]any{"Content": map[string]any{
		"EntityId": map[string]any{"MessageId": inMessage, "EntityId": inEntity},
	}}}}), "TaskId").(string)
	var result map[string]any
	for range 10 {
		if result = s.ask(200, "GET", api+"/dss/results/"+task, nil); at(result, "OperationStatus") == "Completed" {
			break
		}
	}
	require.Equal(t, "Completed", at(result, "OperationStatus"))
	s.ask(200, "POST", api+"/messages/patches", map[string]any{"MessageId": inMessage, "Signatures": []any{
		map[string]any{"ParentEntityId": inEntity, "Signature": at(result, "FileSigningResults", 0, "Signature")},
	}})
	flow = s.ask(200, "POST", api+"/docflows/v5", map[string]any{"Requests": []any{map[string]any{"DocumentId": map[string]any{"MessageId": inMessage, "EntityId": inEntity}}}})
	require.Equal(t, "TitleParticipantResponseStatusSigned", at(flow, "Documents", 0, "Docflow", "Titles", 0, "ParticipantDocflows", 0, "Response", "Status"))
	require.Equal(t, "Success", at(flow, "Documents", 0, "Docflow", "DocflowStatus", "PrimaryStatus", "Severity"))
	old := s.ask(200, "POST", api+"/docflows"+inPair, nil)
	require.Equal(t, "WithRecipientSignature", at(old, "Documents", 0, "Docflow", "RecipientResponse", "ResponseStatus"))
	again := s.raw(sandbox.Token, "POST", api+"/messages/patches", map[string]any{"MessageId": inMessage, "Signatures": []any{map[string]any{"ParentEntityId": inEntity, "SignWithTestSignature": true}}})
	again.problem(t, 409, "conflict")
}

func TestStoryRejectAndRevoke(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	list := s.ask(200, "GET", api+"/documents", nil)
	message, entity := at(list, "Documents", 0, "MessageId").(string), at(list, "Documents", 0, "EntityId").(string)
	rejection := s.raw(sandbox.Token, "POST", api+"/signature-rejections/generate", map[string]any{"ErrorMessage": "Wrong quantity", "MessageId": message, "AttachmentId": entity, "SignerContent": b64("signer")})
	require.Equal(t, 200, rejection.StatusCode)
	require.Equal(t, "Wrong quantity", at(s.ask(200, "POST", api+"/signature-rejections/parse", rejection.body), "ErrorMessage"))
	s.ask(200, "POST", api+"/messages/patches", map[string]any{"MessageId": message, "XmlSignatureRejections": []any{
		map[string]any{"ParentEntityId": entity, "SignedContent": map[string]any{"Content": base64.StdEncoding.EncodeToString(rejection.body), "SignWithTestSignature": true}},
	}})
	require.Equal(t, "RecipientSignatureRequestRejected", at(s.ask(200, "GET", api+"/documents/details?messageId="+message+"&entityId="+entity, nil), "RecipientResponseStatus"))

	// the own one: request a revocation; the other side signs it
	mine, document := s.post("act-19.xml", false)
	pair := "?messageId=" + mine + "&entityId=" + document
	request := s.raw(sandbox.Token, "POST", api+"/revocation-requests/generate"+pair+"&Query="+url.QueryEscape("contentTypeId=revocation_request_02"), map[string]any{"Comment": "Sent by mistake"})
	require.Equal(t, "Sent by mistake", at(s.ask(200, "POST", api+"/revocation-requests/parse", request.body), "Comment"))
	patch := s.ask(200, "POST", api+"/messages/patches", map[string]any{"MessageId": mine, "RevocationRequests": []any{
		map[string]any{"ParentEntityId": document, "SignedContent": map[string]any{"Content": base64.StdEncoding.EncodeToString(request.body), "SignWithTestSignature": true}},
	}})
	revocation := at(patch, "Entities", 0, "EntityId").(string)
	require.Equal(t, "RevocationIsRequestedByMe", at(s.ask(200, "POST", api+"/docflows/v5/by-document"+pair, nil), "Documents", 0, "Docflow", "Revocation", "RevocationStatus"))
	other := *s
	otherSettings := sandboxSettings(s.provider)
	otherSettings.BoxID = sandbox.CounteragentBoxID
	other.bed = startGateway(t, otherSettings)
	other.askAs(sandbox.CounteragentToken, 200, "POST", api+"/messages/patches", map[string]any{"MessageId": mine, "Signatures": []any{map[string]any{"ParentEntityId": revocation, "SignWithTestSignature": true}}})
	require.Equal(t, "RevocationAccepted", at(s.ask(200, "POST", api+"/docflows/v5/by-document"+pair, nil), "Documents", 0, "Docflow", "Revocation", "RevocationStatus"))
}

func TestStoryPrintFormsAndArchives(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	message, entity := s.post("act-20.xml", false)
	pair := "?messageId=" + message + "&entityId=" + entity
	first := s.raw(sandbox.Token, "GET", api+"/documents/print-form"+pair, nil)
	require.Equal(t, 204, first.StatusCode)
	require.Equal(t, "1", first.Header.Get("Retry-After"))
	second := s.raw(sandbox.Token, "GET", api+"/documents/print-form"+pair, nil)
	require.Equal(t, 200, second.StatusCode)
	require.Equal(t, "application/pdf", second.Header.Get("Content-Type"))
	require.True(t, bytes.HasPrefix(second.body, []byte("%PDF")))
	for _, path := range []string{"/documents/protocol" + pair, "/documents/zip" + pair + "&Query=fullDocflow%3Dtrue"} {
		require.Equal(t, 204, s.raw(sandbox.Token, "GET", api+path, nil).StatusCode)
	}
	require.NotEmpty(t, at(s.ask(200, "GET", api+"/documents/protocol"+pair, nil), "PrintForm"))
	name := at(s.ask(200, "GET", api+"/documents/zip"+pair+"&Query=fullDocflow%3Dtrue", nil), "ZipFileNameOnShelf").(string)
	packed := s.raw(sandbox.Token, "GET", api+"/shelves?Query="+url.QueryEscape("fileName="+name), nil)
	archive, err := zip.NewReader(bytes.NewReader(packed.body), int64(len(packed.body)))
	require.NoError(t, err)
	require.Len(t, archive.File, 2, "the document and its signature")
	started := s.raw(sandbox.Token, "POST", api+"/print-forms/from-attachment?Query=documentType%3DXmlTorg12", []byte("<a/>"))
	require.Equal(t, 204, s.raw(sandbox.Token, "GET", api+"/print-forms/"+string(started.body), nil).StatusCode)
	require.Equal(t, 200, s.raw(sandbox.Token, "GET", api+"/print-forms/"+string(started.body), nil).StatusCode)
}

func TestStoryShelfInParts(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	query := func(q string) string { return "?Query=" + url.QueryEscape(q) }
	name := string(s.raw(sandbox.Token, "POST", api+"/shelves/parts/init"+query("fileExtension=bin"), []byte("zero ")).body)
	require.True(t, strings.HasSuffix(name, ".bin"))
	missing := s.raw(sandbox.Token, "POST", api+"/shelves/parts"+query("fileName="+name+"&partIndex=2&isLastPart=true"), []byte("two"))
	require.Equal(t, "[1]", string(missing.body))
	missing = s.raw(sandbox.Token, "POST", api+"/shelves/parts"+query("fileName="+name+"&partIndex=1"), []byte("one "))
	require.Equal(t, 200, missing.StatusCode)
	missing = s.raw(sandbox.Token, "POST", api+"/shelves/parts"+query("fileName="+name+"&partIndex=2&isLastPart=true"), []byte("two"))
	require.Equal(t, "[]", string(missing.body))
	got := s.raw(sandbox.Token, "GET", api+"/shelves"+query("fileName="+name), nil)
	require.Equal(t, "zero one two", string(got.body))
	s.raw(sandbox.Token, "GET", api+"/shelves"+query("fileName=none"), nil).problem(t, 404, "not_found")
	whole := string(s.raw(sandbox.Token, "POST", api+"/shelves", []byte("<Document/>")).body)
	require.Equal(t, "Nonformalized", at(s.ask(200, "GET", api+"/documents/titles/detect"+query("nameOnShelf="+whole), nil), "DocumentTitles", 0, "TypeNamedId"))
	m := s.ask(200, "POST", api+"/messages", map[string]any{"ToBoxId": sandbox.CounteragentBoxID, "NonformalizedDocuments": []any{map[string]any{"FileName": "plan.bin", "SignedContent": map[string]any{"NameOnShelf": whole}}}})
	content := s.raw(sandbox.Token, "GET", api+"/messages/entity-content?messageId="+at(m, "MessageId").(string)+"&entityId="+at(m, "Entities", 0, "EntityId").(string), nil)
	require.Equal(t, "<Document/>", string(content.body))
}

func TestStoryTitles(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	q := "?Query=" + url.QueryEscape("documentTypeNamedId=UniversalTransferDocument&documentFunction=Schf&documentVersion=utd970_05_03_01&titleIndex=0")
	title := s.raw(sandbox.Token, "POST", api+"/document-titles/generate"+q, []byte("<User><Sum>17</Sum></User>"))
	require.Equal(t, 200, title.StatusCode, string(title.body))
	require.Equal(t, "application/xml", title.Header.Get("Content-Type"))
	back := s.raw(sandbox.Token, "POST", api+"/document-titles/parse"+q, title.body, "Content-Type", "application/xml")
	require.Equal(t, "<User><Sum>17</Sum></User>", string(back.body))
	require.Equal(t, "UniversalTransferDocument", at(s.ask(200, "POST", api+"/document-titles/detect", title.body), "DocumentTitles", 0, "TypeNamedId"))
	s.raw(sandbox.Token, "POST", api+"/document-titles/generate"+q, []byte("no xml")).problem(t, 400, "validation_failed")
}

func TestStoryCounteragents(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	require.Equal(t, json.Number("1"), at(s.ask(200, "GET", api+"/counteragents", nil), "TotalCount"))
	stranger := at(s.ask(200, "GET", api+"/organizations/by-inn-list?Query=inn%3D5000000030%2C1", nil), "Organizations", 0)
	require.Equal(t, "NotInCounteragentList", at(stranger, "CounteragentStatus"))
	box := at(stranger, "Organization", "Boxes", 0, "BoxId").(string)
	task := at(s.ask(200, "POST", api+"/counteragents/acquire", map[string]any{"Inn": "5000000030", "MessageToCounteragent": "Let us work together"}), "TaskId").(string)
	require.Equal(t, "1", s.raw(sandbox.Token, "GET", api+"/counteragents/acquire/results/"+task, nil).Header.Get("Retry-After"))
	require.Equal(t, box, at(s.ask(200, "GET", api+"/counteragents/acquire/results/"+task, nil), "BoxId"))
	group := at(s.ask(200, "POST", api+"/counteragent-groups", map[string]any{"Name": "Quarries"}), "CounteragentGroupId").(string)
	s.raw(sandbox.Token, "POST", api+"/counteragent-groups", map[string]any{"Name": "Quarries"}).problem(t, 409, "conflict")
	s.ask(204, "POST", api+"/counteragent-groups/"+group+"/counteragents/"+url.PathEscape(box), nil)
	require.Equal(t, []any{box}, at(s.ask(200, "GET", api+"/counteragent-groups/"+group+"/counteragents", nil), "CounteragentBoxId"))
	s.ask(204, "POST", api+"/counteragents/"+url.PathEscape(box)+"/break?Query=comment%3DDone", nil)
	events := s.ask(200, "GET", api+"/counteragents/events", nil)
	require.Len(t, at(events, "Events"), 3)
	s.ask(200, "POST", api+"/counteragent-groups/"+group+"/update", map[string]any{"Name": "Old quarries"})
	s.ask(204, "POST", api+"/counteragent-groups/"+group+"/delete", nil)
	s.raw(sandbox.Token, "GET", api+"/counteragent-groups/"+group, nil).problem(t, 404, "not_found")
}

func TestStoryPeopleAndPowers(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	department := at(s.ask(200, "POST", api+"/departments", map[string]any{"Name": "Yard", "Abbreviation": "Y", "Routing": map[string]any{"Kpp": false, "Address": false}}), "Id").(string)
	require.Equal(t, "Depot", at(s.ask(200, "POST", api+"/departments/"+department+"/update", map[string]any{"DepartmentNaming": map[string]any{"Name": "Depot", "Abbreviation": "D"}}), "Name"))
	user := at(s.ask(200, "POST", api+"/employees/create", map[string]any{
		"Credentials": map[string]any{"Login": map[string]any{"Login": "ivan@example.com"}}, "CanBeInvitedForChat": false,
		"Permissions": map[string]any{"UserDepartmentId": department, "IsAdministrator": false, "DocumentAccessLevel": "DepartmentOnly"},
	}), "User", "UserId").(string)
	require.Equal(t, "Driver", at(s.ask(200, "POST", api+"/employees/"+user+"/update", map[string]any{"Position": map[string]any{"Position": "Driver"}}), "Position"))
	require.Len(t, at(s.ask(200, "GET", api+"/employees", nil), "Employees"), 2)
	s.ask(200, "POST", api+"/employees/"+user+"/subscriptions", map[string]any{"Subscriptions": []any{map[string]any{"Id": "Signatures", "IsSubscribed": true}}})

	task := at(s.ask(200, "POST", api+"/powers-of-attorney", map[string]any{"FullId": map[string]any{"RegistrationNumber": "reg-1", "IssuerInn": "7700000016"}}), "TaskId").(string)
	var states []any
	for range 3 {
		states = append(states, at(s.ask(200, "GET", api+"/powers-of-attorney/registrations/"+task, nil), "OperationStatus"))
	}
	require.Equal(t, []any{"Queued", "Processing", "Done"}, states)
	id := map[string]any{"RegistrationNumber": "reg-1", "IssuerInn": "7700000016"}
	require.Equal(t, "IsValid", at(s.ask(200, "POST", api+"/powers-of-attorney/prevalidate", map[string]any{"FullId": id, "ConfidantCertificate": map[string]any{}}), "PrevalidateStatus", "StatusNamedId"))
	powers := api + "/employees/" + user + "/powers-of-attorney"
	s.ask(200, "POST", powers, id)
	require.Equal(t, true, at(s.ask(200, "PUT", powers, map[string]any{"PowerOfAttorneyFullId": id, "IsDefaultPatch": map[string]any{"IsDefault": true}}), "IsDefault"))
	require.Len(t, at(s.ask(200, "GET", powers, nil), "PowersOfAttorney"), 1)
	s.ask(204, "DELETE", powers+"?Query="+url.QueryEscape("registrationNumber=reg-1&issuerInn=7700000016"), nil)
	require.Empty(t, at(s.ask(200, "GET", powers, nil), "PowersOfAttorney"))
	s.ask(204, "POST", api+"/employees/"+user+"/delete", nil)
	s.ask(204, "POST", api+"/departments/"+department+"/delete", nil)
	s.ask(200, "POST", api+"/signer-details?Query="+url.QueryEscape("thumbprint=AA&documentTitleType=13"), map[string]any{"JobTitle": "Director", "SignerType": "LegalEntity"})
	require.Equal(t, "Director", at(s.ask(200, "GET", api+"/signer-details?Query="+url.QueryEscape("thumbprint=AA&documentTitleType=13"), nil), "JobTitle"))
}

func TestStoryEventsDraftsTemplates(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	events := s.ask(200, "GET", api+"/events?Query=limit%3D1", nil)
	key := at(events, "Events", 0, "IndexKey").(string)
	next := s.ask(200, "GET", api+"/events?Query="+url.QueryEscape("limit=1&afterIndexKey="+url.QueryEscape(key)), nil)
	require.NotEqual(t, at(events, "Events", 0, "EventId"), at(next, "Events", 0, "EventId"))
	require.Equal(t, at(next, "Events", 0, "EventId"), at(s.ask(200, "GET", api+"/events/"+at(next, "Events", 0, "EventId").(string), nil), "EventId"))
	draft := s.ask(200, "POST", api+"/messages", map[string]any{"IsDraft": true, "DocumentAttachments": []any{map[string]any{"TypeNamedId": "Nonformalized", "SignedContent": map[string]any{"Content": b64("draft")}}}})
	id := at(draft, "MessageId").(string)
	sent := s.ask(200, "POST", api+"/drafts/send?Query=operationId%3Dop-1", map[string]any{"DraftId": id, "ToBoxId": sandbox.CounteragentBoxID})
	repeated := s.ask(200, "POST", api+"/drafts/send?Query=operationId%3Dop-1", map[string]any{"DraftId": id, "ToBoxId": sandbox.CounteragentBoxID})
	require.Equal(t, at(sent, "MessageId"), at(repeated, "MessageId"))
	s.raw(sandbox.Token, "POST", api+"/drafts/"+id+"/recycle", nil).problem(t, 409, "conflict")
	template := s.ask(200, "POST", api+"/document-templates", map[string]any{
		"ToBoxId": sandbox.CounteragentBoxID, "MessageFromBoxId": sandbox.CounteragentBoxID, "MessageToBoxId": sandbox.BoxID,
		"DocumentAttachments": []any{map[string]any{"TypeNamedId": "Contract", "UnsignedContent": map[string]any{"Content": b64("<Contract/>")}}},
	})
	made := s.ask(200, "POST", api+"/document-templates/transform", map[string]any{"TemplateId": at(template, "MessageId"), "DocumentTransformations": []any{map[string]any{"DocumentId": at(template, "Entities", 0, "EntityId")}}})
	require.Equal(t, true, at(made, "IsDraft"))
	s.ask(204, "POST", api+"/key-value-storage/put", map[string]any{"Entries": []any{map[string]any{"Key": "a", "Value": "1"}}})
	require.Equal(t, "1", at(s.ask(200, "POST", api+"/key-value-storage/get", map[string]any{"Keys": []any{"a", "b"}}), "Entries", 0, "Value"))
	flows := s.ask(200, "POST", api+"/docflows/v5/events", map[string]any{"Filter": map[string]any{}, "PopulateDocuments": true})
	require.NotEmpty(t, at(flows, "Events", 0, "Document", "DocumentInfo", "FullVersion", "TypeNamedId"))
	require.NotEmpty(t, at(s.ask(200, "POST", api+"/technology-partner/events", map[string]any{}), "Events"))
}

func TestStoryForwarding(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	message, entity := s.post("act-21.xml", false)
	id := map[string]any{"MessageId": message, "EntityId": entity}
	forwarded := s.ask(200, "POST", api+"/forwarded-documents", map[string]any{"ToBoxId": sandbox.CounteragentBoxID, "DocumentId": id})
	event := at(forwarded, "ForwardedDocumentId", "ForwardEventId").(string)
	require.Len(t, at(s.ask(200, "POST", api+"/forwarded-documents/get", map[string]any{"ForwardedDocumentIds": []any{at(forwarded, "ForwardedDocumentId")}}), "ForwardedDocuments"), 1)
	require.Len(t, at(s.ask(200, "POST", api+"/forwarded-documents/events", map[string]any{"Filter": map[string]any{}}), "Events"), 1)
	content := s.raw(sandbox.Token, "GET", api+"/forwarded-documents/content?messageId="+message+"&entityId="+entity+"&Query="+url.QueryEscape("fromBoxId="+sandbox.BoxID+"&documentId="+entity+"&forwardEventId="+event), nil)
	require.Equal(t, "<Document>act-21.xml</Document>", string(content.body))
	require.Equal(t, "@1780272000", content.Header.Get("Deprecation"))
}

func TestStoryPassThrough(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	form := func(part string) (string, []byte) {
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		f, err := w.CreateFormFile(part, "title.xml")
		require.NoError(t, err)
		_, err = f.Write([]byte("<Title/>"))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return w.FormDataContentType(), b.Bytes()
	}
	uuid := at(s.ask(200, "GET", "/api/v1/transport/gateway/uuid", nil), "result").(string)
	require.Equal(t, "Issued", at(s.ask(200, "GET", "/api/v1/transport/gateway/documents/"+uuid+"/status", nil), "status"))
	contentType, body := form("formFiles")
	id := at(s.ask(200, "POST", "/api/v1/vendor/logistics/documents/waybill", body, "Content-Type", contentType), "transportationId").(string)
	require.Equal(t, json.Number("2"), at(s.ask(200, "GET", "/api/v1/vendor/logistics/transportations?Query=Take%3D10", nil), "totalCount"), "the demo one and this")
	require.Equal(t, "application/pdf", s.raw("", "GET", "/api/v1/vendor/logistics/transportations/"+id+"/print-form", nil, "X-Partner-Access-Token", "").Header.Get("Content-Type"))
	require.NotEmpty(t, at(s.ask(200, "GET", "/api/v1/vendor/logistics/transportations/events", nil), "items"))
	bill := at(s.ask(200, "POST", "/api/v1/vendor/waybill/waybills", map[string]any{"odometer": json.Number("12345678901234567890")}), "waybillId").(string)
	require.Equal(t, json.Number("12345678901234567890"), at(s.ask(200, "GET", "/api/v1/vendor/waybill/waybills/"+bill, nil), "odometer"))
	require.Equal(t, json.Number("1"), at(s.ask(200, "POST", "/api/v1/vendor/waybill/waybills/"+bill+"/titles", body, "Content-Type", contentType), "title"))
	require.Equal(t, "Created", at(s.ask(200, "GET", "/api/v1/vendor/waybill/waybills/"+bill+"/status", nil), "status"))
}

func TestStoryDocumentActions(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	two := s.ask(200, "POST", api+"/messages", map[string]any{"ToBoxId": sandbox.CounteragentBoxID, "NonformalizedDocuments": []any{
		map[string]any{"FileName": "plan-7.txt", "SignedContent": map[string]any{"Content": b64("seven"), "SignWithTestSignature": true}},
		map[string]any{"FileName": "plan-8.txt", "SignedContent": map[string]any{"Content": b64("eight"), "SignWithTestSignature": true}},
	}})
	message, entity, signature := at(two, "MessageId").(string), at(two, "Entities", 0, "EntityId").(string), at(two, "Entities", 1, "EntityId").(string)
	pair := "?messageId=" + message + "&entityId=" + entity
	id := map[string]any{"MessageId": message, "EntityId": entity}
	require.Equal(t, "7700000016", at(s.ask(200, "GET", api+"/documents/signature-info?messageId="+message+"&entityId="+signature, nil), "OrgInn"))
	require.NotEmpty(t, at(s.ask(200, "GET", api+"/powers-of-attorney/info?messageId="+message+"&entityId="+signature, nil), "FullId", "RegistrationNumber"))

	s.ask(204, "POST", api+"/document-actions/delete"+pair, nil)
	s.raw(sandbox.Token, "POST", api+"/document-actions/delete"+pair, nil).problem(t, 409, "conflict")
	require.Equal(t, true, at(s.ask(200, "GET", api+"/documents/details"+pair, nil), "IsDeleted"))
	s.ask(204, "POST", api+"/document-actions/restore"+pair, nil)
	department := at(s.ask(200, "POST", api+"/departments", map[string]any{"Name": "Yard", "Abbreviation": "Y", "Routing": map[string]any{"Kpp": false, "Address": false}}), "Id")
	s.ask(204, "POST", api+"/document-actions/move", map[string]any{"ToDepartmentId": department, "DocumentIds": []any{id}})
	s.ask(200, "POST", api+"/messages/patches", map[string]any{"MessageId": message, "CustomDataPatches": []any{map[string]any{"ParentEntityId": entity, "Operation": "Set", "Key": "order", "Value": "17"}}})
	moved := s.ask(200, "GET", api+"/documents/details"+pair, nil)
	require.Equal(t, department, at(moved, "DepartmentId"))
	require.Equal(t, "17", at(moved, "CustomData", 0, "Value"))

	found := s.ask(200, "POST", api+"/docflows/v5/search", map[string]any{"QueryString": "plan-8"})
	require.Len(t, at(found, "Documents"), 1)
	packet := at(moved, "PacketId")
	first := s.ask(200, "POST", api+"/docflows/v5/by-packet", map[string]any{"PacketId": packet, "Count": 1})
	second := s.ask(200, "POST", api+"/docflows/by-packet", map[string]any{"PacketId": packet, "AfterIndexKey": at(first, "NextPageIndexKey"), "InjectEntityContent": true})
	require.Equal(t, b64("eight"), at(second, "Documents", 0, "Document", "Docflow", "SenderTitle", "Attachment", "Attachment", "Entity", "Content", "Data"))
	require.Nil(t, at(second, "NextPageIndexKey"))
	require.NotEmpty(t, at(s.ask(200, "POST", api+"/docflows/events", map[string]any{"Filter": map[string]any{}, "Limit": 2}), "Events"))
	require.Len(t, at(s.ask(200, "POST", api+"/print-forms/detect-custom", map[string]any{"DocumentIds": []any{id}}), "Items"), 1)
	require.Equal(t, "Kazan", at(s.ask(200, "GET", api+"/addresses/gar?Query="+url.QueryEscape("address=Kazan%2C%20Central"), nil), "City", "Name"))
}
