package sandbox

// This file: counteragents and their groups. The other side accepts an
// invitation by the time that its result is polled again.

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

func (s *Sandbox) counteragentView(o *organization, box string) exchangeapi.Counteragent {
	p, other := o.partners[box], s.organizationOf(box)
	return exchangeapi.Counteragent{
		IndexKey: new(encode([]byte(box))), Organization: other.view(), CurrentStatus: &p.status, LastEventTimestampTicks: ticks(p.changed),
		MessageFromCounteragent: optional(p.fromPartner), MessageToCounteragent: optional(p.toPartner), CounteragentGroupId: optional(p.groupID),
	}
}

// GetCounteragents lists counteragents by status or words.
func (s *Sandbox) GetCounteragents(ctx context.Context, r providerapi.GetCounteragentsRequestObject) (providerapi.GetCounteragentsResponseObject, error) {
	o, err := s.mine(ctx, r.Params.MyBoxId)
	if err != nil {
		return nil, err
	}
	if value(r.Params.Query) != "" && value(r.Params.AfterIndexKey) != "" {
		return nil, fail(http.StatusBadRequest, "query and afterIndexKey exclude each other")
	}
	list := []exchangeapi.Counteragent{}
	for _, box := range sortedKeys(o.partners) {
		other := s.organizationOf(box)
		if status := value(r.Params.CounteragentStatus); status != "" && status != o.partners[box].status {
			continue
		}
		if q := strings.ToLower(value(r.Params.Query)); q != "" && !strings.Contains(strings.ToLower(other.name+" "+other.inn), q) {
			continue
		}
		list = append(list, s.counteragentView(o, box))
	}
	total := int32(len(list))
	shown, err := page(list, func(c exchangeapi.Counteragent) string { return *c.IndexKey }, r.Params.AfterIndexKey, r.Params.PageSize, 100, 100)
	return providerapi.GetCounteragents200JSONResponse{Counteragents: &shown, TotalCount: total, TotalCountType: "Equal"}, err
}

// GetCounteragent shows one counteragent.
func (s *Sandbox) GetCounteragent(ctx context.Context, r providerapi.GetCounteragentRequestObject) (providerapi.GetCounteragentResponseObject, error) {
	o, other, err := s.partners(ctx, r.Params.MyBoxId, r.Params.CounteragentBoxId)
	if err != nil {
		return nil, err
	}
	return providerapi.GetCounteragent200JSONResponse(s.counteragentView(o, other.boxID)), nil
}

// partners finds an organization and one of its counteragents.
func (s *Sandbox) partners(ctx context.Context, mine, theirs string) (o, other *organization, err error) {
	if o, err = s.mine(ctx, mine); err != nil {
		return nil, nil, err
	}
	other = s.organizationOf(theirs)
	if other == nil || o.partners[other.boxID].status == "" {
		return nil, nil, fail(http.StatusNotFound, "Counteragent %s is unknown", theirs)
	}
	return o, other, nil
}

// GetCounteragentCertificates lists certificates of a counteragent.
func (s *Sandbox) GetCounteragentCertificates(ctx context.Context, r providerapi.GetCounteragentCertificatesRequestObject) (providerapi.GetCounteragentCertificatesResponseObject, error) {
	_, other, err := s.partners(ctx, r.Params.MyBoxId, r.Params.CounteragentBoxId)
	if err != nil {
		return nil, err
	}
	return providerapi.GetCounteragentCertificates200JSONResponse{Certificates: &[]exchangeapi.Certificate{
		{RawCertificateData: encode([]byte("sandbox certificate of " + other.inn))},
	}}, nil
}

// relate sets how one organization stands to another and tells it.
func (s *Sandbox) relate(o, other *organization, event string, change func(*partnership)) {
	p := o.partners[other.boxID]
	change(&p)
	p.changed = s.now()
	o.partners[other.boxID] = p
	o.partnerEvents = append(o.partnerEvents, exchangeapi.BoxCounteragentEvent{
		EventId: newID(), IndexKey: new(indexKey(len(o.partnerEvents) + 1)), EventTypes: &[]string{event},
		Counteragent: &exchangeapi.CounteragentInfo{
			CounteragentBoxId: other.boxID, Status: p.status, EventTimestampTicks: ticks(p.changed),
			MessageFromCounteragent: optional(p.fromPartner), MessageToCounteragent: optional(p.toPartner),
		},
	})
}

// AcquireCounteragent invites, or accepts an invitation.
func (s *Sandbox) AcquireCounteragent(ctx context.Context, r providerapi.AcquireCounteragentRequestObject) (providerapi.AcquireCounteragentResponseObject, error) {
	o, err := s.mine(ctx, r.Params.MyBoxId)
	if err != nil {
		return nil, err
	}
	text := value(r.Body.MessageToCounteragent)
	if len([]rune(text)) > 2000 {
		return nil, fail(http.StatusBadRequest, "MessageToCounteragent has more than 2000 characters")
	}
	at := slices.IndexFunc(s.store.organizations, func(other *organization) bool {
		return other != o && (other.id == value(r.Body.OrgId) || other.inn == value(r.Body.Inn) || other.boxID == value(r.Body.BoxId))
	})
	if at < 0 {
		return nil, fail(http.StatusNotFound, "There is no such organization")
	}
	other := s.store.organizations[at]
	if o.partners[other.boxID].status != "IsMyCounteragent" {
		s.relate(o, other, "IInvitedCounteragent", func(p *partnership) { p.status, p.toPartner = "IsInvitedByMe", text })
		s.relate(other, o, "CounteragentInvitedMe", func(p *partnership) { p.status, p.fromPartner = "InvitesMe", text })
	}
	id := newID()
	s.store.tasks[id] = &task{kind: "counteragent", box: o.boxID, result: other}
	return providerapi.AcquireCounteragent200JSONResponse{TaskId: &id}, nil
}

// AcquireCounteragentResult is not ready at the first poll; then the other
// side has accepted.
func (s *Sandbox) AcquireCounteragentResult(ctx context.Context, r providerapi.AcquireCounteragentResultRequestObject) (providerapi.AcquireCounteragentResultResponseObject, error) {
	t := s.store.tasks[r.Params.TaskId]
	if t == nil || t.kind != "counteragent" {
		return nil, fail(http.StatusNotFound, "Task %s is unknown", r.Params.TaskId)
	}
	if t.polls++; t.polls == 1 {
		return pending, nil
	}
	o, err := s.mine(ctx, t.box)
	if err != nil {
		return nil, err
	}
	other := t.result.(*organization)
	if o.partners[other.boxID].status == "IsInvitedByMe" {
		accept := func(p *partnership) { p.status, p.groupID = "IsMyCounteragent", defaultGroup }
		s.relate(o, other, "CounteragentAcceptedInvitation", accept)
		s.relate(other, o, "IAcceptedInvitation", accept)
	}
	return providerapi.AcquireCounteragentResult200JSONResponse{BoxId: other.boxID}, nil
}

// BreakWithCounteragent ends a partnership.
func (s *Sandbox) BreakWithCounteragent(ctx context.Context, r providerapi.BreakWithCounteragentRequestObject) (providerapi.BreakWithCounteragentResponseObject, error) {
	o, other, err := s.partners(ctx, r.Params.MyBoxId, r.Params.CounteragentBoxId)
	if err != nil {
		return nil, err
	}
	comment := value(r.Params.Comment)
	if len([]rune(comment)) > 5000 {
		return nil, fail(http.StatusBadRequest, "comment has more than 5000 characters")
	}
	s.relate(o, other, "IRejectedCounteragent", func(p *partnership) { p.status, p.toPartner = "IsRejectedByMe", comment })
	s.relate(other, o, "CounteragentRejectedMe", func(p *partnership) { p.status, p.fromPartner = "RejectsMe", comment })
	return providerapi.DoneResponse{}, nil
}

// GetCounteragentEvents lists what happened to partnerships.
func (s *Sandbox) GetCounteragentEvents(ctx context.Context, r providerapi.GetCounteragentEventsRequestObject) (providerapi.GetCounteragentEventsResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Clone(o.partnerEvents), func(e exchangeapi.BoxCounteragentEvent) bool {
		at := e.Counteragent.EventTimestampTicks
		return r.Params.TimestampFromTicks != nil && at < *r.Params.TimestampFromTicks || r.Params.TimestampToTicks != nil && at > *r.Params.TimestampToTicks
	})
	total := int32(len(list))
	shown, err := page(list, func(e exchangeapi.BoxCounteragentEvent) string { return *e.IndexKey }, r.Params.AfterIndexKey, r.Params.Limit, 100, 100)
	return providerapi.GetCounteragentEvents200JSONResponse{Events: &shown, TotalCount: &total, TotalCountType: "Equal"}, err
}

func (o *organization) group(id string) (int, error) {
	at := slices.IndexFunc(o.groups, func(g exchangeapi.CounteragentGroup) bool { return g.CounteragentGroupId == id })
	if at < 0 {
		return 0, fail(http.StatusNotFound, "Group %s is unknown", id)
	}
	return at, nil
}

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
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	at, err := o.group(r.Params.CounteragentGroupId)
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
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	at, err := o.group(r.Params.CounteragentGroupId)
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
	o.groups = slices.Clone(o.groups)
	o.groups[at] = g
	return providerapi.UpdateCounteragentGroup200JSONResponse(g), nil
}

// DeleteCounteragentGroup removes a group; its members go to the default one.
func (s *Sandbox) DeleteCounteragentGroup(ctx context.Context, r providerapi.DeleteCounteragentGroupRequestObject) (providerapi.DeleteCounteragentGroupResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	at, err := o.group(r.Params.CounteragentGroupId)
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
	o.groups = slices.Delete(slices.Clone(o.groups), at, at+1)
	return providerapi.DoneResponse{}, nil
}

// AddCounteragentToGroup puts a counteragent into a group.
func (s *Sandbox) AddCounteragentToGroup(ctx context.Context, r providerapi.AddCounteragentToGroupRequestObject) (providerapi.AddCounteragentToGroupResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	if _, err := o.group(r.Params.CounteragentGroupId); err != nil {
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
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	if _, err := o.group(r.Params.CounteragentGroupId); err != nil {
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
