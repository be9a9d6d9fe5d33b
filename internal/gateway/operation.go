package gateway

// This file: what the contract says about each endpoint beyond what the edge
// enforces, read once at start: the names inside Query, the names that the
// endpoint takes elsewhere, and whether it needs the configured box.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"equipment-platform/gen/providerapi"
)

// operation is one endpoint.
type operation struct {
	id       string
	hasQuery bool
	query    []queryParameter
	// elsewhere are the names that the endpoint takes outside Query alone.
	elsewhere []string
	// needsBox: the provider's operation requires a box id in its query.
	needsBox bool
	// stream: the body is required and not JSON.
	stream bool
	// upload: the body is a file, of any type.
	upload bool
	// accept is the Accept header towards the upstream. Nothing writes into it.
	accept []string
	// file: the answer is a file, in whatever coding the caller takes.
	file bool
	// answer is the schema of the JSON answer; nil: another kind of answer.
	answer *openapi3.Schema
	// mayBeEmpty: the contract has a 204, for "not yet" or "nothing there".
	mayBeEmpty bool
}

// queryParameter is a known name inside Query.
type queryParameter struct {
	Name     string
	Required bool
	Type     string
	Format   string
	Enum     []string
	// Names are the values of the enumeration by the provider's numbers for them.
	Names map[string]string
}

func readOperations(spec *openapi3.T) (map[string]*operation, error) {
	out := map[string]*operation{}
	for path, item := range spec.Paths.Map() {
		for _, op := range item.Operations() {
			o, err := readOperation(spec, op)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			name, _ := op.Extensions["x-provider-operation"].(string)
			o.needsBox = slices.ContainsFunc(providerapi.RequiredQuery[name], isBoxName)
			out[op.OperationID] = o
		}
	}
	return out, nil
}

func readOperation(spec *openapi3.T, op *openapi3.Operation) (*operation, error) {
	o := &operation{id: op.OperationID, mayBeEmpty: op.Responses.Status(http.StatusNoContent) != nil}
	for _, ref := range op.Parameters {
		if ref.Value.Name != "Query" {
			continue
		}
		o.hasQuery = true
		raw, err := json.Marshal(ref.Value.Extensions["x-query-parameters"])
		if err != nil {
			return nil, err
		}
		var list []struct {
			Name     string
			Required bool
			Schema   struct {
				Ref    string `json:"$ref"`
				Type   string
				Format string
			}
		}
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, fmt.Errorf("x-query-parameters: %w", err)
		}
		for _, p := range list {
			known := queryParameter{Name: p.Name, Required: p.Required, Type: p.Schema.Type, Format: p.Schema.Format}
			if p.Schema.Ref != "" {
				schema := spec.Components.Schemas[strings.TrimPrefix(p.Schema.Ref, "#/components/schemas/")]
				if schema == nil {
					return nil, fmt.Errorf("x-query-parameters: there is no %s", p.Schema.Ref)
				}
				for _, v := range schema.Value.Enum {
					known.Enum = append(known.Enum, fmt.Sprint(v))
				}
				numbers, _ := schema.Value.Extensions["x-enum-numbers"].([]any)
				known.Names = map[string]string{}
				for i, n := range numbers {
					known.Names[fmt.Sprint(n)] = known.Enum[i]
				}
			}
			o.query = append(o.query, known)
		}
	}
	for _, ref := range op.Parameters {
		p := ref.Value
		known := slices.ContainsFunc(o.query, func(k queryParameter) bool { return k.Name == p.Name })
		if p.Name != "Query" && p.In != openapi3.ParameterInHeader && !known {
			o.elsewhere = append(o.elsewhere, p.Name)
		}
	}
	if op.RequestBody != nil {
		body := op.RequestBody.Value
		o.stream = body.Required && body.Content["application/json"] == nil
		o.upload = body.Content["*/*"] != nil
	}
	o.accept = []string{"*/*"} // files and texts: the upstream chooses
	if ok := op.Responses.Status(http.StatusOK); ok != nil {
		o.file = ok.Value.Content["*/*"] != nil
		if content := ok.Value.Content["application/json"]; content != nil {
			o.accept, o.answer = []string{"application/json"}, content.Schema.Value
		}
	}
	return o, nil
}
