package contract

// This file: the parameters of a request, and its API key headers.

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
)

// CheckKeyHeaders asks for the API key headers of the operation (contract 8.9). The error
// is a *Violation.
func (o *Operation) CheckKeyHeaders(h http.Header) error {
	for _, name := range o.KeyHeaders {
		values := h.Values(name)
		switch {
		case len(values) == 0 || strings.TrimSpace(values[0]) == "":
			return violation(name, "is required")
		case len(values) > 1:
			return violation(name, "is there more than once")
		case strings.IndexFunc(values[0], unicode.IsControl) >= 0:
			return violation(name, "must not contain control characters")
		}
	}
	return nil
}

// CheckParams validates path, query and header parameters, and writes the spec's
// defaults of absent query parameters into the request. path has the unescaped
// path parameters by name. The error is a *Violation.
func (o *Operation) CheckParams(r *http.Request, path map[string]string) error {
	if len(o.params) == 0 {
		return nil
	}
	details := map[string]string{}
	input := &openapi3filter.RequestValidationInput{Request: r, PathParams: path, QueryParams: url.Values{}}
	if r.URL.RawQuery != "" {
		query, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			return &Violation{Fields: o.queryFaults(r.URL.RawQuery)}
		}
		input.QueryParams = query
		for _, name := range o.scalars {
			if len(query[name]) > 1 {
				details[name] = "is there more than once"
			}
		}
	}
	for _, p := range o.params {
		if o.skippable[p] && !input.QueryParams.Has(p.Name) {
			continue
		}
		if _, known := details[p.Name]; known {
			continue
		}
		if message := o.checkParam(p, input); message != "" {
			details[p.Name] = message
		}
	}
	if len(details) > 0 {
		return &Violation{Fields: details}
	}
	return nil
}

// queryFaults says where a query string cannot be parsed: it names the parameters
// of the operation in whose values that is, and `query` for anything else.
func (o *Operation) queryFaults(raw string) map[string]string {
	faults := map[string]string{}
	for part := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(part, "=")
		unescaped, err := url.QueryUnescape(name)
		known := err == nil && slices.ContainsFunc(o.params, func(p *openapi3.Parameter) bool {
			return p.In == openapi3.ParameterInQuery && p.Name == unescaped
		})
		if !known {
			continue
		}
		if _, err := url.QueryUnescape(value); err != nil {
			faults[unescaped] = "has a bad escape"
		} else if strings.Contains(value, ";") {
			faults[unescaped] = "must not contain a semicolon" // unescaped: once it separated parameters
		}
	}
	if len(faults) == 0 {
		faults["query"] = "is not a valid query string"
	}
	return faults
}

// checkParam says what is wrong with a parameter.
func (o *Operation) checkParam(p *openapi3.Parameter, input *openapi3filter.RequestValidationInput) string {
	h := input.Request.Header
	if values := h.Values(p.Name); p.In == openapi3.ParameterInHeader && len(values) > 1 {
		if !strings.HasPrefix(p.Name, "If-") {
			return "is there more than once"
		}
		h.Set(p.Name, strings.Join(values, ", ")) // one list in several lines (RFC 9110, 5.3)
	}
	text := input.QueryParams.Get(p.Name)
	if strings.ContainsRune(text, 0) || strings.ContainsRune(input.PathParams[p.Name], 0) {
		return "must not contain U+0000"
	}
	if p.In == openapi3.ParameterInQuery && !utf8.ValidString(text) {
		return "is not valid UTF-8"
	}
	err := openapi3filter.ValidateParameter(input.Request.Context(), input, p)
	switch {
	case err != nil:
		return paramMessage(err, p)
	case p.In != openapi3.ParameterInQuery || p.Schema == nil || text == "":
		return ""
	case !isPlainNumber(text, p.Schema.Value):
		return "is not a valid " + typeName(p.Schema.Value)
	case p.Schema.Value.Type.Is(openapi3.TypeNumber):
		return offBounds(text, p.Schema.Value)
	default:
		return ""
	}
}

var (
	integerForm = regexp.MustCompile(`^-?[0-9]+$`)
	numberForm  = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
)

// isPlainNumber refuses what kin-openapi takes for a number and the generated
// wrappers do not, or people would not: 1.0 or 1e1 for an integer, +1, 0x1p0.
func isPlainNumber(text string, s *openapi3.Schema) bool {
	switch {
	case s.Type.Is(openapi3.TypeInteger):
		return integerForm.MatchString(text)
	case s.Type.Is(openapi3.TypeNumber):
		return numberForm.MatchString(text)
	default:
		return true
	}
}
