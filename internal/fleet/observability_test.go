package fleet_test

// This file: the dashboard and the alert rules name metrics and labels that
// running processes have, and runbooks that are written.

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/VictoriaMetrics/metricsql"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"equipment-platform/internal/embedded"
	"equipment-platform/internal/testdb"
)

const observability = "../../deploy/observability/"

type rule struct {
	Alert, Expr string
	Annotations map[string]string
	Labels      map[string]string
}

func alertRules(t *testing.T) (rules []rule) {
	t.Helper()
	raw, err := os.ReadFile(observability + "alerts.yaml")
	require.NoError(t, err)
	var file struct{ Groups []struct{ Rules []rule } }
	require.NoError(t, yaml.Unmarshal(raw, &file))
	for _, group := range file.Groups {
		rules = append(rules, group.Rules...)
	}
	return rules
}

// dashboardQueries finds every expression of the dashboard.
func dashboardQueries(t *testing.T) (queries []string) {
	t.Helper()
	raw, err := os.ReadFile(observability + "dashboard.json")
	require.NoError(t, err)
	var dashboard struct {
		Panels []struct {
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct{ Definition string }
		}
	}
	require.NoError(t, json.Unmarshal(raw, &dashboard))
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			queries = append(queries, strings.NewReplacer("$__rate_interval", "5m", "$job", "catalog").Replace(target.Expr))
		}
	}
	for _, variable := range dashboard.Templating.List {
		if inner, ok := strings.CutPrefix(variable.Definition, "label_values("); ok {
			metric, _, _ := strings.Cut(inner, ",")
			queries = append(queries, metric)
		}
	}
	return queries
}

// shown is what all programs show together: label names by metric.
func shown(t *testing.T, processes ...*instance) map[string]map[string]bool {
	t.Helper()
	// what Prometheus adds by itself
	out := map[string]map[string]bool{"up": {"job": true, "instance": true}}
	add := func(name string, metric *dto.Metric, more ...string) {
		if out[name] == nil {
			out[name] = map[string]bool{"job": true, "instance": true}
		}
		for _, label := range metric.GetLabel() {
			out[name][label.GetName()] = true
		}
		for _, label := range more {
			out[name][label] = true
		}
	}
	for _, p := range processes {
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(strings.NewReader(p.metrics()))
		require.NoError(t, err)
		for name, family := range families {
			for _, metric := range family.GetMetric() {
				if family.GetType() == dto.MetricType_HISTOGRAM {
					add(name+"_bucket", metric, "le")
					add(name+"_count", metric)
					add(name+"_sum", metric)
				} else {
					add(name, metric)
				}
			}
		}
	}
	return out
}

func TestDashboardAndAlertsNameWhatIsThere(t *testing.T) {
	t.Parallel()
	p, url := build(t), testdb.New(t)
	broker, err := embedded.StartBroker(t.Context(), embedded.BrokerOptions{})
	require.NoError(t, err)
	t.Cleanup(broker.Stop)
	env := map[string]string{"DATABASE_URL": url, "DATABASE_READ_URL": url, "DATABASE_MAX_CONNS": "4", "KAFKA_BROKERS": broker.Address(), "SHUTDOWN_TIMEOUT": "1s"}
	catalog := p.start(t, []string{"catalog", "serve"}, env)
	indexer := p.start(t, []string{"indexer", "run"}, env)
	gateway := p.start(t, []string{"gateway", "serve"}, map[string]string{"PROVIDER_URL": "http://" + p.sandbox(t), "SHUTDOWN_TIMEOUT": "1s"})
	for _, x := range []*instance{catalog, gateway} {
		x.awaitReady()
	}
	// a request of each kind, for the metrics that have no series before the first
	code, answer := ask("POST", "http://"+catalog.addr+"/api/v1/vehicles/semantic-search", "", map[string]any{"query": "crane"})
	require.Equal(t, 200, code, answer)
	code, answer = ask("GET", "http://"+gateway.addr+"/api/v1/exchange/organizations/my", p.token(t, "manager", "MANAGER"), nil, "X-Partner-Access-Token", "sandbox-token")
	require.Equal(t, 200, code, answer)
	record(t, broker.Address(), "platform.order.events.v1", "{}")
	require.Eventually(t, func() bool { return len(catalog.series("events_consumer_lag")) > 0 }, patience, lookEvery)
	require.Eventually(t, func() bool { return len(indexer.series("indexer_outbox_rows")) == 2 }, patience, lookEvery)

	there := shown(t, catalog, indexer, gateway)
	check := func(query string) {
		t.Helper()
		parsed, err := metricsql.Parse(query)
		require.NoError(t, err, query)
		found := 0
		metricsql.VisitAll(parsed, func(e metricsql.Expr) {
			metric, ok := e.(*metricsql.MetricExpr)
			if !ok {
				return
			}
			for _, filters := range metric.LabelFilterss {
				require.Equal(t, "__name__", filters[0].Label, query)
				name := filters[0].Value
				require.Contains(t, there, name, "no process has this metric: %s", query)
				found++
				for _, filter := range filters[1:] {
					require.Contains(t, there[name], filter.Label, "%s has no such label: %s", name, query)
				}
			}
		})
		require.Positive(t, found, query)
	}
	queries := dashboardQueries(t)
	require.Greater(t, len(queries), 30)
	for _, query := range queries {
		check(query)
	}
	handbook, err := os.ReadFile("../../docs/operations.md")
	require.NoError(t, err)
	rules := alertRules(t)
	require.Greater(t, len(rules), 10)
	for _, r := range rules {
		check(r.Expr)
		require.NotEmpty(t, r.Annotations["summary"], r.Alert)
		require.Contains(t, []string{"page", "ticket"}, r.Labels["severity"], r.Alert)
		file, anchor, _ := strings.Cut(r.Annotations["runbook"], "#")
		require.Equal(t, "docs/operations.md", file, r.Alert)
		heading := regexp.MustCompile(`(?mi)^#+ ` + strings.ReplaceAll(regexp.QuoteMeta(anchor), "-", "[ -]") + `$`)
		require.Regexp(t, heading, string(handbook), "no such section: %s", anchor)
	}
}
