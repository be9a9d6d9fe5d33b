package catalog

// This file: semantic search (contract 4.0).

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgvector/pgvector-go"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/database"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/embedding"
)

const (
	defaultTopK = 10
	// What the index gives is ranked again by the vectors themselves: this many more than
	// are wanted. Without a filter the order differs by the rounding to 16 bits alone; with
	// one, the widest walk comes upon near ones after farther ones.
	rankedMore, rankedMoreFiltered = 10, 90
	// indexedEvery is how often the size of the index is looked at, and countedEvery how often
	// the vehicles that pass a filter are counted where they were many.
	indexedEvery, countedEvery = time.Minute, time.Minute
)

// walk is how a search goes about an index of so many vectors.
type walk struct {
	// lists says that the vectors are in lists (see internal/indexing), not in a graph.
	lists bool
	// width is the number of neighbours that are kept at hand in a graph (hnsw.ef_search), by
	// far more than the largest topK, or of the lists that are read (ivfflat.probes). The
	// larger the index, the more it may take for the same recall; how much it takes indeed is
	// measured (see searchwidth.go), but no less than narrowest.
	width, narrowest int64
	// other is the width if the index should be of the other kind by now.
	other int64
	// more is how many more than are wanted are ranked by their vectors.
	more int64
	// exactBelow is the number of candidates up to which all distances are computed, 25 µs
	// each: with a selective filter the index would walk through most of its graph to find
	// them. As that takes the longer the more vectors do not pass, the bound grows with the
	// square root of their number.
	exactBelow int64
}

// widestThrough gives the widest walk through an index of so many vectors in so many lists (docs/scaling.md).
func widestThrough(vectors, lists int64, filtered bool) walk {
	root := int64(math.Sqrt(float64(vectors)))
	probes := func(lists int64) int64 { return max(1, int64(1.5*math.Sqrt(float64(lists)))) }
	by := walk{width: min(800, max(300, 5*root/2)), narrowest: 100, other: probes(root), more: rankedMore, exactBelow: max(1000, 10*root)}
	if lists > 0 {
		by.lists, by.width, by.other = true, probes(lists), by.width
		by.narrowest = (by.width + 3) / 4
	}
	if filtered {
		by.more = rankedMoreFiltered
	}
	return by
}

// narrowed gives the walk of that width, which ranks as many fewer as it is narrower.
func (w walk) narrowed(width int64) walk {
	w.more = max(rankedMore, w.more*width/w.width)
	w.width = width
	return w
}

// indexSize is the number of vectors in the index and of their lists, which change slowly.
type indexSize struct {
	vectors, lists atomic.Int64
	due            atomic.Int64 // when to look again, in Unix nanoseconds
}

// widest looks at the index where nobody has for a while.
func (s *Service) widest(ctx context.Context, db catalogdb.DBTX, filtered bool) (walk, error) {
	now, due := time.Now(), s.indexed.due.Load()
	if now.UnixNano() >= due && s.indexed.due.CompareAndSwap(due, now.Add(indexedEvery).UnixNano()) {
		n, err := s.queries.SearchIndexed(ctx, db)
		if err != nil {
			s.indexed.due.Store(0)
			return walk{}, err
		}
		s.indexed.vectors.Store(n.Vectors)
		s.indexed.lists.Store(n.Lists)
	}
	return widestThrough(s.indexed.vectors.Load(), s.indexed.lists.Load(), filtered), nil
}

// searchFilters are the filters of a search, absent ones null, and what tells them from
// others, empty without any.
func searchFilters(f *api.SearchFilters) (p catalogdb.SearchNearestParams, text string, err error) {
	if f == nil || *f == (api.SearchFilters{}) {
		return p, "", nil
	}
	p = catalogdb.SearchNearestParams{
		TypeID: f.EquipmentTypeID, CategoryID: f.CategoryID, GroupID: f.GroupID, Brand: f.BrandName, ModelName: f.ModelName,
		ReleaseYear: f.ReleaseYear, TagID: f.SearchTagID, Owner: f.OwnerUserID,
	}
	raw, err := json.Marshal(f)
	return p, string(raw), err
}

// SearchVehicles ranks the public vehicles by the cosine similarity of their
// vectors with the query's.
func (s *Service) SearchVehicles(ctx context.Context, r api.SearchVehiclesRequestObject) (api.SearchVehiclesResponseObject, error) {
	by, err := s.newViewer(ctx, "")
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	vector, err := s.embedQuery(ctx, r.Body.Query)
	begun = s.stages.observe(stageEmbed, begun)
	switch {
	case errors.Is(err, embedding.ErrBlank):
		return nil, edge.InvalidField("query", "must not be blank")
	case err != nil:
		return nil, errEmbeddingsDown.Because(err)
	}
	query, filters, err := searchFilters(r.Body.Filters)
	if err != nil {
		return nil, err
	}
	query.Query, query.Model, query.Top = pgvector.NewVector(vector), s.embedder.Model(), int64(or(r.Body.TopK, defaultTopK))
	query.AllLinks, query.LinksOf = by.links()
	var rows []catalogdb.SearchNearestRow
	var beside trial
	names, err := s.withNames(ctx, s.reads(ctx), func(db catalogdb.DBTX) (version int64, err error) {
		rows, beside, err = s.search(ctx, db, r.Body.Query, query, filters)
		if len(rows) == 0 {
			return noNames, err
		}
		return rows[0].Dictionary, err
	})
	s.stages.observe(stageQuery, begun)
	if err != nil {
		return nil, err
	}
	if beside.width > 0 {
		s.searchBeside(ctx, r.Body.Query, query, filters != "", beside, rows)
	}
	return s.answerMatches(ctx, rows, names)
}

// embedQuery turns a query into its vector, which takes the model in this process tens
// of milliseconds where the query is long.
func (s *Service) embedQuery(ctx context.Context, query string) ([]float32, error) {
	if s.computes {
		end, err := edge.Compute(ctx)
		if err != nil {
			return nil, err
		}
		defer end()
	}
	return s.embedder.EmbedQuery(ctx, query)
}

// trial is a walk to compare with the widest; of width 0: none.
type trial struct {
	walk
	of *walkWidth
}

// search asks the index, and computes all distances where the index would be
// slow or comes back short: a filter must not starve it (contract 4.2). beside is what
// the caller's search is good for besides.
func (s *Service) search(ctx context.Context, db catalogdb.DBTX, text string, q catalogdb.SearchNearestParams, filters string) (rows []catalogdb.SearchNearestRow, beside trial, err error) {
	filtered := filters != ""
	widest, err := s.widest(ctx, db, filtered)
	if err != nil {
		return nil, beside, err
	}
	width, tried, of := widest.width, int64(0), s.widths.of(filters)
	if of != nil {
		width, tried = of.next(text, widest.width, widest.narrowest)
	}
	by := widest.narrowed(width)
	err = withSearchSettings(ctx, db, by, filtered, func(db catalogdb.DBTX) error {
		if filtered && !of.passesMany() {
			found, few, err := s.searchFew(ctx, db, q, by.exactBelow)
			if err != nil || few {
				rows = found
				return err
			}
			s.widths.learn(filters)
		}
		if rows, err = s.searchNearest(ctx, db, q, by); err != nil {
			return err
		}
		switch {
		case int64(len(rows)) < q.Top:
			rows, err = s.searchExact(ctx, db, q, math.MaxInt64)
		case tried > 0:
			beside = trial{widest.narrowed(tried), of}
		}
		return err
	})
	return rows, beside, err
}

// searchNearest asks the index for some more than are wanted.
func (s *Service) searchNearest(ctx context.Context, db catalogdb.DBTX, q catalogdb.SearchNearestParams, by walk) ([]catalogdb.SearchNearestRow, error) {
	q.Ranked = q.Top + by.more
	return s.queries.SearchNearest(ctx, db, q)
}

// searchBeside makes a search again, in another walk, to learn what that misses of what the
// widest has found. The caller has an answer whatever comes of it.
func (s *Service) searchBeside(ctx context.Context, text string, q catalogdb.SearchNearestParams, filtered bool, by trial, widest []catalogdb.SearchNearestRow) {
	err := withSearchSettings(ctx, s.reads(ctx), by.walk, filtered, func(db catalogdb.DBTX) error {
		rows, err := s.searchNearest(ctx, db, q, by.walk)
		if err == nil {
			by.of.judge(text, by.width, rows, widest)
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "the width of the search could not be measured", "error", err)
	}
}

// searchFew ranks the vehicles that pass filters by all distances where they are fewer
// than the bound; few reports whether they are.
func (s *Service) searchFew(ctx context.Context, db catalogdb.DBTX, q catalogdb.SearchNearestParams, bound int64) (rows []catalogdb.SearchNearestRow, few bool, err error) {
	if rows, err = s.searchExact(ctx, db, q, bound); err != nil || len(rows) > 0 {
		return rows, true, err
	}
	n, err := s.queries.SearchCandidates(ctx, db, catalogdb.SearchCandidatesParams{
		Bound: bound, TypeID: q.TypeID, CategoryID: q.CategoryID, GroupID: q.GroupID, Brand: q.Brand, ModelName: q.ModelName,
		ReleaseYear: q.ReleaseYear, TagID: q.TagID, Owner: q.Owner,
	})
	return nil, n < bound, err
}

// searchExact finds nothing where there are bound candidates or more.
func (s *Service) searchExact(ctx context.Context, db catalogdb.DBTX, q catalogdb.SearchNearestParams, bound int64) ([]catalogdb.SearchNearestRow, error) {
	exact, err := s.queries.SearchExact(ctx, db, catalogdb.SearchExactParams{
		AllLinks: q.AllLinks, LinksOf: q.LinksOf, Query: q.Query, Model: q.Model, Top: q.Top, Bound: bound,
		TypeID: q.TypeID, CategoryID: q.CategoryID, GroupID: q.GroupID, Brand: q.Brand, ModelName: q.ModelName,
		ReleaseYear: q.ReleaseYear, TagID: q.TagID, Owner: q.Owner,
	})
	return convert(exact, func(r catalogdb.SearchExactRow) catalogdb.SearchNearestRow { return catalogdb.SearchNearestRow(r) }), err
}

// searchSettings hold for the statements of one transaction: that the walk through the index, be it a
// graph or lists, goes on until enough vehicles pass the filters, and keeps those that it
// comes upon after farther ones (in strict order it drops them); that the planner, to which a
// distance is as cheap as any comparison, does not compute all of them instead and sort; and
// how wide the walk is.
const searchSettings = "SET LOCAL enable_sort = off; SET LOCAL hnsw.iterative_scan = relaxed_order; SET LOCAL ivfflat.iterative_scan = relaxed_order; " +
	"SET LOCAL hnsw.ef_search = %d; SET LOCAL ivfflat.probes = %d"

// planForFilters makes a plan for the very filters of a search: in one for all of
// them an absent filter is still looked at, and none can use its index.
const planForFilters = "; SET LOCAL plan_cache_mode = force_custom_plan"

// withSearchSettings runs f in a transaction of the settings, in that of db where
// db is one.
func withSearchSettings(ctx context.Context, db catalogdb.DBTX, by walk, filtered bool, f func(catalogdb.DBTX) error) error {
	neighbours, probes := by.width, by.other
	if by.lists {
		neighbours, probes = by.other, by.width
	}
	settings := fmt.Sprintf(searchSettings, neighbours, probes)
	if filtered {
		settings += planForFilters
	}
	pool, ok := db.(*pgxpool.Pool)
	if !ok {
		if _, err := db.Exec(ctx, settings); err != nil {
			return err
		}
		return f(db)
	}
	begin := pgx.TxOptions{BeginQuery: "BEGIN READ ONLY; " + settings}
	return database.Transact(ctx, pool, begin, func(tx pgx.Tx) error { return f(tx) })
}

func (s *Service) answerMatches(ctx context.Context, matches []catalogdb.SearchNearestRow, names *dictionary) (vehiclesAnswer, error) {
	page := newPage(len(matches))
	b := append(*page, `{"matches":[`...)
	var err error
	for i := range matches {
		if i > 0 {
			b = append(b, ',')
		}
		// rounding can leave the interval by one unit in the last place
		score := max(-1, min(1, matches[i].Score))
		b = strconv.AppendFloat(append(b, `{"score":`...), score, 'f', -1, 64)
		vehicle := vehicleOf(matches[i])
		if err := edge.Reserve(ctx, vehicle.held()); err != nil {
			return vehiclesAnswer{}, err
		}
		if word := s.embedder.Relevance(score); word != embedding.Unknown {
			b = append(append(append(b, `,"relevance":"`...), word...), '"')
		}
		if b, err = appendVehicle(append(b, `,"vehicle":`...), &vehicle, names); err != nil {
			return vehiclesAnswer{}, err
		}
		b = append(b, '}')
	}
	b = append(b, "]}\n"...)
	*page = b
	return vehiclesAnswer{page}, nil
}

func vehicleOf(r catalogdb.SearchNearestRow) vehicleRow {
	return vehicleRow{
		id: r.ID, typeID: r.TypeID, plate: r.LicensePlate, brand: r.BrandName, model: r.ModelName, year: r.ReleaseYear,
		active: r.IsActive, owner: r.OwnerUserID, ratingHundredths: r.RatingHundredths, ratingCount: r.RatingCount,
		version: r.Version, createdAt: r.CreatedAt, updatedAt: r.UpdatedAt, createdBy: r.CreatedBy, updatedBy: r.UpdatedBy,
		paramIDs: r.ParamIds, paramValues: r.ParamValues, tagIDs: r.TagIds, photos: r.PhotoIds, docs: r.DocIds,
	}
}
