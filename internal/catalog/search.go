package catalog

// This file: semantic search (S4.6, section 4 of the decisions).

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pgvector/pgvector-go"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/embedding"
)

const (
	defaultTopK = 10
	// exactBelow is the number of candidates up to which all distances are
	// computed: with a selective filter the index would walk through most of
	// its graph to find them.
	exactBelow = 1000
	// efSearch is how many neighbours the index keeps at hand; it must exceed
	// the largest topK (50) by far for recall.
	efSearch = "200"
)

// searchFilter is what a match must be: public, and equal in each filter.
func searchFilter(f *api.SearchFilters) (w where) {
	w.add("v.is_active")
	if f == nil {
		return w
	}
	if f.EquipmentTypeID != nil {
		w.add("v.type_id = %s", *f.EquipmentTypeID)
	}
	if f.CategoryID != nil {
		w.add("v.type_id IN (SELECT tc.type_id FROM type_categories tc WHERE tc.category_id = %s)", *f.CategoryID)
	}
	if f.GroupID != nil {
		w.add("v.type_id IN (SELECT tc.type_id FROM type_categories tc JOIN categories c ON c.id = tc.category_id WHERE c.group_id = %s)", *f.GroupID)
	}
	if f.BrandName != nil {
		w.add(`lower(v.brand_name) = lower(%s::text COLLATE "und-x-icu")`, *f.BrandName)
	}
	if f.ModelName != nil {
		w.add(`lower(v.model_name) = lower(%s::text COLLATE "und-x-icu")`, *f.ModelName)
	}
	if f.ReleaseYear != nil {
		w.add("v.release_year = %s", *f.ReleaseYear)
	}
	if f.SearchTagID != nil {
		w.add("v.id IN (SELECT t.vehicle_id FROM vehicle_tags t WHERE t.tag_id = %s)", *f.SearchTagID)
	}
	if f.OwnerUserID != nil {
		w.add("v.owner_user_id = %s", *f.OwnerUserID)
	}
	return w
}

// SearchVehicles ranks the public vehicles by the cosine similarity of their
// vectors with the query's.
func (s *Service) SearchVehicles(ctx context.Context, r api.SearchVehiclesRequestObject) (api.SearchVehiclesResponseObject, error) {
	e, err := s.eyesOf(ctx, "")
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	vector, err := s.embedder.EmbedQuery(ctx, r.Body.Query)
	begun = s.stages.observe(stageEmbed, begun)
	switch {
	case errors.Is(err, embedding.ErrBlank):
		return nil, edge.InvalidField("query", "must not be blank")
	case err != nil:
		return nil, errEmbeddingsDown.Because(err)
	}
	q := searchQuery{filter: searchFilter(r.Body.Filters), vector: pgvector.NewVector(vector), topK: or(r.Body.TopK, defaultTopK), eyes: e}
	matches, names, err := s.search(ctx, q)
	s.stages.observe(stageQuery, begun)
	if err != nil {
		return nil, err
	}
	return answerMatches(matches, names)
}

type searchQuery struct {
	filter where
	vector pgvector.Vector
	topK   int32
	eyes   eyes
}

// match is a vehicle with its cosine similarity.
type match struct {
	score   float64
	vehicle vehicleRow
}

// search asks the index, and computes all distances where the index would be
// slow or comes back short: a filter must not starve it (D4.2).
func (s *Service) search(ctx context.Context, q searchQuery) (matches []match, names *dictionary, err error) {
	filtered := len(q.filter.conditions) > 1
	names, err = s.withNames(ctx, s.reads(ctx), func(db catalogdb.DBTX) (version int64, err error) {
		if filtered {
			var few bool
			matches, few, version, err = s.exact(ctx, db, q, exactBelow)
			if err != nil || few {
				return version, err
			}
		}
		matches, version, err = s.nearest(ctx, db, q)
		if err != nil || int32(len(matches)) == q.topK {
			return version, err
		}
		matches, _, version, err = s.exact(ctx, db, q, math.MaxInt32)
		return version, err
	})
	return matches, names, err
}

// nearest asks the HNSW index. It knows the order by distance only (an id in it
// would make the planner sort all vectors), so ties are taken whole and cut by
// id afterwards.
func (s *Service) nearest(ctx context.Context, db catalogdb.DBTX, q searchQuery) (matches []match, version int64, err error) {
	w := q.filter.clone()
	vector, model, limit := w.arg(q.vector), w.arg(s.embedder.Model()), w.arg(q.topK)
	sql := fmt.Sprintf(`WITH nearest AS MATERIALIZED (
    SELECT e.vehicle_id, e.embedding <=> %[1]s AS distance
    FROM vehicle_embeddings e JOIN vehicles v ON v.id = e.vehicle_id
    %[2]s AND e.model = %[3]s
    ORDER BY e.embedding <=> %[1]s FETCH FIRST (%[4]s) ROWS WITH TIES
)
SELECT %[5]s, 1 - n.distance, %[6]s
FROM nearest n JOIN vehicles v ON v.id = n.vehicle_id
ORDER BY n.distance, v.id LIMIT %[4]s`, vector, w.String(), model, limit, dictionaryVersion, vehicleColumns(q.eyes.linkCondition(&w)))

	// one round trip and, without a BEGIN, one implicit transaction: the settings end with it
	batch := &pgx.Batch{}
	batch.Queue("SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', '" + efSearch + "', true)").
		Exec(func(pgconn.CommandTag) error { return nil })
	batch.Queue(sql, w.args...).Query(func(rows pgx.Rows) error {
		m := match{}
		targets := append([]any{&version, &m.score}, scanVehicle(&m.vehicle)...)
		for rows.Next() {
			m = match{}
			if err := rows.Scan(targets...); err != nil {
				return err
			}
			matches = append(matches, m)
		}
		return rows.Err()
	})
	if err = db.SendBatch(ctx, batch).Close(); err != nil {
		return nil, 0, err
	}
	if len(matches) == 0 {
		version = noNames
	}
	return matches, version, nil
}

// exact computes the distance of every candidate, if there are at most most of
// them; otherwise it tells that there are more and computes nothing.
func (s *Service) exact(ctx context.Context, db catalogdb.DBTX, q searchQuery, most int) (matches []match, few bool, version int64, err error) {
	w := q.filter.clone()
	vector, model, limit, bound := w.arg(q.vector), w.arg(s.embedder.Model()), w.arg(q.topK), w.arg(most)
	sql := fmt.Sprintf(`WITH candidates AS MATERIALIZED (
    SELECT v.id FROM vehicles v %[2]s LIMIT %[7]s::bigint + 1
), nearest AS MATERIALIZED (
    SELECT e.vehicle_id, e.embedding <=> %[1]s AS distance
    FROM candidates c JOIN vehicle_embeddings e ON e.vehicle_id = c.id
    WHERE e.model = %[3]s AND (SELECT count(*) FROM candidates) <= %[7]s
    ORDER BY 2, 1 LIMIT %[4]s
)
SELECT counted.few, %[5]s, 1 - n.distance, %[6]s
FROM (SELECT count(*) <= %[7]s AS few FROM candidates) counted
LEFT JOIN (nearest n JOIN vehicles v ON v.id = n.vehicle_id) ON true
ORDER BY n.distance, v.id`, vector, w.String(), model, limit, dictionaryVersion, vehicleColumns(q.eyes.linkCondition(&w)), bound)
	rows, err := db.Query(ctx, sql, w.args...)
	if err != nil {
		return nil, false, 0, err
	}
	defer rows.Close()
	version = noNames
	m := match{}
	targets := append([]any{&few, &version, &m.score}, scanVehicle(&m.vehicle)...)
	for rows.Next() {
		if rows.RawValues()[2] == nil { // no match at all
			if err := rows.Scan(append([]any{&few}, make([]any, len(targets)-1)...)...); err != nil {
				return nil, false, 0, err
			}
			continue
		}
		m = match{}
		if err := rows.Scan(targets...); err != nil {
			return nil, false, 0, err
		}
		matches = append(matches, m)
	}
	return matches, few, version, rows.Err()
}

func answerMatches(matches []match, names *dictionary) (vehiclesAnswer, error) {
	b := append(make([]byte, 0, 64+vehicleBytes*len(matches)), `{"matches":[`...)
	var err error
	for i := range matches {
		if i > 0 {
			b = append(b, ',')
		}
		// rounding can leave the interval by one unit in the last place
		score := max(-1, min(1, matches[i].score))
		b = strconv.AppendFloat(append(b, `{"score":`...), score, 'f', -1, 64)
		if b, err = appendVehicle(append(b, `,"vehicle":`...), &matches[i].vehicle, names); err != nil {
			return vehiclesAnswer{}, err
		}
		b = append(b, '}')
	}
	return vehiclesAnswer{append(b, "]}\n"...)}, nil
}
