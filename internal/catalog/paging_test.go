package catalog_test

// This file: `page`, `size` and the other query parameters of every paged list
// (contract 1.10, contract 1.13).

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge/edgetest"
)

// pagedList is a list with the sort fields that contract 1.18 and contract 3.1 allow.
type pagedList struct {
	path   string
	fields []string
	by     edgetest.Client
	add    func() // one more element
}

var auditFields = []string{"createdAt", "updatedAt", "createdBy", "updatedBy"}

func (f fixture) pagedLists(tb testing.TB) []pagedList {
	tb.Helper()
	with := func(own ...string) []string { return append(own, auditFields...) }
	n := 0
	return []pagedList{
		{base + "/groups", with("name"), f.Client, func() { f.newGroup(tb) }},
		{base + "/categories", with("name"), f.Client, func() { f.newCategory(tb, f.group) }},
		{base + "/groups/" + f.group + "/categories", with("name"), f.Client, func() { f.newCategory(tb, f.group) }},
		{base + "/tags", with("name"), f.Client, func() { f.newTag(tb) }},
		{base + "/types", with("title"), f.Client, func() { f.newType(tb) }},
		{base + "/vehicles", with("brandName", "modelName", "equipmentType.id", "equipmentTypeId", "ownerUserId", "licensePlate",
			"releaseYear", "isActive"), f.Client, func() { f.newVehicle(tb, f.owner, m{"equipmentTypeId": f.equipmentType}) }},
		{base + "/params", with("name", "isRequired", "isActive"), f.other, func() { f.newParam(tb, nil) }},
		{base + "/units", with("code", "label", "unitSystem", "isActive"), f.other, func() { f.newUnit(tb) }},
		{base + "/vehicles/" + f.vehicle + "/ratings", []string{"createdAt", "updatedAt", "score"}, f.Client, func() {
			n++
			f.newRating(tb, f.vehicle, uuid.NewString(), 1+float64(n%9)/2)
		}},
	}
}

// page is a PagedResponse.
type page struct {
	Content       []m   `json:"content"`
	CurrentPage   int   `json:"currentPage"`
	PageSize      int   `json:"pageSize"`
	TotalElements int64 `json:"totalElements"`
}

func getPage(tb testing.TB, by edgetest.Client, path string) (p page) {
	tb.Helper()
	by.Do(tb, "GET", path, nil).Is(200).JSON(&p)
	require.NotNil(tb, p.Content, "an empty page is an empty list")
	return p
}

func ids(content []m) []string {
	out := make([]string, len(content))
	for i, item := range content {
		out[i], _ = item["id"].(string)
	}
	return out
}

func TestPages(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for _, l := range f.pagedLists(t) {
		for range 5 {
			l.add()
		}
		first := getPage(t, l.by, l.path)
		require.Equal(t, 1, first.CurrentPage)
		require.Equal(t, 50, first.PageSize)
		require.Len(t, first.Content, int(first.TotalElements))
		require.GreaterOrEqual(t, first.TotalElements, int64(5))
		require.Equal(t, first, getPage(t, l.by, l.path+"?page=1&size=50"))

		for query, want := range map[string]page{
			"?page=2&size=2":            {Content: first.Content[2:4], CurrentPage: 2, PageSize: 2},
			"?size=1":                   {Content: first.Content[:1], CurrentPage: 1, PageSize: 1},
			"?size=100":                 {Content: first.Content, CurrentPage: 1, PageSize: 100},
			"?page=2":                   {Content: []m{}, CurrentPage: 2, PageSize: 50},
			"?page=2147483647":          {Content: []m{}, CurrentPage: 2147483647, PageSize: 50},
			"?page=2147483647&size=100": {Content: []m{}, CurrentPage: 2147483647, PageSize: 100},
			"?size=3&page=1000000":      {Content: []m{}, CurrentPage: 1000000, PageSize: 3},
			"?unknown=1&Page=7&SIZE=x&unknown=2&limit=0&size%20=3": {Content: first.Content, CurrentPage: 1, PageSize: 50},
			"?": {Content: first.Content, CurrentPage: 1, PageSize: 50},
		} {
			want.TotalElements = first.TotalElements
			require.Equal(t, want, getPage(t, l.by, l.path+query), l.path+query)
		}
	}
}

func TestBadPageAndSize(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	everywhere := []string{
		"0", "-1", "-2147483648", "1.5", "1.0", "1e0", "1e1", "x", "1x", "", " ", "2147483648", "4294967297", "9223372036854775808",
		"99999999999999999999", "1e400", "+1", "0x1", "1_0", "NaN", "Infinity", "null", "true", "１", "1,2", "1 ", " 1", "[1]", "\x00", "1\x00", "'", "--1",
	}
	for _, l := range f.pagedLists(t) {
		for name, more := range map[string][]string{"page": nil, "size": {"101", "1000", "2147483647"}} {
			for _, value := range append(more, everywhere...) {
				l.by.Do(t, "GET", l.path+"?"+url.Values{name: {value}}.Encode(), nil).Fails(400, "validation_failed", name)
			}
			l.by.Do(t, "GET", l.path+"?"+name+"=1&"+name+"=1", nil).Fails(400, "validation_failed", name)
			l.by.Do(t, "GET", l.path+"?"+name+"=%ff", nil).Fails(400, "validation_failed", name)
			l.by.Do(t, "GET", l.path+"?"+name+"=%zz", nil).Is(400)
			l.by.Do(t, "GET", l.path+"?"+name, nil).Fails(400, "validation_failed", name)
		}
	}
}

// A known parameter twice is 400 unless it is a list; unknown ones never matter.
func TestRepeatedParameters(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	id := uuid.NewString()
	for path, names := range map[string][]string{
		"/categories":                              {"tenantId"},
		"/categories/count":                        {"tenantId"},
		"/groups/" + f.group + "/categories":       {"tenantId"},
		"/groups/" + f.group + "/categories/count": {"tenantId"},
		"/types":                 {"title", "tenantId", "categoryId", "groupId"},
		"/types/count":           {"title", "tenantId", "categoryId", "groupId"},
		"/vehicles":              {"licensePlate", "brandName", "minRatingAvg", "minRatingCount", "equipmentTypeId", "categoryId", "view"},
		"/vehicles/count":        {"licensePlate", "brandName", "minRatingAvg", "minRatingCount", "equipmentTypeId", "categoryId", "view"},
		"/vehicles/" + f.vehicle: {"view"},
	} {
		for _, name := range names {
			value := "1"
			switch {
			case strings.HasSuffix(name, "Id") && name != "tenantId":
				value = id
			case name == "view":
				value = "public"
			}
			f.Do(t, "GET", base+path+"?"+name+"="+value, nil).Is(200)
			f.Do(t, "GET", base+path+"?"+name+"="+value+"&"+name+"="+value, nil).Fails(400, "validation_failed", name)
		}
	}
	f.Do(t, "GET", base+"/vehicles?searchTagId="+id+"&searchTagId="+f.tag, nil).Is(200)
}

func TestBadFilterValues(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for name, values := range map[string][]string{
		"minRatingAvg":    {"-0.1", "5.1", "6", "x", "", "NaN", "Infinity", "-Infinity", "1e400", "0x1p1", "1_0", "+1", " 1", "1,5", "5.0000000000000001"},
		"minRatingCount":  {"-1", "1.5", "1.0", "1e1", "x", "", "2147483648", "99999999999999999999", "NaN", "+1"},
		"equipmentTypeId": {"x", "", "0b6f3c52-8a4e-4f0e-8b8e-2f6f1f0c9a0", "0b6f3c528a4e4f0e8b8e2f6f1f0c9a01", "{0b6f3c52-8a4e-4f0e-8b8e-2f6f1f0c9a01}", "\x00"},
		"categoryId":      {"x", ""},
		"searchTagId":     {"x", ""},
		"view":            {"", "x", "PUBLIC", "all"},
		"licensePlate":    {"\x00", "a\x00", "\xff"},
		"brandName":       {"\x00", "\xff"},
	} {
		for _, value := range values {
			for _, path := range []string{"/vehicles", "/vehicles/count"} {
				a := f.Do(t, "GET", base+path+"?"+url.Values{name: {value}}.Encode(), nil).Is(400)
				require.Contains(t, string(a.Body), `"`+name, a)
			}
		}
	}
	for _, path := range []string{"/types", "/types/count"} {
		for name, values := range map[string][]string{"categoryId": {"x"}, "groupId": {"x"}, "title": {"\x00", "\xff"}, "tenantId": {"\x00", "\xff"}} {
			for _, value := range values {
				f.Do(t, "GET", base+path+"?"+url.Values{name: {value}}.Encode(), nil).Fails(400, "validation_failed", name)
			}
		}
	}
	for _, value := range []string{"0", "5", "2.5", "1e0", "4.33", "0.0", "5.0", "0.10750845461900639", "4.300000000000001"} {
		f.Do(t, "GET", base+"/vehicles?minRatingAvg="+value, nil).Is(200)
	}
	f.Do(t, "GET", base+"/vehicles?title=%zz", nil).Is(400)
}
