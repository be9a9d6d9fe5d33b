package contract

// This file: numbers that kin-openapi, which calculates in doubles, would take for
// others.

import (
	"cmp"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

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

// bringInRange puts the largest double in the place of numbers beyond it, and
// reports whether there were any: kin-openapi cannot hold those against a schema,
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
