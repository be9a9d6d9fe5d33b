package sandbox

// This file: the demo organizations and what they have exchanged so far.

import (
	"time"

	"equipment-platform/gen/exchangeapi"
)

const (
	demoUser         = "00000000-0000-4000-8000-0000000000c1"
	counteragentUser = "00000000-0000-4000-8000-0000000000c2"
	rootDepartment   = "00000000-0000-0000-0000-000000000000"
	defaultGroup     = "00000000-0000-0000-0000-000000000000"
	demoThumbprint   = "1F8A4C0B5D7E92A3C6F0B1D2E3A4958677889900"
	demoPower        = "6b0e7a2c-4f0d-4a55-9a3e-2a8d6c1f0e11"

	// those of the examples in the published contract
	demoTransportation = "tr-20260601-17"
	demoWaybill        = "wb-17"
	demoStateID        = "3f1d7a52-6c0e-4b8a-9d21-7e5f4c3b2a19"
)

// seeded makes a store with two partners, a stranger, and two documents that
// wait for the demo user.
func seeded(now time.Time) *store {
	own := newOrganization("1", "7700000016", "Northern Machines", demoUser, "Anna", "Orlova", now)
	partner := newOrganization("2", "7800000020", "Harbour Logistics", counteragentUser, "Boris", "Lunin", now)
	stranger := newOrganization("3", "5000000030", "Inland Quarries", newID(), "Vera", "Sokolova", now)
	own.partners[partner.boxID] = partnership{status: "IsMyCounteragent", changed: now, groupID: defaultGroup}
	partner.partners[own.boxID] = partnership{status: "IsMyCounteragent", changed: now, groupID: defaultGroup}
	s := &store{
		tokens: map[string]user{
			Token:             {id: demoUser, boxes: []string{own.boxID}},
			CounteragentToken: {id: counteragentUser, boxes: []string{partner.boxID}},
		},
		organizations: []*organization{own, partner, stranger},
		messages:      map[string]*message{}, operations: map[string]any{}, shelf: map[string]*file{},
		tasks: map[string]*task{}, waits: map[string]int{}, powers: map[string]exchangeapi.PowerOfAttorney{},
	}
	power := powerOf(demoPower, own.inn, own.name, exchangeapi.FullName{FirstName: "Anna", LastName: "Orlova"}, now)
	s.powers[demoPower] = power
	own.powers[demoUser] = []exchangeapi.EmployeePowerOfAttorney{{PowerOfAttorney: power, IsDefault: true}}
	for i, demo := range []struct{ id, kind, function, version, name, number string }{
		{"1", "XmlAcceptanceCertificate", "default", "rusal_05_01_01", "act-17.xml", "17"},
		{"2", "UniversalTransferDocument", "Schf", "utd970_05_03_01", "invoice-204.xml", "204"},
	} {
		at := now.Add(time.Duration(i-24) * time.Hour)
		m := &message{id: "00000000-0000-4000-8000-00000000010" + demo.id, kind: "Letter", from: partner.boxID, to: own.boxID, created: at, patched: at, deletedFor: map[string]bool{}}
		m.add(&document{
			entityID: "00000000-0000-4000-8000-00000000020" + demo.id, typeNamedID: demo.kind, function: demo.function, version: demo.version,
			fileName: demo.name, number: demo.number, date: at.Format("02.01.2006"), created: at, needsSignature: true,
			content:   []byte(`<?xml version="1.0" encoding="utf-8"?><Document number="` + demo.number + `"/>`),
			signature: &signature{id: newID(), box: partner.boxID, at: at, data: testSignature([]byte(demo.number))},
		})
		s.post(m, "", at)
	}
	return s
}

// newPassThrough makes the pass-through upstreams with one transportation on the
// road, and one waybill whose first title was sent.
func newPassThrough(now func() time.Time) *passThrough {
	p := &passThrough{now: now, objects: map[string]map[string]object{}, files: map[string][]byte{}}
	p.startTransportation(demoTransportation, []byte(xmlHead+`<TransportWaybill number="17"/>`))
	p.change("transportation", demoTransportation, object{"status": raw("OnTheWay")})
	p.addEvent(demoTransportation, "OnTheWay")
	p.put("state document", demoStateID, object{"uuid": raw(demoStateID), "status": raw("Registered")})
	p.put("waybill", demoWaybill, object{
		"waybillId": raw(demoWaybill), "status": raw("Created"), "titles": raw(1), "stateId": raw(demoStateID),
		"vehicle": raw(map[string]string{"brandName": "KAMAZ", "modelName": "65115", "licensePlate": "A123BC77"}), "odometer": raw(48211),
	})
	return p
}

func newOrganization(n, inn, name, userID, first, last string, now time.Time) *organization {
	guid := "00000000-0000-4000-8000-0000000000b" + n
	root := exchangeapi.DepartmentsDepartment{Id: rootDepartment, Name: name, Abbreviation: "HQ", Routing: exchangeapi.Routing{}, CreationTimestamp: stamp(now)}
	return &organization{
		id: "00000000-0000-4000-8000-0000000000a" + n, inn: inn, kpp: inn[:4] + "01001", name: name,
		boxID: guid + "@exchange.example", boxGUID: guid,
		partners: map[string]partnership{}, departments: []exchangeapi.DepartmentsDepartment{root},
		employees: []exchangeapi.EmployeesEmployee{{
			User: exchangeapi.UserV2{
				UserId: userID, IsRegistered: true, Login: new(first + "@example.com"),
				FullName: &exchangeapi.FullName{FirstName: first, LastName: last},
			},
			Position: "Director", CanBeInvitedForChat: true, CreationTimestamp: new(stamp(now)),
			Permissions: exchangeapi.EmployeePermissions{UserDepartmentId: rootDepartment, IsAdministrator: true, DocumentAccessLevel: "AllDocuments"},
		}},
		subscriptions: map[string][]exchangeapi.Subscription{}, powers: map[string][]exchangeapi.EmployeePowerOfAttorney{},
		pairs: map[string]string{}, signers: map[string]exchangeapi.ExtendedSignerDetails{},
		groups: []exchangeapi.CounteragentGroup{{CounteragentGroupId: defaultGroup, Name: "Default"}},
	}
}
