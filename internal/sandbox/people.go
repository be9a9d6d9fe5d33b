package sandbox

// This file: departments, employees, users, signer details.

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

func (o *organization) department(id string) (int, error) {
	at := slices.IndexFunc(o.departments, func(d exchangeapi.DepartmentsDepartment) bool { return d.Id == id })
	if at < 0 {
		return 0, fail(http.StatusNotFound, "Department %s is unknown", id)
	}
	return at, nil
}

// GetDepartments lists the departments, the head first.
func (s *Sandbox) GetDepartments(ctx context.Context, r providerapi.GetDepartmentsRequestObject) (providerapi.GetDepartmentsResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	list, err := numbered(o.departments, r.Params.Page, r.Params.Count, 100)
	return providerapi.GetDepartments200JSONResponse{Departments: &list, TotalCount: int32(len(o.departments))}, err
}

// GetDepartment shows one department.
func (s *Sandbox) GetDepartment(ctx context.Context, r providerapi.GetDepartmentRequestObject) (providerapi.GetDepartmentResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	at, err := o.department(r.Params.DepartmentId)
	if err != nil {
		return nil, err
	}
	return providerapi.GetDepartment200JSONResponse(o.departments[at]), nil
}

// CreateDepartment adds a department.
func (s *Sandbox) CreateDepartment(ctx context.Context, r providerapi.CreateDepartmentRequestObject) (providerapi.CreateDepartmentResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	parent := orRoot(value(r.Body.ParentDepartmentId))
	if _, err := o.department(parent); err != nil {
		return nil, err
	}
	d := exchangeapi.DepartmentsDepartment{
		Id: newID(), ParentDepartmentId: &parent, Name: r.Body.Name, Abbreviation: r.Body.Abbreviation, Kpp: r.Body.Kpp,
		Address: asAnswered(r.Body.Address), Routing: r.Body.Routing, CreationTimestamp: stamp(s.now()),
	}
	o.departments = append(o.departments, d)
	return providerapi.CreateDepartment200JSONResponse(d), nil
}

// asAnswered turns an address of a request into one of an answer. The state
// register's form is left out: it is checked in requests and open in answers.
func asAnswered(a *exchangeapi.AddressRequest) *exchangeapi.Address {
	if a == nil {
		return nil
	}
	return &exchangeapi.Address{RussianAddress: a.RussianAddress, ForeignAddress: a.ForeignAddress, AddressCode: a.AddressCode}
}

// UpdateDepartment applies the parts that are there.
func (s *Sandbox) UpdateDepartment(ctx context.Context, r providerapi.UpdateDepartmentRequestObject) (providerapi.UpdateDepartmentResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	at, err := o.department(r.Params.DepartmentId)
	if err != nil {
		return nil, err
	}
	d := o.departments[at]
	if p := r.Body.ParentDepartment; p != nil {
		if _, err := o.department(p.ParentDepartmentId); err != nil {
			return nil, err
		}
		d.ParentDepartmentId = &p.ParentDepartmentId
	}
	if p := r.Body.DepartmentNaming; p != nil {
		d.Name, d.Abbreviation = p.Name, p.Abbreviation
	}
	if p := r.Body.Kpp; p != nil {
		d.Kpp = p.Kpp
	}
	if p := r.Body.Address; p != nil {
		d.Address = asAnswered(p.Address)
	}
	if p := r.Body.Routing; p != nil {
		d.Routing = exchangeapi.Routing{Kpp: p.Kpp, Address: p.Address}
	}
	o.departments = slices.Clone(o.departments)
	o.departments[at] = d
	return providerapi.UpdateDepartment200JSONResponse(d), nil
}

// DeleteDepartment removes a department other than the head.
func (s *Sandbox) DeleteDepartment(ctx context.Context, r providerapi.DeleteDepartmentRequestObject) (providerapi.DeleteDepartmentResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	at, err := o.department(r.Params.DepartmentId)
	if err != nil {
		return nil, err
	}
	if at == 0 {
		return nil, fail(http.StatusConflict, "The head department cannot be deleted")
	}
	o.departments = slices.Delete(slices.Clone(o.departments), at, at+1)
	return providerapi.DoneResponse{}, nil
}

func (o *organization) employee(userID string) (int, error) {
	at := slices.IndexFunc(o.employees, func(e exchangeapi.EmployeesEmployee) bool { return e.User.UserId == userID })
	if at < 0 {
		return 0, fail(http.StatusNotFound, "Employee %s is unknown", userID)
	}
	return at, nil
}

// GetEmployees lists the employees.
func (s *Sandbox) GetEmployees(ctx context.Context, r providerapi.GetEmployeesRequestObject) (providerapi.GetEmployeesResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	list, err := numbered(o.employees, r.Params.Page, r.Params.Count, 50)
	return providerapi.GetEmployees200JSONResponse{Employees: &list, TotalCount: int32(len(o.employees))}, err
}

// GetEmployee shows one employee.
func (s *Sandbox) GetEmployee(ctx context.Context, r providerapi.GetEmployeeRequestObject) (providerapi.GetEmployeeResponseObject, error) {
	e, err := s.employeeOf(ctx, r.Params.BoxId, r.Params.UserId)
	return providerapi.GetEmployee200JSONResponse(e), err
}

// GetMyEmployee shows the user as an employee.
func (s *Sandbox) GetMyEmployee(ctx context.Context, r providerapi.GetMyEmployeeRequestObject) (providerapi.GetMyEmployeeResponseObject, error) {
	e, err := s.employeeOf(ctx, r.Params.BoxId, userOf(ctx).id)
	return providerapi.GetMyEmployee200JSONResponse(e), err
}

func (s *Sandbox) employeeOf(ctx context.Context, box, userID string) (exchangeapi.EmployeesEmployee, error) {
	o, err := s.mine(ctx, box)
	if err != nil {
		return exchangeapi.EmployeesEmployee{}, err
	}
	at, err := o.employee(userID)
	if err != nil {
		return exchangeapi.EmployeesEmployee{}, err
	}
	return o.employees[at], nil
}

// CreateEmployee adds an employee by login or certificate.
func (s *Sandbox) CreateEmployee(ctx context.Context, r providerapi.CreateEmployeeRequestObject) (providerapi.CreateEmployeeResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	u := exchangeapi.UserV2{UserId: newID()}
	switch c := r.Body.Credentials; {
	case c.Login != nil:
		u.Login, u.FullName = &c.Login.Login, c.Login.FullName
	case c.Certificate == nil:
		return nil, fail(http.StatusBadRequest, "Credentials are empty")
	}
	for _, e := range o.employees {
		if u.Login != nil && value(e.User.Login) == *u.Login {
			return nil, fail(http.StatusConflict, "%s is an employee already", *u.Login)
		}
	}
	p := r.Body.Permissions
	e := exchangeapi.EmployeesEmployee{
		User: u, Position: value(r.Body.Position), CanBeInvitedForChat: r.Body.CanBeInvitedForChat, CreationTimestamp: new(stamp(s.now())),
		Permissions: exchangeapi.EmployeePermissions(p),
	}
	o.employees = append(o.employees, e)
	return providerapi.CreateEmployee200JSONResponse(e), nil
}

// UpdateEmployee applies the parts that are there.
func (s *Sandbox) UpdateEmployee(ctx context.Context, r providerapi.UpdateEmployeeRequestObject) (providerapi.UpdateEmployeeResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	at, err := o.employee(r.Params.UserId)
	if err != nil {
		return nil, err
	}
	e := o.employees[at]
	if p := r.Body.Position; p != nil {
		e.Position = value(p.Position)
	}
	if p := r.Body.CanBeInvitedForChat; p != nil {
		e.CanBeInvitedForChat = p.CanBeInvitedForChat
	}
	if p := r.Body.Permissions; p != nil {
		if p.Department != nil {
			e.Permissions.UserDepartmentId = p.Department.DepartmentId
		}
		if p.IsAdministrator != nil {
			e.Permissions.IsAdministrator = p.IsAdministrator.IsAdministrator
		}
		if p.DocumentAccessLevel != nil {
			e.Permissions.DocumentAccessLevel = p.DocumentAccessLevel.DocumentAccessLevel
		}
		if p.SelectedDepartments != nil {
			e.Permissions.SelectedDepartmentIds = p.SelectedDepartments.SelectedDepartmentIds
		}
		if p.Actions != nil {
			e.Permissions.Actions = p.Actions
		}
		if p.AuthorizationPermission != nil {
			e.Permissions.AuthorizationPermission = &exchangeapi.AuthorizationPermission{
				IsBlocked: p.AuthorizationPermission.IsBlocked, Comment: p.AuthorizationPermission.Comment,
			}
		}
	}
	o.employees = slices.Clone(o.employees)
	o.employees[at] = e
	return providerapi.UpdateEmployee200JSONResponse(e), nil
}

// DeleteEmployee removes an employee other than the user.
func (s *Sandbox) DeleteEmployee(ctx context.Context, r providerapi.DeleteEmployeeRequestObject) (providerapi.DeleteEmployeeResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	at, err := o.employee(r.Params.UserId)
	if err != nil {
		return nil, err
	}
	if r.Params.UserId == userOf(ctx).id {
		return nil, fail(http.StatusConflict, "Nobody can delete himself")
	}
	o.employees = slices.Delete(slices.Clone(o.employees), at, at+1)
	return providerapi.DoneResponse{}, nil
}

// GetSubscriptions shows which notices an employee gets.
func (s *Sandbox) GetSubscriptions(ctx context.Context, r providerapi.GetSubscriptionsRequestObject) (providerapi.GetSubscriptionsResponseObject, error) {
	if _, err := s.employeeOf(ctx, r.Params.BoxId, r.Params.UserId); err != nil {
		return nil, err
	}
	list := s.organizationOf(r.Params.BoxId).notices(r.Params.UserId)
	return providerapi.GetSubscriptions200JSONResponse{Subscriptions: &list}, nil
}

func (o *organization) notices(userID string) []exchangeapi.Subscription {
	if list, ok := o.subscriptions[userID]; ok {
		return list
	}
	return []exchangeapi.Subscription{{Id: "IncomingDocuments", IsSubscribed: true}, {Id: "Signatures", IsSubscribed: false}}
}

// UpdateSubscriptions changes the notices that are named.
func (s *Sandbox) UpdateSubscriptions(ctx context.Context, r providerapi.UpdateSubscriptionsRequestObject) (providerapi.UpdateSubscriptionsResponseObject, error) {
	if _, err := s.employeeOf(ctx, r.Params.BoxId, r.Params.UserId); err != nil {
		return nil, err
	}
	o := s.organizationOf(r.Params.BoxId)
	list := slices.Clone(o.notices(r.Params.UserId))
	for _, change := range value(r.Body.Subscriptions) {
		at := slices.IndexFunc(list, func(n exchangeapi.Subscription) bool { return n.Id == change.Id })
		if at < 0 {
			return nil, fail(http.StatusBadRequest, "There is no notice %s", change.Id)
		}
		list[at] = change
	}
	o.subscriptions[r.Params.UserId] = list
	return providerapi.UpdateSubscriptions200JSONResponse{Subscriptions: &list}, nil
}

// GetMyUser shows the user.
func (s *Sandbox) GetMyUser(ctx context.Context, _ providerapi.GetMyUserRequestObject) (providerapi.GetMyUserResponseObject, error) {
	e, err := s.employeeOf(ctx, userOf(ctx).boxes[0], userOf(ctx).id)
	return providerapi.GetMyUser200JSONResponse(e.User), err
}

// GetMyCertificates lists a keyless certificate.
func (s *Sandbox) GetMyCertificates(ctx context.Context, r providerapi.GetMyCertificatesRequestObject) (providerapi.GetMyCertificatesResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	list := []exchangeapi.CertificateInfoV2{{
		Thumbprint: demoThumbprint, Type: "Dss", OrganizationName: &o.name, Inn: &o.inn, IsDefault: new(true), DssType: new("MyDss"),
		ValidFrom: new(ticks(s.now().AddDate(0, -1, 0))), ValidTo: new(ticks(s.now().AddDate(1, 0, 0))), SubjectType: new("LegalEntity"),
	}}
	return providerapi.GetMyCertificates200JSONResponse{Certificates: &list}, nil
}

// GetOrganizationUsers lists the accounts of an organization.
func (s *Sandbox) GetOrganizationUsers(ctx context.Context, r providerapi.GetOrganizationUsersRequestObject) (providerapi.GetOrganizationUsersResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	list := []exchangeapi.OrganizationUser{}
	for _, e := range o.employees {
		if e.User.IsRegistered {
			list = append(list, exchangeapi.OrganizationUser{
				Id: e.User.UserId, Name: value(e.User.FullName).FirstName + " " + value(e.User.FullName).LastName, Position: e.Position,
				Permissions: exchangeapi.OrganizationUserPermissions{
					UserDepartmentId: e.Permissions.UserDepartmentId, IsAdministrator: e.Permissions.IsAdministrator,
					CanSignDocuments: true, CanCreateDocuments: true, CanManageCounteragents: true,
				},
			})
		}
	}
	return providerapi.GetOrganizationUsers200JSONResponse{Users: &list, CurrentUserId: userOf(ctx).id}, nil
}

func signerKey(thumbprint string, title int32) string {
	return thumbprint + "/" + strconv.Itoa(int(title))
}

// GetExtendedSignerDetails shows what was saved for a certificate.
func (s *Sandbox) GetExtendedSignerDetails(ctx context.Context, r providerapi.GetExtendedSignerDetailsRequestObject) (providerapi.GetExtendedSignerDetailsResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	d, ok := o.signers[signerKey(r.Params.Thumbprint, r.Params.DocumentTitleType)]
	if !ok {
		return nil, fail(http.StatusNotFound, "Nothing is saved for certificate %s", r.Params.Thumbprint)
	}
	return providerapi.GetExtendedSignerDetails200JSONResponse(d), nil
}

// PostExtendedSignerDetails saves signer details.
func (s *Sandbox) PostExtendedSignerDetails(ctx context.Context, r providerapi.PostExtendedSignerDetailsRequestObject) (providerapi.PostExtendedSignerDetailsResponseObject, error) {
	e, err := s.employeeOf(ctx, r.Params.BoxId, userOf(ctx).id)
	if err != nil {
		return nil, err
	}
	o, b := s.organizationOf(r.Params.BoxId), r.Body
	d := exchangeapi.ExtendedSignerDetails{
		Surname: value(e.User.FullName).LastName, FirstName: value(e.User.FullName).FirstName, JobTitle: b.JobTitle, Inn: &o.inn,
		RegistrationCertificate: b.RegistrationCertificate, SignerType: value(b.SignerType), SignerOrganizationName: &o.name,
		SignerInfo: b.SignerInfo, SignerPowers: value(b.SignerPowers), SignerStatus: value(b.SignerStatus),
		SignerPowersBase: b.SignerPowersBase, SignerOrgPowersBase: b.SignerOrgPowersBase,
	}
	o.signers[signerKey(r.Params.Thumbprint, r.Params.DocumentTitleType)] = d
	return providerapi.PostExtendedSignerDetails200JSONResponse(d), nil
}
