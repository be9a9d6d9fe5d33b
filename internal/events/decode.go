// Reading event payloads. What belongs here: the readers of a payload's fields,
// shared by all streams. Everything that they refuse is poison (contract 6.5): it stays
// refused however often it is tried.

package events

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"equipment-platform/internal/strictjson"
)

// maxText is the longest id, status or event id in characters (contract 9.12).
const maxText = 255

// payload is a JSON object with its fields by exact name. A field that is there
// with the value null is left out: null and absent mean the same.
type payload map[string]jsontext.Value

// parsePayload reads exactly one JSON object. Unknown fields are kept unread
// (contract 6.4); a field name that occurs twice has no clear meaning and is refused.
func parsePayload(value []byte) (payload, error) {
	if value == nil {
		return nil, errors.New("value is null")
	}
	fields, err := strictjson.Members(value)
	if err != nil {
		return nil, unreadable(err)
	}
	maps.DeleteFunc(fields, func(_ string, field jsontext.Value) bool { return field.Kind() == 'n' })
	return fields, nil
}

// unreadable words what is wrong with a value for the header of its dead letter.
func unreadable(err error) error {
	var fault *strictjson.Fault
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("malformed JSON: it ends too early")
	case !errors.As(err, &fault):
		return err
	case errors.Is(err, strictjson.ErrSyntax):
		return fmt.Errorf("malformed JSON: %w", fault.Cause)
	case errors.Is(err, strictjson.ErrDuplicateName):
		return fmt.Errorf("field %q occurs twice", fault.Path)
	default:
		return fmt.Errorf("value %w", fault.Rule)
	}
}

// text reads a required string of 1 to maxText characters.
func (p payload) text(name string) (string, error) {
	value, there, err := p.optionalText(name)
	if err == nil && !there {
		err = fmt.Errorf("field %q is missing", name)
	}
	return value, err
}

// optionalText reads a string of 1 to maxText characters; false when it is absent.
func (p payload) optionalText(name string) (string, bool, error) {
	raw, there := p[name]
	if !there {
		return "", false, nil
	}
	value, err := strictjson.String(raw)
	switch length := utf8.RuneCountInString(value); {
	case errors.Is(err, strictjson.ErrSurrogate):
		return "", false, fmt.Errorf("field %q holds half of a surrogate pair", name)
	case errors.Is(err, strictjson.ErrNUL):
		return "", false, fmt.Errorf("field %q holds the character U+0000", name)
	case err != nil:
		return "", false, fmt.Errorf("field %q is not a string", name)
	case length == 0:
		return "", false, fmt.Errorf("field %q is empty", name)
	case length > maxText:
		return "", false, fmt.Errorf("field %q is longer than %d characters", name, maxText)
	}
	return value, true, nil
}

// id reads a required UUID in its usual form of 36 characters.
func (p payload) id(name string) (uuid.UUID, error) {
	value, there, err := p.optionalID(name)
	if err == nil && !there {
		err = fmt.Errorf("field %q is missing", name)
	}
	return value, err
}

func (p payload) optionalID(name string) (uuid.UUID, bool, error) {
	text, there, err := p.optionalText(name)
	if err != nil || !there {
		return uuid.Nil, false, err
	}
	value, err := uuid.Parse(text)
	if err != nil || len(text) != 36 { // the library also takes other spellings
		return uuid.Nil, false, fmt.Errorf("field %q is not a UUID", name)
	}
	return value, true, nil
}

// rfc3339 is the RFC's own grammar; the library takes more (commas, short hours).
var rfc3339 = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

func parseRFC3339(text string) (time.Time, error) {
	if !rfc3339.MatchString(text) {
		return time.Time{}, errors.New("not an RFC 3339 time")
	}
	return time.Parse(time.RFC3339Nano, strings.ToUpper(text))
}

// optionalTime reads an RFC 3339 string; the zero time when it is absent.
func (p payload) optionalTime(name string) (time.Time, error) {
	text, there, err := p.optionalText(name)
	if err != nil || !there {
		return time.Time{}, err
	}
	value, err := parseRFC3339(text)
	if err != nil {
		return time.Time{}, fmt.Errorf("field %q is not an RFC 3339 time", name)
	}
	return value, nil
}

var (
	earliest = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC)
)

// instant reads a required RFC 3339 string or a whole number of milliseconds
// since 1970 (contract 6.2), of the years 1 to 9999. It is cut to microseconds, which is
// what the database keeps: the comparison of two events must not depend on
// whether one of them has been stored yet.
func (p payload) instant(name string) (time.Time, error) {
	raw, there := p[name]
	if !there {
		return time.Time{}, fmt.Errorf("field %q is missing", name)
	}
	var value time.Time
	if raw[0] == '"' {
		var err error
		if value, err = p.optionalTime(name); err != nil {
			return time.Time{}, err
		}
	} else {
		milliseconds, err := wholeNumber(raw)
		if err != nil {
			return time.Time{}, fmt.Errorf("field %q is neither an RFC 3339 time nor a whole number of milliseconds", name)
		}
		value = time.UnixMilli(milliseconds)
	}
	if value.Before(earliest) || value.After(latest) {
		return time.Time{}, fmt.Errorf("field %q is not within the years 1 to 9999", name)
	}
	return value.UTC().Truncate(time.Microsecond), nil
}

// wholeNumber reads a JSON number without a fraction, however it is written:
// 1700000000000, 1.7e12 and 1700000000000.0 are one number.
func wholeNumber(raw []byte) (int64, error) {
	var number json.Number
	if err := json.Unmarshal(raw, &number); err != nil || raw[0] == '"' || len(raw) > 50 {
		return 0, errors.New("not a number of this range")
	}
	if _, exponent, there := strings.Cut(strings.ToLower(number.String()), "e"); there && len(strings.TrimLeft(exponent, "+-0")) > 2 {
		return 0, errors.New("out of range") // would be computed digit by digit
	}
	value, ok := new(big.Rat).SetString(number.String())
	if !ok || !value.IsInt() || !value.Num().IsInt64() {
		return 0, errors.New("not a whole number")
	}
	return value.Num().Int64(), nil
}
