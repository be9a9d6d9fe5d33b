package contract

// This file: what the spec says about each operation, read once at start.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// DefaultBodyLimit bounds a request body in bytes where the operation has no
// `x-body-limit` of its own (contract 7.5).
const DefaultBodyLimit = 1 << 20

// Operation is one operation of the spec.
type Operation struct {
	ID        string
	Method    string
	Path      string // template as in the spec
	Protected bool   // a token is required
	Roles     RoleRule
	BodyLimit int64
	// KeyHeaders are the API key headers that the operation requires beside
	// the token (contract 8.9).
	KeyHeaders []string
	Deprecated bool
	// Secret marks answers that hold secrets (`x-secret-answer`): nobody stores or
	// compresses them.
	Secret bool

	params    []*openapi3.Parameter
	skippable map[*openapi3.Parameter]bool // whose absence needs no look
	scalars   []string                     // query parameters that may come once only
	body      *openapi3.RequestBody
	jsonBody  *openapi3.Schema
	rewrite   *rewriter // of the body before it is validated; nil: nothing to do
	exact     []string  // fields of the body that are numbers with bounds or a step
	streaming bool      // the body has media types other than JSON
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
	o := &Operation{ID: op.OperationID, Method: method, Path: path, BodyLimit: DefaultBodyLimit, Deprecated: op.Deprecated, Secret: op.Extensions["x-secret-answer"] == true, skippable: map[*openapi3.Parameter]bool{}}
	for _, ref := range append(slices.Clone(item.Parameters), op.Parameters...) {
		p := ref.Value
		o.params = append(o.params, p)
		o.skippable[p] = skippable(p)
		if p.In == openapi3.ParameterInQuery {
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
			if mediaType == mediaJSON {
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

// skippable reports whether there is nothing to validate, and no default to write
// into the request, when a parameter is absent. Most of a list's are.
func skippable(p *openapi3.Parameter) bool {
	if p.In != openapi3.ParameterInQuery || p.Required || p.Schema == nil {
		return false
	}
	t := p.Schema.Value.Type // an object's fields would come as parameters of their own
	return p.Schema.Value.Default == nil && t != nil && len(*t) == 1 && !t.Is(openapi3.TypeObject)
}
