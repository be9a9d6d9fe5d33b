package sandbox_test

// This file: every operation of the upstreams at least once with success and once
// refused, each answer validated against the upstream's spec.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/sandbox"
)

// topics exercise the operations, each in a sandbox of its own.
var topics = map[string]func(*testing.T, bed){
	"organizations": organizations, "key-value storage": keyValue, "departments": departments, "employees": employees, "users": users,
	"documents": documents, "document actions": documentActions, "titles": titles, "notes": notes, "print forms": printForms, "shelf": shelf,
	"docflows": docflows, "forwarding": forwarding, "messages": messages, "drafts": drafts, "templates": templates, "events": events,
	"counteragents": counteragents, "counteragent groups": counteragentGroups, "dss": dss, "powers of attorney": powersOfAttorney,
	"employee powers of attorney": employeePowers, "addresses": addresses,
	"logistics": logistics, "waybill": waybill, "transport": transport,
}

func TestEveryOperation(t *testing.T) {
	t.Parallel()
	t.Run("topics", func(t *testing.T) {
		t.Parallel()
		for name, topic := range topics {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				topic(t, newBed(t))
			})
		}
	})
	t.Cleanup(func() { // when the topics are through
		operations := 0
		for _, contract := range contracts() {
			for _, item := range contract.Spec.Paths.Map() {
				for _, op := range item.Operations() {
					operations++
					require.True(t, seen(contract, op.OperationID, 200, 204), "%s has not succeeded", op.OperationID)
					require.True(t, seen(contract, op.OperationID, 400, 401, 403, 404, 409), "%s has not refused", op.OperationID)
				}
			}
		}
		require.Equal(t, 117+8+5+2, operations)
	})
}

func organizations(t *testing.T, b bed) {
	own := b.own()
	require.Equal(t, sandbox.BoxID, at(own.get(200, "/GetMyOrganizations"), "Organizations", 0, "Boxes", 0, "BoxId"))
	b.provider("nobody's").get(401, "/GetMyOrganizations")

	require.Equal(t, "Northern Machines", at(own.get(200, "/GetOrganization", mine...), "FullName"))
	require.Equal(t, "Harbour Logistics", at(own.get(200, "/GetOrganization", "inn", "7800000020", "kpp", "780001001"), "FullName"))
	own.get(404, "/GetOrganization", "inn", "1")
	own.get(400, "/GetOrganization")
	own.get(400, "/GetOrganization", "inn", "7800000020", "orgId", "x")
	own.get(400, "/GetOrganization", with(mine, "kpp", "1")...)

	found := own.get(200, "/GetOrganizationsByInnKpp", "inn", "7800000020", "includeRelations", "true")
	require.Equal(t, "1", at(found, "Organizations", 0, "SearchCount").(interface{ String() string }).String())
	require.Empty(t, at(own.get(200, "/GetOrganizationsByInnKpp", "inn", "7800000020", "kpp", "1"), "Organizations"))
	own.get(400, "/GetOrganizationsByInnKpp")
	require.Empty(t, at(own.get(200, "/GetOrganizationsByForeignTaxpayerCode", "foreignTaxpayerCode", "F-1"), "Organizations"))
	own.get(400, "/GetOrganizationsByForeignTaxpayerCode")

	list := object{"InnList": []string{"7800000020", "5000000030", "1"}}
	require.Equal(t, "IsMyCounteragent", at(own.post(200, "/V2/GetOrganizationsByInnList", list, "myBoxId", sandbox.BoxID), "Organizations", 0, "CounteragentStatus"))
	require.Equal(t, "NotInCounteragentList", at(own.post(200, "/V2/GetOrganizationsByInnList", list), "Organizations", 0, "CounteragentStatus"))
	own.post(403, "/V2/GetOrganizationsByInnList", list, "myBoxId", sandbox.CounteragentBoxID)
	own.post(400, "/V2/GetOrganizationsByInnList", object{"InnList": "7800000020"})

	require.NotEmpty(t, at(own.get(200, "/GetOrganizationFeatures", mine...), "Features"))
	own.get(403, "/GetOrganizationFeatures", theirs...)
	require.NotEmpty(t, at(own.get(200, "/GetRoamingOperators", mine...), "RoamingOperators"))
	own.get(404, "/GetRoamingOperators", "boxId", "none")
	require.Equal(t, sandbox.BoxID, at(own.get(200, "/GetBox", mine...), "BoxId"))
	own.get(400, "/GetBox")
}

func keyValue(t *testing.T, b bed) {
	own := b.own()
	own.post(200, "/V2/KeyValueStoragePut", object{"Entries": []object{{"Key": "a", "Value": "1"}, {"Key": "b", "Value": "2"}}}, mine...)
	own.post(200, "/V2/KeyValueStoragePut", object{"Entries": []object{{"Key": "a", "Value": "3"}}}, mine...)
	got := own.post(200, "/V2/KeyValueStorageGet", object{"Keys": []string{"a", "c"}}, mine...)
	require.Equal(t, []any{object{"Key": "a", "Value": "3"}}, at(got, "Entries"))
	require.Empty(t, at(b.other().post(200, "/V2/KeyValueStorageGet", object{"Keys": []string{"a"}}, theirs...), "Entries"), "each box has its own")
	own.post(400, "/V2/KeyValueStoragePut", object{"Entries": []object{{"Key": "a"}}}, mine...)
	own.post(400, "/V2/KeyValueStorageGet", object{"Key": "a"}, mine...)
}

func departments(t *testing.T, b bed) {
	own := b.own()
	create := object{
		"Name": "Yard", "Abbreviation": "Y", "Kpp": "770001002", "Routing": object{"Kpp": true, "Address": false},
		"Address": object{"RussianAddress": object{"Region": "77", "City": "Moscow"}},
	}
	made := own.post(200, "/admin/CreateDepartment", create, mine...)
	id := text(t, made, "Id")
	require.Equal(t, "Moscow", at(made, "Address", "RussianAddress", "City"))
	create["ParentDepartmentId"] = "none"
	own.post(404, "/admin/CreateDepartment", create, mine...)

	require.Len(t, at(own.get(200, "/admin/GetDepartments", mine...), "Departments"), 2)
	require.Equal(t, id, at(own.get(200, "/admin/GetDepartments", with(mine, "page", "2", "count", "1")...), "Departments", 0, "Id"))
	own.get(400, "/admin/GetDepartments", with(mine, "page", "0")...)
	require.Equal(t, "Yard", at(own.get(200, "/admin/GetDepartment", with(mine, "departmentId", id)...), "Name"))
	own.get(404, "/admin/GetDepartment", with(mine, "departmentId", "none")...)

	changed := own.post(200, "/admin/UpdateDepartment", object{
		"DepartmentNaming": object{"Name": "Depot", "Abbreviation": "D"}, "Kpp": object{}, "Routing": object{"Kpp": false, "Address": true},
		"ParentDepartment": object{"ParentDepartmentId": "00000000-0000-0000-0000-000000000000"}, "Address": object{},
	}, with(mine, "departmentId", id)...)
	require.Equal(t, []any{"Depot", nil, nil}, []any{at(changed, "Name"), at(changed, "Kpp"), at(changed, "Address")})
	own.post(404, "/admin/UpdateDepartment", object{"ParentDepartment": object{"ParentDepartmentId": "none"}}, with(mine, "departmentId", id)...)
	own.post(200, "/admin/DeleteDepartment", nil, with(mine, "departmentId", id)...)
	own.post(404, "/admin/DeleteDepartment", nil, with(mine, "departmentId", id)...)
	own.post(409, "/admin/DeleteDepartment", nil, with(mine, "departmentId", "00000000-0000-0000-0000-000000000000")...)
}

func employees(t *testing.T, b bed) {
	own := b.own()
	create := object{
		"Credentials": object{"Login": object{"Login": "ivan@example.com", "FullName": object{"LastName": "Petrov", "FirstName": "Ivan"}}},
		"Position":    "Driver", "CanBeInvitedForChat": false,
		"Permissions": object{"UserDepartmentId": "d", "IsAdministrator": false, "DocumentAccessLevel": "DepartmentOnly"},
	}
	made := own.post(200, "/CreateEmployee", create, mine...)
	id := text(t, made, "User", "UserId")
	own.post(409, "/CreateEmployee", create, mine...)
	create["Credentials"] = object{}
	own.post(400, "/CreateEmployee", create, mine...)
	create["Credentials"] = object{"Certificate": object{"Content": b64("certificate")}}
	own.post(200, "/CreateEmployee", create, mine...)

	require.Len(t, at(own.get(200, "/GetEmployees", mine...), "Employees"), 3)
	own.get(400, "/GetEmployees", with(mine, "count", "51")...)
	one := with(mine, "userId", id)
	require.Equal(t, "Driver", at(own.get(200, "/GetEmployee", one...), "Position"))
	own.get(404, "/GetEmployee", with(mine, "userId", "none")...)
	require.Equal(t, "Director", at(own.get(200, "/GetMyEmployee", mine...), "Position"))
	own.get(403, "/GetMyEmployee", theirs...)

	changed := own.post(200, "/UpdateEmployee", object{
		"Position": object{"Position": "Dispatcher"}, "CanBeInvitedForChat": object{"CanBeInvitedForChat": true},
		"Permissions": object{
			"Department": object{"DepartmentId": "other"}, "IsAdministrator": object{"IsAdministrator": true},
			"DocumentAccessLevel": object{"DocumentAccessLevel": "SelectedDepartments"}, "SelectedDepartments": object{"SelectedDepartmentIds": []string{"other"}},
			"Actions": []object{{"Name": "SignDocuments", "IsAllowed": true}}, "AuthorizationPermission": object{"IsBlocked": true, "Comment": "on leave"},
		},
	}, one...)
	require.Equal(t, []any{"Dispatcher", true, "other"}, []any{at(changed, "Position"), at(changed, "Permissions", "AuthorizationPermission", "IsBlocked"), at(changed, "Permissions", "UserDepartmentId")})
	own.post(400, "/UpdateEmployee", object{"Permissions": object{"DocumentAccessLevel": object{"DocumentAccessLevel": "Everything"}}}, one...)

	require.Len(t, at(own.get(200, "/GetSubscriptions", one...), "Subscriptions"), 2)
	own.get(404, "/GetSubscriptions", with(mine, "userId", "none")...)
	own.post(200, "/UpdateSubscriptions", object{"Subscriptions": []object{{"Id": "Signatures", "IsSubscribed": true}}}, one...)
	require.Equal(t, true, at(own.get(200, "/GetSubscriptions", one...), "Subscriptions", 1, "IsSubscribed"))
	own.post(400, "/UpdateSubscriptions", object{"Subscriptions": []object{{"Id": "Weather", "IsSubscribed": true}}}, one...)

	own.post(200, "/DeleteEmployee", nil, one...)
	own.post(404, "/DeleteEmployee", nil, one...)
	me := text(t, own.get(200, "/GetMyEmployee", mine...), "User", "UserId")
	own.post(409, "/DeleteEmployee", nil, with(mine, "userId", me)...)
}

func users(t *testing.T, b bed) {
	own := b.own()
	require.Equal(t, "Anna@example.com", at(own.get(200, "/V2/GetMyUser"), "Login"))
	b.provider("nobody's").get(401, "/V2/GetMyUser")
	require.Len(t, at(own.get(200, "/GetMyCertificates", mine...), "Certificates"), 1)
	own.get(403, "/GetMyCertificates", theirs...)
	require.Equal(t, "Anna Orlova", at(own.get(200, "/V2/GetOrganizationUsers", mine...), "Users", 0, "Name"))
	own.get(404, "/V2/GetOrganizationUsers", "boxId", "none")

	title := with(mine, "thumbprint", "AA", "documentTitleType", "13")
	own.get(404, "/V2/ExtendedSignerDetails", title...)
	own.post(200, "/V2/ExtendedSignerDetails", object{"JobTitle": "Director", "SignerType": "LegalEntity"}, title...)
	require.Equal(t, []any{"Director", "Orlova"}, []any{at(own.get(200, "/V2/ExtendedSignerDetails", title...), "JobTitle"), at(own.get(200, "/V2/ExtendedSignerDetails", title...), "Surname")})
	own.post(400, "/V2/ExtendedSignerDetails", object{"SignerType": "Robot"}, title...)
}

func addresses(t *testing.T, b bed) {
	own := b.own()
	parsed := own.get(200, "/ParseRussianAddress", "address", "Kazan, Central, 7")
	require.Equal(t, []any{"Kazan", "Central", "7"}, []any{at(parsed, "City"), at(parsed, "Street"), at(parsed, "Building")})
	own.get(400, "/ParseRussianAddress", "address", " , ")
	require.Equal(t, "Central", at(own.get(200, "/V1/ParseGarAddress", "address", "Kazan, Central"), "Street", "Name"))
	require.Nil(t, at(own.get(200, "/V1/ParseGarAddress", "address", "Kazan"), "Street"))
	own.get(400, "/V1/ParseGarAddress")
}
