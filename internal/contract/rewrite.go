package contract

// This file: values in the form that the rest of the program knows: trimmed, with
// names for enumerations, without what null leaves out.

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"equipment-platform/internal/blank"
)

// rewriter brings a body into the form that is validated and decoded.
type rewriter struct {
	// nullIsAbsent drops the known fields that are null, as the exchange
	// provider's messages want it: `x-null-is-absent` of a spec.
	nullIsAbsent bool
}

// needed reports whether a body of the schema can change at all.
func (r rewriter) needed(s *openapi3.Schema, seen map[*openapi3.Schema]bool) bool {
	if s == nil || seen[s] {
		return false
	}
	seen[s] = true
	if isTrimmed(s) || s.Extensions[enumNumbers] != nil || r.nullIsAbsent && len(s.Properties) > 0 {
		return true
	}
	for _, p := range s.Properties {
		if r.needed(p.Value, seen) {
			return true
		}
	}
	return s.Items != nil && r.needed(s.Items.Value, seen)
}

func isTrimmed(s *openapi3.Schema) bool {
	trim, _ := s.Extensions["x-trim"].(bool)
	return trim
}

// enumNumbers is the list of numbers that stand for the first values of an
// enumeration, in the same order.
const enumNumbers = "x-enum-numbers"

// NameEnums gives the enumerations that a value has as numbers the names that the
// schema has for them (`x-enum-numbers`), and reports whether there were any. It
// changes the value, and trims what has `x-trim`. Requests are read so; answers of
// other companies' servers may be.
func NameEnums(value any, s *openapi3.Schema) (any, bool) { return rewriter{}.apply(value, s) }

// apply removes surrounding white space of strings with `x-trim`, and all of one that
// nobody can see (contract 1.5), names enumerations, drops what is null where that means absent, and reports whether
// anything changed.
func (r rewriter) apply(value any, s *openapi3.Schema) (any, bool) {
	changed := false
	switch v := value.(type) {
	case string:
		if isTrimmed(s) {
			t := strings.TrimSpace(v)
			if blank.Text(t) {
				t = "" // where it must not be empty, the length then says what is wrong
			}
			return t, t != v
		}
	case json.Number:
		return nameOf(v, s)
	case map[string]any:
		for key, item := range v {
			p := s.Properties[key]
			if p == nil {
				continue
			}
			if item == nil && r.nullIsAbsent {
				delete(v, key)
				changed = true
			} else if t, ok := r.apply(item, p.Value); ok {
				v[key], changed = t, true
			}
		}
	case []any:
		if s.Items == nil {
			return v, false
		}
		for i, item := range v {
			if t, ok := r.apply(item, s.Items.Value); ok {
				v[i], changed = t, true
			}
		}
	}
	return value, changed
}

// nameOf finds the name of a number in an enumeration.
func nameOf(n json.Number, s *openapi3.Schema) (any, bool) {
	numbers, _ := s.Extensions[enumNumbers].([]any)
	names := s.Enum
	if open, ok := s.Extensions["x-extensible-enum"].([]any); ok {
		names = open
	}
	for i, number := range numbers {
		if fmt.Sprint(number) == n.String() && i < len(names) {
			return names[i], true
		}
	}
	return n, false
}
