package gateway

// This file: what the gateway counts beyond what the edge counts.

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

type metrics struct {
	duration *prometheus.HistogramVec
	retries  *prometheus.CounterVec
	breaker  *prometheus.GaugeVec
	unknown  *prometheus.CounterVec
}

func newMetrics(registry prometheus.Registerer) *metrics {
	m := &metrics{
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "gateway_upstream_duration_seconds", Help: "Time to the headers of an upstream's answer, by upstream, operation and status; status 0: no answer, 499: the caller left first.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"upstream", "operation", "status"}),
		retries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gateway_upstream_retries_total", Help: "Tries after the first.",
		}, []string{"upstream"}),
		breaker: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "gateway_breaker_state", Help: "Circuit breaker: 0 closed, 1 half-open, 2 open.",
		}, []string{"upstream"}),
		unknown: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gateway_unknown_answer_fields_total", Help: "Fields of upstream answers that the contract does not name and that were dropped.",
		}, []string{"operation"}),
	}
	if registry != nil {
		registry.MustRegister(m.duration, m.retries, m.breaker, m.unknown)
	}
	return m
}

// What stands for a status in the metrics of calls that got none.
const (
	statusNoAnswer = 0
	// statusCallerFirst is of calls that ended with the caller's request: it left, or
	// its body broke off. That says nothing about the upstream.
	statusCallerFirst = 499
)

func (m *metrics) observe(upstream, operation string, status int, took time.Duration) {
	m.duration.WithLabelValues(upstream, operation, strconv.Itoa(status)).Observe(took.Seconds())
}

// countUnknown adds dropped fields of an answer to the metric.
func countUnknown(resp *http.Response, n int) {
	given := callOf(resp.Request.Context())
	if given.metrics != nil {
		given.metrics.unknown.WithLabelValues(given.operation.id).Add(float64(n))
	}
}
