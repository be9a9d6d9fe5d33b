package catalog

// This file: what the catalog measures beyond what the edge does: where the
// time of a search goes, and how widely it walks.

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// The stages of a search.
const (
	stageEmbed = "embed" // turning the query into a vector
	stageQuery = "query" // asking the database
)

// searchStages are the durations of the stages. A nil one measures nothing.
type searchStages struct{ embed, query prometheus.Observer }

// newSearchStages registers the metrics; without a registry nothing is measured.
func newSearchStages(registry prometheus.Registerer) *searchStages {
	if registry == nil {
		return nil
	}
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "search_stage_seconds", Help: "Time of a semantic search by stage: embed (the query becomes a vector) and query (the database finds neighbours).",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5},
	}, []string{"stage"})
	registry.MustRegister(seconds)
	return &searchStages{embed: seconds.WithLabelValues(stageEmbed), query: seconds.WithLabelValues(stageQuery)}
}

// observe notes how long a stage has lasted since begun, and returns now.
func (m *searchStages) observe(stage string, begun time.Time) time.Time {
	if m == nil {
		return begun
	}
	now, observer := time.Now(), m.embed
	if stage == stageQuery {
		observer = m.query
	}
	observer.Observe(now.Sub(begun).Seconds())
	return now
}

// registerWidths registers the widths of the walks through the index of vectors.
func registerWidths(registry prometheus.Registerer, widths *walkWidths) {
	if registry == nil {
		return
	}
	for filtered, width := range map[string]func() int64{"false": widths.plain.inUse, "true": widths.leastFiltered} {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "search_walk_width", ConstLabels: prometheus.Labels{"filtered": filtered},
			Help: "Neighbours that a semantic search keeps at hand (hnsw.ef_search), or lists that it reads (ivfflat.probes), without filters and with the filter that needs the fewest: those that were measured to find what the most do; 0 before the first search.",
		}, func() float64 { return float64(width()) }))
	}
}
