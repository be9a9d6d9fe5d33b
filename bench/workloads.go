package main

// This file: what is measured. A workload is a list of requests that wrk
// cycles through.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

type request struct {
	method, path, body string
	token              bool
}

type workload struct {
	name     string
	goal     float64 // of bare; 0: none
	requests []request
	status   int
	// items counts the elements of an answer, to compare service and yardstick
	items func([]byte) (int, error)
}

func (b *bench) workloads(ctx context.Context) ([]workload, error) {
	conn, err := pgx.Connect(ctx, b.databaseURL)
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	texts := func(sql string) ([]string, error) {
		rows, err := conn.Query(ctx, sql)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, pgx.RowTo[string])
	}
	ids, err := texts("SELECT id::text FROM vehicles WHERE is_active ORDER BY md5(id::text) LIMIT 2000")
	if err != nil {
		return nil, err
	}
	brands, err := texts("SELECT brand_name FROM vehicles v JOIN vehicle_embeddings e ON e.vehicle_id = v.id WHERE is_active GROUP BY 1 HAVING count(*) BETWEEN (SELECT count(*) FROM vehicle_embeddings) * 0.002 AND (SELECT count(*) FROM vehicle_embeddings) * 0.006 ORDER BY 1")
	if err != nil {
		return nil, err
	}
	get := func(path string) request { return request{method: "GET", path: path} }
	var byID, plates, byBrand, counts, visible, rare, creates []request
	for _, id := range ids {
		byID = append(byID, get("/api/v1/vehicles/"+id))
	}
	for i := range 500 {
		plates = append(plates, get(fmt.Sprintf("/api/v1/vehicles?licensePlate=%d%c", 10+i*37%90, 'A'+i%26)))
	}
	for n := 1; n <= 40; n++ {
		byBrand = append(byBrand, get(fmt.Sprintf("/api/v1/vehicles?brandName=Brand%%20%d", 100+n)))
		counts = append(counts, get(fmt.Sprintf("/api/v1/vehicles/count?brandName=Brand%%20%d", 100+n)))
	}
	for i, text := range searchTexts() {
		visible = append(visible, request{method: "POST", path: "/api/v1/vehicles/semantic-search", body: fmt.Sprintf(`{"query":%q,"topK":10}`, text)})
		if len(brands) > 0 {
			rare = append(rare, request{method: "POST", path: "/api/v1/vehicles/semantic-search", body: fmt.Sprintf(`{"query":%q,"topK":10,"filters":{"brandName":%q}}`, text, brands[i%len(brands)])})
		}
	}
	for n := range 200 {
		creates = append(creates, request{method: "POST", path: "/api/v1/vehicles", token: true, body: createBody(n)})
	}
	deep := min(1000, b.vehicles/60)
	one := func([]byte) (int, error) { return 1, nil }
	all := []workload{
		{"by-id", 1.2, byID, 200, one},
		{"list", 5, []request{get("/api/v1/vehicles?page=1")}, 200, contentItems},
		{"deep", 5, []request{get(fmt.Sprintf("/api/v1/vehicles?page=%d", deep))}, 200, contentItems},
		{"plate", 2, plates, 200, contentItems},
		{"brand", 0, byBrand, 200, contentItems},
		{"count", 0, counts, 200, countItems},
		{"search", 1, visible, 200, matchItems},
		{"search-rare", 1, rare, 200, matchItems},
		{"create", 0.9, creates, 201, one},
	}
	return slices.DeleteFunc(all, func(w workload) bool {
		return len(w.requests) == 0 || !b.wanted(w.name)
	}), nil
}

// createBody is a vehicle with five values, two tags and three photos.
func createBody(n int) string {
	typ := 1 + n%80
	var params, tags, photos []string
	for k := range 5 {
		params = append(params, fmt.Sprintf(`{"paramId":"%s","value":%d}`, md5ID(fmt.Sprint("p", 1+(typ*7+k)%60)), 1+n*k))
	}
	for k := range 2 {
		tags = append(tags, `"`+md5ID(fmt.Sprint("t", 1+(n+k*61)%200))+`"`)
	}
	for k := range 3 {
		photos = append(photos, `"`+md5ID(fmt.Sprint("photo", n, k))+`"`)
	}
	return fmt.Sprintf(`{"equipmentTypeId":"%s","licensePlate":"B%03dXY%d","brandName":"Brand %d","modelName":"Model %d","releaseYear":2020,"params":[%s],"searchTagIds":[%s],"photoFileIds":[%s]}`,
		md5ID(fmt.Sprint("y", typ)), n, 10+n%90, 1+n%300, n, strings.Join(params, ","), strings.Join(tags, ","), strings.Join(photos, ","))
}

func contentItems(raw []byte) (int, error) {
	var page struct {
		Content       []any
		TotalElements int
	}
	err := json.Unmarshal(raw, &page)
	return page.TotalElements*1000 + len(page.Content), err
}

func countItems(raw []byte) (int, error) {
	var answer struct{ Count int }
	err := json.Unmarshal(raw, &answer)
	return answer.Count, err
}

func matchItems(raw []byte) (int, error) {
	var answer struct{ Matches []any }
	err := json.Unmarshal(raw, &answer)
	return len(answer.Matches), err
}

// check compares a sample of the answers of service and yardstick with each
// other before anything is measured.
func (b *bench) check(ctx context.Context, w workload) error {
	for i := 0; i < len(w.requests); i += 1 + len(w.requests)/20 {
		counts := map[string]int{}
		for name, base := range b.targets {
			n, err := b.ask(ctx, base, w, w.requests[i])
			if err != nil {
				return fmt.Errorf("%s of %s: %w", w.name, name, err)
			}
			counts[name] = n
		}
		if counts["service"] != counts["bare"] {
			return fmt.Errorf("%s %s: the service answers %d, the yardstick %d", w.requests[i].method, w.requests[i].path+w.requests[i].body, counts["service"], counts["bare"])
		}
	}
	return nil
}

func (b *bench) ask(ctx context.Context, base string, w workload, r request) (int, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, base+r.path, strings.NewReader(r.body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	if r.token {
		req.Header.Set("Authorization", "Bearer "+b.token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	if resp.StatusCode != w.status {
		return 0, fmt.Errorf("%d %.200s", resp.StatusCode, raw)
	}
	return w.items(raw)
}
