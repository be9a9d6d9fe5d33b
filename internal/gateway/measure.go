package gateway

// This file: what a JSON text will hold once it is decoded into a type of the
// contract, and how many of its fields that type has no place for, found by
// reading its tokens.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// What values hold that are not of a struct; measured, rounded up.
const (
	scalarHeld = 32  // a string's header or a pointer, in a list that grows
	memberHeld = 64  // of a map
	anyHeld    = 256 // an object or a list of no type
)

// shape is a type of the contract as its JSON values fill it; nil for what is left
// out, or kept as the bytes that it is.
type shape struct {
	held     int64             // by one object of it, what is inside apart
	fields   map[string]*shape // of a struct, by name
	folded   map[string]*shape // the same by lower-case name: letter case does not matter
	elements *shape            // of a list, a map, or a value of no type
	worst    int64             // the largest held of a shape inside
}

// shapes are made when a type is first decoded.
var shapes = struct {
	sync.Mutex
	known map[reflect.Type]*shape
}{known: map[reflect.Type]*shape{reflect.TypeFor[json.RawMessage](): nil}}

// shapeOf returns the shape of a type.
func shapeOf(t reflect.Type) *shape {
	shapes.Lock()
	defer shapes.Unlock()
	s := makeShape(t)
	if s.worst == 0 {
		s.worst = worstIn(s, map[*shape]bool{})
	}
	return s
}

func makeShape(t reflect.Type) *shape {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s, ok := shapes.known[t]; ok {
		return s
	}
	s := &shape{}
	shapes.known[t] = s // before what is inside: types refer to each other
	switch t.Kind() {
	case reflect.Struct:
		// in a list that grows it is there nearly twice, and what is required is written in three buffers
		s.held = 2*int64(t.Size()) + 3*zeroJSON(t)
		s.fields, s.folded = map[string]*shape{}, map[string]*shape{}
		for field := range t.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			inside := makeShape(field.Type)
			s.fields[name], s.folded[strings.ToLower(name)] = inside, inside
		}
	case reflect.Slice:
		s.elements = makeShape(t.Elem())
	case reflect.Map:
		s.held, s.elements = memberHeld, makeShape(t.Elem())
	case reflect.Interface:
		s.held, s.elements = anyHeld, s
	}
	return s
}

// zeroJSON is the length of the JSON of a type's zero value: what an empty object
// becomes.
func zeroJSON(t reflect.Type) int64 {
	raw, err := json.Marshal(reflect.Zero(t).Interface())
	if err != nil {
		return 0 // a contract's type always can be encoded
	}
	return int64(len(raw))
}

func worstIn(s *shape, seen map[*shape]bool) int64 {
	if s == nil || seen[s] {
		return 0
	}
	seen[s] = true
	worst := max(s.held, memberHeld, worstIn(s.elements, seen))
	for _, inside := range s.fields {
		worst = max(worst, worstIn(inside, seen))
	}
	return worst
}

// measure is what reading the tokens of an answer found.
type measure struct {
	held    int64 // bytes
	values  int   // the inner ones too
	unknown int   // fields that the type does not have
	exact   bool  // not a bound
}

// atMost is a bound of what a JSON text of a shape holds, found without reading
// it: each value but the first comes after a comma or an opening.
func atMost(body []byte, s *shape) measure {
	inner := bytes.Count(body, []byte("{")) + bytes.Count(body, []byte("["))
	values := 1 + inner + bytes.Count(body, []byte(","))
	return measure{held: bytesFactor*int64(len(body)) + int64(inner)*s.worst + int64(values)*(memberHeld+scalarHeld), values: values}
}

// measured reads the tokens of a JSON text and adds up what each value holds. More
// than maxJSONValues are a problem; any other error means that it is no JSON.
func measured(body []byte, s *shape) (measure, error) {
	m := measure{held: bytesFactor * int64(len(body)), exact: true}
	tokens := jsontext.NewDecoder(bytes.NewBuffer(body), lenient)
	if err := m.add(tokens, s); err != nil {
		return m, err
	}
	if _, err := tokens.ReadToken(); !errors.Is(err, io.EOF) {
		return m, errors.New("there is more after the value")
	}
	return m, nil
}

// add measures the next value. s is nil for one that is left out.
func (m *measure) add(tokens *jsontext.Decoder, s *shape) error {
	if m.values++; m.values > maxJSONValues {
		return errTooLarge.Because(fmt.Errorf("the answer has more than %d values", maxJSONValues))
	}
	switch tokens.PeekKind() {
	case '{':
		return m.addObject(tokens, s)
	case '[':
		if _, err := tokens.ReadToken(); err != nil {
			return err
		}
		var elements *shape
		if s != nil {
			m.held += s.held
			elements = s.elements
		}
		for tokens.PeekKind() != ']' {
			if err := m.add(tokens, elements); err != nil {
				return err
			}
		}
		_, err := tokens.ReadToken()
		return err
	default:
		if s != nil {
			m.held += scalarHeld
		}
		return tokens.SkipValue()
	}
}

func (m *measure) addObject(tokens *jsontext.Decoder, s *shape) error {
	if _, err := tokens.ReadToken(); err != nil {
		return err
	}
	if s != nil {
		m.held += s.held
	}
	for tokens.PeekKind() != '}' {
		name, err := tokens.ReadValue()
		if err != nil {
			return err
		}
		inside, err := m.member(name, s)
		if err != nil {
			return err
		}
		if err := m.add(tokens, inside); err != nil {
			return err
		}
	}
	_, err := tokens.ReadToken()
	return err
}

// member finds the shape of a member by its name, a JSON string, and counts it when
// there is none.
func (m *measure) member(name jsontext.Value, s *shape) (*shape, error) {
	switch {
	case s == nil:
		return nil, nil //nolint:nilnil // see shape
	case s.fields == nil:
		m.held += memberHeld
		return s.elements, nil
	}
	if inside, ok := s.fields[string(name[1:len(name)-1])]; ok {
		return inside, nil
	}
	var plain string
	if err := json.Unmarshal(name, &plain); err != nil {
		return nil, fmt.Errorf("name of a member: %w", err)
	}
	inside, ok := s.folded[strings.ToLower(plain)]
	if !ok {
		m.unknown++
	}
	return inside, nil
}
