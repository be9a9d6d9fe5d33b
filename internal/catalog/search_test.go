package catalog_test

// This file: semantic search (contract 4.0).

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/edge/edgetest"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/embedding/weights"
)

// embed indexes a vehicle as the indexer would.
func (a *api) embed(tb testing.TB, vehicle, passage string) {
	tb.Helper()
	e := embedding.NewLexical()
	vectors, err := e.EmbedPassages(tb.Context(), []string{passage})
	require.NoError(tb, err)
	_, err = a.db.Exec(tb.Context(), `INSERT INTO vehicle_embeddings (vehicle_id, model, fingerprint, embedding) VALUES ($1, $2, '', $3)
ON CONFLICT (vehicle_id, model) DO UPDATE SET embedding = excluded.embedding`, vehicle, e.Model(), pgvector.NewVector(vectors[0]))
	require.NoError(tb, err)
}

type found struct {
	ids    []string
	scores []float64
}

func search(tb testing.TB, by edgetest.Client, body m) (out found) {
	tb.Helper()
	var answer struct {
		Matches []struct {
			Score   *float64
			Vehicle m
		}
	}
	by.Do(tb, "POST", base+"/vehicles/semantic-search", body).Is(200).JSON(&answer)
	require.NotNil(tb, answer.Matches)
	for _, match := range answer.Matches {
		require.NotNil(tb, match.Score)
		out.ids = append(out.ids, match.Vehicle["id"].(string))
		out.scores = append(out.scores, *match.Score)
		require.Equal(tb, true, match.Vehicle["isActive"])
	}
	require.True(tb, slices.IsSortedFunc(out.scores, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		default:
			return 0
		}
	}), "best first")
	return out
}

func TestSearchRanks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	require.Empty(t, search(t, f.Client, m{"query": "excavator"}).ids, "nothing is indexed")
	passages := []string{"tower crane for high buildings", "mini excavator for narrow yards", "road roller"}
	vehicles := []string{}
	for _, passage := range passages {
		id := f.newVehicle(t, f.owner, m{"equipmentTypeId": f.equipmentType})
		f.embed(t, id, passage)
		vehicles = append(vehicles, id)
	}
	for i, passage := range passages {
		got := search(t, f.Client, m{"query": passage})
		require.Len(t, got.ids, 3)
		require.Equal(t, vehicles[i], got.ids[0])
		require.Greater(t, got.scores[0], got.scores[1])
		require.InDelta(t, 1, got.scores[0], 1)
		require.Equal(t, vehicles[i:i+1], search(t, f.Client, m{"query": "  " + passage + "\n", "topK": 1, "filters": m{}}).ids)
	}
	// the answer shows a vehicle as its read does
	a := f.Do(t, "POST", base+"/vehicles/semantic-search", m{"query": passages[0], "topK": 1}).Is(200)
	shown := a.Field("matches").([]any)[0].(map[string]any)["vehicle"]
	require.JSONEq(t, string(f.Do(t, "GET", base+"/vehicles/"+vehicles[0], nil).Is(200).Body), mustJSON(t, shown))
	// inactive and deleted ones never appear, for nobody
	f.owner.Do(t, "PATCH", base+"/vehicles/"+vehicles[0], m{"isActive": false}).Is(200)
	f.owner.Do(t, "DELETE", base+"/vehicles/"+vehicles[1], nil).Is(204)
	for _, by := range []edgetest.Client{f.Client, f.owner, f.admin, f.manager} {
		require.Equal(t, vehicles[2:], search(t, by, m{"query": passages[0]}).ids)
		require.Empty(t, search(t, by, m{"query": passages[0], "filters": m{"ownerUserId": "other"}}).ids)
	}
	f.owner.Do(t, "PATCH", base+"/vehicles/"+vehicles[0], m{"isActive": true}).Is(200)
	require.Len(t, search(t, f.Client, m{"query": passages[0]}).ids, 2)
	// vectors of another model are not searched
	_, err := f.db.Exec(t.Context(), "UPDATE vehicle_embeddings SET model = 'other' WHERE vehicle_id = $1", vehicles[2])
	require.NoError(t, err)
	require.Equal(t, vehicles[:1], search(t, f.Client, m{"query": passages[2]}).ids)
}

func TestSearchFilters(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	category := f.newCategory(t, f.newGroup(t))
	kind := f.owner.Do(t, "POST", base+"/types", m{"title": "T", "categoryIds": []string{category}}).Is(201).ID()
	groupID := f.groupOf(t, category)
	one := f.newVehicle(t, f.owner, m{"equipmentTypeId": kind, "brandName": "Ärger", "modelName": "X 1", "releaseYear": 2019, "searchTagIds": []string{f.tag}})
	two := f.newVehicle(t, f.other, m{"equipmentTypeId": f.equipmentType, "brandName": "КАМАЗ", "modelName": "Y", "releaseYear": 2020})
	for _, id := range []string{one, two} {
		f.embed(t, id, "same words for both")
	}
	ties := []string{one, two}
	slices.Sort(ties)
	require.Equal(t, ties, search(t, f.Client, m{"query": "words"}).ids, "ties by id")
	for field, values := range map[string][2]any{
		"equipmentTypeId": {kind, f.equipmentType}, "categoryId": {category, f.category}, "groupId": {groupID, f.group}, "brandName": {"Ärger", "КАМАЗ"},
		"modelName": {"X 1", "Y"}, "releaseYear": {2019, 2020}, "ownerUserId": {"owner", "other"},
	} {
		require.Equal(t, []string{one}, search(t, f.Client, m{"query": "words", "filters": m{field: values[0]}}).ids, field)
		require.Equal(t, []string{two}, search(t, f.Client, m{"query": "words", "filters": m{field: values[1]}}).ids, field)
		require.Empty(t, search(t, f.Client, m{"query": "words", "filters": m{field: values[0], "modelName": "Z"}}).ids, "AND")
		require.Equal(t, []string{one}, search(t, f.Client, m{"query": "words", "filters": m{field: values[0], "searchTagId": f.tag}}).ids)
	}
	require.Empty(t, search(t, f.Client, m{"query": "words", "filters": m{"searchTagId": uuid.NewString()}}).ids)
	require.Empty(t, search(t, f.Client, m{"query": "words", "filters": m{"brandName": "%"}}).ids)
	require.Equal(t, []string{two}, search(t, f.Client, m{"query": "words", "filters": m{"brandName": " камаз\n", "modelName": "\u3000y"}}).ids, "trimmed as what is stored, and as in the list")
	for field, bad := range map[string][]any{
		"equipmentTypeId": {"x", 1, nil, []string{kind}}, "categoryId": {"x"}, "groupId": {true}, "searchTagId": {[]string{f.tag}}, "brandName": {1, nil, m{"eq": "x"}},
		"modelName": {[]string{"Y"}}, "releaseYear": {"2019", 2019.5, nil, 1e30}, "ownerUserId": {1}, "unknown": {"x"}, "isActive": {true}, "BrandName": {"x"}, "licensePlate": {"x"},
	} {
		for _, value := range bad {
			a := f.Do(t, "POST", base+"/vehicles/semantic-search", m{"query": "x", "filters": m{field: value}}).Fails(400, "validation_failed")
			require.Contains(t, string(a.Body), `"filters.`+field)
		}
	}
	for _, bad := range []any{nil, []any{}, "x", 1} {
		f.Do(t, "POST", base+"/vehicles/semantic-search", m{"query": "x", "filters": bad}).Fails(400, "validation_failed", "filters")
	}
}

// groupOf finds the group of a category.
func (f fixture) groupOf(tb testing.TB, category string) string {
	tb.Helper()
	for _, c := range getPage(tb, f.Client, base+"/categories?size=100").Content {
		if c["id"] == category {
			return c["groupId"].(string)
		}
	}
	tb.Fatal("no such category")
	return ""
}

func TestSearchLimits(t *testing.T) {
	t.Parallel()
	a := setup(t)
	for _, bad := range []any{"", " ", "\n\u00a0", "\u200b", nil, 1, strings.Repeat("x", 1001), strings.Repeat("😀", 1001)} {
		a.Do(t, "POST", base+"/vehicles/semantic-search", m{"query": bad}).Fails(400, "validation_failed", "query")
	}
	a.Do(t, "POST", base+"/vehicles/semantic-search", m{}).Fails(400, "validation_failed", "query")
	for _, good := range []string{"x", strings.Repeat("x", 1000), strings.Repeat("😀", 1000), "   " + strings.Repeat("й", 1000) + "   ", "?", "…", "и"} {
		search(t, a.Client, m{"query": good})
	}
	for _, bad := range []any{0, -1, 51, 1.5, "5", nil} {
		a.Do(t, "POST", base+"/vehicles/semantic-search", m{"query": "x", "topK": bad}).Fails(400, "validation_failed", "topK")
	}
	a.Do(t, "GET", base+"/vehicles/semantic-search", nil).Fails(405, "method_not_allowed")
}

// vectorsIndex is the index of vectors.
const vectorsIndex = "vehicle_embeddings_half_idx"

// indexAtOnce makes so many vehicles with vectors of passages, and the index over them, which
// takes a tenth of the time of their insertion one by one.
func (a *api) indexAtOnce(t *testing.T, kind string, rows int, passage func(int) string) (vehicles []uuid.UUID) {
	t.Helper()
	e := embedding.NewLexical()
	vehicles = make([]uuid.UUID, rows)
	texts, vectors := make([]string, rows), make([]pgvector.Vector, rows)
	for i := range rows {
		vehicles[i], texts[i] = uuid.New(), passage(i)
	}
	embedded, err := e.EmbedPassages(t.Context(), texts)
	require.NoError(t, err)
	for i, v := range embedded {
		vectors[i] = pgvector.NewVector(v)
	}
	_, err = a.db.Exec(t.Context(), `INSERT INTO vehicles (id, type_id, brand_name, model_name, is_active, owner_user_id, created_by, updated_by)
SELECT id, $2, CASE WHEN n % 200 = 0 THEN 'Rare' ELSE 'Common' END, 'M', n % 10 <> 9, 'owner', 'owner', 'owner' FROM unnest($1::uuid[]) WITH ORDINALITY AS l(id, n)`, vehicles, kind)
	require.NoError(t, err)
	var index string
	require.NoError(t, a.db.QueryRow(t.Context(), "SELECT indexdef FROM pg_indexes WHERE indexname = $1", vectorsIndex).Scan(&index))
	require.NoError(t, pgx.BeginFunc(t.Context(), a.db, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '128MB'; DROP INDEX "+vectorsIndex)
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), `INSERT INTO vehicle_embeddings (vehicle_id, model, fingerprint, embedding)
SELECT id, $2, '', vector FROM unnest($1::uuid[], $3::vector[]) AS l(id, vector)`, vehicles, e.Model(), vectors)
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), index)
		return err
	}))
	return vehicles
}

// The walk becomes as narrow as finds the same (docs/scaling.md), which is learned from searches
// of different queries; what is answered does not change.
func TestTheWalkNarrows(t *testing.T) {
	t.Parallel()
	var metrics *edge.Metrics
	a := setup(t, func(o *edge.Options) { metrics = o.Metrics })
	// words of different lengths, so that no two vehicles are equally near
	words := func(n, of int) string {
		r, text := rand.New(rand.NewPCG(uint64(n), uint64(of))), "" //nolint:gosec // the same at each run
		for range of {
			text += " " + strings.Repeat(string(rune('a'+r.IntN(26))), 1+r.IntN(9)) + strings.Repeat(string(rune('a'+r.IntN(26))), 1+r.IntN(9))
		}
		return text
	}
	a.indexAtOnce(t, a.newType(t), 1500, func(n int) string { return words(n, 12) }) // more than all distances are computed of
	width := func(filtered string) string {
		families, err := metrics.Registry.Gather()
		require.NoError(t, err)
		for _, family := range families {
			for _, metric := range family.GetMetric() {
				if family.GetName() == "search_walk_width" && metric.GetLabel()[0].GetValue() == filtered {
					return fmt.Sprint(metric.GetGauge().GetValue())
				}
			}
		}
		return "none"
	}
	for filtered, filters := range map[string]m{"false": {}, "true": {"brandName": "Common"}} {
		query := func(n int) m { return m{"query": words(n, 6), "filters": filters} }
		before := search(t, a.Client, query(0))
		search(t, a.Client, query(0)) // a filter is known from its second search on
		require.Equal(t, "300", width(filtered))
		for range 500 {
			search(t, a.Client, query(0))
		}
		require.Equal(t, "300", width(filtered), "one query says nothing of others")
		for n := range 500 {
			search(t, a.Client, query(n))
		}
		require.Equal(t, "100", width(filtered))
		require.Equal(t, before, search(t, a.Client, query(0)))
	}
}

// Always exactly min(topK, visible indexed vehicles that pass): a filter does
// not starve the approximate index. It is asked, finds the nearest, and its order is
// that of the vectors themselves.
func TestSearchIsNeverStarved(t *testing.T) {
	t.Parallel()
	for name, lists := range map[string]bool{"graph": false, "lists": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			searchIsNeverStarved(t, lists)
		})
	}
}

// searchIsNeverStarved has the vectors in lists, as the indexer lays many out, or in the graph of
// the migrations.
func searchIsNeverStarved(t *testing.T, lists bool) {
	t.Helper()
	a, s := traced(t)
	kind := a.newType(t)
	const rows, each, alike = 4000, 100, "excavator number 5000 of 50"
	passage := func(n int) string {
		if n%each == 0 {
			return alike
		}
		return fmt.Sprintf("excavator number %d of %d", n, n%97)
	}
	e := embedding.NewLexical()
	vehicles, index := a.indexAtOnce(t, kind, rows, passage), vectorsIndex
	if lists {
		index = "vehicle_embeddings_lists_1"
		_, err := a.db.Exec(t.Context(), "CREATE INDEX "+index+" ON vehicle_embeddings USING ivfflat ((embedding::halfvec(1024)) halfvec_cosine_ops) WITH (lists = 63); DROP INDEX "+vectorsIndex)
		require.NoError(t, err)
	}
	for _, c := range []struct {
		filters m
		topK    any
		want    int
	}{
		{nil, nil, 10}, {nil, 1, 1}, {nil, 50, 50}, {m{"brandName": "Rare"}, 10, 10}, {m{"brandName": "rare"}, 50, 20}, {m{"brandName": "Rare"}, 20, 20},
		{m{"brandName": "Common"}, 50, 50}, {m{"ownerUserId": "owner"}, 50, 50}, {m{"ownerUserId": "nobody"}, 50, 0},
	} {
		for _, query := range []string{"excavator number 7", "nothing of the kind", "ж"} {
			body := m{"query": query}
			if c.filters != nil {
				body["filters"] = c.filters
			}
			if c.topK != nil {
				body["topK"] = c.topK
			}
			got := search(t, a.Client, body)
			require.Len(t, got.ids, c.want, "%v", body)
			slices.Sort(got.ids)
			require.Len(t, slices.Compact(got.ids), c.want, "each once")
		}
	}
	_, err := a.db.Exec(t.Context(), "ANALYZE")
	require.NoError(t, err)
	hits, of := 0, 0
	for n := range 10 {
		query := fmt.Sprintf("excavator number %d of %d", 37*n, n)
		for _, filters := range []m{{}, {"brandName": "Common"}} {
			brand, _ := filters["brandName"].(string)
			from := len(s.asked)
			got := search(t, a.Client, m{"query": query, "filters": filters})
			require.Contains(t, a.searchPlan(t, s.asked[from:]), "Index Scan using "+index)
			vector, err := e.EmbedQuery(t.Context(), query)
			require.NoError(t, err)
			rows, err := a.db.Query(t.Context(), `SELECT 1 - (e.embedding <=> $1) FROM vehicle_embeddings e JOIN vehicles v ON v.id = e.vehicle_id
WHERE v.is_active AND ($2 = '' OR v.brand_name = $2) ORDER BY (e.embedding <=> $1) + 0 LIMIT 10`, pgvector.NewVector(vector), brand)
			require.NoError(t, err)
			exact, err := pgx.CollectRows(rows, pgx.RowTo[float64])
			require.NoError(t, err)
			const rounding = 1e-7 // of a distance, which is computed in numbers of 32 bits
			for i, score := range got.scores {
				require.LessOrEqual(t, score, exact[i]+rounding, "the score is that of the vectors themselves")
				if score >= exact[len(exact)-1]-rounding {
					hits++
				}
			}
			of += len(exact)
		}
	}
	require.GreaterOrEqual(t, float64(hits), 0.99*float64(of), "recall")
	var ties []uuid.UUID
	for i := 0; i < rows; i += each {
		ties = append(ties, vehicles[i])
	}
	slices.SortFunc(ties, func(a, b uuid.UUID) int { return strings.Compare(a.String(), b.String()) })
	for i, id := range search(t, a.Client, m{"query": alike, "topK": 5}).ids {
		require.Equal(t, ties[i].String(), id, "more ties than are asked of the index, cut by id")
	}
	common := m{"query": "excavator number 7", "filters": m{"brandName": "Common"}}
	from := len(s.asked)
	search(t, a.Client, common)
	for _, q := range s.asked[from:] {
		require.NotRegexp(t, "^-- name: (SearchExact|SearchCandidates) ", q.sql, "a filter that many passed is not counted again at once")
	}
	_, err = a.db.Exec(t.Context(), `UPDATE vehicles SET is_active = false WHERE brand_name = 'Common'
AND id NOT IN (SELECT id FROM vehicles WHERE brand_name = 'Common' AND is_active ORDER BY id LIMIT 3)`)
	require.NoError(t, err)
	require.Len(t, search(t, a.Client, common).ids, 3, "few pass by now")
}

// searchPlan is the plan of the last search by the index among what was asked, as its
// transaction had it.
func (a *api) searchPlan(t *testing.T, list []asked) (out string) {
	t.Helper()
	begin := slices.IndexFunc(list, func(q asked) bool { return strings.HasPrefix(q.sql, "BEGIN") })
	at := slices.IndexFunc(list, func(q asked) bool { return strings.HasPrefix(q.sql, "-- name: SearchNearest ") })
	require.GreaterOrEqual(t, at, 0)
	require.NoError(t, pgx.BeginTxFunc(t.Context(), a.db, pgx.TxOptions{BeginQuery: list[begin].sql}, func(tx pgx.Tx) error {
		rows, err := tx.Query(t.Context(), "EXPLAIN "+list[at].sql, list[at].args...)
		require.NoError(t, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		out = strings.Join(lines, "\n")
		return err
	}))
	return out
}

// broken is an embedder whose endpoint is down, or that panics.
type broken struct {
	embedding.Embedder
	err error
}

func (b broken) EmbedQuery(context.Context, string) ([]float32, error) {
	if b.err == nil {
		panic("secret of the embedder")
	}
	return nil, b.err
}

func TestSearchWhenTheEmbedderFails(t *testing.T) {
	t.Parallel()
	for _, err := range []error{embedding.ErrUnavailable, embedding.ErrTooLong, context.DeadlineExceeded, fmt.Errorf("secret %w", embedding.ErrUnavailable)} {
		a := setupWith(t, broken{embedding.NewLexical(), err})
		answer := a.Do(t, "POST", base+"/vehicles/semantic-search", m{"query": "x"}).Fails(503, "embedding_unavailable")
		require.Regexp(t, `^[1-9]\d*$`, answer.Header.Get("Retry-After"))
		require.NotContains(t, string(answer.Body), "secret")
	}
	a := setupWith(t, broken{embedding.NewLexical(), embedding.ErrBlank})
	a.Do(t, "POST", base+"/vehicles/semantic-search", m{"query": "x"}).Fails(400, "validation_failed", "query")
	a = setupWith(t, broken{embedding.NewLexical(), nil})
	answer := a.Do(t, "POST", base+"/vehicles/semantic-search", m{"query": "x"}).Fails(500, "internal_error")
	require.NotContains(t, string(answer.Body), "secret")
	require.NotContains(t, string(answer.Body), ".go")
	a.Do(t, "GET", base+"/groups", nil).Is(200) // it goes on
}

// Vectors that somebody else wrote may be odd; an answer never is.
func TestVectorsWithoutADirection(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	_, err := f.db.Exec(t.Context(), `INSERT INTO vehicle_embeddings (vehicle_id, model, fingerprint, embedding)
VALUES ($1, $2, '', array_fill(0::real, '{1024}')::vector)`, f.vehicle, embedding.NewLexical().Model())
	require.NoError(t, err)
	for _, body := range []m{{"query": "brand"}, {"query": "brand", "filters": m{"brandName": "Brand"}}} {
		var answer struct{ Matches []any }
		f.Do(t, "POST", base+"/vehicles/semantic-search", body).Is(200).JSON(&answer)
		require.Empty(t, answer.Matches)
	}
}

// What nothing answers is told from what something does (contract 4.2).
func TestRelevance(t *testing.T) {
	t.Parallel()
	path, err := weights.Path()
	require.NoError(t, err)
	model, err := embedding.New(config.Embeddings{Weights: path}, nil)
	require.NoError(t, err)
	first := func(e embedding.Embedder, query string) any {
		a := setupWith(t, e)
		vectors, err := e.EmbedPassages(t.Context(), []string{"Kubota U27, Mini excavator"})
		require.NoError(t, err)
		_, err = a.db.Exec(t.Context(), "INSERT INTO vehicle_embeddings (vehicle_id, model, fingerprint, embedding) VALUES ($1, $2, '', $3)",
			a.newVehicle(t, a.owner, nil), e.Model(), pgvector.NewVector(vectors[0]))
		require.NoError(t, err)
		var answer struct{ Matches []m }
		a.Do(t, "POST", base+"/vehicles/semantic-search", m{"query": query}).Is(200).JSON(&answer)
		require.Len(t, answer.Matches, 1)
		return answer.Matches[0]["relevance"]
	}
	require.Equal(t, "high", first(model, "kubota mini excavator"))
	require.Equal(t, "low", first(model, "asdfghjkl qwerty"))
	require.Nil(t, first(embedding.NewLexical(), "kubota mini excavator"), "words alone are not calibrated")
}
