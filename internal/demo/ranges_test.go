package demo_test

// This file: what the demo catalogue must have so that it can be searched by
// figures.

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/demo"
)

// A range is worth choosing from when the machines of a type differ in it.
func TestEveryTypeHasFiguresThatDiffer(t *testing.T) {
	t.Parallel()
	var params []struct {
		Key, ValueType string
		IsActive       bool
	}
	var vehicles []struct {
		Type   string
		Params map[string]any
	}
	decode(t, "params.json", &params)
	decode(t, "vehicles.json", &vehicles)
	numeric := map[string]bool{}
	for _, p := range params {
		// hours and mileage are a machine's own, not its kind's
		numeric[p.Key] = p.IsActive && (p.ValueType == "NUMBER" || p.ValueType == "INTEGER") && p.Key != "engine-hours" && p.Key != "mileage"
	}
	figures := map[string]map[string]map[any]bool{} // type, param, values
	for _, v := range vehicles {
		if figures[v.Type] == nil {
			figures[v.Type] = map[string]map[any]bool{}
		}
		for key, value := range v.Params {
			if !numeric[key] {
				continue
			}
			if figures[v.Type][key] == nil {
				figures[v.Type][key] = map[any]bool{}
			}
			figures[v.Type][key][value] = true
		}
	}
	for kind, params := range figures {
		differ := 0
		for _, values := range params {
			if len(values) > 1 {
				differ++
			}
		}
		require.Positive(t, differ, kind)
	}
}

func decode(t *testing.T, name string, into any) {
	t.Helper()
	raw, err := demo.Data.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, into))
}
