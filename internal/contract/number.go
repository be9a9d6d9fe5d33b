package contract

// This file: numbers that kin-openapi, which calculates in doubles, takes for
// others or for none. Two rules need it: bounds hold for a number as it is
// written (contract 1.13), and a value that the schema leaves open
// keeps its exact decimal text, whatever its size (contract 2.9).

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
)

// maxNumberLength bounds the characters of a number that is compared exactly.
const maxNumberLength = 1000

// offBounds validates a number as it is written against the bounds and the step of
// its schema, and says what is wrong. As a double, 5.0000000000000001 would be 5.
func offBounds(text string, s *openapi3.Schema) string {
	double, err := strconv.ParseFloat(text, 64)
	if err != nil || len(text) > maxNumberLength {
		return "has too many digits"
	}
	if double == 0 {
		return "" // kin-openapi has compared it; what is smaller than any double need not be told from it
	}
	exact, _ := new(big.Rat).SetString(text)
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

// boundedNumbers lists the properties that offBounds guards. Integers need it not:
// they are read as integers.
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

// clamped puts the largest double where the tree has a number beyond it, which
// kin-openapi refuses as no number at all, also where a schema takes any.
func clamped(value any) any {
	switch v := value.(type) {
	case json.Number:
		if f, err := v.Float64(); err != nil {
			return json.Number(strconv.FormatFloat(math.Copysign(math.MaxFloat64, f), 'g', -1, 64))
		}
	case map[string]any:
		for name, member := range v {
			v[name] = clamped(member)
		}
	case []any:
		for i, element := range v {
			v[i] = clamped(element)
		}
	}
	return value
}
