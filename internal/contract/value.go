package contract

// This file: a JSON value against its schema.

import (
	"errors"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"

	"equipment-platform/internal/strictjson"
)

func init() {
	// kin-openapi ignores a format that nobody has defined; ours is exactly 8-4-4-4-12 in hexadecimal
	openapi3.DefineStringFormatValidator("uuid", openapi3.NewCallbackValidator(func(s string) error {
		if _, err := uuid.Parse(s); err != nil || len(s) != 36 {
			return errors.New("is not a UUID")
		}
		return nil
	}))
}

// manyValues is from how many values on a body is checked to its first fault
// only: kin-openapi keeps a kilobyte for each fault that it finds.
const manyValues = 2000

// validateValue checks a JSON value against a request schema and collects one
// message for each field in a *Violation.
func validateValue(s *openapi3.Schema, value any, values int) error {
	options := []openapi3.SchemaValidationOption{openapi3.VisitAsRequest(), openapi3.EnableFormatValidation()}
	if values < manyValues {
		options = append(options, openapi3.MultiErrors())
	}
	err := s.VisitJSON(value, options...)
	if err != nil { // perhaps of its numbers only
		err = s.VisitJSON(clamped(value), options...)
	}
	if err == nil {
		return nil
	}
	details := map[string]string{}
	collect(err, details)
	return &Violation{Fields: details}
}

// maxDetails is how many fields an answer names.
const maxDetails = 100

func collect(err error, details map[string]string) {
	var multi openapi3.MultiError
	var schemaErr *openapi3.SchemaError
	one, isOne := err.(*openapi3.SchemaError) //nolint:errorlint // the fault itself, not one of those that it wraps
	switch {
	case isOne && one.SchemaField == "oneOf":
		// what is wrong with each of the schemas says less than that it fits none
		details[fieldName(one)] = schemaMessage(one)
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

// pathOrBody is the name of a value in Violation.Fields: the outermost one has no
// path.
func pathOrBody(path strictjson.Path) string {
	if path == "" {
		return "body"
	}
	return string(path)
}
