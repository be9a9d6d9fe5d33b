package sandbox_test

// This file: the operations on documents, their titles, print forms, flows, and
// the shelf; see operations_test.go.

import (
	"archive/zip"
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge/edgetest"
	"equipment-platform/internal/sandbox"
)

// seen reports whether an operation has answered one of the statuses.
func seen(c *edgetest.Contract, operation string, statuses ...int) bool {
	for _, status := range statuses {
		if c.Seen(operation, status) > 0 {
			return true
		}
	}
	return false
}

func documents(t *testing.T, b bed) {
	own := b.own()
	sent := b.send("act-18.xml", true)
	count := func(filter string, more ...string) any {
		t.Helper()
		return at(own.get(200, "/V3/GetDocuments", with(with(mine, "filterCategory", filter), more...)...), "TotalCount").(interface{ String() string }).String()
	}
	require.Equal(t, "2", count("Any.Inbound"))
	require.Equal(t, "1", count("Any.Outbound"))
	require.Equal(t, "0", count("Any.Internal"))
	require.Equal(t, "1", count("UniversalTransferDocument.InboundNotRead"))
	require.Equal(t, "1", count("Any.OutboundWaitingForRecipientSignature"))
	require.Equal(t, "0", count("Any.OutboundWaitingForSenderSignature"))
	require.Equal(t, "0", count("Any.OutboundRevocationIsRequestedByMe"))
	require.Equal(t, "2", count("Any.InboundNotFinished"))
	require.Equal(t, "1", count("Any.InboundNotRevoked", "documentNumber", "204"))
	require.Equal(t, "2", count("Any.Inbound", "counteragentBoxId", sandbox.CounteragentBoxID))
	require.Equal(t, "0", count("Any.Inbound", "timestampFromTicks", "3000000000000000000"))
	require.Equal(t, "0", count("Any.Inbound", "toDocumentDate", "01.01.2001"))
	first := own.get(200, "/V3/GetDocuments", with(mine, "filterCategory", "Any.Inbound", "count", "1", "sortDirection", "Ascending")...)
	require.Equal(t, []any{inbound.message, true}, []any{at(first, "Documents", 0, "MessageId"), at(first, "HasMoreResults")})
	next := own.get(200, "/V3/GetDocuments", with(mine, "filterCategory", "Any.Inbound", "sortDirection", "Ascending", "afterIndexKey", text(t, first, "Documents", 0, "IndexKey"))...)
	require.Equal(t, false, at(next, "HasMoreResults"))
	for _, wrong := range [][]string{
		{}, {"filterCategory", "Any"}, {"filterCategory", "Any.Sideways"}, {"filterCategory", "Any.InboundLost"},
		{"filterCategory", "Any.Inbound", "count", "101"}, {"filterCategory", "Any.Inbound", "count", "many"}, {"filterCategory", "Any.Inbound", "afterIndexKey", "none"},
		{"filterCategory", "Any.Inbound", "sortDirection", "Sideways"}, {"filterCategory", "Any.Inbound", "fromDocumentDate", "2026-01-01"},
		{"filterCategory", "Any.Inbound", "timestampFromTicks", "1", "documentNumber", "1"},
	} {
		own.get(400, "/V3/GetDocuments", with(mine, wrong...)...)
	}

	require.Equal(t, b64("<Document>act-18.xml</Document>"), at(own.get(200, "/V3/GetDocument", with(sent.pair("entityId"), "injectEntityContent", "true")...), "Content", "Data"))
	own.get(404, "/V3/GetDocument", letter{sent.message, inbound.entity}.pair("entityId")...)
	require.Len(t, at(own.get(200, "/GetDocumentsByMessageId", with(mine, "messageId", sent.message)...), "Documents"), 1)
	own.get(404, "/GetDocumentsByMessageId", with(mine, "messageId", "none")...)
	signature := letter{sent.message, text(t, own.get(200, "/V6/GetMessage", with(mine, "messageId", sent.message)...), "Entities", 1, "EntityId")}
	require.Equal(t, "7700000016", at(own.get(200, "/GetSignatureInfo", signature.pair("entityId")...), "OrgInn"))
	own.get(404, "/GetSignatureInfo", sent.pair("entityId")...)

	require.NotEmpty(t, at(own.get(200, "/V3/GetDocumentTypes", mine...), "DocumentTypes"))
	own.get(403, "/V3/GetDocumentTypes", theirs...)
	schema := []string{"typeNamedId", "Contract", "function", "default", "version", "v1", "titleIndex", "0"}
	require.Contains(t, string(own.get(200, "/GetContent", schema...).Body), "<xs:schema")
	own.get(404, "/GetContent", with([]string{"typeNamedId", "Poem"}, schema[2:]...)...)
	own.get(400, "/GetContent", with(schema, "contentType", "Pdf")...)
	require.Len(t, at(own.get(200, "/V2/GetWorkflowsSettings", mine...), "DocumentWorkflowSettings"), 2)
	own.get(400, "/V2/GetWorkflowsSettings")
	require.Len(t, at(own.get(200, "/GetResolutionRoutes", mine...), "ResolutionRoutes"), 1)
	own.get(403, "/GetResolutionRoutes", theirs...)
}

func documentActions(t *testing.T, b bed) {
	own := b.own()
	sent := b.send("act-19.xml", false)
	one := sent.pair("documentId")
	own.post(200, "/Delete", nil, one...)
	own.post(409, "/Delete", nil, one...)
	require.Equal(t, true, at(own.get(200, "/V3/GetDocument", sent.pair("entityId")...), "IsDeleted"))
	require.Equal(t, false, at(b.other().get(200, "/V3/GetDocument", with(theirs, "messageId", sent.message, "entityId", sent.entity)...), "IsDeleted"), "the other side keeps it")
	own.post(200, "/Restore", nil, one...)
	own.post(409, "/Restore", nil, one...)
	own.post(200, "/Delete", nil, with(mine, "messageId", sent.message)...) // the whole message
	own.post(404, "/Delete", nil, letter{sent.message, "none"}.pair("documentId")...)

	department := text(t, own.post(200, "/admin/CreateDepartment", object{"Name": "Yard", "Abbreviation": "Y", "Routing": object{"Kpp": false, "Address": false}}, mine...), "Id")
	move := object{"BoxId": sandbox.BoxID, "ToDepartmentId": department, "DocumentIds": []object{inbound.id()}}
	own.post(200, "/MoveDocuments", move)
	require.Equal(t, department, at(own.get(200, "/V3/GetDocument", inbound.pair("entityId")...), "DepartmentId"))
	move["ToDepartmentId"] = "none"
	own.post(404, "/MoveDocuments", move)
	own.post(404, "/MoveDocuments", object{"BoxId": sandbox.BoxID, "DocumentIds": []object{{"MessageId": "none", "EntityId": "none"}}})
}

func titles(t *testing.T, b bed) {
	own := b.own()
	kind := with(mine, "documentTypeNamedId", "UniversalTransferDocument", "documentFunction", "Schf", "documentVersion", "utd970_05_03_01", "titleIndex")
	user := []byte("<User><Sum>17</Sum></User>")
	title := own.post(200, "/GenerateTitleXml", user, with(kind, "0")...)
	require.Contains(t, title.Header.Get("Content-Disposition"), "title0.xml")
	own.post(400, "/GenerateTitleXml", []byte("no xml"), with(kind, "0")...)
	own.post(400, "/GenerateTitleXml", []byte("<open>"), with(kind, "0")...)
	own.post(404, "/GenerateTitleXml", user, with(kind, "1", "letterId", "none", "documentId", "none")...)
	second := own.post(200, "/GenerateTitleXml", user, with(kind, "1", "letterId", inbound.message, "documentId", inbound.entity)...)
	require.Equal(t, user, own.post(200, "/ParseTitleXml", title.Body, with(kind, "0")...).Body)
	require.Equal(t, user, own.post(200, "/ParseTitleXml", second.Body, with(kind, "1")...).Body)
	own.post(400, "/ParseTitleXml", title.Body, with(kind, "1")...)

	detected := own.post(200, "/DetectDocumentTitles", second.Body, mine...)
	require.Equal(t, "UniversalTransferDocument", at(detected, "DocumentTitles", 0, "TypeNamedId"))
	own.post(403, "/DetectDocumentTitles", title.Body, theirs...)
	name := string(own.post(200, "/V2/ShelfUpload", []byte("neither")).Body)
	require.Equal(t, "Nonformalized", at(own.get(200, "/DetectDocumentTitles", with(mine, "nameOnShelf", name)...), "DocumentTitles", 0, "TypeNamedId"))
	own.get(404, "/DetectDocumentTitles", with(mine, "nameOnShelf", "none")...)
}

// notes are the XML files that say something about a document.
func notes(t *testing.T, b bed) {
	own := b.own()
	about := func(l letter, more object) object {
		out := object{"MessageId": l.message, "AttachmentId": l.entity, "SignerContent": b64("signer")}
		for name, v := range more {
			out[name] = v
		}
		return out
	}
	finished, none := b.send("act-20.xml", false), letter{"none", "none"}
	require.Contains(t, string(own.post(200, "/V2/GenerateReceiptXml", about(inbound, nil), mine...).Body), "<Receipt")
	own.post(404, "/V2/GenerateReceiptXml", about(none, nil), mine...)
	require.Contains(t, string(own.post(200, "/V2/GenerateInvoiceCorrectionRequestXml", about(inbound, object{"ErrorMessage": "Wrong sum"}), mine...).Body), "Wrong sum")
	own.post(409, "/V2/GenerateInvoiceCorrectionRequestXml", about(finished, object{"ErrorMessage": "Wrong sum"}), mine...)

	revocation := own.post(200, "/V2/GenerateRevocationRequestXml", object{"Comment": "Sent by mistake"}, with(finished.pair("attachmentId"), "contentTypeId", "revocation_request_02")...)
	own.post(400, "/V2/GenerateRevocationRequestXml", object{}, with(finished.pair("attachmentId"), "contentTypeId", "letter")...)
	require.Equal(t, "Sent by mistake", at(own.post(200, "/ParseRevocationRequestXml", revocation.Body), "Comment"))
	own.post(400, "/ParseRevocationRequestXml", []byte("<Other/>"))

	rejection := own.post(200, "/V2/GenerateSignatureRejectionXml", about(inbound, object{"ErrorMessage": "Wrong quantity"}), mine...)
	own.post(409, "/V2/GenerateSignatureRejectionXml", about(finished, nil), mine...)
	require.Equal(t, "Wrong quantity", at(own.post(200, "/ParseSignatureRejectionXml", rejection.Body), "ErrorMessage"))
	own.post(400, "/ParseSignatureRejectionXml", revocation.Body)

	universal := own.post(200, "/GenerateUniversalMessage", []byte("<User/>"), inbound.pair("attachmentId")...)
	own.post(404, "/GenerateUniversalMessage", []byte("<User/>"), none.pair("attachmentId")...)
	require.Equal(t, "<User/>", string(own.post(200, "/ParseUniversalMessageXml", universal.Body).Body))
	own.post(400, "/ParseUniversalMessageXml", []byte("no xml"))

	require.Contains(t, string(own.post(200, "/GenerateTtGisFixationCancellationRequest", nil, inbound.pair("documentId")...).Body), "<FixationCancellation")
	own.post(404, "/GenerateTtGisFixationCancellationRequest", nil, none.pair("documentId")...)
}

func printForms(t *testing.T, b bed) {
	own := b.own()
	sent := b.send("act-21.xml", false)
	one, none := sent.pair("documentId"), letter{"none", "none"}.pair("documentId")
	require.Equal(t, "1", own.get(204, "/GeneratePrintForm", one...).Header.Get("Retry-After"))
	require.Contains(t, string(own.get(200, "/GeneratePrintForm", one...).Body), "%PDF")
	own.get(404, "/GeneratePrintForm", none...)
	own.get(204, "/GenerateDocumentProtocol", one...)
	require.NotEmpty(t, at(own.get(200, "/GenerateDocumentProtocol", one...), "PrintForm"))
	own.get(404, "/GenerateDocumentProtocol", none...)

	for full, files := range map[string]int{"false": 1, "true": 2} { // the document, and its signature
		archive := with(one, "fullDocflow", full)
		own.get(204, "/GenerateDocumentZip", archive...)
		packed := own.get(200, "/V2/ShelfDownload", "fileName", text(t, own.get(200, "/GenerateDocumentZip", archive...), "ZipFileNameOnShelf")).Body
		read, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
		require.NoError(t, err)
		require.Len(t, read.File, files)
	}
	own.get(400, "/GenerateDocumentZip", one...)

	id := string(own.post(200, "/GeneratePrintFormFromAttachment", []byte("<a/>"), "documentType", "XmlTorg12").Body)
	own.post(400, "/GeneratePrintFormFromAttachment", []byte("<a/>"))
	own.get(204, "/GetGeneratedPrintForm", "printFormId", id)
	require.Contains(t, own.get(200, "/GetGeneratedPrintForm", "printFormId", id).Header.Get("Content-Disposition"), "XmlTorg12.pdf")
	own.get(409, "/GetGeneratedPrintForm", "printFormId", "none")

	require.Len(t, at(own.post(200, "/DetectCustomPrintForms", object{"DocumentIds": []object{sent.id()}}, mine...), "Items"), 1)
	own.post(404, "/DetectCustomPrintForms", object{"DocumentIds": []object{{"MessageId": "none", "EntityId": "none"}}}, mine...)
	many := make([]object, 101)
	for i := range many {
		many[i] = sent.id()
	}
	own.post(400, "/DetectCustomPrintForms", object{"DocumentIds": many}, mine...)
}

func shelf(t *testing.T, b bed) {
	own := b.own()
	name := string(own.post(200, "/V2/ShelfUpload", []byte("whole"), "fileExtension", ".txt").Body)
	require.Regexp(t, `^[0-9a-f-]{36}\.txt$`, name)
	require.Equal(t, "whole", string(own.get(200, "/V2/ShelfDownload", "fileName", name).Body))
	own.get(404, "/V2/ShelfDownload", "fileName", "none")
	own.post(409, "/ShelfUploadPart", []byte("more"), "fileName", name, "partIndex", "1")
	parts := []string{"fileName", string(own.post(200, "/ShelfUploadPartInit", []byte("zero ")).Body), "partIndex"}
	own.get(404, "/V2/ShelfDownload", parts[:2]...) // not complete yet
	require.Equal(t, "[1]", string(own.post(200, "/ShelfUploadPart", []byte("two"), with(parts, "2", "isLastPart", "true")...).Body), "parts that are missing")
	own.post(200, "/ShelfUploadPart", []byte("one "), with(parts, "1")...)
	own.post(400, "/ShelfUploadPart", []byte("x"), with(parts, "-1")...)
	require.Equal(t, "[]", string(own.post(200, "/ShelfUploadPart", []byte("two"), with(parts, "2", "isLastPart", "true")...).Body))
	require.Equal(t, "zero one two", string(own.get(200, "/V2/ShelfDownload", parts[:2]...).Body))
	own.post(404, "/ShelfUploadPart", []byte("more"), "fileName", "none", "partIndex", "1")
	require.Regexp(t, `^[0-9a-f-]{36}$`, string(own.post(200, "/ShelfUploadPartInit", []byte("alone"), "isLastPart", "true").Body))
	own.post(400, "/ShelfUploadPartInit", []byte("x"), "isLastPart", "perhaps")
	b.provider("nobody's").post(401, "/V2/ShelfUpload", []byte("x"))
}

func docflows(t *testing.T, b bed) {
	own := b.own()
	batch := object{"Requests": []object{{"DocumentId": inbound.id(), "InjectEntityContent": true}}}
	old := own.post(200, "/V4/GetDocflows", batch, mine...)
	require.Equal(t, "WaitingForRecipientSignature", at(old, "Documents", 0, "Docflow", "RecipientResponse", "ResponseStatus"))
	flow := own.post(200, "/V5/GetDocflows", batch, mine...)
	require.Equal(t, "TitleParticipantResponseStatusWaiting", at(flow, "Documents", 0, "Docflow", "Titles", 0, "ParticipantDocflows", 0, "Response", "Status"))
	require.NotEmpty(t, at(flow, "Documents", 0, "Docflow", "Titles", 0, "AuthorSigning", "Title", "Attachment", "Entity", "Content", "Data"))

	two := own.post(200, "/V3/PostMessage", object{"FromBoxId": sandbox.BoxID, "ToBoxId": sandbox.CounteragentBoxID, "NonformalizedDocuments": []object{
		{"FileName": "plan-7.txt", "SignedContent": object{"Content": b64("seven")}}, {"FileName": "plan-8.txt", "SignedContent": object{"Content": b64("eight")}},
	}})
	packet := text(t, two, "Entities", 0, "DocumentInfo", "PacketId")
	for _, version := range []string{"/V4", "/V5"} {
		own.post(404, version+"/GetDocflows", object{"Requests": []object{{"DocumentId": object{"MessageId": "none", "EntityId": "none"}}}}, mine...)

		events := own.post(200, version+"/GetDocflowEvents", object{"Filter": object{"SortDirection": "Descending"}, "Limit": 1, "PopulateDocuments": true}, mine...)
		require.Equal(t, "Nonformalized", at(events, "Events", 0, "Document", "DocumentInfo", "FullVersion", "TypeNamedId"))
		following := own.post(200, version+"/GetDocflowEvents", object{"Filter": object{"SortDirection": "Descending"}, "AfterIndexKey": text(t, events, "Events", 0, "IndexKey")}, mine...)
		require.Len(t, at(following, "Events"), 3)
		require.Empty(t, at(own.post(200, version+"/GetDocflowEvents", object{"Filter": object{"ToTimestamp": object{"Ticks": 1}}}, mine...), "Events"))
		require.Len(t, at(own.post(200, version+"/GetDocflowEvents", object{"Filter": object{}, "TypeNamedIds": []string{"Nonformalized"}, "DocumentDirections": []string{"Outbound"}}, mine...), "Events"), 2)
		own.post(400, version+"/GetDocflowEvents", object{"Filter": object{}, "Limit": 101}, mine...)

		found := own.post(200, version+"/SearchDocflows", object{"QueryString": "plan-8"}, mine...)
		require.Len(t, at(found, "Documents"), 1)
		require.Len(t, at(own.post(200, version+"/SearchDocflows", object{"QueryString": "", "FirstIndex": 1, "Count": 2}, mine...), "Documents"), 2)
		own.post(400, version+"/SearchDocflows", object{"QueryString": "plan", "Count": 101}, mine...)

		first := own.post(200, version+"/GetDocflowsByPacketId", object{"PacketId": packet, "Count": 1}, mine...)
		last := own.post(200, version+"/GetDocflowsByPacketId", object{"PacketId": packet, "AfterIndexKey": text(t, first, "NextPageIndexKey")}, mine...)
		require.Equal(t, []any{nil, nil}, []any{at(last, "NextPageIndexKey"), at(last, "Documents", 1)})
		own.post(400, version+"/GetDocflowsByPacketId", object{"PacketId": packet, "AfterIndexKey": b64("none")}, mine...)
	}

	prepare := object{"BoxId": sandbox.BoxID, "Documents": []object{{"DocumentId": inbound.id()}}}
	require.NotEmpty(t, at(own.post(200, "/PrepareDocumentsToSign", prepare), "DocumentPatchedContents", 0, "Content"))
	require.Nil(t, at(own.post(200, "/PrepareDocumentsToSign", prepare, "excludeContent", ""), "DocumentPatchedContents", 0, "Content"))
	own.post(404, "/PrepareDocumentsToSign", object{"BoxId": sandbox.BoxID, "Documents": []object{{"DocumentId": object{"MessageId": "none", "EntityId": "none"}}}})
}

func forwarding(t *testing.T, b bed) {
	own := b.own()
	sent := b.send("act-22.xml", false)
	done := own.post(200, "/V2/ForwardDocument", object{"ToBoxId": sandbox.CounteragentBoxID, "DocumentId": sent.id()}, mine...)
	event := text(t, done, "ForwardedDocumentId", "ForwardEventId")
	own.post(404, "/V2/ForwardDocument", object{"ToBoxId": "none", "DocumentId": sent.id()}, mine...)

	ids := object{"ForwardedDocumentIds": []any{at(done, "ForwardedDocumentId")}}
	require.Len(t, at(b.other().post(200, "/V2/GetForwardedDocuments", ids, theirs...), "ForwardedDocuments"), 1)
	own.post(403, "/V2/GetForwardedDocuments", ids, theirs...)
	events := own.post(200, "/V2/GetForwardedDocumentEvents", object{"Filter": object{}, "PopulateForwardedDocuments": true}, mine...)
	require.NotEmpty(t, at(events, "Events", 0, "ForwardedDocument"))
	own.post(400, "/V2/GetForwardedDocumentEvents", object{"Filter": object{}, "AfterIndexKey": b64("none")}, mine...)
	content := []string{"boxId", sandbox.CounteragentBoxID, "fromBoxId", sandbox.BoxID, "messageId", sent.message, "documentId", sent.entity, "entityId", sent.entity, "forwardEventId"}
	require.Equal(t, "<Document>act-22.xml</Document>", string(b.other().get(200, "/V2/GetForwardedEntityContent", with(content, event)...).Body))
	b.other().get(404, "/V2/GetForwardedEntityContent", with(content, "none")...)
}
