package edge_test

// This file: what callers send beside what the spec describes.

import (
	"testing"
)

// A query string that cannot be parsed is refused where that can be told.
func TestBadQueryStrings(t *testing.T) {
	t.Parallel()
	c := start(t, optionsOf(t), nil)
	for query, fields := range map[string][]string{
		"n=1;2":             {"n"},
		"n=1;x=2":           {"n"},
		"n=%zz":             {"n"},
		"n=%":               {"n"},
		"%6e=%zz":           {"n"},
		"n=1&n=2;":          {"n"},
		"unknown=1&n=%zz":   {"n"},
		"unknown=%zz&n=%zz": {"n"},
		"unknown=%zz":       {"query"},
		"unknown=1;2&n=1":   {"query"},
		"%zz=1":             {"query"},
		"n;=1":              {"query"},
		"n;":                {"query"},
		";":                 {"query"},
		"N=%zz":             {"query"},
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			c.Do(t, "GET", things+"?"+query, nil).Fails(400, "validation_failed", fields...)
		})
	}
	for _, query := range []string{"n=1", "n=1&unknown=%3B", "&", "unknown", "=1"} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			c.Do(t, "GET", things+"?"+query, nil).Is(200)
		})
	}
}
