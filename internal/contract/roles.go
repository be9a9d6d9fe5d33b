package contract

// This file: who may call an operation (contract 5.6).

import (
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"

	"equipment-platform/internal/auth"
)

// RoleRule says who may call: at least one of AnyOf (nobody is refused when it
// is empty) and none of NoneOf.
type RoleRule struct {
	AnyOf, NoneOf []string
}

// Allows reports whether the rule lets the caller pass.
func (r RoleRule) Allows(c auth.Caller) bool {
	return (len(r.AnyOf) == 0 || c.HasRole(r.AnyOf...)) && !c.HasRole(r.NoneOf...)
}

// readRoles takes the name of a role group or a list of roles.
func (o *Operation) readRoles(groups map[string]RoleRule, x any) error {
	switch v := x.(type) {
	case nil:
		if o.Protected {
			return fmt.Errorf("protected, but has no x-roles")
		}
	case string:
		rule, ok := groups[v]
		if !ok {
			return fmt.Errorf("x-roles names the unknown group %q", v)
		}
		o.Roles = rule
	case []any:
		o.Roles.AnyOf = texts(v)
	default:
		return fmt.Errorf("x-roles is neither a group nor a list")
	}
	return nil
}

func roleGroups(spec *openapi3.T) (map[string]RoleRule, error) {
	out := map[string]RoleRule{}
	raw, _ := spec.Extensions["x-role-groups"].(map[string]any)
	for name, x := range raw {
		m, ok := x.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("x-role-groups.%s is not an object", name)
		}
		out[name] = RoleRule{AnyOf: texts(m["anyOf"]), NoneOf: texts(m["noneOf"])}
	}
	return out, nil
}

// RoleGroup returns a role group of the spec, for rules about data that
// handlers apply themselves (VEHICLE_STAFF_READ, contract 5.6).
func RoleGroup(spec *openapi3.T, name string) (RoleRule, error) {
	groups, err := roleGroups(spec)
	if err != nil {
		return RoleRule{}, err
	}
	rule, ok := groups[name]
	if !ok {
		return RoleRule{}, fmt.Errorf("the spec has no role group %s", name)
	}
	return rule, nil
}

func texts(x any) []string {
	list, _ := x.([]any)
	out := make([]string, 0, len(list))
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
