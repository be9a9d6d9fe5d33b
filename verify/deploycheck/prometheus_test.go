package deploycheck

// This file: the alert rules as Prometheus itself reads them.

import (
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"
)

// alerts are the rules' expressions by name.
func alerts(t *testing.T) map[string]string {
	t.Helper()
	groups, problems := rulefmt.ParseFile("../../deploy/observability/alerts.yaml", false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	require.Empty(t, problems)
	out := map[string]string{}
	runbook, err := os.ReadFile("../../docs/operations.md")
	require.NoError(t, err)
	for _, group := range groups.Groups {
		for _, rule := range group.Rules {
			require.NotContains(t, out, rule.Alert)
			out[rule.Alert] = rule.Expr
			file, anchor, ok := strings.Cut(rule.Annotations["runbook"], "#")
			require.True(t, ok && file == "docs/operations.md", rule.Alert)
			require.Contains(t, strings.ToLower(string(runbook)), "\n### "+strings.ReplaceAll(anchor, "-", " ")+"\n", rule.Alert)
		}
	}
	return out
}

// Every job that can be down is in a rule, and so is its having gone: an expression
// about what is not there is silent.
func TestAlertRules(t *testing.T) {
	t.Parallel()
	rules := alerts(t)
	all := strings.Join(values(rules), "\n")
	scraped, err := os.ReadFile("../../deploy/observability/prometheus.yaml")
	require.NoError(t, err)
	jobs := []string{"events"} // of the cluster alone
	for _, match := range regexp.MustCompile(`job_name: (\w+)`).FindAllStringSubmatch(string(scraped), -1) {
		jobs = append(jobs, match[1])
	}
	require.Len(t, jobs, 4)
	for _, job := range jobs {
		require.Regexp(t, `up\{job=~"[^"]*\b`+job+`\b`, rules["ProcessDown"])
		if job == "events" {
			require.Contains(t, all, "absent(events_consumer_lag)")
		} else {
			require.Contains(t, all, `absent(up{job="`+job+`"})`)
		}
	}
	for _, metric := range []string{"auth_key_set_failures_total", "auth_key_set_age_seconds"} {
		require.Contains(t, all, metric)
	}
}

func values(m map[string]string) (out []string) {
	for _, v := range m {
		out = append(out, v)
	}
	return out
}
