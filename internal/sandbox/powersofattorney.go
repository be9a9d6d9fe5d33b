package sandbox

// This file: powers of attorney; their registration takes a few polls.

import (
	"context"
	"net/http"
	"slices"
	"time"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

// powerOf makes a power of attorney.
func powerOf(number, inn, name string, holder exchangeapi.FullName, now time.Time) exchangeapi.PowerOfAttorney {
	until := now.AddDate(1, 0, 0)
	return exchangeapi.PowerOfAttorney{
		FullId: exchangeapi.PowerOfAttorneyFullId{RegistrationNumber: number, IssuerInn: inn},
		Issuer: exchangeapi.PowerOfAttorneyIssuer{
			Type: new("LegalEntity"), LegalEntity: &exchangeapi.PowerOfAttorneyIssuerLegalEntity{Inn: inn, Kpp: inn[:4] + "01001", OrganizationName: name},
		},
		Confidant: exchangeapi.PowerOfAttorneyConfidant{PersonName: holder, Inn: "770000000016"},
		StartAt:   stamp(now), ExpireAt: stamp(until),
		StartAtByMoscow:  exchangeapi.DateTimeOffsetDto{UtcTicks: ticks(now), OffsetTicks: int64(3 * time.Hour / 100)},
		ExpireAtByMoscow: exchangeapi.DateTimeOffsetDto{UtcTicks: ticks(until), OffsetTicks: int64(3 * time.Hour / 100)},
		PermissionsInfo: exchangeapi.PowerOfAttorneyPermissionsInfo{
			JointPermissions: "Individual", Permissions: &[]exchangeapi.PowerOfAttorneyPermissions{{Type: "Text", TextPermission: new("Sign documents")}},
		},
	}
}

// RegisterPowerOfAttorney starts a registration by number or by content.
func (s *Sandbox) RegisterPowerOfAttorney(ctx context.Context, r providerapi.RegisterPowerOfAttorneyRequestObject) (providerapi.RegisterPowerOfAttorneyResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	number, inn := newID(), o.inn
	switch {
	case r.Body.FullId != nil:
		number, inn = r.Body.FullId.RegistrationNumber, r.Body.FullId.IssuerInn
	case r.Body.Content != nil:
		if _, err := s.contentV3(o, r.Body.Content.Content); err != nil {
			return nil, err
		}
	default:
		return nil, fail(http.StatusBadRequest, "Neither FullId nor Content is given")
	}
	if len(inn) < 10 {
		return nil, fail(http.StatusConflict, "The registration cannot start: IssuerInn %s is not a taxpayer number", inn)
	}
	id := newID()
	s.store.tasks[id] = &task{kind: "power", box: o.boxID, result: powerOf(number, inn, o.name, exchangeapi.FullName{FirstName: "Anna", LastName: "Orlova"}, s.now())}
	return providerapi.RegisterPowerOfAttorney200JSONResponse{TaskId: &id}, nil
}

// RegisterPowerOfAttorneyResult shows how far a registration is.
func (s *Sandbox) RegisterPowerOfAttorneyResult(ctx context.Context, r providerapi.RegisterPowerOfAttorneyResultRequestObject) (providerapi.RegisterPowerOfAttorneyResultResponseObject, error) {
	t, err := s.task(ctx, r.Params.BoxId, r.Params.TaskId, "power")
	if err != nil {
		return nil, err
	}
	var answer providerapi.RegisterPowerOfAttorneyResult200JSONResponse
	power := t.result.(exchangeapi.PowerOfAttorney)
	switch t.polls++; t.polls {
	case 1:
		answer.Body.OperationStatus = "Queued"
	case 2:
		answer.Body.OperationStatus = "Processing"
	default:
		answer.Body.OperationStatus, answer.Body.PowerOfAttorney = "Done", &power
		s.store.powers[power.FullId.RegistrationNumber] = power
	}
	return answer, nil
}

// PrevalidatePowerOfAttorney checks that a power is known and not over.
func (s *Sandbox) PrevalidatePowerOfAttorney(ctx context.Context, r providerapi.PrevalidatePowerOfAttorneyRequestObject) (providerapi.PrevalidatePowerOfAttorneyResponseObject, error) {
	if _, err := s.mine(ctx, r.Params.BoxId); err != nil {
		return nil, err
	}
	status := exchangeapi.PowerOfAttorneyValidationStatus{Severity: new("Success"), StatusNamedId: new("IsValid"), StatusText: new("Valid")}
	p, known := s.store.powers[r.Body.FullId.RegistrationNumber]
	if !known || p.FullId.IssuerInn != r.Body.FullId.IssuerInn || p.ExpireAt.Ticks < ticks(s.now()) {
		status = exchangeapi.PowerOfAttorneyValidationStatus{Severity: new("Error"), StatusNamedId: new("IsNotValid"), StatusText: new("Unknown or over"),
			Errors: &[]exchangeapi.PowerOfAttorneyValidationError{{Code: "NotFound", Text: "The power of attorney is unknown or over"}}}
	}
	return providerapi.PrevalidatePowerOfAttorney200JSONResponse{PrevalidateStatus: status}, nil
}

// GetPowerOfAttorneyInfo shows the power that a signature of a document was
// made with: the demo one.
func (s *Sandbox) GetPowerOfAttorneyInfo(ctx context.Context, r providerapi.GetPowerOfAttorneyInfoRequestObject) (providerapi.GetPowerOfAttorneyInfoResponseObject, error) {
	if err := s.entityKnown(ctx, r.Params.BoxId, r.Params.MessageId, r.Params.EntityId); err != nil {
		return nil, err
	}
	return providerapi.GetPowerOfAttorneyInfo200JSONResponse(s.store.powers[demoPower]), nil
}

// entityKnown checks that an entity of any kind is in a message.
func (s *Sandbox) entityKnown(ctx context.Context, box, messageID, entityID string) error {
	o, err := s.mine(ctx, box)
	if err != nil {
		return err
	}
	m, err := s.find(o.boxID, messageID)
	if err != nil {
		return err
	}
	for _, e := range m.entitiesOf(o.boxID, nil, nil) {
		if e.EntityId == entityID {
			return nil
		}
	}
	return fail(http.StatusNotFound, "Entity %s is unknown", entityID)
}

// GetPowerOfAttorneyContent answers the files of that power.
func (s *Sandbox) GetPowerOfAttorneyContent(ctx context.Context, r providerapi.GetPowerOfAttorneyContentRequestObject) (providerapi.GetPowerOfAttorneyContentResponseObject, error) {
	if err := s.entityKnown(ctx, r.Params.BoxId, r.Params.MessageId, r.Params.EntityId); err != nil {
		return nil, err
	}
	content := []byte(xmlHead + `<PowerOfAttorney number="` + demoPower + `"/>`)
	return providerapi.GetPowerOfAttorneyContent200JSONResponse{Content: exchangeapi.PowerOfAttorneyContentV2{
		Content: encode(content), Signature: encode(testSignature(content)), FullId: s.store.powers[demoPower].FullId,
	}}, nil
}

// owner finds whose powers a call is about: without a user the caller's own.
func (s *Sandbox) owner(ctx context.Context, box string, userID *string) (*organization, string, error) {
	o, err := s.mine(ctx, box)
	if err != nil {
		return nil, "", err
	}
	id := userOf(ctx).id
	if value(userID) != "" {
		id = *userID
	}
	_, err = o.employee(id)
	return o, id, err
}

func (o *organization) power(userID string, id exchangeapi.PowerOfAttorneyFullId) (int, error) {
	at := slices.IndexFunc(o.powers[userID], func(p exchangeapi.EmployeePowerOfAttorney) bool {
		return p.PowerOfAttorney.FullId.RegistrationNumber == id.RegistrationNumber && p.PowerOfAttorney.FullId.IssuerInn == id.IssuerInn
	})
	if at < 0 {
		return 0, fail(http.StatusNotFound, "Power of attorney %s is not bound to the employee", id.RegistrationNumber)
	}
	return at, nil
}

// GetEmployeePowersOfAttorney lists the powers of an employee.
func (s *Sandbox) GetEmployeePowersOfAttorney(ctx context.Context, r providerapi.GetEmployeePowersOfAttorneyRequestObject) (providerapi.GetEmployeePowersOfAttorneyResponseObject, error) {
	o, id, err := s.owner(ctx, r.Params.BoxId, r.Params.UserId)
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Clone(o.powers[id]), func(p exchangeapi.EmployeePowerOfAttorney) bool {
		return value(r.Params.OnlyActual) && p.PowerOfAttorney.ExpireAt.Ticks < ticks(s.now())
	})
	return providerapi.GetEmployeePowersOfAttorney200JSONResponse{PowersOfAttorney: &list}, nil
}

// AddEmployeePowerOfAttorney binds a registered power to an employee.
func (s *Sandbox) AddEmployeePowerOfAttorney(ctx context.Context, r providerapi.AddEmployeePowerOfAttorneyRequestObject) (providerapi.AddEmployeePowerOfAttorneyResponseObject, error) {
	o, id, err := s.owner(ctx, r.Params.BoxId, r.Params.UserId)
	if err != nil {
		return nil, err
	}
	power, ok := s.store.powers[r.Body.RegistrationNumber]
	if !ok {
		return nil, fail(http.StatusNotFound, "Power of attorney %s is unknown", r.Body.RegistrationNumber)
	}
	if _, err := o.power(id, power.FullId); err == nil {
		return nil, fail(http.StatusConflict, "It is bound already")
	}
	bound := exchangeapi.EmployeePowerOfAttorney{PowerOfAttorney: power}
	o.powers[id] = append(o.powers[id], bound)
	return providerapi.AddEmployeePowerOfAttorney200JSONResponse(bound), nil
}

// UpdateEmployeePowerOfAttorney sets or clears the default mark.
func (s *Sandbox) UpdateEmployeePowerOfAttorney(ctx context.Context, r providerapi.UpdateEmployeePowerOfAttorneyRequestObject) (providerapi.UpdateEmployeePowerOfAttorneyResponseObject, error) {
	o, id, err := s.owner(ctx, r.Params.BoxId, r.Params.UserId)
	if err != nil {
		return nil, err
	}
	at, err := o.power(id, r.Body.PowerOfAttorneyFullId)
	if err != nil {
		return nil, err
	}
	list := slices.Clone(o.powers[id])
	if p := r.Body.IsDefaultPatch; p != nil {
		for i := range list {
			list[i].IsDefault = p.IsDefault && i == at || list[i].IsDefault && i != at && !p.IsDefault
		}
	}
	o.powers[id] = list
	return providerapi.UpdateEmployeePowerOfAttorney200JSONResponse(list[at]), nil
}

// DeleteEmployeePowerOfAttorney unbinds a power.
func (s *Sandbox) DeleteEmployeePowerOfAttorney(ctx context.Context, r providerapi.DeleteEmployeePowerOfAttorneyRequestObject) (providerapi.DeleteEmployeePowerOfAttorneyResponseObject, error) {
	o, id, err := s.owner(ctx, r.Params.BoxId, r.Params.UserId)
	if err != nil {
		return nil, err
	}
	at, err := o.power(id, *r.Body)
	if err != nil {
		return nil, err
	}
	o.powers[id] = removed(o.powers[id], at)
	return providerapi.DoneResponse{}, nil
}
