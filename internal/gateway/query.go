package gateway

// This file: the free-form Query string (contract 8.19, contract 8.2): strict
// parsing, checks of the known names, and what of it travels on.

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// pair is one name of a query string. bare: it had no `=`.
type pair struct {
	name, value string
	bare        bool
}

// query is a parsed Query string. It does not change: handlers read from it what
// they send in a place of its own, and hand the rest to the client with passOn.
type query struct {
	pairs []pair
}

// isBoxName reports whether a name is one of those that come from configuration
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
func parseQuery(raw string, op *operation) (q query, details map[string]string) {
	details = map[string]string{}
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
		var message string
		if q.pairs, message = normalized(q.pairs, known); message != "" {
			details["Query."+known.Name] = message
		}
	}
	return q, details
}

// normalized checks one known name and returns the pairs with its value in the
// form that travels on, or the message that says what is wrong with it.
func normalized(pairs []pair, known queryParameter) (_ []pair, message string) {
	at := -1
	for i, p := range pairs {
		if p.name != known.Name {
			continue
		}
		if at >= 0 {
			return pairs, "is there more than once"
		}
		at = i
	}
	if at < 0 {
		if known.Required {
			return pairs, "is required"
		}
		return pairs, ""
	}
	p := &pairs[at]
	if known.Format == "flag" {
		switch strings.ToLower(p.value) {
		case "", "true":
			p.value, p.bare = "", true
		case "false":
			pairs = slices.Delete(pairs, at, at+1)
		default:
			return pairs, "is a mark without a value"
		}
		return pairs, ""
	}
	if p.value == "" {
		if known.Required {
			return pairs, "must not be empty"
		}
		if known.Type == "string" && known.Format == "" {
			return pairs, ""
		}
	}
	if name, ok := known.Names[p.value]; ok {
		p.value = name
	}
	return pairs, checkValue(known, p.value)
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

// text returns the value of a name, or fallback when it is absent or empty.
func (q query) text(name, fallback string) string {
	for _, p := range q.pairs {
		if p.name == name {
			return cmp.Or(p.value, fallback)
		}
	}
	return fallback
}

// has reports whether a name has a value.
func (q query) has(name string) bool { return q.text(name, "") != "" }

// optional returns the value of a name, nil when it is absent or empty.
func (q query) optional(name string) *string {
	if value := q.text(name, ""); value != "" {
		return &value
	}
	return nil
}

// number returns the value of a name that was checked to be a 32-bit number.
func (q query) number(name string) int32 {
	n, err := strconv.ParseInt(q.text(name, "0"), 10, 32)
	if err != nil {
		return 0
	}
	return int32(n)
}

// boolean returns the value of a name that was checked to be true or false.
func (q query) boolean(name string) bool {
	return strings.EqualFold(q.text(name, "false"), "true")
}

// without returns the query without some names: those that travel in a body.
func (q query) without(names ...string) query {
	return query{slices.DeleteFunc(slices.Clone(q.pairs), func(p pair) bool { return slices.Contains(names, p.name) })}
}

// passOn is a request editor that puts the query behind what a client has
// encoded. A name that the client sends already stays the client's.
func (q query) passOn(_ context.Context, req *http.Request) error {
	if len(q.pairs) == 0 {
		return nil
	}
	own, err := url.ParseQuery(req.URL.RawQuery)
	if err != nil {
		return fmt.Errorf("query of the client: %w", err)
	}
	var parts []string
	if req.URL.RawQuery != "" {
		parts = append(parts, req.URL.RawQuery)
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
	req.URL.RawQuery = strings.Join(parts, "&")
	return nil
}

// sent reports whether a client sends a name, in any letter case.
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
