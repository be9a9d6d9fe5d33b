package catalog

// This file: pure rules, without a server: versions, visibility, values,
// patterns. (Everything else is tested over HTTP, in package catalog_test.)

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/auth"
)

func TestVersionHeaders(t *testing.T) {
	t.Parallel()
	for _, same := range []string{`"3"`, `*`, ` * `, `"1", "3"`, `"1","3","5"`, `W/"3"`, `"1", W/"3"`, `"3.aBc_-9"`, `W/"3.aBc_-9"`, `"3.aBc-gzip"`, `"3-gzip"`, `"3;gzip"`, `"2.3", "3.2"`} {
		require.NoError(t, checkVersion(&same, 3), same)
	}
	for _, other := range []string{`"2"`, `"33"`, `3`, `""`, ``, `"03"`, `w/"3"`, `"x3"`, `"2.3"`, `".3"`, `"33.3"`, `"-3"`} {
		require.ErrorIs(t, checkVersion(&other, 3), errVersion, other)
	}
	require.NoError(t, checkVersion(nil, 3))
	require.Equal(t, `"9223372036854775807"`, etag(1<<63-1))
}

func TestViewers(t *testing.T) {
	t.Parallel()
	anonymous, owner, other, staff := viewer{}, viewer{caller: auth.Caller{Subject: "o"}}, viewer{caller: auth.Caller{Subject: "x"}}, viewer{caller: auth.Caller{Subject: "x"}, staff: true}
	admin, own := viewer{caller: auth.Caller{Subject: "x", Roles: []string{"ADMIN"}}, staff: true}, viewer{caller: auth.Caller{Subject: "o"}, view: viewOwn}
	for _, c := range []struct {
		name                                    string
		e                                       viewer
		active, inactive, inside, hidden, write bool
	}{
		{"anonymous", anonymous, true, false, false, false, false}, {"owner", owner, true, false, true, true, true}, {"other", other, false, false, false, false, false},
		{"staff", staff, true, true, true, true, false}, {"admin", admin, true, true, true, true, true}, {"own", own, true, true, true, true, true},
	} {
		require.Equal(t, c.active, c.e.canRead("o", true), c.name)
		require.Equal(t, c.inactive, c.e.canRead("o", false), c.name)
		require.True(t, c.e.canReadChildren("o", true), c.name)
		require.Equal(t, c.inside, c.e.canReadChildren("o", false), c.name)
		require.Equal(t, c.hidden, c.e.seesInactive("o"), c.name)
		require.Equal(t, c.write, mayChange(c.e.caller, "o"), c.name)
	}
	require.False(t, anonymous.seesInactive(""), "nobody owns nothing")
}

func TestFits(t *testing.T) {
	t.Parallel()
	values := []string{`"x"`, `"2026-02-28"`, `1`, `1.0`, `1e2`, `-0`, `true`, `false`, `null`, `{}`, `[]`}
	want := map[api.ParamValueType]string{
		api.STRING: `"x" "2026-02-28"`, api.NUMBER: `1 1.0 1e2 -0`, api.INTEGER: `1 -0`, api.BOOLEAN: `true false`, api.DATE: `"2026-02-28"`, "OTHER": ``,
	}
	for valueType, good := range want {
		for _, v := range values {
			_, ok := fits(json.RawMessage(v), valueType)
			require.Equal(t, strings.Contains(" "+good+" ", " "+v+" "), ok, "%s as %s", v, valueType)
		}
	}
}

func TestLikePattern(t *testing.T) {
	t.Parallel()
	require.Equal(t, `%a\%b\_c\\d%`, likePattern(`a%b_c\d`))
}

func TestOrderBy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sort []string
		want string
	}{
		{nil, "v.created_at DESC, v.id DESC"},
		{[]string{"brandName"}, "v.brand_name ASC, v.id ASC"},
		{[]string{"brandName,DESC", "releaseYear,asc"}, "v.brand_name DESC, v.release_year ASC NULLS LAST, v.id ASC"},
		{[]string{"licensePlate,desc"}, "v.license_plate DESC NULLS LAST, v.id DESC"},
	} {
		got, err := orderBy("v", &c.sort, vehicleOrders)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	for _, bad := range [][]string{{"x"}, {"brand_name"}, {"brandName", "brandName,desc"}, {"equipmentTypeId", "equipmentType.id"}} {
		_, err := orderBy("v", &bad, vehicleOrders)
		require.ErrorContains(t, err, "validation_failed")
	}
}

// The least width that finds what the widest does is found by halving, is left when it
// misses too much, and never narrower than what was measured.
func TestWalkWidth(t *testing.T) {
	t.Parallel()
	found := make([]catalogdb.SearchNearestRow, 10)
	for i := range found {
		found[i].ID = uuid.New()
	}
	// ask makes so many searches of different queries, of which a walk narrower than enough
	// misses one vehicle in ten, and gives the width in the end
	asked := 0
	ask := func(w *walkWidth, searches int, widest, enough int64) (width int64) {
		for range searches {
			asked++
			var beside int64
			width, beside = w.next(fmt.Sprint(asked), widest, 100)
			if beside == 0 {
				continue
			}
			require.Equal(t, widest, width, "the caller gets what the widest walk finds")
			if beside < enough {
				w.judge(fmt.Sprint(asked), beside, found[1:], found)
			} else {
				w.judge(fmt.Sprint(asked), beside, found, found)
			}
		}
		return w.used
	}
	for _, c := range []struct{ widest, enough, want int64 }{
		{800, 1, 100}, {800, 100, 100}, {800, 130, 150}, {800, 400, 400}, {800, 500, 500}, {800, 790, 800}, {300, 200, 225}, {300, 300, 300},
	} {
		w := &walkWidth{}
		require.Equal(t, c.want, ask(w, 2000, c.widest, c.enough), "%v", c)
		require.Equal(t, c.want, ask(w, 2000, c.widest, c.enough), "%v: it stays", c)
		require.Equal(t, c.widest, ask(w, 1000*watchEvery, c.widest, c.widest), "%v: nothing narrower will do any more", c)
	}
	w := &walkWidth{}
	require.Equal(t, int64(100), ask(w, 2000, 300, 100))
	require.Equal(t, int64(100), ask(w, 1, 350, 100), "little more")
	require.Equal(t, int64(800), ask(w, 1, 800, 400), "many more: the widest, until a trial has ended")
	require.Equal(t, int64(400), ask(w, 2000, 800, 400))
}

// Each filter has its own width, of so many filters at most.
func TestWalkWidthsOfFilters(t *testing.T) {
	t.Parallel()
	w := &walkWidths{}
	require.Same(t, &w.plain, w.of(""))
	require.Nil(t, w.of("a"))
	w.learn("a")
	w.learn("b")
	a := w.of("a")
	require.NotNil(t, a)
	require.NotSame(t, a, w.of("b"))
	w.learn("a")
	require.Same(t, a, w.of("a"), "what is known of it stays")
	for n := range 10 * mostFilters {
		w.learn(fmt.Sprint(n))
		require.LessOrEqual(t, len(w.filtered), mostFilters)
	}
}
