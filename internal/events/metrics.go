package events

// This file: what the consumers measure.

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are those of all streams of one consumer.
type metrics struct {
	processed, duplicates, ignored, retried, deadLettered *prometheus.CounterVec
	duration                                              *prometheus.HistogramVec
	lag                                                   *prometheus.GaugeVec
}

// newMetrics makes and registers them; a nil registry keeps them to themselves.
func newMetrics(registry prometheus.Registerer) *metrics {
	counter := func(name, help string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{"topic"})
	}
	m := &metrics{
		processed:    counter("events_processed_total", "Records whose effect is durable, redelivered ones included."),
		duplicates:   counter("events_duplicates_total", "Processed records without an effect, as their event had been handled before."),
		ignored:      counter("events_ignored_total", "Records that are not for this service."),
		retried:      counter("events_retried_total", "Attempts that failed for a passing reason and were repeated."),
		deadLettered: counter("events_dead_lettered_total", "Poison records produced to the dead-letter topic."),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "events_processing_seconds", Help: "Time from taking a record up to its acknowledgement, retries included.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5, 30, 120},
		}, []string{"topic"}),
		lag: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "events_consumer_lag", Help: "Records of an assigned partition that are not acknowledged yet.",
		}, []string{"topic", "partition"}),
	}
	if registry != nil {
		registry.MustRegister(m.processed, m.duplicates, m.ignored, m.retried, m.deadLettered, m.duration, m.lag)
	}
	return m
}

// begin shows the counters of a topic before anything is counted: an alert on
// a series that is not there yet stays silent.
func (m *metrics) begin(topic string) {
	for _, counter := range []*prometheus.CounterVec{m.processed, m.duplicates, m.ignored, m.retried, m.deadLettered} {
		counter.WithLabelValues(topic)
	}
	m.duration.WithLabelValues(topic)
}

func (m *metrics) setLag(at partition, records int64) {
	m.lag.WithLabelValues(at.topic, strconv.Itoa(int(at.number))).Set(float64(max(records, 0)))
}

func (m *metrics) dropLag(at partition) {
	m.lag.DeleteLabelValues(at.topic, strconv.Itoa(int(at.number)))
}
