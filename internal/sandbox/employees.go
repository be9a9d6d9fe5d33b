package sandbox

// This file: employees and their notices.

import (
	"context"
	"net/http"
	"slices"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

func (o *organization) employee(userID string) (int, error) {
	return indexOf(o.employees, "Employee", userID, func(e exchangeapi.EmployeesEmployee) string { return e.User.UserId })
}

// employee finds an employee of a box that the user may act in.
func (s *Sandbox) employee(ctx context.Context, box, userID string) (o *organization, at int, err error) {
	if o, err = s.mine(ctx, box); err == nil {
		at, err = o.employee(userID)
	}
	return o, at, err
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
	o, at, err := s.employee(ctx, box, userID)
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
	o, at, err := s.employee(ctx, r.Params.BoxId, r.Params.UserId)
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
	o.employees = replaced(o.employees, at, e)
	return providerapi.UpdateEmployee200JSONResponse(e), nil
}

// DeleteEmployee removes an employee other than the user.
func (s *Sandbox) DeleteEmployee(ctx context.Context, r providerapi.DeleteEmployeeRequestObject) (providerapi.DeleteEmployeeResponseObject, error) {
	o, at, err := s.employee(ctx, r.Params.BoxId, r.Params.UserId)
	if err != nil {
		return nil, err
	}
	if r.Params.UserId == userOf(ctx).id {
		return nil, fail(http.StatusConflict, "Nobody can delete himself")
	}
	o.employees = removed(o.employees, at)
	return providerapi.DoneResponse{}, nil
}

// GetSubscriptions shows which notices an employee gets.
func (s *Sandbox) GetSubscriptions(ctx context.Context, r providerapi.GetSubscriptionsRequestObject) (providerapi.GetSubscriptionsResponseObject, error) {
	o, _, err := s.employee(ctx, r.Params.BoxId, r.Params.UserId)
	if err != nil {
		return nil, err
	}
	list := o.notices(r.Params.UserId)
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
	o, _, err := s.employee(ctx, r.Params.BoxId, r.Params.UserId)
	if err != nil {
		return nil, err
	}
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
