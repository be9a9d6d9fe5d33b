package catalog

// This file: who sees which vehicle and which of its links, and who may change
// it (contract 2.13, contract 2.14, contract 9.6).

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

// viewer is a caller with what the request asks to see.
type viewer struct {
	caller auth.Caller
	staff  bool // VEHICLE_STAFF_READ
	view   string
}

// newViewer refuses view=own of an anonymous caller.
func (s *Service) newViewer(ctx context.Context, view string) (viewer, error) {
	caller := auth.FromContext(ctx)
	if view == viewOwn && caller.Anonymous() {
		return viewer{}, edge.Unauthorized("")
	}
	if view == viewPublic {
		caller = auth.Caller{}
	}
	return viewer{caller: caller, staff: !caller.Anonymous() && s.staffRead.Allows(caller), view: view}, nil
}

// canRead decides a read by id.
func (v viewer) canRead(owner string, active bool) bool {
	switch {
	case v.view == viewOwn:
		return owner == v.caller.Subject
	case v.caller.Anonymous():
		return active
	case v.staff || v.caller.IsAdmin():
		return true
	default:
		return active && owner == v.caller.Subject
	}
}

// filter restricts a list or count.
func (v viewer) filter(w *where) {
	switch {
	case v.view == viewOwn:
		w.add("v.owner_user_id = %s", v.caller.Subject)
	case v.caller.Anonymous():
		w.add("v.is_active")
	case v.caller.IsAdmin():
	default:
		w.add("v.owner_user_id = %s", v.caller.Subject)
		w.add("v.is_active")
	}
}

// canReadChildren decides a nested read (photos, documents, ratings): open to all
// while the vehicle is active.
func (v viewer) canReadChildren(owner string, active bool) bool {
	return active || v.seesInactive(owner)
}

// seesInactive reports whether inactive links are shown.
func (v viewer) seesInactive(owner string) bool {
	return !v.caller.Anonymous() && (owner == v.caller.Subject || v.staff || v.caller.IsAdmin())
}

// linkColumns are the photos and documents of a vehicle_details row d that the
// viewer sees: seesInactive as SQL.
func (v viewer) linkColumns(w *where) string {
	switch {
	case v.caller.Anonymous():
		return "d.active_photo_ids, d.active_doc_ids"
	case v.staff || v.caller.IsAdmin():
		return "d.photo_ids, d.doc_ids"
	default:
		own := w.arg(v.caller.Subject)
		return fmt.Sprintf("CASE WHEN d.owner_user_id = %[1]s THEN d.photo_ids ELSE d.active_photo_ids END, "+
			"CASE WHEN d.owner_user_id = %[1]s THEN d.doc_ids ELSE d.active_doc_ids END", own)
	}
}

// links is linkColumns for statements that take it as arguments: all links, and
// whose vehicles' links are all shown.
func (v viewer) links() (all bool, of string) {
	return !v.caller.Anonymous() && (v.staff || v.caller.IsAdmin()), v.caller.Subject
}

// mayChange reports whether the caller may write a vehicle; for anyone else it
// does not exist.
func mayChange(c auth.Caller, owner string) bool {
	return owner == c.Subject || c.IsAdmin()
}
