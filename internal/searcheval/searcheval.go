// Package searcheval measures how well an embedder finds what people mean: it
// embeds the active vehicles of a catalogue, ranks them by exact cosine for each
// judged query and reports nDCG@10, recall@10, the share of queries with a wanted
// vehicle first, and how often relevance tells noise from answers.
//
// This file holds the measures; catalogue.go reads the data, leaveout.go has the
// measurement without a type's terms, report.go prints.
package searcheval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"equipment-platform/internal/embedding"
)

// depth is how many answers of a query are looked at.
const depth = 10

// Judgment is one query with the grades of vehicles: 2 is what they want, 1 is
// acceptable. A vehicle's grade is its own entry, else that of its type, else 0.
type Judgment struct {
	Key      string         `json:"key"`
	Query    string         `json:"query"`
	Language string         `json:"language"`
	Category string         `json:"category"`
	Types    map[string]int `json:"types"`
	Vehicles map[string]int `json:"vehicles"`
}

// Grade is the grade of a vehicle.
func (j Judgment) Grade(v Vehicle) int {
	if grade, ok := j.Vehicles[v.Key]; ok {
		return grade
	}
	return j.Types[v.Type]
}

// Result is what one query scored.
type Result struct {
	Judgment Judgment
	NDCG     float64  // nDCG@10 with gains 2^grade - 1, in 0..1
	Recall   float64  // share of the graded vehicles in the first ten, of at most ten
	First    bool     // a vehicle of grade 2 stands first
	Wanted   bool     // one stands among the first ten
	Top      []string // keys of the first ten
	Best     float64  // score of the first
	// Relevance is what the embedder makes of that score.
	Relevance embedding.Relevance
}

// Measured is what an embedder scored on one set.
type Measured struct {
	Set     Set
	Results []Result
	Noise   []Result // of the queries that nothing answers; only Best and Relevance
}

// NoiseLow is the share of the queries without an answer whose best match is
// marked as low.
func (m Measured) NoiseLow() float64 { return lowShare(m.Noise) }

// AnswersLow is the share of the judged queries, all of which have an answer,
// whose best match is marked as low.
func (m Measured) AnswersLow() float64 { return lowShare(m.Results) }

// calibrated reports whether the embedder says what its scores mean.
func (m Measured) calibrated() bool {
	return len(m.Results) > 0 && m.Results[0].Relevance != embedding.Unknown
}

func lowShare(results []Result) float64 {
	low := 0
	for _, r := range results {
		if r.Relevance == embedding.Low {
			low++
		}
	}
	return float64(low) / float64(max(1, len(results)))
}

// Scores are means over queries.
type Scores struct {
	Queries             int
	NDCG, Recall, First float64
}

// Index is the catalogue's active vehicles with the vectors of an embedder.
type Index struct {
	embedder embedding.Embedder
	vehicles []Vehicle
	vectors  [][]float32
}

// NewIndex embeds the active vehicles of the catalogue.
func NewIndex(ctx context.Context, e embedding.Embedder, catalogue *Catalogue) (*Index, error) {
	vehicles := catalogue.Active()
	passages := make([]string, len(vehicles))
	for i, v := range vehicles {
		passages[i] = embedding.Passage(v.Text)
	}
	vectors, err := e.EmbedPassages(ctx, passages)
	if err != nil {
		return nil, fmt.Errorf("embed the catalogue: %w", err)
	}
	return &Index{embedder: e, vehicles: vehicles, vectors: vectors}, nil
}

// Measure runs all queries of the sets. Sets of one catalogue that follow each
// other share its vectors.
func Measure(ctx context.Context, e embedding.Embedder, sets []Set) ([]Measured, error) {
	var index *Index
	out := make([]Measured, len(sets))
	for i, set := range sets {
		if i == 0 || set.Catalogue != sets[i-1].Catalogue {
			var err error
			if index, err = NewIndex(ctx, e, set.Catalogue); err != nil {
				return nil, err
			}
		}
		results, err := index.Run(ctx, set.Judgments)
		if err != nil {
			return nil, err
		}
		out[i] = Measured{Set: set, Results: results}
		for _, query := range set.Noise {
			ranked, err := index.rank(ctx, query)
			if err != nil {
				return nil, fmt.Errorf("embed %q: %w", query, err)
			}
			out[i].Noise = append(out[i].Noise, Result{Judgment: Judgment{Query: query}, Best: ranked[0].score, Relevance: e.Relevance(ranked[0].score)})
		}
	}
	return out, nil
}

// Run scores each judgment, in the order given. A query that judges no active
// vehicle is an error: it would score nothing whatever the embedder does.
func (x *Index) Run(ctx context.Context, judgments []Judgment) ([]Result, error) {
	results := make([]Result, 0, len(judgments))
	for _, j := range judgments {
		ranked, err := x.rank(ctx, j.Query)
		if err != nil {
			return nil, fmt.Errorf("embed query %s: %w", j.Key, err)
		}
		vehicles := make([]Vehicle, len(ranked))
		for i, r := range ranked {
			vehicles[i] = r.vehicle
		}
		r, err := score(j, x.vehicles, vehicles)
		if err != nil {
			return nil, err
		}
		r.Best = ranked[0].score
		r.Relevance = x.embedder.Relevance(r.Best)
		results = append(results, r)
	}
	return results, nil
}

type scored struct {
	vehicle Vehicle
	score   float64
}

// rank orders the vehicles for a query.
func (x *Index) rank(ctx context.Context, text string) ([]scored, error) {
	query, err := x.embedder.EmbedQuery(ctx, text)
	if err != nil {
		return nil, err
	}
	return rank(query, x.vehicles, x.vectors), nil
}

// rank orders vehicles by cosine, ties by key.
func rank(query []float32, vehicles []Vehicle, vectors [][]float32) []scored {
	all := make([]scored, len(vehicles))
	for i, v := range vectors {
		var dot float64
		for d, x := range v {
			dot += float64(x) * float64(query[d])
		}
		all[i] = scored{vehicles[i], dot}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.vehicle.Key, b.vehicle.Key))
	})
	return all
}

func score(j Judgment, vehicles, ranked []Vehicle) (Result, error) {
	ideal := make([]int, 0, len(vehicles))
	for _, v := range vehicles {
		if grade := j.Grade(v); grade > 0 {
			ideal = append(ideal, grade)
		}
	}
	if len(ideal) == 0 {
		return Result{}, fmt.Errorf("judgment %s grades no active vehicle", j.Key)
	}
	slices.SortFunc(ideal, func(a, b int) int { return b - a })
	wanted := min(len(ideal), depth)
	r := Result{Judgment: j, First: j.Grade(ranked[0]) == 2}
	grades := make([]int, 0, depth)
	found := 0
	for _, v := range ranked[:min(depth, len(ranked))] {
		grade := j.Grade(v)
		if grade > 0 {
			found++
		}
		r.Wanted = r.Wanted || grade == 2
		grades = append(grades, grade)
		r.Top = append(r.Top, v.Key)
	}
	r.NDCG = gain(grades) / gain(ideal[:wanted])
	r.Recall = float64(found) / float64(wanted)
	return r, nil
}

// gain is the discounted cumulative gain of grades in this order.
func gain(grades []int) float64 {
	var sum float64
	for i, grade := range grades {
		sum += (math.Exp2(float64(grade)) - 1) / math.Log2(float64(i)+2)
	}
	return sum
}

// Mean gives the means over the results that keep says yes to; all for nil.
func Mean(results []Result, keep func(Judgment) bool) Scores {
	var s Scores
	for _, r := range results {
		if keep != nil && !keep(r.Judgment) {
			continue
		}
		s.Queries++
		s.NDCG += r.NDCG
		s.Recall += r.Recall
		if r.First {
			s.First++
		}
	}
	if s.Queries > 0 {
		n := float64(s.Queries)
		s.NDCG, s.Recall, s.First = s.NDCG/n, s.Recall/n, s.First/n
	}
	return s
}
