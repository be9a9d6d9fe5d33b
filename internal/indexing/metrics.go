package indexing

// This file: what the indexer measures.

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics are the indexer's counters. A nil one counts nothing.
type Metrics struct {
	vehicles *prometheus.CounterVec
	outbox   *prometheus.GaugeVec
	oldest   prometheus.Gauge
	failures prometheus.Counter
	duration prometheus.Histogram
}

// NewMetrics registers the indexer's metrics.
func NewMetrics(r prometheus.Registerer) *Metrics {
	m := &Metrics{
		vehicles: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "indexer_vehicles_total", Help: "Vehicles worked on, by what was done: embedded, unchanged or removed.",
		}, []string{"result"}),
		outbox: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "indexer_outbox_rows", Help: "Outbox rows, by state: waiting, or set_aside: parked after the embedding endpoint rejected their texts for good.",
		}, []string{"state"}),
		oldest: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "indexer_outbox_oldest_seconds", Help: "How long the oldest waiting outbox row has waited: by so much the search lags behind the catalogue. 0: none waits.",
		}),
		failures: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "indexer_failures_total", Help: "Batches that failed and are tried again: database or embedding endpoint down.",
		}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "indexer_embedding_seconds", Help: "Time to embed a batch of passages.",
			Buckets: prometheus.ExponentialBuckets(.001, 2, 14),
		}),
	}
	for _, result := range []string{"embedded", "unchanged", "removed"} {
		m.vehicles.WithLabelValues(result) // shown before the first: an alert on a series that is not there stays silent
	}
	r.MustRegister(m.vehicles, m.outbox, m.oldest, m.failures, m.duration)
	return m
}

func (m *Metrics) done(embedded, unchanged, removed int) {
	if m == nil {
		return
	}
	m.vehicles.WithLabelValues("embedded").Add(float64(embedded))
	m.vehicles.WithLabelValues("unchanged").Add(float64(unchanged))
	m.vehicles.WithLabelValues("removed").Add(float64(removed))
}

func (m *Metrics) backlog(waiting, parked int64, oldest time.Time) {
	if m == nil {
		return
	}
	m.outbox.WithLabelValues("waiting").Set(float64(waiting))
	m.outbox.WithLabelValues("set_aside").Set(float64(parked))
	age := 0.0
	if waiting > 0 {
		age = max(0, time.Since(oldest).Seconds())
	}
	m.oldest.Set(age)
}

func (m *Metrics) failed() {
	if m != nil {
		m.failures.Inc()
	}
}

func (m *Metrics) embedded(took time.Duration) {
	if m != nil {
		m.duration.Observe(took.Seconds())
	}
}
