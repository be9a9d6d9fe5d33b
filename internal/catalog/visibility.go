package catalog

// This file: who sees which vehicle and which of its links, and who may change
// it (S3, D2.13, D2.14, D9.6).

import (
	"context"
	"fmt"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/edge"
)

// Values of the query parameter `view`.
const (
	viewPublic = "public"
	viewOwn    = "own"
)

// eyes are a caller with what the request asks to see.
type eyes struct {
	caller auth.Caller
	staff  bool // VEHICLE_STAFF_READ
	view   string
}

// eyesOf refuses view=own of an anonymous caller.
func (s *Service) eyesOf(ctx context.Context, view string) (eyes, error) {
	caller := auth.FromContext(ctx)
	if view == viewOwn && caller.Anonymous() {
		return eyes{}, edge.Unauthorized("")
	}
	if view == viewPublic {
		caller = auth.Caller{}
	}
	return eyes{caller: caller, staff: !caller.Anonymous() && s.staffRead.Allows(caller), view: view}, nil
}

// sees decides a read by id.
func (e eyes) sees(owner string, active bool) bool {
	switch {
	case e.view == viewOwn:
		return owner == e.caller.Subject
	case e.caller.Anonymous():
		return active
	case e.staff || e.caller.IsAdmin():
		return true
	default:
		return active && owner == e.caller.Subject
	}
}

// filter restricts a list or count.
func (e eyes) filter(w *where) {
	switch {
	case e.view == viewOwn:
		w.add("v.owner_user_id = %s", e.caller.Subject)
	case e.caller.Anonymous():
		w.add("v.is_active")
	case e.caller.IsAdmin():
	default:
		w.add("v.owner_user_id = %s", e.caller.Subject)
		w.add("v.is_active")
	}
}

// seesInside decides a nested read (photos, documents, ratings): open to all
// while the vehicle is active.
func (e eyes) seesInside(owner string, active bool) bool {
	return active || e.seesHidden(owner)
}

// seesHidden tells whether inactive links are shown.
func (e eyes) seesHidden(owner string) bool {
	return !e.caller.Anonymous() && (owner == e.caller.Subject || e.staff || e.caller.IsAdmin())
}

// linkCondition is seesHidden as SQL over a link l of a vehicle v.
func (e eyes) linkCondition(w *where) string {
	switch {
	case e.caller.Anonymous():
		return "l.is_active"
	case e.staff || e.caller.IsAdmin():
		return "true"
	default:
		return fmt.Sprintf("(l.is_active OR v.owner_user_id = %s)", w.arg(e.caller.Subject))
	}
}

// mayChange tells whether the caller may write a vehicle; for anyone else it
// does not exist.
func mayChange(c auth.Caller, owner string) bool {
	return owner == c.Subject || c.IsAdmin()
}
