package catalog_test

// This file: who sees which vehicle (contract 2.13) and which inactive link (contract 9.6).

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge/edgetest"
)

// sight is what a caller gets: statuses by id, whether lists hold the record,
// and the status of nested reads.
type sight struct {
	byID, public, own         int // without view, view=public, view=own
	list, listPublic, listOwn bool
	nested                    int
	hiddenLinks               bool
}

func TestVisibilityOfVehicles(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	records := map[string]string{}
	for _, active := range []bool{true, false} {
		id := f.newVehicle(t, f.owner, m{"equipmentTypeId": f.equipmentType, "isActive": active})
		for _, kind := range []string{"photos", "docs"} {
			f.owner.Do(t, "POST", base+"/vehicles/"+id+"/"+kind, m{"fileId": icon1, "isActive": false}).Is(201)
			f.newLink(t, id, kind)
		}
		records[strconv.FormatBool(active)] = id
	}
	everybody := []string{"anonymous", "other:USER", "other:EXECUTOR", "other:", "other:STRANGER", "other:MANAGER", "other:SUPERVISOR", "other:OPERATOR", "other:INTEGRATION", "other:SERVICE",
		"other:ADMIN", "other:SUPERADMIN", "owner:USER", "owner:EXECUTOR", "owner:", "owner:MANAGER", "owner:SERVICE", "owner:ADMIN"}
	for _, who := range everybody {
		sub, role, _ := strings.Cut(who, ":")
		by := f.Client
		if who != "anonymous" {
			by = f.As(token(t, sub, role))
		}
		admin := role == "ADMIN" || role == "SUPERADMIN"
		staff := admin || slices.Contains([]string{"MANAGER", "SUPERVISOR", "OPERATOR", "INTEGRATION", "SERVICE"}, role)
		owner, anonymous := sub == "owner", who == "anonymous"
		for state, id := range records {
			active := state == "true"
			status := func(sees bool) int {
				if sees {
					return 200
				}
				return 404
			}
			want := sight{
				byID:   status(staff || active && (anonymous || owner)),
				public: status(active), own: status(owner),
				list: admin || active && (anonymous || owner), listPublic: active, listOwn: owner,
				nested: status(active || owner || staff), hiddenLinks: owner || staff,
			}
			if anonymous {
				want.own = 401
			}
			require.Equal(t, want, look(t, by, id, want), "%s looks at a vehicle with isActive %s", who, state)
		}
	}
}

// look asks everything. What a caller may see by id has its hidden files only
// when the caller may see them.
func look(tb testing.TB, by edgetest.Client, id string, want sight) (got sight) {
	tb.Helper()
	path := base + "/vehicles/" + id
	files := func(a edgetest.Answer, public bool) {
		tb.Helper()
		n := 1
		if want.hiddenLinks && !public {
			n = 2
		}
		require.Len(tb, a.Field("photoFileIds"), n, a)
		require.Len(tb, a.Field("docFileIds"), n, a)
	}
	for view, status := range map[string]*int{"": &got.byID, "?view=public": &got.public, "?view=own": &got.own} {
		a := by.Do(tb, "GET", path+view, nil)
		*status = a.Status
		if a.Status == 200 {
			files(a, view == "?view=public")
		}
	}
	for view, holds := range map[string]*bool{"": &got.list, "?view=public": &got.listPublic, "?view=own": &got.listOwn} {
		if view == "?view=own" && want.own == 401 {
			by.Do(tb, "GET", base+"/vehicles"+view, nil).Fails(401, "unauthorized")
			by.Do(tb, "GET", base+"/vehicles/count"+view, nil).Fails(401, "unauthorized")
			continue
		}
		p := getPage(tb, by, base+"/vehicles"+view)
		require.EqualValues(tb, len(p.Content), p.TotalElements)
		require.EqualValues(tb, len(p.Content), countOf(tb, by, base+"/vehicles/count"+view))
		for _, v := range p.Content {
			if v["id"] == id {
				*holds = true
				files(by.Do(tb, "GET", path+view, nil).Is(200), view == "?view=public")
				require.Equal(tb, mustJSON(tb, by.Do(tb, "GET", path+view, nil).Field("photoFileIds")), mustJSON(tb, v["photoFileIds"]))
			}
		}
	}
	for _, nested := range []string{"/photos", "/docs", "/ratings", "/ratings/summary"} {
		a := by.Do(tb, "GET", path+nested, nil)
		got.nested = a.Status
		require.Equal(tb, want.nested, a.Status, a)
		if a.Status != 200 || strings.HasPrefix(nested, "/ratings") {
			continue
		}
		var links []m
		a.JSON(&links)
		got.hiddenLinks = len(links) == 2
		for _, l := range links {
			item := by.Do(tb, "GET", path+nested+"/"+fmt.Sprint(l["id"]), nil).Is(200)
			require.JSONEq(tb, mustJSON(tb, l), string(item.Body))
		}
	}
	if want.nested == 404 {
		got.hiddenLinks = want.hiddenLinks
	}
	return got
}

func TestInactiveLinks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for _, kind := range []string{"photos", "docs"} {
		path := base + "/vehicles/" + f.vehicle + "/" + kind
		hidden := f.owner.Do(t, "POST", path, m{"fileId": uuid.NewString(), "isActive": false}).Is(201)
		for who, sees := range map[string]bool{"": false, "other:USER": false, "owner:USER": true, "other:MANAGER": true, "other:OPERATOR": true, "other:SERVICE": true, "other:ADMIN": true} {
			by := f.Client
			if sub, role, ok := strings.Cut(who, ":"); ok {
				by = f.As(token(t, sub, role))
			}
			var links []m
			by.Do(t, "GET", path, nil).Is(200).JSON(&links)
			require.Len(t, links, map[bool]int{true: 2, false: 1}[sees], who)
			by.Do(t, "GET", path+"/"+hidden.ID(), nil).Is(map[bool]int{true: 200, false: 404}[sees])
		}
		f.owner.Do(t, "PATCH", path+"/"+hidden.ID(), m{"isActive": true}).Is(200)
		f.Do(t, "GET", path+"/"+hidden.ID(), nil).Is(200)
		f.owner.Do(t, "PATCH", path+"/"+hidden.ID(), m{"isActive": nil}).Fails(400, "validation_failed", "isActive")
		f.owner.Do(t, "PATCH", path+"/"+hidden.ID(), m{"isActive": true, "position": 0}).Fails(400, "validation_failed", "position")
		f.owner.Do(t, "PATCH", path+"/"+hidden.ID(), m{"fileId": uuid.NewString(), "isActive": true}).Fails(400, "validation_failed", "fileId")
	}
}

// A bad token is refused where none is needed (contract 5.3); view does not help.
func TestBadTokenOnAnonymousReads(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for _, path := range []string{"/vehicles", "/vehicles?view=public", "/vehicles/" + f.vehicle, "/groups", "/types/count", "/vehicles/" + f.vehicle + "/ratings/summary"} {
		a := f.As("x.y.z").Do(t, "GET", base+path, nil).Fails(401, "unauthorized")
		require.Contains(t, a.Header.Get("WWW-Authenticate"), `error="invalid_token"`)
	}
}
