package catalog_test

// This file: `sort` of every paged list (contract 1.11, contract 1.18).

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestSortFields(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	all := []string{}
	for _, l := range f.pagedLists(t) {
		all = append(all, l.fields...)
	}
	for _, l := range f.pagedLists(t) {
		for range 3 {
			l.add()
		}
		for _, field := range all {
			for _, direction := range []string{"", ",asc", ",desc", ",ASC", ",DeSc"} {
				a := l.by.Do(t, "GET", l.path+"?sort="+field+direction, nil)
				if slices.Contains(l.fields, field) {
					a.Is(200)
				} else {
					a.Fails(400, "validation_failed", "sort")
				}
			}
		}
		up, down := ids(getPage(t, l.by, l.path+"?sort=createdAt").Content), ids(getPage(t, l.by, l.path+"?sort=createdAt,desc").Content)
		require.Equal(t, down, ids(getPage(t, l.by, l.path).Content), "the default order")
		slices.Reverse(up)
		require.Equal(t, down, up)

		f := l.fields
		for _, bad := range []string{
			"", ",", "nonsense", "id", "version", strings.ToUpper(f[0]), f[0] + ",", f[0] + ",up", f[0] + ",asc,", f[0] + ",asc,desc", f[0] + "," + f[1],
			"," + f[0], f[0] + " asc", f[0] + ", asc", " " + f[0], f[0] + " ", f[0] + ",asc ", f[0] + ";asc", f[0] + "|asc", "-" + f[0], f[0] + ",nulls first",
			f[0] + ",desc; DROP TABLE groups", f[0] + "' OR 1=1 --", "(select 1)", "1", "created_at", "g.name", f[0] + "\x00", f[0] + ",\x00", f[0] + "\n", f[0] + ",asc\n", "\xff",
		} {
			l.by.Do(t, "GET", l.path+"?"+url.Values{"sort": {bad}}.Encode(), nil).Fails(400, "validation_failed", "sort")
			l.by.Do(t, "GET", l.path+"?"+url.Values{"sort": {f[0], bad}}.Encode(), nil).Fails(400, "validation_failed", "sort")
		}
		twice := []string{f[0], f[0] + ",desc"}
		l.by.Do(t, "GET", l.path+"?"+url.Values{"sort": twice}.Encode(), nil).Fails(400, "validation_failed", "sort")
		l.by.Do(t, "GET", l.path+"?"+url.Values{"sort": {f[0], f[1], f[0]}}.Encode(), nil).Fails(400, "validation_failed", "sort")
		l.by.Do(t, "GET", l.path+"?"+url.Values{"sort": l.fields[:3]}.Encode(), nil).Is(200)
		if len(l.fields) >= 5 && l.path != base+"/vehicles" {
			l.by.Do(t, "GET", l.path+"?"+url.Values{"sort": l.fields[:4]}.Encode(), nil).Is(200)
			l.by.Do(t, "GET", l.path+"?"+url.Values{"sort": l.fields[:5]}.Encode(), nil).Fails(400, "validation_failed", "sort")
		}
	}
	f.Do(t, "GET", base+"/vehicles?sort=equipmentType.id&sort=equipmentTypeId,desc", nil).Fails(400, "validation_failed", "sort")
	f.Do(t, "GET", base+"/vehicles?sort=equipmentTypeId&sort=equipmentType.id", nil).Fails(400, "validation_failed", "sort")
	f.Do(t, "GET", base+"/vehicles?sort=equipmentTypeXid", nil).Fails(400, "validation_failed", "sort")
	f.Do(t, "GET", base+"/vehicles?sort=modelName;desc", nil).Fails(400, "validation_failed", "sort") // not escaped, so no query string
	f.Do(t, "GET", base+"/vehicles?sort=brandName&sort=modelName&sort=releaseYear&sort=isActive&sort=createdAt", nil).Fails(400, "validation_failed", "sort")
}

// Text has the order of the ICU root collation: letters before their case and
// accents, digits before letters, Latin before Cyrillic.
func TestTextOrder(t *testing.T) {
	t.Parallel()
	a := setup(t)
	want := []string{"_x", "1", "10", "2", "a", "A", "ä", "Ä", "aa", "Ab", "b", "B", "Eclair", "éclair", "zebra", "Zebra", "ё", "Ё", "ж", "Жук", "я"}
	// what the root collation says of these, by an implementation of its own in PostgreSQL's "und-x-icu"
	for i := range want {
		a.admin.Do(t, "POST", base+"/groups", m{"name": want[(i*8)%len(want)]}).Is(201)
	}
	names := func(query string) (out []string) {
		for _, g := range getPage(t, a.Client, base+"/groups?"+query).Content {
			out = append(out, g["name"].(string))
		}
		return out
	}
	require.Equal(t, want, names("sort=name"))
	slices.Reverse(want)
	require.Equal(t, want, names("sort=name,desc"))
}

func TestNullsComeLast(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for _, year := range []any{2020, nil, 1999, nil, 2010} {
		body := m{"equipmentTypeId": f.equipmentType, "releaseYear": year}
		if year != nil {
			body["licensePlate"] = fmt.Sprint("P", year)
		}
		f.newVehicle(t, f.owner, body)
	}
	for _, c := range []struct {
		field, direction string
		want             []any
	}{
		{"releaseYear", "asc", []any{1999., 2010., 2020., nil, nil, nil}},
		{"releaseYear", "desc", []any{2020., 2010., 1999., nil, nil, nil}},
		{"licensePlate", "asc", []any{"P1999", "P2010", "P2020", nil, nil, nil}},
		{"licensePlate", "desc", []any{"P2020", "P2010", "P1999", nil, nil, nil}},
	} {
		var got []any
		for _, v := range getPage(t, f.Client, base+"/vehicles?sort="+c.field+","+c.direction).Content {
			got = append(got, v[c.field])
		}
		require.Equal(t, c.want, got, c)
	}
}

// Walking pages over ties gives each element exactly once, in every order.
func TestOrdersAreTotal(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for _, l := range f.pagedLists(t) {
		for range 6 {
			l.add()
		}
	}
	// all made at one instant by one person: nothing but ties
	for _, table := range []string{"groups", "categories", "tags", "types", "params", "units", "vehicles", "ratings"} {
		_, err := f.db.Exec(t.Context(), "UPDATE "+table+" SET created_at = '2026-01-01', updated_at = '2026-01-01', created_by = 'x', updated_by = 'x'")
		require.NoError(t, err)
	}
	_, err := f.db.Exec(t.Context(), "UPDATE ratings SET score_halves = 4; UPDATE units SET label = 'l'; UPDATE params SET name = 'n'")
	require.NoError(t, err)
	for _, l := range f.pagedLists(t) {
		want := ids(getPage(t, l.by, l.path+"?size=100").Content)
		slices.Sort(want)
		require.Len(t, slices.Compact(slices.Clone(want)), len(want))
		for _, field := range append([]string{""}, l.fields...) {
			for _, direction := range []string{"asc", "desc"} {
				query := "&sort=" + field + "," + direction
				if field == "" {
					query = ""
				}
				var got []string
				for n := 1; len(got) < len(want); n++ {
					p := getPage(t, l.by, fmt.Sprintf("%s?size=2&page=%d%s", l.path, n, query))
					require.NotEmpty(t, p.Content)
					require.EqualValues(t, len(want), p.TotalElements)
					got = append(got, ids(p.Content)...)
				}
				slices.Sort(got)
				require.Equal(t, want, got, l.path+query)
			}
		}
	}
}

func TestSortIsLexicographic(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	var want []string
	for _, v := range []struct {
		brand, model string
		year         int
	}{{"A", "y", 2000}, {"A", "x", 2001}, {"A", "x", 2000}, {"B", "x", 2001}} {
		id := f.newVehicle(t, f.other, m{"equipmentTypeId": f.equipmentType, "brandName": v.brand, "modelName": v.model, "releaseYear": v.year})
		want = append(want, id)
	}
	own := f.other
	require.Equal(t, want, ids(getPage(t, own, base+"/vehicles?sort=brandName&sort=modelName,desc&sort=releaseYear,desc").Content))
	require.Equal(t, []string{want[3], want[1], want[2], want[0]}, ids(getPage(t, own, base+"/vehicles?sort=brandName,desc&sort=modelName&sort=releaseYear,desc").Content))
	require.Equal(t, []string{want[1], want[3], want[2], want[0]}, ids(getPage(t, own, base+"/vehicles?sort=releaseYear,DESC&sort=modelName,asc&sort=brandName").Content))
}

func TestScoreOrder(t *testing.T) {
	t.Parallel()
	a := setup(t)
	vehicle := a.newVehicle(t, a.owner, nil)
	for _, score := range []float64{3, 1, 5, 2.5} {
		a.newRating(t, vehicle, uuid.NewString(), score)
	}
	var got []any
	for _, r := range getPage(t, a.Client, base+"/vehicles/"+vehicle+"/ratings?sort=score,desc").Content {
		got = append(got, r["score"])
		require.NotContains(t, r, "orderId")
	}
	require.Equal(t, []any{5., 3., 2.5, 1.}, got)
}
