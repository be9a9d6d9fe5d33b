package sandbox

// This file: the user, the accounts of an organization, signer details.

import (
	"context"
	"net/http"
	"strconv"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

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
