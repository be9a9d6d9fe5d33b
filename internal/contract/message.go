package contract

// This file: what is wrong, in plain words.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
)

// paramMessage says what the spec wants of a parameter.
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
	case "oneOf":
		return "must be " + choices(s.OneOf)
	case "pattern":
		return "does not have the form that the API description gives"
	default:
		return "is not valid"
	}
}

// choices names the types of a value that may be of several.
func choices(schemas openapi3.SchemaRefs) string {
	words := make([]string, len(schemas))
	for i, s := range schemas {
		words[i] = article(typeName(s.Value))
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
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
