package edge

// This file: a request against its operation: parameters, then body. Messages
// name the field as `details` shows it (D7.2).

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/labstack/echo/v4"

	"equipment-platform/internal/strictjson"
)

// validateParams checks path, query and header parameters and writes the
// spec's defaults of absent query parameters into the request.
func (o *Operation) validateParams(c echo.Context) *Problem {
	r := c.Request()
	details := map[string]string{}
	input := &openapi3filter.RequestValidationInput{Request: r, PathParams: map[string]string{}}
	if r.URL.RawQuery != "" {
		query, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			return InvalidField("query", "is not a valid query string")
		}
		input.QueryParams = query
		for _, name := range o.scalars {
			if len(query[name]) > 1 {
				details[name] = "is there more than once"
			}
		}
	} else {
		input.QueryParams = url.Values{}
	}
	for i, name := range c.ParamNames() {
		value := c.ParamValues()[i]
		if r.URL.RawPath != "" {
			if unescaped, err := url.PathUnescape(value); err == nil {
				value = unescaped
			}
		}
		input.PathParams[name] = value
	}
	for _, p := range o.params {
		if o.skippable[p] && !input.QueryParams.Has(p.Name) {
			continue
		}
		if _, known := details[p.Name]; known {
			continue
		}
		if values := r.Header.Values(p.Name); p.In == openapi3.ParameterInHeader && len(values) > 1 {
			if !strings.HasPrefix(p.Name, "If-") {
				details[p.Name] = "is there more than once"
				continue
			}
			r.Header.Set(p.Name, strings.Join(values, ", ")) // one list in several lines (RFC 9110, 5.3)
		}
		if strings.ContainsRune(input.QueryParams.Get(p.Name), 0) || strings.ContainsRune(input.PathParams[p.Name], 0) {
			details[p.Name] = "must not contain U+0000"
			continue
		}
		if invalid := strings.ToValidUTF8(input.QueryParams.Get(p.Name), ""); p.In == openapi3.ParameterInQuery && invalid != input.QueryParams.Get(p.Name) {
			details[p.Name] = "is not valid UTF-8"
			continue
		}
		if err := openapi3filter.ValidateParameter(r.Context(), input, p); err != nil {
			details[p.Name] = paramMessage(err, p)
		} else if p.In == openapi3.ParameterInQuery && !plainNumber(p, input.QueryParams.Get(p.Name)) {
			details[p.Name] = "is not a valid " + typeName(p.Schema.Value)
		} else if p.In == openapi3.ParameterInQuery && p.Schema != nil && p.Schema.Value.Type.Is(openapi3.TypeNumber) {
			if message := offBounds(input.QueryParams.Get(p.Name), p.Schema.Value); message != "" {
				details[p.Name] = message
			}
		}
	}
	if len(details) > 0 {
		return Invalid(details)
	}
	return nil
}

var (
	integerForm = regexp.MustCompile(`^-?[0-9]+$`)
	numberForm  = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
)

// plainNumber refuses what kin-openapi takes for a number and the generated
// wrappers do not, or people would not: 1.0 or 1e1 for an integer, +1, 0x1p0.
func plainNumber(p *openapi3.Parameter, text string) bool {
	switch {
	case p.Schema == nil || text == "":
		return true
	case p.Schema.Value.Type.Is(openapi3.TypeInteger):
		return integerForm.MatchString(text)
	case p.Schema.Value.Type.Is(openapi3.TypeNumber):
		return numberForm.MatchString(text)
	default:
		return true
	}
}

func paramMessage(err error, p *openapi3.Parameter) string {
	var schemaErr *openapi3.SchemaError
	var multi openapi3.MultiError
	var parse *openapi3filter.ParseError
	switch {
	case errors.Is(err, openapi3filter.ErrInvalidRequired):
		return "is required"
	case errors.Is(err, openapi3filter.ErrInvalidEmptyValue):
		return "must not be empty"
	case errors.As(err, &schemaErr):
		return schemaMessage(schemaErr)
	case errors.As(err, &multi) && len(multi) > 0 && errors.As(multi[0], &schemaErr):
		return schemaMessage(schemaErr)
	case errors.As(err, &parse):
		if p.Schema != nil {
			return "is not a valid " + typeName(p.Schema.Value)
		}
	}
	return "is not valid"
}

// readBody reads and validates the body. A JSON body ends up, validated, where
// the generated wrapper takes it from; any other is left to be streamed under
// the operation's limit.
func (o *Operation) readBody(c echo.Context) *Problem {
	r := c.Request()
	if r.ContentLength > o.BodyLimit {
		return ErrTooLarge
	}
	if coding := r.Header.Get(echo.HeaderContentEncoding); coding != "" && !strings.EqualFold(coding, "identity") && r.ContentLength != 0 {
		c.Response().Header().Set(echo.HeaderAcceptEncoding, "identity") // what would do (RFC 9110, 15.5.16)
		return ErrContentCoding
	}
	r.Body = http.MaxBytesReader(c.Response(), r.Body, o.BodyLimit)
	mediaType, _, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
	if err != nil {
		mediaType = ""
	}
	if mediaType == "application/merge-patch+json" && r.Method == http.MethodPatch {
		mediaType = echo.MIMEApplicationJSON // one meaning (D1.9), one name for the generated code
	}
	if mediaType != echo.MIMEApplicationJSON || o.jsonBody == nil {
		return o.acceptStream(r, mediaType)
	}
	r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return bodyReadProblem(err)
	}
	if len(raw) == 0 {
		if !o.body.Required {
			return nil
		}
		return InvalidField("body", "is required")
	}
	if r.Header.Get(idempotencyHeader) != "" {
		c.SetRequest(r.WithContext(context.WithValue(r.Context(), rawKey{}, rawRequest{r.URL.Path, raw})))
	}
	value, values, err := strictjson.Parse(raw)
	if err != nil {
		var fault *strictjson.Fault
		errors.As(err, &fault)
		return InvalidField(pathOrBody(fault.Path), fault.Rule.Error())
	}
	if o.rewrite != nil {
		if rewritten, changed := o.rewrite.apply(value, o.jsonBody); changed {
			if raw, err = json.Marshal(rewritten); err != nil {
				return ErrInternal.Because(err)
			}
		}
	}
	if p := validateValue(o.jsonBody, value, values); p != nil {
		return p
	}
	if object, ok := value.(map[string]any); ok {
		for _, field := range o.exact {
			if n, ok := object[field].(json.Number); ok {
				if message := offBounds(n.String(), o.jsonBody.Properties[field].Value); message != "" {
					return InvalidField(field, message)
				}
			}
		}
	}
	c.Set(bodyKey, raw)
	return nil
}

// offBounds holds a number as it is written against the bounds and the step of
// its schema. kin-openapi and the services calculate in doubles, which take
// 5.0000000000000001 for 5; what has at most 15 digits they tell apart.
func offBounds(text string, s *openapi3.Schema) string {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(text, "-")), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if len(strings.TrimLeft(whole+strings.TrimRight(fraction, "0"), "0")) <= 15 {
		return ""
	}
	exact, ok := new(big.Rat), false
	if power, err := strconv.Atoi(cmp.Or(exponent, "0")); err == nil && max(power, -power) <= 400 && len(text) <= 1000 { // what can be calculated quickly
		exact, ok = exact.SetString(text)
	}
	if !ok {
		return "has too many digits"
	}
	switch {
	case s.Min != nil && exact.Cmp(rational(*s.Min)) < 0:
		return "must be at least " + number(*s.Min)
	case s.Max != nil && exact.Cmp(rational(*s.Max)) > 0:
		return "must be at most " + number(*s.Max)
	case s.MultipleOf != nil && !new(big.Rat).Quo(exact, rational(*s.MultipleOf)).IsInt():
		return "must be a multiple of " + number(*s.MultipleOf)
	default:
		return ""
	}
}

// rational is a number of a schema as it is written there.
func rational(f float64) *big.Rat {
	r, _ := new(big.Rat).SetString(number(f))
	return r
}

// boundedNumbers lists the properties whose bounds or step offBounds guards.
// Integers need it not: they are read as integers.
func boundedNumbers(s *openapi3.Schema) []string {
	var names []string
	for name, property := range s.Properties {
		if p := property.Value; p.Type.Is(openapi3.TypeNumber) && (p.Min != nil || p.Max != nil || p.MultipleOf != nil) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

const idempotencyHeader = "Idempotency-Key"

type rawKey struct{}

type rawRequest struct {
	path string
	body []byte
}

// RawRequest returns path and body, as sent, of a request that carries an
// Idempotency-Key: two bodies are the same when their bytes are (D9.11).
func RawRequest(ctx context.Context) (path string, body []byte) {
	r, _ := ctx.Value(rawKey{}).(rawRequest)
	return r.path, r.body
}

func (o *Operation) acceptStream(r *http.Request, mediaType string) *Problem {
	if o.streaming {
		for accepted := range o.body.Content {
			if matchesMediaType(accepted, mediaType) && accepted != echo.MIMEApplicationJSON {
				return nil
			}
		}
	}
	var probe [1]byte
	n, err := r.Body.Read(probe[:])
	if n > 0 {
		return ErrMediaType
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return bodyReadProblem(err)
	}
	if o.body.Required {
		return InvalidField("body", "is required")
	}
	return nil
}

func matchesMediaType(accepted, sent string) bool {
	if prefix, ok := strings.CutSuffix(accepted, "/*"); ok {
		return prefix == "*" || strings.HasPrefix(sent, prefix+"/")
	}
	return accepted == sent
}

func bodyReadProblem(err error) *Problem {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return ErrTooLarge
	case errors.Is(err, errNoRoom):
		return ErrOverloaded
	case errors.Is(err, errTooSlow):
		return InvalidField("body", "comes too slowly")
	}
	return InvalidField("body", "could not be read to its end").Because(err)
}

// manyValues is from how many values on a body is checked to its first fault
// only: kin-openapi keeps a kilobyte for each fault that it finds.
const manyValues = 2000

// validateValue checks a JSON value against a request schema and collects one
// message for each field.
func validateValue(s *openapi3.Schema, value any, values int) *Problem {
	options := []openapi3.SchemaValidationOption{openapi3.VisitAsRequest(), openapi3.EnableFormatValidation()}
	if values < manyValues {
		options = append(options, openapi3.MultiErrors())
	}
	visit := func() error { return s.VisitJSON(value, options...) }
	err := visit()
	if err != nil && bringInRange(value) {
		err = visit()
	}
	if err == nil {
		return nil
	}
	details := map[string]string{}
	collect(err, details)
	return Invalid(details)
}

// bringInRange puts the largest double in the place of numbers beyond it, and
// tells whether there were any: kin-openapi cannot hold those against a schema,
// also not against one that would take any number.
func bringInRange(value any) (changed bool) {
	largest := func(v any) (any, bool) {
		n, ok := v.(json.Number)
		if !ok {
			return v, bringInRange(v)
		}
		f, err := n.Float64()
		if err == nil {
			return v, false
		}
		return json.Number(strconv.FormatFloat(math.Copysign(math.MaxFloat64, f), 'g', -1, 64)), true
	}
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			replaced, is := largest(member)
			v[name], changed = replaced, changed || is
		}
	case []any:
		for i, member := range v {
			replaced, is := largest(member)
			v[i], changed = replaced, changed || is
		}
	}
	return changed
}

// maxDetails is how many fields an answer names.
const maxDetails = 100

func collect(err error, details map[string]string) {
	var multi openapi3.MultiError
	var schemaErr *openapi3.SchemaError
	switch {
	case errors.As(err, &multi):
		for _, e := range multi {
			collect(e, details)
		}
	case len(details) >= maxDetails:
	case errors.As(err, &schemaErr):
		field := fieldName(schemaErr)
		if _, known := details[field]; !known {
			details[field] = schemaMessage(schemaErr)
		}
	default:
		details["body"] = "is not valid"
	}
}

// fieldName writes the place of an error as params[2].value.
func fieldName(e *openapi3.SchemaError) string {
	var field strictjson.Path
	for _, step := range e.JSONPointer() {
		if _, err := strconv.Atoi(step); err == nil {
			field = field.Element(step)
		} else {
			field = field.Member(step)
		}
	}
	if e.SchemaField == "properties" {
		// an unknown property stands in the reason, not in the pointer
		if _, quoted, ok := strings.Cut(e.Reason, "property "); ok {
			if prefix, err := strconv.QuotedPrefix(quoted); err == nil {
				if name, err := strconv.Unquote(prefix); err == nil {
					field = field.Member(name)
				}
			}
		}
	}
	return pathOrBody(field)
}

// schemaMessage says in plain words what the schema wants.
func schemaMessage(e *openapi3.SchemaError) string {
	s := e.Schema
	switch e.SchemaField {
	case "required":
		return "is required"
	case "properties", "additionalProperties":
		return "is not a known field"
	case "nullable":
		return "must not be null"
	case "type":
		if e.Value == nil {
			return "must not be null"
		}
		return "must be " + article(typeName(s))
	case "minLength":
		if s.MinLength == 1 {
			return "must not be blank"
		}
		return fmt.Sprintf("must have at least %d characters", s.MinLength)
	case "maxLength":
		return fmt.Sprintf("must have at most %d characters", *s.MaxLength)
	case "minimum", "exclusiveMinimum":
		return "must be at least " + number(*s.Min)
	case "maximum", "exclusiveMaximum":
		return "must be at most " + number(*s.Max)
	case "multipleOf":
		return "must be a multiple of " + number(*s.MultipleOf)
	case "minItems":
		return fmt.Sprintf("must have at least %d elements", s.MinItems)
	case "maxItems":
		return fmt.Sprintf("must have at most %d elements", *s.MaxItems)
	case "uniqueItems":
		return "must not hold an element twice"
	case "enum":
		return "must be one of " + enumText(s.Enum)
	case "format":
		return "must be a valid " + s.Format
	case "pattern":
		return "does not have the form that the API description gives"
	default:
		return "is not valid"
	}
}

func enumText(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
	}
	return strings.Join(words, ", ")
}

func typeName(s *openapi3.Schema) string {
	if s == nil || s.Type == nil || len(*s.Type) == 0 {
		return "value"
	}
	return (*s.Type)[0]
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
