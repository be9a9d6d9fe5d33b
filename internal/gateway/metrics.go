package gateway

// This file: what the gateway counts beyond what the edge counts.

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"
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

// unknownFields counts the fields of a JSON text that target, a pointer to a
// struct, has no place for.
func unknownFields(body []byte, target any) int {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return 0
	}
	return countUnknownFields(value, reflect.TypeOf(target))
}

func countUnknownFields(value any, t reflect.Type) (n int) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch v := value.(type) {
	case map[string]any:
		if t.Kind() != reflect.Struct {
			return 0
		}
		fields := fieldsOf(t)
		for name, item := range v {
			if field, ok := fields[strings.ToLower(name)]; ok {
				n += countUnknownFields(item, field)
			} else {
				n++
			}
		}
	case []any:
		if t.Kind() != reflect.Slice {
			return 0
		}
		for _, item := range v {
			n += countUnknownFields(item, t.Elem())
		}
	}
	return n
}

// knownFields keeps what fieldsOf found: once the provider has a new field,
// every answer comes this way.
var knownFields sync.Map

// fieldsOf lists the fields that encoding/json fills, by lower-case name: it
// does not mind letter case.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if known, ok := knownFields.Load(t); ok {
		return known.(map[string]reflect.Type)
	}
	fields := map[string]reflect.Type{}
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		fields[strings.ToLower(name)] = field.Type
	}
	knownFields.Store(t, fields)
	return fields
}
