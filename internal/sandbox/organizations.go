package sandbox

// This file: organizations and the box.

import (
	"context"
	"net/http"
	"slices"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

func (o *organization) view() exchangeapi.Organization {
	var departments []exchangeapi.Department
	for _, d := range o.departments {
		departments = append(departments, exchangeapi.Department{
			DepartmentId: d.Id, ParentDepartmentId: orRoot(value(d.ParentDepartmentId)), Name: d.Name, Abbreviation: new(d.Abbreviation), Kpp: d.Kpp,
		})
	}
	boxes := []exchangeapi.ExchangeBox{{BoxId: o.boxID, BoxIdGuid: o.boxGUID, Title: o.name}}
	return exchangeapi.Organization{
		OrgId: o.id, Inn: o.inn, Kpp: new(o.kpp), FullName: o.name, ShortName: new(o.name), Boxes: &boxes, Departments: &departments,
		IsActive: new(true), IsTest: new(true), Sociability: "AllOrganizations", OrganizationType: "Juridical", ReadyForEpdStatus: "Ready",
	}
}

// GetMyOrganizations lists the organizations of the user's boxes.
func (s *Sandbox) GetMyOrganizations(ctx context.Context, _ providerapi.GetMyOrganizationsRequestObject) (providerapi.GetMyOrganizationsResponseObject, error) {
	list := []exchangeapi.Organization{}
	for _, o := range s.store.organizations {
		if slices.Contains(userOf(ctx).boxes, o.boxID) {
			list = append(list, o.view())
		}
	}
	return providerapi.GetMyOrganizations200JSONResponse{Organizations: &list}, nil
}

// GetOrganization finds by exactly one identity.
func (s *Sandbox) GetOrganization(_ context.Context, r providerapi.GetOrganizationRequestObject) (providerapi.GetOrganizationResponseObject, error) {
	p := r.Params
	given := 0
	for _, v := range []*string{p.OrgId, p.BoxId, p.FnsParticipantId, p.Inn, p.ForeignTaxpayerCode} {
		if value(v) != "" {
			given++
		}
	}
	if given != 1 || (value(p.Kpp) != "" && value(p.Inn) == "") {
		return nil, fail(http.StatusBadRequest, "Give exactly one identity, and kpp only together with inn")
	}
	for _, o := range s.store.organizations {
		switch {
		case o.id == value(p.OrgId), o.boxID == value(p.BoxId), o.boxGUID == value(p.BoxId), "2BM-"+o.inn == value(p.FnsParticipantId),
			o.inn == value(p.Inn) && (value(p.Kpp) == "" || value(p.Kpp) == o.kpp):
			return providerapi.GetOrganization200JSONResponse(o.view()), nil
		}
	}
	return nil, fail(http.StatusNotFound, "There is no such organization")
}

// GetOrganizationsByInnKpp finds by taxpayer number.
func (s *Sandbox) GetOrganizationsByInnKpp(_ context.Context, r providerapi.GetOrganizationsByInnKppRequestObject) (providerapi.GetOrganizationsByInnKppResponseObject, error) {
	list := []exchangeapi.Organization{}
	for _, o := range s.store.organizations {
		if o.inn == r.Params.Inn && (value(r.Params.Kpp) == "" || value(r.Params.Kpp) == o.kpp) {
			v := o.view()
			if value(r.Params.IncludeRelations) {
				v.SearchCount = new(int32(len(o.partners)))
			}
			list = append(list, v)
		}
	}
	return providerapi.GetOrganizationsByInnKpp200JSONResponse{Organizations: &list}, nil
}

// GetOrganizationsByForeignTaxpayerCode finds none: the demo has no foreigners.
func (s *Sandbox) GetOrganizationsByForeignTaxpayerCode(context.Context, providerapi.GetOrganizationsByForeignTaxpayerCodeRequestObject) (providerapi.GetOrganizationsByForeignTaxpayerCodeResponseObject, error) {
	return providerapi.GetOrganizationsByForeignTaxpayerCode200JSONResponse{Organizations: &[]exchangeapi.Organization{}}, nil
}

// GetOrganizationsByInnList finds by many taxpayer numbers at once.
func (s *Sandbox) GetOrganizationsByInnList(ctx context.Context, r providerapi.GetOrganizationsByInnListRequestObject) (providerapi.GetOrganizationsByInnListResponseObject, error) {
	var me *organization
	if r.Params.MyBoxId != nil {
		var err error
		if me, err = s.mine(ctx, *r.Params.MyBoxId); err != nil {
			return nil, err
		}
	}
	list := []exchangeapi.OrganizationWithCounteragentStatus{}
	for _, o := range s.store.organizations {
		if !slices.Contains(value(r.Body.InnList), o.inn) {
			continue
		}
		status := "NotInCounteragentList"
		if me != nil && me.partners[o.boxID].status != "" {
			status = me.partners[o.boxID].status
		}
		list = append(list, exchangeapi.OrganizationWithCounteragentStatus{Organization: o.view(), CounteragentStatus: &status})
	}
	return providerapi.GetOrganizationsByInnList200JSONResponse{Organizations: &list}, nil
}

// GetOrganizationFeatures shows that nothing is blocked.
func (s *Sandbox) GetOrganizationFeatures(ctx context.Context, r providerapi.GetOrganizationFeaturesRequestObject) (providerapi.GetOrganizationFeaturesResponseObject, error) {
	if _, err := s.mine(ctx, r.Params.BoxId); err != nil {
		return nil, err
	}
	return providerapi.GetOrganizationFeatures200JSONResponse{Features: &[]string{"AllowProxySignature", "AllowDssSign"}}, nil
}

// GetRoamingOperators names one other operator.
func (s *Sandbox) GetRoamingOperators(ctx context.Context, r providerapi.GetRoamingOperatorsRequestObject) (providerapi.GetRoamingOperatorsResponseObject, error) {
	if _, err := s.mine(ctx, r.Params.BoxId); err != nil {
		return nil, err
	}
	features := []exchangeapi.OperatorFeature{{Name: "Revocation", Description: "Takes revocation requests"}}
	return providerapi.GetRoamingOperators200JSONResponse{RoamingOperators: &[]exchangeapi.RoamingOperator{
		{FnsId: "2XX", Name: "Second Operator", IsActive: true, Features: &features},
	}}, nil
}

// GetBox shows one of the user's boxes.
func (s *Sandbox) GetBox(ctx context.Context, r providerapi.GetBoxRequestObject) (providerapi.GetBoxResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	v := o.view()
	v.Boxes = nil
	return providerapi.GetBox200JSONResponse{BoxId: o.boxID, BoxIdGuid: o.boxGUID, Title: o.name, Organization: &v, InvoiceFormatVersion: new("v5_02")}, nil
}
