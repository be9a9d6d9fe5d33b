// Package contract is a published spec as a service enforces it: its operations
// and who may call them, and requests validated against it. Roles, limits,
// schemas and white space to trim are read from the spec, once at start, and
// never written again in Go.
package contract

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

// The requests that an operation does not take, whatever is in them.
var (
	ErrTooLarge      = errors.New("the body is larger than the operation allows")
	ErrMediaType     = errors.New("the operation does not take the body's media type")
	ErrContentCoding = errors.New("the body has a content coding")
)

// Violation is a request that the contract does not allow.
type Violation struct {
	// Fields names what is wrong: a parameter, a header, `body`, or a value in the
	// body as in params[2].value (contract 7.2); and says what.
	Fields map[string]string
	Cause  error // for logs; nil where Fields say all
}

func (v *Violation) Error() string {
	texts := make([]string, 0, len(v.Fields))
	for _, field := range slices.Sorted(maps.Keys(v.Fields)) {
		texts = append(texts, field+" "+v.Fields[field])
	}
	return strings.Join(texts, ", ")
}

func (v *Violation) Unwrap() error { return v.Cause }

func violation(field, message string) *Violation {
	return &Violation{Fields: map[string]string{field: message}}
}
