package main

// This file: the alert rules, and the same rules in a shorter time.

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"
)

const (
	alertsFile     = "deploy/observability/alerts.yaml"
	prometheusFile = "deploy/observability/prometheus.yaml"

	// scale is how much shorter the times of the rules are here. The times of the
	// programs are not: retries, the pause of a circuit breaker, deadlines of requests.
	scale = 20
)

// ages are metrics whose thresholds are times too.
var ages = []string{"auth_key_set_age_seconds", "indexer_outbox_oldest_seconds"}

// least are windows that stay longer than their scale says, since a program does what
// is counted in them less often.
var least = map[string]time.Duration{
	"IndexerFails": 40 * time.Second, // it tries again after up to 30 s
}

type ruleFile struct {
	Groups []struct {
		Name  string `yaml:"name"`
		Rules []rule `yaml:"rules"`
	} `yaml:"groups"`
}

type rule struct {
	Alert       string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	For         string            `yaml:"for,omitempty"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

func readRules(path string) (f ruleFile, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return f, err
	}
	return f, yaml.Unmarshal(raw, &f)
}

// names are those of all alerts, in the order of the file.
func (f ruleFile) names() (out []string) {
	for _, group := range f.Groups {
		for _, r := range group.Rules {
			out = append(out, r.Alert)
		}
	}
	return out
}

var (
	window    = regexp.MustCompile(`\[(\w+)\]`)
	threshold = regexp.MustCompile(`> (\d+)$`)
)

// scaled makes the times of all rules shorter.
func (f ruleFile) scaled() (ruleFile, error) {
	out := ruleFile{Groups: slices.Clone(f.Groups)}
	for i, group := range out.Groups {
		out.Groups[i].Rules = slices.Clone(group.Rules)
		for j := range group.Rules {
			if err := out.Groups[i].Rules[j].scale(); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

func (r *rule) scale() (err error) {
	if r.For != "" {
		if r.For, err = shorter(r.For, 0); err != nil {
			return fmt.Errorf("%s: %w", r.Alert, err)
		}
	}
	r.Expr = window.ReplaceAllStringFunc(r.Expr, func(text string) string {
		short, e := shorter(strings.Trim(text, "[]"), least[r.Alert])
		if e != nil {
			err = fmt.Errorf("%s: %w", r.Alert, e)
		}
		return "[" + short + "]"
	})
	if slices.ContainsFunc(ages, func(metric string) bool { return strings.Contains(r.Expr, metric) }) {
		r.Expr = threshold.ReplaceAllStringFunc(r.Expr, func(text string) string {
			var seconds float64
			if _, e := fmt.Sscanf(text, "> %f", &seconds); e != nil {
				err = e
			}
			return fmt.Sprintf("> %g", seconds/scale)
		})
	}
	return err
}

func shorter(text string, atLeast time.Duration) (string, error) {
	d, err := model.ParseDuration(text)
	return model.Duration(max(time.Duration(d)/scale, atLeast)).String(), err
}
