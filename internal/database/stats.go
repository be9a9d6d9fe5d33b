package database

// This file: what a pool shows of itself.

import (
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

// stats collects the statistics of one pool.
type stats struct {
	pool                                        *pgxpool.Pool
	connections                                 *prometheus.Desc
	most, acquires, waits, waited, givenUpWaits *prometheus.Desc
}

// Stats returns the metrics of a pool under a name, such as primary or
// replica. They are read when they are asked for and cost nothing otherwise.
func Stats(pool *pgxpool.Pool, name string) prometheus.Collector {
	// the name is a constant label: so the pools of a process share a registry
	label := prometheus.Labels{"pool": name}
	return stats{
		pool:         pool,
		connections:  prometheus.NewDesc("db_pool_connections", "Connections of the pool by state: in_use, idle or opening.", []string{"state"}, label),
		most:         prometheus.NewDesc("db_pool_max_connections", "Most connections that the pool opens.", nil, label),
		acquires:     prometheus.NewDesc("db_pool_acquires_total", "Connections handed out.", nil, label),
		waits:        prometheus.NewDesc("db_pool_waits_total", "Connections handed out after a wait because none was free.", nil, label),
		waited:       prometheus.NewDesc("db_pool_wait_seconds_total", "Time spent waiting for a free connection.", nil, label),
		givenUpWaits: prometheus.NewDesc("db_pool_waits_given_up_total", "Waits that ended with the request: at its deadline, or when its caller left.", nil, label),
	}
}

// Describe implements prometheus.Collector.
func (s stats) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{s.connections, s.most, s.acquires, s.waits, s.waited, s.givenUpWaits} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (s stats) Collect(out chan<- prometheus.Metric) {
	now := s.pool.Stat()
	gauge := func(d *prometheus.Desc, v int32, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(v), labels...)
	}
	counter := func(d *prometheus.Desc, v float64) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v)
	}
	gauge(s.connections, now.AcquiredConns(), "in_use")
	gauge(s.connections, now.IdleConns(), "idle")
	gauge(s.connections, now.ConstructingConns(), "opening")
	gauge(s.most, now.MaxConns())
	counter(s.acquires, float64(now.AcquireCount()))
	counter(s.waits, float64(now.EmptyAcquireCount()))
	counter(s.waited, now.EmptyAcquireWaitTime().Seconds())
	counter(s.givenUpWaits, float64(now.CanceledAcquireCount()))
}
