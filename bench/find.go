package main

// This file: what finding by figures and facets costs, in terms of the brand
// filter of the same run, of the service alone: no yardstick has such filters.

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"equipment-platform/bench/load"
)

// onePercentBrands are the brands that about one vehicle in a hundred has, by the
// distribution of the seed.
var onePercentBrands = []int{8, 9, 10, 11, 12, 13, 14, 15}

// finding are requests by figures and for facets. The parameters and types are
// those of the seed: a value is uniform in 1 to 5000, one vehicle in twelve holds
// a given param.
func finding() []workload {
	get := func(path string, args ...any) request {
		return request{method: "GET", path: fmt.Sprintf("/api/v1/vehicles"+path, args...)}
	}
	var brand, one, two, typed, facetsOfBrand []request
	for _, n := range onePercentBrands {
		brand = append(brand, get("?brandName=Brand%%20%d", n))
		facetsOfBrand = append(facetsOfBrand, get("/facets?brandName=Brand%%20%d", n))
	}
	for n := range 40 {
		one = append(one, get("?param=%s,gte,%d", md5ID(fmt.Sprint("p", 1+n)), 4400+n))
	}
	for n := range 80 {
		kind := 1 + n
		first, second := 1+(kind*7)%60, 1+(kind*7+1)%60
		two = append(two, get("?equipmentTypeId=%s&param=%s,gte,%d&param=%s,lte,%d",
			md5ID(fmt.Sprint("y", kind)), md5ID(fmt.Sprint("p", first)), 1000+n, md5ID(fmt.Sprint("p", second)), 4000+n))
		typed = append(typed, get("/facets?equipmentTypeId=%s", md5ID(fmt.Sprint("y", kind))))
	}
	return []workload{
		{name: "brand-1%", requests: brand},
		{name: "param-1%", requests: one},
		{name: "params+type", requests: two},
		{name: "facets", requests: []request{get("/facets")}},
		{name: "facets-brand", requests: facetsOfBrand},
		{name: "facets-type", requests: typed},
	}
}

// findTable prints the median of the rounds, with one caller and with many.
func (b *bench) findTable(ctx context.Context) error {
	workloads := finding()
	alone, many := map[string][]load.Result{}, map[string][]load.Result{}
	for _, w := range workloads { // once through, so that no round touches the disk first
		if _, err := b.wrk(ctx, w, service, callers, b.seconds); err != nil {
			return err
		}
	}
	for range b.rounds {
		for _, w := range workloads {
			for connections, into := range map[int]map[string][]load.Result{1: alone, callers: many} {
				r, err := b.wrk(ctx, w, service, connections, b.seconds)
				if err != nil {
					return err
				}
				if r.Errors > 0 {
					return fmt.Errorf("%s: %d of %.0f requests failed", w.name, r.Errors, r.Requests)
				}
				into[w.name] = append(into[w.name], r)
			}
		}
	}
	half := func(r load.Result) time.Duration { return r.P50 }
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "\n%d vehicles; one caller and %d; %d rounds of %d s, medians\n", b.vehicles, callers, b.rounds, b.seconds)
	fmt.Fprintln(tw, "request\talone p50\t× brand\tat once, per second\tp50\tcost × brand")
	first := workloads[0].name
	for _, w := range workloads {
		_, cost := load.Ratios(many[first], many[w.name])
		mine := load.Median(alone[w.name], half)
		fmt.Fprintf(tw, "%s\t%s\t%.2f\t%.0f\t%s\t%.2f\n", w.name, mine, float64(mine)/float64(load.Median(alone[first], half)),
			load.Median(many[w.name], load.Rate), load.Median(many[w.name], half), cost)
	}
	return tw.Flush()
}
