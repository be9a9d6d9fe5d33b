package edge

// This file: what becomes of a JSON body between the strict reader and the
// generated code.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"equipment-platform/internal/strictjson"
)

// pathOrBody is the name of a value in `details`: the outermost one has none of its
// own.
func pathOrBody(path strictjson.Path) string {
	if path == "" {
		return "body"
	}
	return string(path)
}

// rewriter brings a body into the form that is validated and decoded.
type rewriter struct {
	// nullIsAbsent drops the known fields that are null, as the exchange
	// provider's messages want it: `x-null-is-absent` of a spec.
	nullIsAbsent bool
}

// needed tells whether a body of the schema can change at all.
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

// NameEnums gives enumerations that stand in a value as numbers the names that
// the schema has for them (`x-enum-numbers`), and tells whether there were any.
func NameEnums(value any, s *openapi3.Schema) (any, bool) { return rewriter{}.apply(value, s) }

// apply removes surrounding white space of strings with `x-trim`, names
// enumerations, drops what is null where that means absent, and tells whether
// anything changed.
func (r rewriter) apply(value any, s *openapi3.Schema) (any, bool) {
	changed := false
	switch v := value.(type) {
	case string:
		if isTrimmed(s) {
			t := strings.TrimSpace(v)
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

// binder hands the validated bytes to the generated wrappers. They must not
// read the request again: its body is spent.
type binder struct{}

const bodyKey = "edge.body"

// Bind implements echo.Binder.
func (binder) Bind(i any, c echo.Context) error {
	raw, ok := c.Get(bodyKey).([]byte)
	if op, _ := c.Get(operationKey).(*Operation); !ok && op != nil && op.body != nil && !op.body.Required {
		return io.EOF // how the generated wrappers learn that an optional body is not there
	}
	if !ok {
		return errors.New("a JSON body was bound that nobody validated")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	err := d.Decode(i)
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrongType):
		// such as 2020.0, an integer to the schema but not to a Go integer
		return InvalidField(pathOrBody(strictjson.Path(wrongType.Field)), "has a value that does not fit its type").Because(err)
	case err != nil && !errors.Is(err, io.EOF):
		return InvalidField("body", "cannot be read").Because(err)
	default:
		return nil
	}
}
