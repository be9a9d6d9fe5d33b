package deploycheck

// This file: the alert rules as Prometheus itself reads them.

import (
	"log/slog"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"
)

func TestAlertRules(t *testing.T) {
	t.Parallel()
	groups, problems := rulefmt.ParseFile("../../deploy/observability/alerts.yaml", false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	require.Empty(t, problems)
	require.NotEmpty(t, groups.Groups)
}
