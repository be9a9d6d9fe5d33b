package catalog

// This file: the parameter values of a vehicle against its type (contract 2.9).

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
)

const maxTextValue = 4000

// maxFraction is how many digits behind the decimal point PostgreSQL's numeric
// holds, which numbers are compared as (contract 2.11).
const maxFraction = 16383

// fits tells whether a JSON text is a scalar of the value type, and if not,
// what is expected.
func fits(raw json.RawMessage, valueType api.ParamValueType) (expected string, ok bool) {
	var text string
	isText := json.Unmarshal(raw, &text) == nil && raw[0] == '"'
	isNumber := raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'
	switch valueType {
	case api.STRING:
		return "must be a text of at most 4000 characters", isText && utf8.RuneCountInString(text) <= maxTextValue
	case api.NUMBER:
		// one that no double can hold would break most who read it back
		_, err := strconv.ParseFloat(string(raw), 64)
		return "must be a number of at most 4000 characters within the range of a double", isNumber && len(raw) <= maxTextValue && err == nil && holdsAsNumeric(string(raw))
	case api.INTEGER:
		_, err := strconv.ParseInt(string(raw), 10, 64)
		return "must be a whole number of 64 bits", isNumber && err == nil
	case api.BOOLEAN:
		return "must be true or false", string(raw) == "true" || string(raw) == "false"
	case api.DATE:
		day, err := time.Parse(time.DateOnly, text)
		return "must be a date such as 2026-03-31", isText && err == nil && day.Year() > 0 // there is no year 0
	default:
		return "has an unknown value type", false
	}
}

// holdsAsNumeric reports whether the database can compare a JSON number by value.
// A double takes 1e-20000 for zero and 0e99999999999 as it is; numeric refuses both.
func holdsAsNumeric(number string) bool {
	mantissa, power, scientific := strings.Cut(strings.ToLower(number), "e")
	exponent := 0
	if scientific {
		var err error
		if exponent, err = strconv.Atoi(power); err != nil || exponent > maxFraction || exponent < -maxFraction {
			return false
		}
	}
	_, fraction, _ := strings.Cut(mantissa, ".")
	return len(fraction)-exponent <= maxFraction
}

// checkValues holds the sent values against the parameters that the type
// binds. complete asks for every required active one.
func checkValues(sent []api.VehicleParamInput, bound []catalogdb.TypeParamsForVehicleRow, complete bool) error {
	definitions := make(map[uuid.UUID]catalogdb.TypeParamsForVehicleRow, len(bound))
	for _, p := range bound {
		definitions[p.ID] = p
	}
	seen := make(map[uuid.UUID]bool, len(sent))
	for i, v := range sent {
		definition, ok := definitions[v.ParamID]
		switch {
		case seen[v.ParamID]:
			return at(errParamDuplicate, element("params", i, "paramId"), "is there twice")
		case !ok:
			return at(errParamNotBound, element("params", i, "paramId"), "is not bound to the type")
		case !definition.IsActive:
			return at(errParamNotBound, element("params", i, "paramId"), "is inactive")
		}
		seen[v.ParamID] = true
		if expected, ok := fits(v.Value, api.ParamValueType(definition.ValueType)); !ok {
			return at(errParamValue, element("params", i, "value"), expected)
		}
	}
	if complete {
		return checkRequired(bound, func(id uuid.UUID) bool { return seen[id] })
	}
	return nil
}

// checkRequired asks for a value of every bound parameter that is required and
// active.
func checkRequired(bound []catalogdb.TypeParamsForVehicleRow, held func(uuid.UUID) bool) error {
	for _, p := range bound {
		if p.IsRequired && p.IsActive && !held(p.ID) {
			return at(errParamRequired, "params", "lacks the required parameter "+p.ID.String())
		}
	}
	return nil
}
