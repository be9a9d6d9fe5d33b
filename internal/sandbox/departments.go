package sandbox

// This file: departments.

import (
	"context"
	"net/http"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

func (o *organization) department(id string) (int, error) {
	return indexOf(o.departments, "Department", id, func(d exchangeapi.DepartmentsDepartment) string { return d.Id })
}

// department finds a department of a box that the user may act in.
func (s *Sandbox) department(ctx context.Context, box, id string) (o *organization, at int, err error) {
	if o, err = s.mine(ctx, box); err == nil {
		at, err = o.department(id)
	}
	return o, at, err
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
	o, at, err := s.department(ctx, r.Params.BoxId, r.Params.DepartmentId)
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
	o, at, err := s.department(ctx, r.Params.BoxId, r.Params.DepartmentId)
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
	o.departments = replaced(o.departments, at, d)
	return providerapi.UpdateDepartment200JSONResponse(d), nil
}

// DeleteDepartment removes a department other than the head.
func (s *Sandbox) DeleteDepartment(ctx context.Context, r providerapi.DeleteDepartmentRequestObject) (providerapi.DeleteDepartmentResponseObject, error) {
	o, at, err := s.department(ctx, r.Params.BoxId, r.Params.DepartmentId)
	if err != nil {
		return nil, err
	}
	if at == 0 {
		return nil, fail(http.StatusConflict, "The head department cannot be deleted")
	}
	o.departments = removed(o.departments, at)
	return providerapi.DoneResponse{}, nil
}
