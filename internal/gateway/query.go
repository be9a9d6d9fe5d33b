package gateway

// This file: the free-form Query string (seed section 4, D8.2): strict
// parsing, checks of the known names, and what of it travels on.

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// pair is one name of a query string. bare tells that it had no `=`.
type pair struct {
	name, value string
	bare        bool
}

// query is a parsed Query string. Handlers take the names that they send in
// their own place; what is left travels on as it is.
type query struct {
	pairs []pair
}

// isBoxName tells whether a name is one of those that come from configuration
// alone, in any letter case.
func isBoxName(name string) bool {
	return strings.EqualFold(name, "boxId") || strings.EqualFold(name, "myBoxId")
}

// rawQuery finds the parameter Query of a request. What is wrong beside it is
// left to the validation of parameters.
func rawQuery(encoded string) (raw string, details map[string]string) {
	found := false
	for part := range strings.SplitSeq(encoded, "&") {
		name, value, _ := strings.Cut(part, "=")
		if name, err := url.QueryUnescape(name); err != nil || name != "Query" {
			continue
		}
		unescaped, err := url.QueryUnescape(value)
		switch {
		case found:
			return "", map[string]string{"Query": "is there more than once"}
		case err != nil:
			return "", map[string]string{"Query": "has a bad escape"}
		case strings.Contains(value, ";"):
			return "", map[string]string{"Query": "must not contain a semicolon"}
		}
		raw, found = unescaped, true
	}
	return raw, nil
}

// parseQuery reads a Query string for an operation. details names what is
// wrong with it and is empty when nothing is.
func parseQuery(raw string, op *operation) (q *query, details map[string]string) {
	q, details = &query{}, map[string]string{}
	if strings.Contains(raw, ";") {
		details["Query"] = "must not contain a semicolon"
		return q, details
	}
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		name, value, found := strings.Cut(part, "=")
		p := pair{bare: !found}
		var err1, err2 error
		p.name, err1 = url.QueryUnescape(name)
		p.value, err2 = url.QueryUnescape(value)
		switch {
		case err1 != nil || err2 != nil:
			details["Query"] = "has a bad escape"
			return q, details
		case !utf8.ValidString(p.name) || !utf8.ValidString(p.value):
			details["Query"] = "is not valid UTF-8"
			return q, details
		case strings.ContainsRune(p.name+p.value, 0):
			details["Query"] = "must not contain U+0000"
			return q, details
		case isBoxName(p.name), slices.ContainsFunc(op.elsewhere, func(e string) bool { return strings.EqualFold(e, p.name) }):
			continue
		}
		q.pairs = append(q.pairs, p)
	}
	for _, known := range op.query {
		if message := q.check(known); message != "" {
			details["Query."+known.Name] = message
		}
	}
	return q, details
}

// check looks at one known name and writes its value in the form that travels
// on.
func (q *query) check(known queryParameter) string {
	at := -1
	for i, p := range q.pairs {
		if p.name != known.Name {
			continue
		}
		if at >= 0 {
			return "is there more than once"
		}
		at = i
	}
	if at < 0 {
		if known.Required {
			return "is required"
		}
		return ""
	}
	p := &q.pairs[at]
	if known.Format == "flag" {
		switch strings.ToLower(p.value) {
		case "", "true":
			p.value, p.bare = "", true
		case "false":
			q.pairs = slices.Delete(q.pairs, at, at+1)
		default:
			return "is a mark without a value"
		}
		return ""
	}
	if p.value == "" {
		if known.Required {
			return "must not be empty"
		}
		if known.Type == "string" && known.Format == "" {
			return ""
		}
	}
	if name, ok := known.Names[p.value]; ok {
		p.value = name
	}
	return checkValue(known, p.value)
}

func checkValue(known queryParameter, value string) string {
	switch {
	case known.Enum != nil:
		if !slices.Contains(known.Enum, value) {
			return "must be one of " + strings.Join(known.Enum, ", ")
		}
	case known.Type == "boolean":
		if !strings.EqualFold(value, "true") && !strings.EqualFold(value, "false") {
			return "must be true or false"
		}
	case known.Type == "integer":
		bits := 32
		if known.Format == "int64" {
			bits = 64
		}
		if _, err := strconv.ParseInt(value, 10, bits); err != nil {
			return fmt.Sprintf("must be a whole number of %d bits", bits)
		}
	case known.Format == "date-time":
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateOnly} {
			if _, err := time.Parse(layout, value); err == nil {
				return ""
			}
		}
		return "must be a date and time such as 2026-06-01T09:30:00Z"
	}
	return ""
}

// has tells whether a name is there with a value.
func (q *query) has(name string) bool {
	return slices.ContainsFunc(q.pairs, func(p pair) bool { return p.name == name && p.value != "" })
}

// take removes a name and returns its value, or fallback when it is not there
// or empty.
func (q *query) take(name, fallback string) string {
	for i, p := range q.pairs {
		if p.name == name {
			q.pairs = slices.Delete(q.pairs, i, i+1)
			return cmp.Or(p.value, fallback)
		}
	}
	return fallback
}

// takeOptional removes a name and returns its value, nil when it is not there.
func (q *query) takeOptional(name string) *string {
	if !q.has(name) {
		return nil
	}
	value := q.take(name, "")
	return &value
}

// takeInt removes a name that was checked to be a 32-bit number.
func (q *query) takeInt(name string) int32 {
	n, err := strconv.ParseInt(q.take(name, "0"), 10, 32)
	if err != nil {
		return 0
	}
	return int32(n)
}

// takeBool removes a name that was checked to be true or false.
func (q *query) takeBool(name string) bool {
	return strings.EqualFold(q.take(name, "false"), "true")
}

// appendTo puts the remaining names behind a query that a client has encoded.
// A name that the client sends already stays the client's.
func (q *query) appendTo(encoded string) string {
	if len(q.pairs) == 0 {
		return encoded
	}
	own, err := url.ParseQuery(encoded)
	if err != nil {
		own = nil // the client encodes well; nothing to compare with otherwise
	}
	parts := make([]string, 0, len(q.pairs)+1)
	if encoded != "" {
		parts = append(parts, encoded)
	}
	for _, p := range q.pairs {
		if sent(own, p.name) {
			continue
		}
		part := escape(p.name)
		if !p.bare {
			part += "=" + escape(p.value)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "&")
}

func sent(own url.Values, name string) bool {
	for key := range own {
		if strings.EqualFold(key, name) {
			return true
		}
	}
	return false
}

// escape writes a space as %20: an upstream may read `+` as a plus.
func escape(s string) string {
	return strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
}
