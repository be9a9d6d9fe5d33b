package gateway

// This file: the free-form Query string and the known names beside it (contract
// 8.19, contract 8.2, contract 8.14): strict parsing, checks of the known names, and
// what of it travels on.

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

// pair is one name of a query string. bare: it had no `=`. beside: it stood beside
// Query, as a parameter of its own.
type pair struct {
	name, value  string
	bare, beside bool
}

// field names the pair in what is wrong with it (contract 8.14).
func (p pair) field() string {
	if p.beside {
		return p.name
	}
	return inQuery(p.name)
}

func inQuery(name string) string { return "Query." + name }

// query is what a request says in Query and beside it. It does not change: handlers
// read from it what they send in a place of its own, and hand the rest to the client
// with passOn.
type query struct {
	pairs []pair
}

// isBoxName reports whether a name is one of those that come from configuration
// alone, in any letter case.
func isBoxName(name string) bool {
	return strings.EqualFold(name, "boxId") || strings.EqualFold(name, "myBoxId")
}

// readQuery takes the names that an operation knows inside Query out of a request's
// query string, wherever they stand, and everything else that Query holds. rest is
// the query string without the names beside Query, for the validation of the other
// parameters. details names what is wrong and is empty when nothing is.
func readQuery(encoded string, op *operation) (q query, rest string, details map[string]string) {
	details = map[string]string{}
	var kept []string
	raw, found := "", false
	for part := range strings.SplitSeq(encoded, "&") {
		p, fault := parsePair(part)
		known := slices.ContainsFunc(op.query, func(k queryParameter) bool { return k.Name == p.name })
		switch {
		case p.name == "Query" && found:
			details["Query"] = "is there more than once"
		case p.name == "Query" && fault == badEscape, p.name == "Query" && fault == semicolon:
			details["Query"] = fault
		case p.name == "Query":
			raw, found = p.value, true
			kept = append(kept, part)
		case !known:
			kept = append(kept, part)
		case fault != "":
			details[p.name] = fault
		default:
			p.beside = true
			q.pairs = append(q.pairs, p)
		}
	}
	if _, faulty := details["Query"]; !faulty {
		inside, fault := parseQuery(raw, op)
		if fault != "" {
			details["Query"] = fault
		}
		q.pairs = append(q.pairs, inside...)
	}
	if len(details) == 0 {
		for _, known := range op.query {
			q.pairs = known.normalize(q.pairs, details)
		}
	}
	return q, strings.Join(kept, "&"), details
}

// What is wrong with a part of a query string.
const (
	badEscape = "has a bad escape"
	semicolon = "must not contain a semicolon"
)

// parsePair reads `name=value` of a query string. The name is there also when there
// is a fault in the value.
func parsePair(part string) (p pair, fault string) {
	name, value, found := strings.Cut(part, "=")
	p.bare = !found
	var err1, err2 error
	p.name, err1 = url.QueryUnescape(name)
	p.value, err2 = url.QueryUnescape(value)
	switch {
	case strings.Contains(part, ";"): // unescaped: once it separated parameters
		return p, semicolon
	case err1 != nil || err2 != nil:
		return p, badEscape
	case !utf8.ValidString(p.name) || !utf8.ValidString(p.value):
		return p, "is not valid UTF-8"
	case strings.ContainsRune(p.name+p.value, 0):
		return p, "must not contain U+0000"
	default:
		return p, ""
	}
}

// parseQuery reads the value of Query for an operation.
func parseQuery(raw string, op *operation) (pairs []pair, fault string) {
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		p, fault := parsePair(part)
		switch {
		case fault != "":
			return nil, fault
		case isBoxName(p.name), slices.ContainsFunc(op.elsewhere, func(e string) bool { return strings.EqualFold(e, p.name) }):
			continue
		}
		pairs = append(pairs, p)
	}
	return pairs, ""
}

// normalize checks one known name and returns the pairs with its value in the form
// that travels on; what is wrong with it goes into details.
func (known queryParameter) normalize(pairs []pair, details map[string]string) []pair {
	at := -1
	for i, p := range pairs {
		if p.name != known.Name {
			continue
		}
		if at >= 0 {
			if pairs[at].beside != p.beside {
				details[known.Name], details[inQuery(known.Name)] = "is in Query too", "is beside Query too"
			} else {
				details[p.field()] = "is there more than once"
			}
			return pairs
		}
		at = i
	}
	if at < 0 {
		if known.Required {
			details[known.Name], details[inQuery(known.Name)] = "is required, here or in Query", "is required, here or beside Query"
		}
		return pairs
	}
	p := &pairs[at]
	if known.Format == "flag" {
		switch value := strings.ToLower(p.value); {
		case value == "true", value == "" && !p.beside: // beside Query it is a boolean
			p.value, p.bare = "", true
		case value == "false":
			pairs = slices.Delete(pairs, at, at+1)
		default:
			details[p.field()] = "must be true or false, or a mark without a value inside Query"
		}
		return pairs
	}
	if p.value == "" {
		if known.Required {
			details[p.field()] = "must not be empty"
			return pairs
		}
		if known.Type == "string" && known.Format == "" {
			return pairs
		}
	}
	if name, ok := known.Names[p.value]; ok {
		p.value = name
	}
	if message := checkValue(known, p.value); message != "" {
		details[p.field()] = message
	}
	return pairs
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
