package edge

// This file: the operation of a request, by the route that echo found.

import (
	"slices"
	"strings"

	"equipment-platform/internal/contract"
)

// route is a method and a path as echo knows it.
type route struct{ method, path string }

// operations finds the operation of a request by method and echo route.
type operations struct {
	byRoute map[route]*contract.Operation
	// literals lists, for a route with a parameter, the fixed words that another
	// path has for the parameter: /vehicles/count is not a vehicle, whatever the
	// method.
	literals map[string]map[string][]string
	methods  map[string][]string // spec path to its methods
}

func indexOperations(list []*contract.Operation) *operations {
	o := &operations{byRoute: map[route]*contract.Operation{}, literals: map[string]map[string][]string{}, methods: map[string][]string{}}
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

// shadows reports whether special is general with one parameter replaced by a
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
