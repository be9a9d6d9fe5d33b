package sandbox

// This file: counteragents. The other side accepts an invitation by the time
// that its result is polled again.

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

// relate sets how one organization stands to another, and makes the event of it.
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
