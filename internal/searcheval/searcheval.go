// Package searcheval measures how well an embedder finds what people mean: it
// embeds the active vehicles of the demo catalogue, ranks them by exact cosine
// for each judged query and reports nDCG@10, recall@10 and the share of queries
// with a wanted vehicle first.
//
// This file holds the measures; catalogue.go reads the data, report.go prints.
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
	Top      []string // keys of the first ten
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

// Run scores each judgment, in the order given. A query that judges no active
// vehicle is an error: it would score nothing whatever the embedder does.
func (x *Index) Run(ctx context.Context, judgments []Judgment) ([]Result, error) {
	results := make([]Result, 0, len(judgments))
	for _, j := range judgments {
		query, err := x.embedder.EmbedQuery(ctx, j.Query)
		if err != nil {
			return nil, fmt.Errorf("embed query %s: %w", j.Key, err)
		}
		r, err := score(j, x.vehicles, rank(query, x.vehicles, x.vectors))
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

// rank orders vehicles by cosine, ties by key.
func rank(query []float32, vehicles []Vehicle, vectors [][]float32) []Vehicle {
	type scored struct {
		vehicle Vehicle
		cosine  float64
	}
	all := make([]scored, len(vehicles))
	for i, v := range vectors {
		var dot float64
		for d, x := range v {
			dot += float64(x) * float64(query[d])
		}
		all[i] = scored{vehicles[i], dot}
	}
	slices.SortFunc(all, func(a, b scored) int {
		if c := cmp.Compare(b.cosine, a.cosine); c != 0 {
			return c
		}
		return cmp.Compare(a.vehicle.Key, b.vehicle.Key)
	})
	out := make([]Vehicle, len(all))
	for i, s := range all {
		out[i] = s.vehicle
	}
	return out
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
