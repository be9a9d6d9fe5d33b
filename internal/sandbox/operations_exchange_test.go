package sandbox_test

// This file: the operations on messages, partners, events and signing; see
// operations_test.go.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/sandbox"
)

func messages(t *testing.T, b bed) {
	own := b.own()
	body := object{"FromBoxId": sandbox.BoxID, "ToBoxId": sandbox.CounteragentBoxID, "NonformalizedDocuments": []object{
		{"FileName": "plan.txt", "SignedContent": object{"Content": b64("plan"), "SignWithTestSignature": true}, "CustomData": []object{{"Key": "order", "Value": "17"}}},
	}}
	sent := own.post(200, "/V3/PostMessage", body)
	plan := letter{text(t, sent, "MessageId"), text(t, sent, "Entities", 0, "EntityId")}
	require.Equal(t, plan.message, at(own.post(200, "/V3/PostMessage", body), "MessageId"), "the same body is the same message")
	require.NotEqual(t, plan.message, at(own.post(200, "/V3/PostMessage", body, "operationId", "1"), "MessageId"))
	for status, change := range map[int]object{
		400: {"NonformalizedDocuments": []object{}},
		403: {"FromBoxId": sandbox.CounteragentBoxID},
		404: {"ToBoxId": "none"},
		409: {"ToBoxId": "00000000-0000-4000-8000-0000000000b3@exchange.example"}, // no partner
	} {
		wrong := object{"FromBoxId": sandbox.BoxID, "ToBoxId": sandbox.CounteragentBoxID, "NonformalizedDocuments": body["NonformalizedDocuments"]}
		for name, v := range change {
			wrong[name] = v
		}
		own.post(status, "/V3/PostMessage", wrong)
	}

	read := own.get(200, "/V6/GetMessage", with(mine, "messageId", plan.message, "entityId", plan.entity, "injectEntityContent", "true")...)
	require.Equal(t, b64("plan"), at(read, "Entities", 0, "Content", "Data"))
	own.get(404, "/V6/GetMessage", with(mine, "messageId", plan.message, "entityId", "none")...)
	require.Equal(t, "plan", string(own.get(200, "/V4/GetEntityContent", plan.pair("entityId")...).Body))
	require.Contains(t, string(own.get(200, "/V4/GetEntityContent", with(mine, "messageId", plan.message, "entityId", text(t, read, "Entities", 1, "EntityId"))...).Body), "sandbox signature")
	own.get(404, "/V4/GetEntityContent", letter{plan.message, "none"}.pair("entityId")...)

	patch := object{"BoxId": sandbox.BoxID, "MessageId": inbound.message, "Receipts": []object{
		{"ParentEntityId": inbound.entity, "SignedContent": object{"Content": b64("<Receipt/>"), "SignWithTestSignature": true}},
	}}
	first := own.post(200, "/V4/PostMessagePatch", patch, "operationId", "2")
	require.Equal(t, at(first, "PatchId"), at(own.post(200, "/V4/PostMessagePatch", patch, "operationId", "2"), "PatchId"))
	own.post(400, "/V4/PostMessagePatch", object{"BoxId": sandbox.BoxID, "MessageId": inbound.message})
	own.post(404, "/V4/PostMessagePatch", object{"BoxId": sandbox.BoxID, "MessageId": "none"})
}

func drafts(t *testing.T, b bed) {
	own := b.own()
	draft := func() string {
		t.Helper()
		return text(t, own.post(200, "/V3/PostMessage", object{"FromBoxId": sandbox.BoxID, "IsDraft": true, "DocumentAttachments": []object{
			{"TypeNamedId": "Nonformalized", "SignedContent": object{"Content": b64("draft")}},
		}}, "operationId", t.Name()+b64(text(t, own.get(200, "/V2/GetLastEvent", mine...), "EventId"))), "MessageId")
	}
	id := draft()
	send := object{"BoxId": sandbox.BoxID, "DraftId": id, "ToBoxId": sandbox.CounteragentBoxID}
	sent := own.post(200, "/SendDraft", send, "operationId", "3")
	require.Equal(t, id, at(sent, "CreatedFromDraftId"))
	require.Equal(t, at(sent, "MessageId"), at(own.post(200, "/SendDraft", send, "operationId", "3"), "MessageId"))
	own.post(409, "/SendDraft", send, "operationId", "4")
	own.post(404, "/SendDraft", object{"BoxId": sandbox.BoxID, "DraftId": "none"})

	unwanted := draft()
	own.post(200, "/RecycleDraft", nil, with(mine, "draftId", unwanted)...)
	own.post(409, "/RecycleDraft", nil, with(mine, "draftId", unwanted)...)
	own.post(404, "/RecycleDraft", nil, with(mine, "draftId", inbound.message)...)
}

func templates(t *testing.T, b bed) {
	own := b.own()
	body := object{
		"FromBoxId": sandbox.BoxID, "ToBoxId": sandbox.CounteragentBoxID, "MessageFromBoxId": sandbox.CounteragentBoxID, "MessageToBoxId": sandbox.BoxID,
		"DocumentAttachments": []object{{"TypeNamedId": "Contract", "UnsignedContent": object{"Content": b64("<Contract/>")}}},
	}
	made := own.post(200, "/PostTemplate", body)
	id, entity := text(t, made, "MessageId"), text(t, made, "Entities", 0, "EntityId")
	body["ToBoxId"] = "none"
	own.post(404, "/PostTemplate", body)

	one := with(mine, "templateId", id)
	refusal := object{"Refusals": []object{{"DocumentId": entity, "Comment": "Another price"}}}
	require.NotEmpty(t, at(own.post(200, "/PostTemplatePatch", refusal, one...), "Entities"))
	own.post(404, "/PostTemplatePatch", object{"Refusals": []object{{"DocumentId": "none"}}}, one...)

	transform := object{"BoxId": sandbox.CounteragentBoxID, "TemplateId": id, "DocumentTransformations": []object{{"DocumentId": entity}}}
	require.Equal(t, []any{true, id}, []any{at(b.other().post(200, "/TransformTemplateToMessage", transform), "IsDraft"), at(b.other().post(200, "/TransformTemplateToMessage", transform), "CreatedFromDraftId")})
	own.post(409, "/PostTemplatePatch", refusal, one...)
	own.post(404, "/TransformTemplateToMessage", object{"BoxId": sandbox.BoxID, "TemplateId": "none"})
	own.post(400, "/TransformTemplateToMessage", object{"TemplateId": id})
}

func events(t *testing.T, b bed) {
	own := b.own()
	first := own.get(200, "/V8/GetNewEvents", with(mine, "limit", "1")...)
	id, key := text(t, first, "Events", 0, "EventId"), text(t, first, "Events", 0, "IndexKey")
	next := own.get(200, "/V8/GetNewEvents", with(mine, "afterIndexKey", key)...)
	require.Equal(t, at(next, "Events", 0, "EventId"), at(own.get(200, "/V8/GetNewEvents", with(mine, "afterEventId", id)...), "Events", 0, "EventId"))
	require.Equal(t, at(next, "Events", 0, "EventId"), at(own.get(200, "/V8/GetNewEvents", with(mine, "orderBy", "Descending")...), "Events", 0, "EventId"))
	require.Len(t, at(own.get(200, "/V8/GetNewEvents", with(mine, "typeNamedId", "XmlAcceptanceCertificate", "documentDirection", "Inbound")...), "Events"), 1)
	require.Empty(t, at(own.get(200, "/V8/GetNewEvents", with(mine, "timestampToTicks", "1")...), "Events"))
	for _, wrong := range [][]string{{"orderBy", "Sideways"}, {"limit", "101"}, {"afterIndexKey", "none"}, {"afterIndexKey", key, "afterEventId", id}} {
		own.get(400, "/V8/GetNewEvents", with(mine, wrong...)...)
	}
	require.Equal(t, inbound.message, at(own.get(200, "/V3/GetEvent", with(mine, "eventId", id)...), "Message", "MessageId"))
	own.get(404, "/V3/GetEvent", with(mine, "eventId", "none")...)
	require.Equal(t, at(next, "Events", 0, "EventId"), at(own.get(200, "/V2/GetLastEvent", mine...), "EventId"))
	own.get(403, "/V2/GetLastEvent", theirs...)
	require.Empty(t, at(own.get(200, "/V1/GetSecurityEvents", mine...), "Events"))
	own.get(400, "/V1/GetSecurityEvents")

	page := own.post(200, "/GetPartnerEvents", object{"Limit": 1})
	rest := own.post(200, "/GetPartnerEvents", object{"Cursor": at(page, "LastCursor")})
	require.Len(t, at(rest, "Events"), 1)
	own.post(400, "/GetPartnerEvents", object{"Cursor": "none"})
}

func counteragents(t *testing.T, b bed) {
	own, me := b.own(), []string{"myBoxId", sandbox.BoxID}
	partner := with(me, "counteragentBoxId", sandbox.CounteragentBoxID)
	require.Len(t, at(own.get(200, "/V3/GetCounteragents", with(me, "query", "harbour")...), "Counteragents"), 1)
	require.Empty(t, at(own.get(200, "/V3/GetCounteragents", with(me, "counteragentStatus", "InvitesMe")...), "Counteragents"))
	own.get(400, "/V3/GetCounteragents", with(me, "query", "harbour", "afterIndexKey", "x")...)
	require.Equal(t, "IsMyCounteragent", at(own.get(200, "/V3/GetCounteragent", partner...), "CurrentStatus"))
	own.get(404, "/V3/GetCounteragent", with(me, "counteragentBoxId", "none")...)
	require.Len(t, at(own.get(200, "/V2/GetCounteragentCertificates", partner...), "Certificates"), 1)
	own.get(404, "/V2/GetCounteragentCertificates", with(me, "counteragentBoxId", "none")...)

	task := text(t, own.post(200, "/V3/AcquireCounteragent", object{"Inn": "5000000030", "MessageToCounteragent": "Let us work together"}, me...), "TaskId")
	own.post(404, "/V3/AcquireCounteragent", object{"Inn": "1"}, me...)
	require.Equal(t, "IsInvitedByMe", at(own.get(200, "/V3/GetCounteragents", with(me, "query", "5000000030")...), "Counteragents", 0, "CurrentStatus"))
	require.Equal(t, "1", own.get(204, "/V2/AcquireCounteragentResult", "taskId", task).Header.Get("Retry-After"))
	stranger := text(t, own.get(200, "/V2/AcquireCounteragentResult", "taskId", task), "BoxId")
	own.get(404, "/V2/AcquireCounteragentResult", "taskId", "none")
	require.Equal(t, "IsMyCounteragent", at(own.get(200, "/V3/GetCounteragent", with(me, "counteragentBoxId", stranger)...), "CurrentStatus"))

	own.post(200, "/V2/BreakWithCounteragent", nil, with(me, "counteragentBoxId", stranger, "comment", "Done")...)
	own.post(404, "/V2/BreakWithCounteragent", nil, with(me, "counteragentBoxId", "none")...)
	require.Len(t, at(own.get(200, "/V1/GetCounteragentEvents", mine...), "Events"), 3)
	require.Empty(t, at(own.get(200, "/V1/GetCounteragentEvents", with(mine, "timestampToTicks", "1")...), "Events"))
	own.get(400, "/V1/GetCounteragentEvents", with(mine, "limit", "101")...)
}

func counteragentGroups(t *testing.T, b bed) {
	own := b.own()
	id := text(t, own.post(200, "/CreateCounteragentGroup", object{"Name": "Ports"}, mine...), "CounteragentGroupId")
	own.post(409, "/CreateCounteragentGroup", object{"Name": "Ports"}, mine...)
	one, standard, none := with(mine, "counteragentGroupId", id), with(mine, "counteragentGroupId", "00000000-0000-0000-0000-000000000000"), with(mine, "counteragentGroupId", "none")
	require.Len(t, at(own.get(200, "/GetCounteragentGroups", mine...), "Groups"), 2)
	own.get(400, "/GetCounteragentGroups", with(mine, "page", "0")...)
	require.Equal(t, "Ports", at(own.get(200, "/GetCounteragentGroup", one...), "Name"))
	own.get(404, "/GetCounteragentGroup", none...)
	changed := own.post(200, "/UpdateCounteragentGroup", object{"Name": "Harbours", "GroupDepartments": object{"AnyDepartment": false, "Departments": object{"DepartmentIds": []string{"d"}}}}, one...)
	require.Equal(t, []any{"Harbours", "d"}, []any{at(changed, "Name"), at(changed, "Departments", "DepartmentIds", 0)})
	own.post(409, "/UpdateCounteragentGroup", object{"Name": "Default"}, one...)

	own.post(200, "/AddCounteragentToGroup", nil, with(one, "counteragentBoxId", sandbox.CounteragentBoxID)...)
	own.post(409, "/AddCounteragentToGroup", nil, with(one, "counteragentBoxId", "none")...)
	members := own.get(200, "/GetCounteragentsFromGroup", one...)
	require.Equal(t, sandbox.CounteragentBoxID, at(members, "CounteragentBoxId", 0))
	require.Empty(t, at(own.get(200, "/GetCounteragentsFromGroup", with(one, "afterIndexKey", text(t, members, "AfterIndexKey"))...), "CounteragentBoxId"))
	own.get(404, "/GetCounteragentsFromGroup", none...)

	own.post(200, "/DeleteCounteragentGroup", nil, one...)
	own.post(404, "/DeleteCounteragentGroup", nil, one...)
	own.post(409, "/DeleteCounteragentGroup", nil, standard...)
	require.Equal(t, sandbox.CounteragentBoxID, at(own.get(200, "/GetCounteragentsFromGroup", standard...), "CounteragentBoxId", 0), "members go to the default group")
}

func dss(t *testing.T, b bed) {
	own := b.own()
	files := []object{{"Content": object{"Content": b64("to be signed")}}, {"Content": object{"EntityId": inbound.id()}}}
	for _, start := range []struct {
		path string
		body object
	}{{"/DssSign", object{"Files": files}}, {"/V2/DssSign", object{"Files": files, "SignDataSource": "GosKeySign"}}} {
		task := text(t, own.post(200, start.path, start.body, mine...), "TaskId")
		states := []any{}
		for range 3 {
			states = append(states, at(own.get(200, "/DssSignResult", with(mine, "taskId", task)...), "OperationStatus"))
		}
		require.Equal(t, []any{"InProgress", "InProgress", "Completed"}, states)
		require.NotEmpty(t, at(own.get(200, "/DssSignResult", with(mine, "taskId", task)...), "FileSigningResults", 1, "Signature"))
		b.other().get(404, "/DssSignResult", with(theirs, "taskId", task)...)
	}
	own.post(404, "/DssSign", object{"Files": files}, with(mine, "certificateThumbprint", "none")...)
	own.post(400, "/DssSign", object{"Files": []object{{"Content": object{}}}}, mine...)
	own.post(400, "/V2/DssSign", object{"Files": []object{}, "SignDataSource": "CertificateSign"}, mine...)
	own.post(404, "/DssSign", object{"Files": []object{{"Content": object{"EntityId": inbound.id(), "PatchedContentId": "none"}}}}, mine...)
	prepared := own.post(200, "/PrepareDocumentsToSign", object{"BoxId": sandbox.BoxID, "Documents": []object{{"DocumentId": inbound.id()}}})
	own.post(200, "/DssSign", object{"Files": []object{{"Content": object{"EntityId": inbound.id(), "PatchedContentId": at(prepared, "DocumentPatchedContents", 0, "PatchedContentId")}}}}, mine...)
}

func powersOfAttorney(t *testing.T, b bed) {
	own := b.own()
	id := object{"RegistrationNumber": "reg-1", "IssuerInn": "7700000016"}
	check := func() any {
		t.Helper()
		return at(own.post(200, "/V2/PrevalidatePowerOfAttorney", object{"FullId": id, "ConfidantCertificate": object{}}, mine...), "PrevalidateStatus", "StatusNamedId")
	}
	require.Equal(t, "IsNotValid", check())
	own.post(400, "/V2/PrevalidatePowerOfAttorney", object{"FullId": id}, mine...)

	task := text(t, own.post(200, "/RegisterPowerOfAttorney", object{"FullId": id}, mine...), "TaskId")
	states := []any{}
	for range 3 {
		states = append(states, at(own.get(200, "/RegisterPowerOfAttorneyResult", with(mine, "taskId", task)...), "OperationStatus"))
	}
	require.Equal(t, []any{"Queued", "Processing", "Done"}, states)
	require.Equal(t, "IsValid", check())
	own.get(404, "/RegisterPowerOfAttorneyResult", with(mine, "taskId", "none")...)
	own.post(400, "/RegisterPowerOfAttorney", object{}, mine...)
	own.post(409, "/RegisterPowerOfAttorney", object{"FullId": object{"RegistrationNumber": "reg-2", "IssuerInn": "1"}}, mine...)
	content := object{"Content": object{"Content": object{"Content": b64("<Power/>")}, "Signature": object{"Content": b64("signature")}}}
	own.post(200, "/RegisterPowerOfAttorney", content, mine...)

	require.NotEmpty(t, at(own.get(200, "/GetPowerOfAttorneyInfo", inbound.pair("entityId")...), "FullId", "RegistrationNumber"))
	own.get(404, "/GetPowerOfAttorneyInfo", letter{inbound.message, "none"}.pair("entityId")...)
	require.NotEmpty(t, at(own.get(200, "/V2/GetPowerOfAttorneyContent", inbound.pair("entityId")...), "Content", "Content"))
	own.get(404, "/V2/GetPowerOfAttorneyContent", letter{"none", "none"}.pair("entityId")...)
}

func employeePowers(t *testing.T, b bed) {
	own := b.own()
	id := object{"RegistrationNumber": "reg-1", "IssuerInn": "7700000016"}
	own.post(404, "/V2/AddEmployeePowerOfAttorney", id, mine...)
	task := text(t, own.post(200, "/RegisterPowerOfAttorney", object{"FullId": id}, mine...), "TaskId")
	for range 3 {
		own.get(200, "/RegisterPowerOfAttorneyResult", with(mine, "taskId", task)...)
	}
	own.post(200, "/V2/AddEmployeePowerOfAttorney", id, mine...)
	own.post(409, "/V2/AddEmployeePowerOfAttorney", id, mine...)
	own.post(404, "/V2/AddEmployeePowerOfAttorney", id, with(mine, "userId", "none")...)

	chosen := own.post(200, "/V2/UpdateEmployeePowerOfAttorney", object{"PowerOfAttorneyFullId": id, "IsDefaultPatch": object{"IsDefault": true}}, mine...)
	require.Equal(t, true, at(chosen, "IsDefault"))
	list := own.get(200, "/GetEmployeePowersOfAttorney", with(mine, "onlyActual", "true")...)
	require.Equal(t, []any{false, true}, []any{at(list, "PowersOfAttorney", 0, "IsDefault"), at(list, "PowersOfAttorney", 1, "IsDefault")}, "one is the default")
	own.get(404, "/GetEmployeePowersOfAttorney", with(mine, "userId", "none")...)
	own.post(404, "/V2/UpdateEmployeePowerOfAttorney", object{"PowerOfAttorneyFullId": object{"RegistrationNumber": "none", "IssuerInn": "1"}}, mine...)
	own.post(200, "/V2/DeleteEmployeePowerOfAttorney", id, mine...)
	own.post(404, "/V2/DeleteEmployeePowerOfAttorney", id, mine...)
}
