package catalog_test

// This file: the filters of the vehicles list and its count (contract 2.11, contract 9.13).

import (
	"net/url"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestVehicleFilters(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	second := f.newTag(t)
	category := f.newCategory(t, f.newGroup(t))
	kind := f.owner.Do(t, "POST", base+"/types", m{"title": "T", "categoryIds": []string{category, f.category}}).Is(201).ID()
	add := func(body m) string { return f.newVehicle(t, f.owner, body) }
	both := add(m{"equipmentTypeId": kind, "brandName": "Ärger & 100% _x", "searchTagIds": []string{f.tag, second}})
	one := add(m{"equipmentTypeId": kind, "brandName": "КАМАЗ", "searchTagIds": []string{second}})
	none := add(m{"equipmentTypeId": f.equipmentType, "brandName": "Straße"})
	hidden := add(m{"equipmentTypeId": kind, "brandName": "КАМАЗ", "isActive": false, "searchTagIds": []string{second}})
	rated := func(id string, scores ...float64) {
		for _, score := range scores {
			f.newRating(t, id, uuid.NewString(), score)
		}
	}
	rated(both, 4.5, 4, 4.5) // 4.333… shown as 4.33
	rated(one, 1)
	for _, c := range []struct {
		filter url.Values
		want   []string
	}{
		{url.Values{"equipmentTypeId": {kind}}, []string{both, one}},
		{url.Values{"equipmentTypeId": {uuid.NewString()}}, nil},
		{url.Values{"categoryId": {category}}, []string{both, one}},
		{url.Values{"categoryId": {f.category}}, []string{both, one, none, f.vehicle}},
		{url.Values{"categoryId": {uuid.NewString()}}, nil},
		{url.Values{"searchTagId": {second}}, []string{both, one}},
		{url.Values{"searchTagId": {f.tag}}, []string{both, f.vehicle}},
		{url.Values{"searchTagId": {f.tag, second}}, []string{both}},
		{url.Values{"searchTagId": {second, second}}, []string{both, one}},
		{url.Values{"searchTagId": {second, uuid.NewString()}}, nil},
		{url.Values{"brandName": {"камаз"}}, []string{one}},
		{url.Values{"brandName": {"КамАЗ "}}, []string{one}},
		{url.Values{"brandName": {"ärger & 100% _X"}}, []string{both}},
		{url.Values{"brandName": {"КАМА"}}, nil},
		{url.Values{"brandName": {"%"}}, nil},
		{url.Values{"brandName": {"_АМАЗ"}}, nil},
		{url.Values{"brandName": {"STRAßE"}}, []string{none}},
		{url.Values{"brandName": {"' OR 1=1 --"}}, nil},
		{url.Values{"minRatingAvg": {"0"}}, []string{both, one, none, f.vehicle}},
		{url.Values{"minRatingAvg": {"0.01"}}, []string{both, one}},
		{url.Values{"minRatingAvg": {"1"}}, []string{both, one}},
		{url.Values{"minRatingAvg": {"4.33"}}, []string{both}},
		{url.Values{"minRatingAvg": {"4.331"}}, nil},
		{url.Values{"minRatingAvg": {"4.34"}}, nil},
		{url.Values{"minRatingAvg": {"5"}}, nil},
		{url.Values{"minRatingCount": {"0"}}, []string{both, one, none, f.vehicle}},
		{url.Values{"minRatingCount": {"1"}}, []string{both, one}},
		{url.Values{"minRatingCount": {"3"}}, []string{both}},
		{url.Values{"minRatingCount": {"4"}}, nil},
		{url.Values{"minRatingCount": {"2147483647"}}, nil},
		{url.Values{"searchTagId": {second}, "minRatingCount": {"2"}, "brandName": {"ÄRGER & 100% _x"}, "categoryId": {category}}, []string{both}},
		{url.Values{"searchTagId": {second}, "minRatingCount": {"2"}, "brandName": {"камаз"}}, nil},
		{url.Values{"unknown": {"x"}, "q": {"nothing"}}, []string{both, one, none, f.vehicle}},
	} {
		q := "?" + c.filter.Encode()
		p := getPage(t, f.Client, base+"/vehicles"+q)
		require.ElementsMatch(t, c.want, ids(p.Content), q)
		require.EqualValues(t, len(c.want), p.TotalElements, q)
		require.EqualValues(t, len(c.want), countOf(t, f.Client, base+"/vehicles/count"+q), q)
		// the same filter over what others see
		admins := getPage(t, f.admin, base+"/vehicles"+q)
		require.EqualValues(t, len(admins.Content), admins.TotalElements)
		require.Equal(t, admins.TotalElements, countOf(t, f.admin, base+"/vehicles/count"+q))
		require.EqualValues(t, 0, countOf(t, f.other, base+"/vehicles/count"+q))
		own := getPage(t, f.owner, base+"/vehicles"+q+"&view=own")
		require.ElementsMatch(t, ids(admins.Content), ids(own.Content), "the owner of all of them")
		require.Subset(t, append(c.want, hidden), ids(own.Content))
	}
}

// The shown average is rounded half up to two decimals, and compared so.
func TestMinRatingAvgComparesWhatIsShown(t *testing.T) {
	t.Parallel()
	a := setup(t)
	kind := a.newType(t)
	for _, c := range []struct {
		halves, count int
		shown         string
		passes, fails string
	}{
		{9, 2, "2.25", "2.25", "2.26"},
		{26, 3, "4.33", "4.33", "4.34"},
		{28, 3, "4.67", "4.67", "4.68"},     // 4.666…
		{33, 8, "2.06", "2.06", "2.07"},     // 2.0625
		{33, 4, "4.13", "4.13", "4.14"},     // 4.125: half up
		{67, 8, "4.19", "4.19", "4.2"},      // 4.1875
		{1009, 200, "2.52", "2.52", "2.53"}, // 2.5225
		{401, 200, "1", "1", "1.01"},        // 1.0025
		{403, 200, "1.01", "1.01", "1.02"},  // 1.0075
		{201, 100, "1.01", "1.01", "1.02"},  // 1.005: half up
	} {
		id := a.newVehicle(t, a.owner, m{"equipmentTypeId": kind})
		_, err := a.db.Exec(t.Context(), "UPDATE vehicles SET rating_halves = $2, rating_count = $3 WHERE id = $1", id, c.halves, c.count)
		require.NoError(t, err)
		v := a.Do(t, "GET", base+"/vehicles/"+id, nil).Is(200)
		require.Contains(t, string(v.Body), `"ratingAvg":`+c.shown+",")
		summary := a.Do(t, "GET", base+"/vehicles/"+id+"/ratings/summary", nil).Is(200)
		require.Contains(t, string(summary.Body), `"ratingAvg":`+c.shown+",")
		require.Contains(t, ids(getPage(t, a.Client, base+"/vehicles?minRatingAvg="+c.passes).Content), id)
		require.NotContains(t, ids(getPage(t, a.Client, base+"/vehicles?minRatingAvg="+c.fails).Content), id)
	}
}
