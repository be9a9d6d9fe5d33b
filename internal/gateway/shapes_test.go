package gateway_test

// This file: what generated clients send in a wrong shape, at every field and
// parameter of every operation. The tables of input_test.go have the single cases.

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// wrongValues are JSON values that a schema does not take, by what they are.
func wrongValues(s *openapi3.Schema) map[string]any {
	wrong := map[string]any{"a list of a list": []any{[]any{"x"}}}
	switch {
	case s.Type.Is("array"):
		wrong["a text for a list"] = "x"
		wrong["an object for a list"] = map[string]any{"x": 1}
	case s.Type.Is("object"):
		wrong["a text for an object"] = "x"
		wrong["an unknown field"] = map[string]any{"noSuchField": 1}
	case len(s.Enum) > 0:
		wrong["a list for a word"] = []any{s.Enum[0]}
		wrong["an unknown word"] = "NoSuchWord"
		wrong["an unknown number"] = 4711
		wrong["a number as a text"] = "1"
		wrong["a word in small letters"] = strings.ToLower(fmt.Sprint(s.Enum[0]))
	case s.Type.Is("string"):
		wrong["a list for a text"] = []any{"x"}
		wrong["a number for a text"] = 1
		wrong["an object for a text"] = map[string]any{"x": 1}
	default: // numbers and marks
		wrong["a list for it"] = []any{1}
		wrong["a text for it"] = "1"
		wrong["a fraction"] = 1.5
	}
	return wrong
}

// named reports whether details name a place or something inside it.
func named(details map[string]string, place string) bool {
	for field := range details {
		if field == place || strings.HasPrefix(field, place+"[") || strings.HasPrefix(field, place+".") {
			return true
		}
	}
	return false
}

// queryWith gives each parameter of an operation its example but those that replaced says otherwise of.
func queryWith(op *openapi3.Operation, replaced url.Values) string {
	values := url.Values{}
	for _, ref := range op.Parameters {
		if p := ref.Value; p.In == "query" && p.Name != "Query" {
			if example, ok := p.Example.([]any); ok {
				values.Set(p.Name, strings.Trim(strings.ReplaceAll(fmt.Sprint(example), " ", ","), "[]"))
			} else if number, ok := p.Example.(float64); ok {
				values.Set(p.Name, fmt.Sprintf("%.0f", number))
			} else {
				values.Set(p.Name, fmt.Sprint(p.Example))
			}
		}
	}
	maps.Copy(values, replaced)
	return "?" + values.Encode()
}

func TestWrongShapesAreNamed(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	fields, parameters := 0, 0
	for _, row := range readTable(t, "endpoints.tsv") {
		op := gatewaySpec().Paths.Value(row["path"]).GetOperation(row["method"])
		path := row["path"]
		for _, name := range pathParams(row) {
			path = strings.ReplaceAll(path, "{"+name+"}", pathSegment(name))
		}
		var body []byte
		if op.RequestBody != nil {
			if content := op.RequestBody.Value.Content.Get("application/json"); content != nil {
				schema := content.Schema.Value
				for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
					for what, value := range wrongValues(schema.Properties[name].Value) {
						sent, err := json.Marshal(map[string]any{name: value})
						require.NoError(t, err)
						p := b.call(row["method"], path+queryWith(op, nil), string(sent)).problem(t, 400, "validation_failed")
						require.True(t, named(p.Details, name), "%s: %s: %s: %v", op.OperationID, what, sent, p.Details)
						fields++
					}
				}
				body = []byte(`{}`)
			}
		}
		for _, ref := range op.Parameters {
			p := ref.Value
			if p.In != "query" || p.Name == "Query" {
				continue
			}
			schema := p.Schema.Value
			wrong := url.Values{}
			switch {
			case len(schema.Enum) > 0:
				wrong[""] = []string{"NoSuchWord"}
			case schema.Type.Is("integer"), schema.Type.Is("boolean"):
				wrong[""] = []string{"many"}
			}
			valid, err := url.ParseQuery(strings.TrimPrefix(queryWith(op, nil), "?"))
			require.NoError(t, err)
			wrong["twice"] = []string{valid.Get(p.Name), valid.Get(p.Name)}
			inQuery := valid.Get(p.Name)
			for what, values := range wrong {
				problem := b.call(row["method"], path+queryWith(op, url.Values{p.Name: values}), string(body)).problem(t, 400, "validation_failed")
				require.True(t, named(problem.Details, p.Name), "%s: %s %s: %v", op.OperationID, p.Name, what, problem.Details)
				parameters++
			}
			if op.Parameters.GetByInAndName("query", "Query") != nil && isMember(op, p.Name) {
				both := queryWith(op, url.Values{"Query": {url.Values{p.Name: {inQuery}}.Encode()}})
				problem := b.call(row["method"], path+both, string(body)).problem(t, 400, "validation_failed")
				require.True(t, named(problem.Details, p.Name) || named(problem.Details, "Query."+p.Name), "%s: %s in both places: %v", op.OperationID, p.Name, problem.Details)
				parameters++
			}
		}
	}
	require.Greater(t, fields, 700)
	require.Greater(t, parameters, 300)
	calls, _ := b.upstream.take()
	require.Empty(t, calls, "bad input stays here")
}

// isMember reports whether a name may stand inside Query as well.
func isMember(op *openapi3.Operation, name string) bool {
	members, _ := op.Parameters.GetByInAndName("query", "Query").Extensions["x-query-parameters"].([]any)
	return slices.ContainsFunc(members, func(member any) bool { return member.(map[string]any)["name"] == name })
}
