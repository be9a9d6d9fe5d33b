package sandbox

// This file: groups of counteragents.

import (
	"context"
	"net/http"
	"slices"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

// group finds a group of a box that the user may act in.
func (s *Sandbox) group(ctx context.Context, box, id string) (o *organization, at int, err error) {
	if o, err = s.mine(ctx, box); err == nil {
		at, err = indexOf(o.groups, "Group", id, func(g exchangeapi.CounteragentGroup) string { return g.CounteragentGroupId })
	}
	return o, at, err
}

// nameFree refuses a name that another group has.
func (o *organization) nameFree(name, except string) error {
	if slices.ContainsFunc(o.groups, func(g exchangeapi.CounteragentGroup) bool { return g.Name == name && g.CounteragentGroupId != except }) {
		return fail(http.StatusConflict, "The name %s is taken", name)
	}
	return nil
}

// GetCounteragentGroups lists groups.
func (s *Sandbox) GetCounteragentGroups(ctx context.Context, r providerapi.GetCounteragentGroupsRequestObject) (providerapi.GetCounteragentGroupsResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	list, err := numbered(o.groups, r.Params.Page, r.Params.Count, 100)
	return providerapi.GetCounteragentGroups200JSONResponse{Groups: &list, TotalCount: int32(len(o.groups))}, err
}

// GetCounteragentGroup shows one group.
func (s *Sandbox) GetCounteragentGroup(ctx context.Context, r providerapi.GetCounteragentGroupRequestObject) (providerapi.GetCounteragentGroupResponseObject, error) {
	o, at, err := s.group(ctx, r.Params.BoxId, r.Params.CounteragentGroupId)
	if err != nil {
		return nil, err
	}
	return providerapi.GetCounteragentGroup200JSONResponse(o.groups[at]), nil
}

// CreateCounteragentGroup adds a group.
func (s *Sandbox) CreateCounteragentGroup(ctx context.Context, r providerapi.CreateCounteragentGroupRequestObject) (providerapi.CreateCounteragentGroupResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	if err := o.nameFree(r.Body.Name, ""); err != nil {
		return nil, err
	}
	g := exchangeapi.CounteragentGroup{CounteragentGroupId: newID(), Name: r.Body.Name, Departments: r.Body.Departments}
	o.groups = append(o.groups, g)
	return providerapi.CreateCounteragentGroup200JSONResponse(g), nil
}

// UpdateCounteragentGroup changes a group.
func (s *Sandbox) UpdateCounteragentGroup(ctx context.Context, r providerapi.UpdateCounteragentGroupRequestObject) (providerapi.UpdateCounteragentGroupResponseObject, error) {
	o, at, err := s.group(ctx, r.Params.BoxId, r.Params.CounteragentGroupId)
	if err != nil {
		return nil, err
	}
	g := o.groups[at]
	if r.Body.Name != nil {
		if err := o.nameFree(*r.Body.Name, g.CounteragentGroupId); err != nil {
			return nil, err
		}
		g.Name = *r.Body.Name
	}
	if p := r.Body.GroupDepartments; p != nil {
		g.Departments = p.Departments
	}
	o.groups = replaced(o.groups, at, g)
	return providerapi.UpdateCounteragentGroup200JSONResponse(g), nil
}

// DeleteCounteragentGroup removes a group; its members go to the default one.
func (s *Sandbox) DeleteCounteragentGroup(ctx context.Context, r providerapi.DeleteCounteragentGroupRequestObject) (providerapi.DeleteCounteragentGroupResponseObject, error) {
	o, at, err := s.group(ctx, r.Params.BoxId, r.Params.CounteragentGroupId)
	if err != nil {
		return nil, err
	}
	if r.Params.CounteragentGroupId == defaultGroup {
		return nil, fail(http.StatusConflict, "The default group cannot be deleted")
	}
	for box, p := range o.partners {
		if p.groupID == r.Params.CounteragentGroupId {
			p.groupID = defaultGroup
			o.partners[box] = p
		}
	}
	o.groups = removed(o.groups, at)
	return providerapi.DoneResponse{}, nil
}

// AddCounteragentToGroup puts a counteragent into a group.
func (s *Sandbox) AddCounteragentToGroup(ctx context.Context, r providerapi.AddCounteragentToGroupRequestObject) (providerapi.AddCounteragentToGroupResponseObject, error) {
	o, _, err := s.group(ctx, r.Params.BoxId, r.Params.CounteragentGroupId)
	if err != nil {
		return nil, err
	}
	other := s.organizationOf(r.Params.CounteragentBoxId)
	if other == nil || o.partners[other.boxID].status != "IsMyCounteragent" {
		return nil, fail(http.StatusConflict, "There is no partnership with box %s", r.Params.CounteragentBoxId)
	}
	p := o.partners[other.boxID]
	p.groupID = r.Params.CounteragentGroupId
	o.partners[other.boxID] = p
	return providerapi.DoneResponse{}, nil
}

// GetCounteragentsFromGroup lists the members of a group.
func (s *Sandbox) GetCounteragentsFromGroup(ctx context.Context, r providerapi.GetCounteragentsFromGroupRequestObject) (providerapi.GetCounteragentsFromGroupResponseObject, error) {
	o, _, err := s.group(ctx, r.Params.BoxId, r.Params.CounteragentGroupId)
	if err != nil {
		return nil, err
	}
	all := []string{}
	for _, box := range sortedKeys(o.partners) {
		if o.partners[box].groupID == r.Params.CounteragentGroupId {
			all = append(all, box)
		}
	}
	key := func(box string) string { return encode([]byte(box)) }
	shown, err := page(all, key, r.Params.AfterIndexKey, r.Params.Count, 100, 100)
	answer := providerapi.GetCounteragentsFromGroup200JSONResponse{CounteragentBoxId: &shown, TotalCount: int32(len(all))}
	if n := len(shown); n > 0 {
		answer.AfterIndexKey = new(key(shown[n-1]))
	}
	return answer, err
}
