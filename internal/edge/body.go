package edge

// This file: the strict reader of JSON bodies (D1.4). encoding/json alone would
// accept duplicate keys, keys in another letter case and invalid UTF-8, and a
// decoder would ignore what follows the value.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
)

const (
	maxDepth = 64
	// maxValues bounds the values of a body, the inner ones too: three bytes of it
	// can become three hundred in memory.
	maxValues = 100_000
)

// parseStrict turns a JSON text into a value tree with numbers as json.Number,
// and counts its values. The error is a *Problem that names the place.
func parseStrict(raw []byte) (value any, values int, err error) {
	if !utf8.Valid(raw) {
		return nil, 0, InvalidField("body", "is not valid UTF-8")
	}
	if !json.Valid(raw) {
		return nil, 0, InvalidField("body", "is not one JSON value")
	}
	if at := loneSurrogate(raw); at >= 0 {
		return nil, 0, InvalidField("body", fmt.Sprintf("has half a surrogate pair at byte %d", at))
	}
	r := &strictReader{Decoder: json.NewDecoder(bytes.NewReader(raw))}
	r.UseNumber()
	value, err = r.value(nil, 0)
	return value, r.values, err
}

type strictReader struct {
	*json.Decoder
	values int
}

// place is where a value stands. It becomes a text only when something is wrong
// there: a long key with many values below it would make one for each.
type place struct {
	parent *place
	key    string // of an object's member
	index  int    // of a list's element; -1: a member
}

// String writes the place as params[2].value.
func (p *place) String() string {
	return orBody(p.text())
}

func (p *place) text() string {
	switch {
	case p == nil:
		return ""
	case p.index >= 0:
		return p.parent.text() + "[" + strconv.Itoa(p.index) + "]"
	default:
		return join(p.parent.text(), shortened(p.key))
	}
}

// maxShown is how many bytes of a caller's own name for a field an answer
// repeats.
const maxShown = 200

// shortened cuts a name that nobody could read.
func shortened(name string) string {
	if len(name) <= maxShown {
		return name
	}
	return strings.ToValidUTF8(name[:maxShown], "") + "…"
}

func (r *strictReader) value(at *place, depth int) (any, error) {
	if depth > maxDepth {
		return nil, InvalidField("body", fmt.Sprintf("is nested deeper than %d levels", maxDepth))
	}
	if r.values++; r.values > maxValues {
		return nil, InvalidField("body", fmt.Sprintf("has more than %d values", maxValues))
	}
	token, err := r.Token()
	if err != nil {
		return nil, InvalidField("body", "is not one JSON value")
	}
	switch t := token.(type) {
	case string:
		if strings.ContainsRune(t, 0) {
			return nil, InvalidField(at.String(), "must not contain U+0000")
		}
		return t, nil
	case json.Delim:
		if t == '{' {
			return r.object(at, depth)
		}
		list := []any{}
		for r.More() {
			v, err := r.value(&place{parent: at, index: len(list)}, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := r.Token()
		return list, err
	default:
		return token, nil
	}
}

func (r *strictReader) object(at *place, depth int) (any, error) {
	object := map[string]any{}
	for r.More() {
		token, err := r.Token()
		if err != nil {
			return nil, InvalidField("body", "is not one JSON value")
		}
		key, _ := token.(string)
		field := &place{parent: at, key: key, index: -1}
		if strings.ContainsRune(key, 0) {
			return nil, InvalidField(at.String(), "has a key with U+0000")
		}
		if _, twice := object[key]; twice {
			return nil, InvalidField(field.String(), "is there twice")
		}
		if object[key], err = r.value(field, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := r.Token()
	return object, err
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func orBody(path string) string {
	if path == "" {
		return "body"
	}
	return path
}

// loneSurrogate returns the offset of a \uD800..\uDFFF escape that is not part
// of a pair, or -1. encoding/json would silently replace it by U+FFFD.
func loneSurrogate(raw []byte) int {
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if raw[i+1] != 'u' {
			i++ // an escaped backslash or other short escape
			continue
		}
		switch unit := hex4(raw[i+2:]); {
		case unit >= 0xD800 && unit < 0xDC00:
			if i+12 > len(raw) || raw[i+6] != '\\' || raw[i+7] != 'u' {
				return i
			}
			if low := hex4(raw[i+8:]); low < 0xDC00 || low > 0xDFFF {
				return i
			}
			i += 11
		case unit >= 0xDC00 && unit <= 0xDFFF:
			return i
		default:
			i += 5
		}
	}
	return -1
}

// hex4 reads four hexadecimal digits of a text that is known to be valid JSON.
func hex4(b []byte) int {
	if len(b) < 4 {
		return 0
	}
	n, err := strconv.ParseUint(string(b[:4]), 16, 32)
	if err != nil {
		return 0
	}
	return int(n)
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
		return InvalidField(orBody(wrongType.Field), "has a value that does not fit its type").Because(err)
	case err != nil && !errors.Is(err, io.EOF):
		return InvalidField("body", "cannot be read").Because(err)
	default:
		return nil
	}
}
