package edge

// This file: Prometheus metrics of requests, and the separate listener that
// shows them with the runtime's profiles.

import (
	"context"
	"net/http"
	"net/http/pprof"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are a process's own registry and the request metrics in it.
type Metrics struct {
	Registry *prometheus.Registry

	duration *prometheus.HistogramVec
	turnWait prometheus.Counter
}

// NewMetrics makes a registry with the metrics of the Go runtime, the process
// and its requests.
func NewMetrics() *Metrics {
	m := &Metrics{
		Registry: prometheus.NewRegistry(),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "http_request_duration_seconds", Help: "Time to answer, by operation id and status.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"operation", "status"}),
		turnWait: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "http_turn_wait_seconds_total", Help: "Time that requests waited for their caller's turn to work.",
		}),
	}
	m.Registry.MustRegister(m.duration, m.turnWait, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *Metrics) observe(operation string, status int, took time.Duration) {
	if m != nil {
		m.duration.WithLabelValues(operation, strconv.Itoa(status)).Observe(took.Seconds())
	}
}

func (m *Metrics) waited(took time.Duration) {
	if m != nil {
		m.turnWait.Add(took.Seconds())
	}
}

// ServeAdmin shows /metrics and /debug/pprof on addr until ctx ends, and the probes
// /healthz and, where ready is given, /readyz (contract 7.6). An empty addr is off.
func (m *Metrics) ServeAdmin(ctx context.Context, addr string, ready http.HandlerFunc) error {
	if addr == "" {
		return nil
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(m.Registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	if ready != nil {
		mux.HandleFunc("/readyz", ready)
	}
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	server := &http.Server{Addr: addr, Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.ListenAndServe(); ctx.Err() == nil {
		return err
	}
	return nil
}
