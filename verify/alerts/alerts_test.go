package main

// This file: what the driver must not leave out.

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../../"

// An alert that is written without a way to cause it would be one that nobody has seen
// fire.
func TestEveryAlertIsCaused(t *testing.T) {
	t.Parallel()
	rules, err := readRules(root + alertsFile)
	require.NoError(t, err)
	caused := map[string]bool{}
	for _, c := range (&platform{}).causes(nil) {
		require.NotEmpty(t, c.fires, c.how)
		for _, f := range c.fires {
			caused[f.alert] = true
		}
	}
	there := map[string]bool{}
	for _, name := range rules.names() {
		require.False(t, there[name], "%s is there twice", name)
		there[name] = true
	}
	require.NotEmpty(t, there)
	require.Equal(t, there, caused)
}

// Times become shorter and nothing else changes.
func TestOnlyTimesAreScaled(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ given, want rule }{
		{
			rule{Alert: "A", Expr: "sum(rate(a[5m])) / sum(rate(b[10m])) > 0.02", For: "5m"},
			rule{Alert: "A", Expr: "sum(rate(a[15s])) / sum(rate(b[30s])) > 0.02", For: "15s"},
		},
		{rule{Alert: "B", Expr: "sum(rate(a[5m])) > 10"}, rule{Alert: "B", Expr: "sum(rate(a[15s])) > 10"}},
		{rule{Alert: "C", Expr: "max by (job) (auth_key_set_age_seconds) > 3600", For: "1h"}, rule{Alert: "C", Expr: "max by (job) (auth_key_set_age_seconds) > 180", For: "3m"}},
		{rule{Alert: "IndexerFails", Expr: "rate(a[5m]) > 0", For: "1m"}, rule{Alert: "IndexerFails", Expr: "rate(a[40s]) > 0", For: "3s"}},
	} {
		require.NoError(t, x.given.scale())
		require.Equal(t, x.want, x.given)
	}
	wrong := rule{Alert: "D", For: "soon"}
	require.ErrorContains(t, wrong.scale(), "D")
	rules, err := readRules(root + alertsFile)
	require.NoError(t, err)
	short, err := rules.scaled()
	require.NoError(t, err)
	require.Equal(t, rules.names(), short.names())
	require.NotEqual(t, rules, short)
}
