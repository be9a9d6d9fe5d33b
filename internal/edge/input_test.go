package edge_test

// This file: what callers send beside what the spec describes.

import (
	"testing"

	"equipment-platform/internal/edge/edgetest"
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

func TestCharsets(t *testing.T) {
	t.Parallel()
	c := start(t, optionsOf(t), nil).As(token(t, "writer", "ADMIN"))
	for charset, status := range map[string]int{
		"utf-8": 200, "UTF-8": 200, `"utf-8"`: 200, "us-ascii": 200, "US-ASCII": 200,
		"utf-16": 415, "UTF-16LE": 415, "utf8": 415, "iso-8859-1": 415, "windows-1251": 415, `""`: 415, "utf-8; charset=utf-16": 415,
	} {
		t.Run(charset, func(t *testing.T) {
			t.Parallel()
			contentType := edgetest.Header{Name: "Content-Type", Value: "application/json; charset=" + charset}
			a := c.Do(t, "POST", things, []byte(`{"name":"x"}`), contentType).Is(status)
			if status == 415 {
				a.Fails(status, "unsupported_media_type")
			}
			c.Do(t, "POST", things, []byte{}, contentType).Fails(400, "validation_failed", "body") // nothing has no charset either
		})
	}
}
