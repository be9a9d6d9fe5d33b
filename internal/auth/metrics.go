package auth

// This file: metrics of the key set.

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

var (
	keySetFailures = prometheus.NewDesc("auth_key_set_failures_total", "Fetches of the key set that failed.", nil, nil)
	keySetAge      = prometheus.NewDesc("auth_key_set_age_seconds", "Time since the key set was last fetched, or since the start where it never was.", nil, nil)
)

// Describe implements prometheus.Collector.
func (k *KeySet) Describe(out chan<- *prometheus.Desc) {
	out <- keySetFailures
	out <- keySetAge
}

// Collect implements prometheus.Collector.
func (k *KeySet) Collect(out chan<- prometheus.Metric) {
	out <- prometheus.MustNewConstMetric(keySetFailures, prometheus.CounterValue, float64(k.failures.Load()))
	out <- prometheus.MustNewConstMetric(keySetAge, prometheus.GaugeValue, time.Since(time.Unix(0, k.fetched.Load())).Seconds())
}
