package edge

// This file: what the published spec says about each operation, read once at
// start. Roles, limits and schemas are never written again in Go.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"

	"equipment-platform/internal/auth"
)

// DefaultBodyLimit bounds a request body in bytes where the operation has no
// `x-body-limit` of its own (D7.5).
const DefaultBodyLimit = 1 << 20

// RoleRule says who may call: at least one of AnyOf (nobody is refused when it
// is empty) and none of NoneOf.
type RoleRule struct {
	AnyOf, NoneOf []string
}

// Allows tells whether the rule lets the caller pass.
func (r RoleRule) Allows(c auth.Caller) bool {
	return (len(r.AnyOf) == 0 || c.HasRole(r.AnyOf...)) && !c.HasRole(r.NoneOf...)
}

// Operation is one operation of the spec.
type Operation struct {
	ID        string
	Method    string
	Path      string // template as in the spec
	Protected bool   // a token is required
	Roles     RoleRule
	BodyLimit int64
	// KeyHeaders are the API key headers that the operation requires beside
	// the token (D8.9).
	KeyHeaders []string
	Deprecated bool

	params    []*openapi3.Parameter
	skippable map[*openapi3.Parameter]bool // whose absence needs no look
	scalars   []string                     // query parameters that may come once only
	hasQuery  bool
	body      *openapi3.RequestBody
	jsonBody  *openapi3.Schema
	rewrite   *rewriter // of the body before it is validated; nil: nothing to do
	exact     []string  // fields of the body that are numbers with bounds or a step
	streaming bool      // the body has media types other than JSON
}

// route is a method and a path as echo knows it.
type route struct{ method, path string }

// operations finds the operation of a request by method and echo route.
type operations struct {
	byRoute map[route]*Operation
	// literals lists, for a route with a parameter, the fixed words that stand
	// at the parameter's place in another path: /vehicles/count is not a
	// vehicle, whatever the method.
	literals map[string]map[string][]string
	methods  map[string][]string // spec path to its methods
}

func init() {
	// kin-openapi ignores a format that nobody has defined; ours is exactly 8-4-4-4-12 in hexadecimal
	openapi3.DefineStringFormatValidator("uuid", openapi3.NewCallbackValidator(func(s string) error {
		if len(s) != 36 {
			return fmt.Errorf("is not a UUID")
		}
		if _, err := uuid.Parse(s); err != nil {
			return fmt.Errorf("is not a UUID")
		}
		return nil
	}))
}

// Operations reads the operations of a spec: the table that tests compare with
// their golden copy, and the middleware enforces.
func Operations(spec *openapi3.T) ([]*Operation, error) {
	groups, err := roleGroups(spec)
	if err != nil {
		return nil, err
	}
	var out []*Operation
	for path, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			o, err := newOperation(spec, groups, path, method, item, op)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b *Operation) int {
		return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
	})
	return out, nil
}

func newOperation(spec *openapi3.T, groups map[string]RoleRule, path, method string, item *openapi3.PathItem, op *openapi3.Operation) (*Operation, error) {
	o := &Operation{ID: op.OperationID, Method: method, Path: path, BodyLimit: DefaultBodyLimit, Deprecated: op.Deprecated, skippable: map[*openapi3.Parameter]bool{}}
	for _, ref := range append(slices.Clone(item.Parameters), op.Parameters...) {
		p := ref.Value
		o.params = append(o.params, p)
		o.skippable[p] = skippable(p)
		if p.In == openapi3.ParameterInQuery {
			o.hasQuery = true
			if p.Schema == nil || !p.Schema.Value.Type.Is(openapi3.TypeArray) {
				o.scalars = append(o.scalars, p.Name)
			}
		}
	}
	if op.Security != nil {
		o.Protected = len(*op.Security) > 0 && !slices.ContainsFunc(*op.Security, func(r openapi3.SecurityRequirement) bool { return len(r) == 0 })
		for _, requirement := range *op.Security {
			for name := range requirement {
				if s := spec.Components.SecuritySchemes[name]; s != nil && s.Value.Type == "apiKey" && s.Value.In == "header" {
					o.KeyHeaders = append(o.KeyHeaders, s.Value.Name)
				}
			}
		}
	}
	if err := o.readRoles(groups, op.Extensions["x-roles"]); err != nil {
		return nil, err
	}
	if limit, ok := op.Extensions["x-body-limit"].(float64); ok {
		o.BodyLimit = int64(limit)
	}
	if op.RequestBody != nil {
		o.body = op.RequestBody.Value
		for mediaType, content := range o.body.Content {
			if mediaType == "application/json" {
				o.jsonBody = content.Schema.Value
				nullIsAbsent, _ := spec.Extensions["x-null-is-absent"].(bool)
				if r := (rewriter{nullIsAbsent: nullIsAbsent}); r.needed(o.jsonBody, map[*openapi3.Schema]bool{}) {
					o.rewrite = &r
				}
				o.exact = boundedNumbers(o.jsonBody)
			} else {
				o.streaming = true
			}
		}
	}
	return o, nil
}

// skippable tells whether there is nothing to validate, and no default to write
// into the request, when a parameter is absent. Most of a list's are.
func skippable(p *openapi3.Parameter) bool {
	if p.In != openapi3.ParameterInQuery || p.Required || p.Schema == nil {
		return false
	}
	t := p.Schema.Value.Type // an object's fields would come as parameters of their own
	return p.Schema.Value.Default == nil && t != nil && len(*t) == 1 && !t.Is(openapi3.TypeObject)
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
// handlers apply themselves (VEHICLE_STAFF_READ, S5).
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

func indexOperations(list []*Operation) *operations {
	o := &operations{byRoute: map[route]*Operation{}, literals: map[string]map[string][]string{}, methods: map[string][]string{}}
	paths := map[string]bool{}
	for _, op := range list {
		o.byRoute[route{op.Method, echoRoute(op.Path)}] = op
		o.methods[op.Path] = append(o.methods[op.Path], op.Method)
		paths[op.Path] = true
	}
	for general := range paths {
		for special := range paths {
			if name, word, ok := shadows(special, general); ok {
				route := echoRoute(general)
				if o.literals[route] == nil {
					o.literals[route] = map[string][]string{}
				}
				o.literals[route][name] = append(o.literals[route][name], word)
			}
		}
	}
	return o
}

// shadows tells whether special is general with one parameter replaced by a
// fixed word, and which.
func shadows(special, general string) (name, word string, ok bool) {
	s, g := strings.Split(special, "/"), strings.Split(general, "/")
	if len(s) != len(g) {
		return "", "", false
	}
	for i := range g {
		switch {
		case strings.HasPrefix(g[i], "{") && strings.HasPrefix(s[i], "{"), g[i] == s[i]:
		case strings.HasPrefix(g[i], "{") && !ok:
			name, word, ok = strings.Trim(g[i], "{}"), s[i], true
		default:
			return "", "", false
		}
	}
	return name, word, ok
}

func echoRoute(path string) string {
	return strings.NewReplacer("{", ":", "}", "").Replace(path)
}

// allowed lists the methods that the spec has for a request path; nil when it
// has none.
func (o *operations) allowed(requestPath string) []string {
	parts := strings.Split(requestPath, "/")
	best, bestFixed := []string(nil), -1
	for path, methods := range o.methods {
		fixed, ok := 0, true
		template := strings.Split(path, "/")
		if len(template) != len(parts) {
			continue
		}
		for i := range template {
			if template[i] == parts[i] {
				fixed++
			} else if !strings.HasPrefix(template[i], "{") {
				ok = false
				break
			}
		}
		if ok && fixed > bestFixed {
			best, bestFixed = methods, fixed
		}
	}
	return slices.Clone(best)
}
