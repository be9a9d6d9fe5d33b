// Package strictjson reads JSON texts that others wrote, and refuses what two
// readers could understand differently: duplicate names, invalid UTF-8, halves
// of surrogate pairs, anything after the value (contract 1.4). encoding/json takes the
// last of two names and replaces bad characters silently: another value than was
// sent.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// MaxDepth is how many lists and objects may be around a value.
	MaxDepth = 64
	// MaxValues bounds the values of a text, the inner ones too: three bytes of it
	// can become three hundred in memory.
	MaxValues = 100_000
)

// The rules that a text can break. Each reads on from the name of what breaks it.
var (
	ErrUTF8          = errors.New("is not valid UTF-8")
	ErrSyntax        = errors.New("is not one JSON value")
	ErrSurrogate     = errors.New("has half a surrogate pair")
	ErrDuplicateName = errors.New("is there twice")
	ErrNUL           = errors.New("must not contain U+0000")
	ErrNULInName     = errors.New("has a key with U+0000")
	ErrDepth         = fmt.Errorf("is nested deeper than %d levels", MaxDepth)
	ErrValues        = fmt.Errorf("has more than %d values", MaxValues)
	ErrNotObject     = errors.New("is not a JSON object")
	ErrNotString     = errors.New("is not a string")
)

var errTrailing = errors.New("something follows the value")

// Fault is the first rule that a text breaks, and where.
type Fault struct {
	Path  Path  // of the value that breaks it; empty: the text as a whole
	Rule  error // one of the rules above, with the byte where only that helps
	Cause error // of ErrSyntax: what the grammar expects; else nil
}

func (f *Fault) Error() string {
	text := string(f.Path) + " " + f.Rule.Error()
	if f.Path == "" {
		text = "the text " + f.Rule.Error()
	}
	if f.Cause != nil {
		text += ": " + f.Cause.Error()
	}
	return text
}

// Unwrap lets errors.Is find the rule and the cause.
func (f *Fault) Unwrap() []error {
	if f.Cause == nil {
		return []error{f.Rule}
	}
	return []error{f.Rule, f.Cause}
}

// Parse turns a JSON text into a tree of map[string]any, []any, string, bool, nil
// and json.Number, which keeps every digit, and counts its values. It takes no
// character U+0000, which no column of the database can hold, and no more than
// MaxDepth and MaxValues allow. The error is a *Fault.
func Parse(raw []byte) (value any, values int, err error) {
	r := newReader(raw)
	if value, err = r.value(); err == nil {
		err = r.end()
	}
	return value, r.values, err
}

// Members reads exactly one JSON object and returns the bytes of its members,
// which are part of raw, by name. The values are checked for their grammar and
// otherwise unread: what else is wrong with one is for its reader to find, so that
// a member that nobody reads does no harm. The error is a *Fault.
func Members(raw []byte) (map[string]jsontext.Value, error) {
	if !utf8.Valid(raw) {
		return nil, &Fault{Rule: ErrUTF8}
	}
	r := newReader(raw, lenient...)
	if token, err := r.ReadToken(); err != nil {
		return nil, r.fault(err)
	} else if token.Kind() != '{' {
		return nil, &Fault{Rule: ErrNotObject}
	}
	members := map[string]jsontext.Value{}
	for r.PeekKind() != '}' {
		token, err := r.ReadToken()
		if err != nil {
			return nil, r.fault(err)
		}
		name := token.String()
		if _, known := members[name]; known {
			return nil, &Fault{Path: Path("").Member(name), Rule: ErrDuplicateName}
		}
		value, err := r.ReadValue()
		if err != nil {
			return nil, r.fault(err)
		}
		end := r.InputOffset() // value itself lives until the next read only
		members[name] = raw[end-int64(len(value)) : end]
	}
	if _, err := r.ReadToken(); err != nil { // the closing brace
		return nil, r.fault(err)
	}
	return members, r.end()
}

// String reads a string of those that Members returns. The error is a *Fault.
func String(raw jsontext.Value) (string, error) {
	if raw.Kind() != '"' {
		return "", &Fault{Rule: ErrNotString}
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	switch {
	case err != nil: // the grammar has been checked: no other rule is left
		return "", &Fault{Rule: ErrSurrogate}
	case bytes.IndexByte(text, 0) >= 0:
		return "", &Fault{Rule: ErrNUL}
	default:
		return string(text), nil
	}
}

// lenient is the grammar alone (RFC 8259).
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

type reader struct {
	*jsontext.Decoder

	raw    []byte
	values int
}

func newReader(raw []byte, options ...jsontext.Options) *reader {
	return &reader{Decoder: jsontext.NewDecoder(bytes.NewBuffer(raw), options...), raw: raw}
}

func (r *reader) value() (any, error) {
	if r.StackDepth() > MaxDepth {
		return nil, &Fault{Rule: ErrDepth}
	}
	if r.values++; r.values > MaxValues {
		return nil, &Fault{Rule: ErrValues}
	}
	token, err := r.ReadToken()
	if err != nil {
		return nil, r.fault(err)
	}
	switch token.Kind() {
	case '{':
		return r.object()
	case '[':
		return r.list()
	case '"':
		text := token.String()
		if strings.IndexByte(text, 0) >= 0 {
			return nil, &Fault{Path: r.path(r.StackPointer()), Rule: ErrNUL}
		}
		return text, nil
	case '0':
		return json.Number(token.String()), nil
	case 't', 'f':
		return token.Bool(), nil
	default:
		return nil, nil //nolint:nilnil // null, which is a value
	}
}

func (r *reader) list() (any, error) {
	list := []any{}
	for r.PeekKind() != ']' {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	if _, err := r.ReadToken(); err != nil { // the closing bracket
		return nil, r.fault(err)
	}
	return list, nil
}

func (r *reader) object() (any, error) {
	object := map[string]any{}
	for r.PeekKind() != '}' {
		token, err := r.ReadToken()
		if err != nil {
			return nil, r.fault(err)
		}
		name := token.String()
		if strings.IndexByte(name, 0) >= 0 {
			return nil, &Fault{Path: r.path(r.StackPointer().Parent()), Rule: ErrNULInName}
		}
		if object[name], err = r.value(); err != nil {
			return nil, err
		}
	}
	if _, err := r.ReadToken(); err != nil { // the closing brace
		return nil, r.fault(err)
	}
	return object, nil
}

// end refuses what follows the value.
func (r *reader) end() error {
	_, err := r.ReadToken()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case !utf8.Valid(r.raw):
		return &Fault{Rule: ErrUTF8}
	default:
		return &Fault{Rule: ErrSyntax, Cause: errTrailing}
	}
}

// fault says which rule the decoder's error is about.
func (r *reader) fault(err error) *Fault {
	var syntactic *jsontext.SyntacticError
	located := errors.As(err, &syntactic)
	switch {
	case located && errors.Is(err, jsontext.ErrDuplicateName):
		return &Fault{Path: r.path(syntactic.JSONPointer), Rule: ErrDuplicateName}
	case !utf8.Valid(r.raw):
		return &Fault{Rule: ErrUTF8}
	case located && jsontext.Value(r.raw).IsValid(lenient...): // the grammar is kept: no other rule is left
		return &Fault{Rule: fmt.Errorf("%w at byte %d", ErrSurrogate, syntactic.ByteOffset)}
	default:
		return &Fault{Rule: ErrSyntax, Cause: err}
	}
}

// path names a value of the lists and objects that are open.
func (r *reader) path(pointer jsontext.Pointer) (path Path) {
	level := 0
	for step := range pointer.Tokens() {
		level++
		if kind, _ := r.StackIndex(level); kind == '[' {
			path = path.Element(step)
		} else {
			path = path.Member(step)
		}
	}
	return path
}
