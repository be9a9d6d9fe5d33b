package gateway_test

// This file: the tables that the contract was made from, as data, and the
// check that each of their rows stands in the specs.

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/contract"
)

func tempDir() (string, error) { return os.MkdirTemp("", "gateway-test-") }

// readTable reads a table as one map for each row.
func readTable(t testing.TB, name string) []map[string]string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	var head []string
	var rows []map[string]string
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if head == nil {
			head = cells
			continue
		}
		row := map[string]string{}
		for i, name := range head {
			if i < len(cells) {
				row[name] = cells[i]
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// tableParam is `name:type*` of a table.
type tableParam struct {
	name, kind string
	required   bool
}

func parseParams(list, separator string) (out []tableParam) {
	for item := range strings.SplitSeq(list, separator) {
		item = strings.TrimSpace(item)
		if item == "" || item == "-" {
			continue
		}
		name, kind, _ := strings.Cut(item, ":")
		out = append(out, tableParam{name, strings.TrimSuffix(kind, "*"), strings.HasSuffix(kind, "*")})
	}
	return out
}

var queryMembers = regexp.MustCompile(`Query\{(.*)\}`)

// queryOf splits the query column of endpoints.tsv.
func queryOf(row map[string]string) (plain, inside []tableParam) {
	if m := queryMembers.FindStringSubmatch(row["query"]); m != nil {
		inside = parseParams(m[1], ",")
	}
	return parseParams(queryMembers.ReplaceAllString(row["query"], ""), ";"), inside
}

func pathParams(row map[string]string) []string {
	if row["path_params"] == "-" {
		return nil
	}
	return strings.Split(row["path_params"], ",")
}

func refName(ref string) string { return ref[strings.LastIndex(ref, "/")+1:] }

// renamed are messages of the tables whose names are types of some language, or of
// the code that generators write, by their names in the specs.
var renamed = map[string]string{
	"Timestamp": "ProviderTimestamp", "Box": "ExchangeBox",
	"PrepareDocumentsToSignResponse": "PrepareDocumentsToSignResult", "ForwardDocumentResponse": "ForwardDocumentResult",
	"GetForwardedDocumentsResponse": "GetForwardedDocumentsResult", "GetForwardedDocumentEventsResponse": "GetForwardedDocumentEventsResult",
}

// schemaOf is the name in the specs of a message of the tables.
func schemaOf(message string) string { return cmp.Or(renamed[message], message) }

// bodyOf is the name without the mark of what is sent.
func bodyOf(ref string) string { return strings.TrimSuffix(refName(ref), ".Request") }

func TestEndpointTableStandsInSpec(t *testing.T) {
	t.Parallel()
	rows := readTable(t, "endpoints.tsv")
	require.Len(t, rows, 137)
	operations, err := contract.Operations(gatewaySpec())
	require.NoError(t, err)
	require.Len(t, operations, 137)
	byID := map[string]*contract.Operation{}
	for _, op := range operations {
		byID[op.ID] = op
	}
	covered := map[string]bool{}
	for _, row := range rows {
		t.Run(row["operationId"], func(t *testing.T) {
			op := byID[row["operationId"]]
			require.NotNil(t, op)
			require.Equal(t, row["method"]+" "+row["path"], op.Method+" "+op.Path)
			require.Equal(t, strings.Split(row["roles"], ","), op.Roles.AnyOf)
			require.True(t, op.Protected)
			require.Equal(t, row["group"] == "forwarded documents", op.Deprecated)
			wantKeys := map[string][]string{"exchange": {"X-Partner-Access-Token"}, "logistics": {"x-partner-apikey"}, "waybill": {"x-partner-apikey"}, "transport": {"x-partner-apikey"}}
			require.Equal(t, wantKeys[row["upstream"]], op.KeyHeaders)
			spec := gatewaySpec().Paths.Find(row["path"]).GetOperation(row["method"])
			require.NotEmpty(t, spec.Summary)
			require.NotEmpty(t, spec.Description)
			require.Equal(t, []string{row["group"]}, spec.Tags)
			checkSpecParams(t, row, spec)
			checkSpecBodies(t, row, spec)
		})
		if op := row["provider_operation"]; op != "-" {
			covered[op] = true
		}
	}
	require.Len(t, covered, 116)
}

func checkSpecParams(t *testing.T, row map[string]string, op *openapi3.Operation) {
	t.Helper()
	plain, inside := queryOf(row)
	want := []string{"header X-Request-Id"}
	for _, name := range pathParams(row) {
		want = append(want, "path "+name+" *")
	}
	star := map[bool]string{true: " *"}
	for _, p := range plain {
		want = append(want, "query "+p.name+star[p.required])
	}
	if inside != nil {
		want = append(want, "query Query")
	}
	for _, p := range inside {
		want = append(want, "query "+p.name)
	}
	var got []string
	for _, p := range op.Parameters {
		got = append(got, p.Value.In+" "+p.Value.Name+star[p.Value.Required])
		if i := slices.IndexFunc(inside, func(q tableParam) bool { return q.name == p.Value.Name }); i >= 0 {
			checkMember(t, inside[i], p.Value)
			continue
		}
		require.True(t, p.Value.Schema.Value.Type.Is("string"), p.Value.Name)
		if p.Value.Name == "Query" {
			known, ok := p.Value.Extensions["x-query-parameters"].([]any)
			require.True(t, ok)
			require.Len(t, known, len(inside))
			for i, k := range known {
				require.Equal(t, inside[i].name, k.(map[string]any)["name"])
				require.Equal(t, inside[i].required, k.(map[string]any)["required"] == true)
			}
		}
	}
	require.ElementsMatch(t, want, got)
}

// checkMember checks the parameter that is declared for a name inside Query
// (contract 8.14).
func checkMember(t *testing.T, member tableParam, p *openapi3.Parameter) {
	t.Helper()
	want := map[string]string{
		"int": "integer int32", "long": "integer int64", "bool": "boolean ", "flag": "boolean ", "csv": "array ",
	}
	schema := p.Schema.Value
	require.Equal(t, cmp.Or(want[member.kind], "string "), (*schema.Type)[0]+" "+schema.Format, p.Name)
	require.Equal(t, member.required, strings.HasSuffix(p.Description, "Required, here or inside `Query`."), p.Name)
	require.NotNil(t, p.Example, p.Name)
	if member.kind == "csv" {
		require.Equal(t, "form", p.Style)
		require.False(t, *p.Explode, "a list is one value")
	}
}

func checkSpecBodies(t *testing.T, row map[string]string, op *openapi3.Operation) {
	t.Helper()
	switch want := row["request_body"]; want {
	case "-":
		require.Nil(t, op.RequestBody)
	case "binary":
		require.Contains(t, op.RequestBody.Value.Content, "application/octet-stream")
	case "multipart":
		require.Contains(t, op.RequestBody.Value.Content, "multipart/form-data")
	default:
		require.Equal(t, schemaOf(want), bodyOf(op.RequestBody.Value.Content["application/json"].Schema.Ref))
		require.NotNil(t, op.RequestBody.Value.Content["application/json"].Example)
	}
	ok := op.Responses.Status(200)
	switch want := row["response"]; want {
	case "-":
		require.NotNil(t, op.Responses.Status(204))
	case "binary":
		require.Contains(t, ok.Value.Content, "*/*")
	case "text":
		require.Contains(t, ok.Value.Content, "text/plain")
	default:
		require.Equal(t, schemaOf(want), refName(ok.Value.Content["application/json"].Schema.Ref))
		require.NotNil(t, ok.Value.Content["application/json"].Example)
	}
	for _, status := range []int{400, 401, 403, 409, 500} {
		require.NotNil(t, op.Responses.Status(status), status)
	}
}

func TestProviderTableStandsInSpec(t *testing.T) {
	t.Parallel()
	rows := readTable(t, "provider-operations.tsv")
	require.Len(t, rows, 117)
	spec := upstreamSpecs["exchange"]()
	covered := 0
	for _, row := range rows {
		if row["covered"] != "yes" {
			continue
		}
		covered++
		t.Run(row["operation"], func(t *testing.T) {
			item := spec.Paths.Find(row["path"])
			require.NotNil(t, item)
			op := item.GetOperation(row["method"])
			require.NotNil(t, op)
			require.Equal(t, row["operation"], op.OperationID)
			var want, got []string
			for _, p := range parseParams(row["query"], ",") {
				want = append(want, p.name+map[bool]string{true: " *"}[p.required])
			}
			for _, p := range op.Parameters {
				got = append(got, p.Value.Name+map[bool]string{true: " *"}[p.Value.Required])
			}
			require.ElementsMatch(t, want, got)
			if body := row["request"]; body != "-" && body != "binary" {
				require.Equal(t, schemaOf(body), bodyOf(op.RequestBody.Value.Content["application/json"].Schema.Ref))
			}
			if resp := row["response"]; resp != "-" && resp != "binary" && resp != "text" {
				require.Equal(t, schemaOf(resp), refName(op.Responses.Status(200).Value.Content["application/json"].Schema.Ref))
			}
		})
	}
	require.Equal(t, 116, covered)
	operations := 0
	for _, item := range spec.Paths.Map() {
		operations += len(item.Operations())
	}
	require.Equal(t, 117, operations, "116 and the GET form of title recognition")
}

func TestMessageTableStandsInSpec(t *testing.T) {
	t.Parallel()
	messages := map[string][]map[string]string{}
	var names []string
	for _, row := range readTable(t, "messages.tsv") {
		if messages[row["message"]] == nil {
			names = append(names, row["message"])
		}
		messages[row["message"]] = append(messages[row["message"]], row)
	}
	require.Len(t, names, 517)
	for _, name := range names {
		if messages[name][0]["kind"] == "enum" {
			checkEnum(t, name, messages[name])
			continue
		}
		if name == "LoginPassword" {
			continue // of the operation that is not covered
		}
		for label, spec := range map[string]*openapi3.T{"gateway": gatewaySpec(), "exchange": upstreamSpecs["exchange"]()} {
			if strings.HasPrefix(name, "gateway.") && label != "gateway" {
				continue
			}
			if name == "GetOrganizationsByInnListRequest" && label == "gateway" {
				continue // the gateway makes it
			}
			ref := spec.Components.Schemas[schemaOf(name)]
			require.NotNil(t, ref, name)
			checkMessage(t, label+" "+name, ref.Value, messages[name], label == "gateway")
			if sent := spec.Components.Schemas[schemaOf(name)+".Request"]; sent != nil {
				checkMessage(t, label+" "+name+".Request", sent.Value, messages[name], label == "gateway")
			}
		}
	}
}

// scalars are the types of the table in the spec's words.
var scalars = map[string][2]string{
	"string": {"string", ""}, "bool": {"boolean", ""}, "int32": {"integer", "int32"}, "sfixed32": {"integer", "int32"},
	"sfixed64": {"integer", "int64"}, "bytes(base64)": {"string", "byte"},
}

func checkMessage(t *testing.T, label string, schema *openapi3.Schema, rows []map[string]string, filled bool) {
	t.Helper()
	var required []string
	fields := 0
	for _, row := range rows {
		if row["field"] == "-" {
			continue
		}
		fields++
		property := schema.Properties[row["field"]]
		require.NotNil(t, property, "%s.%s", label, row["field"])
		kind, repeated := strings.CutPrefix(row["type"], "repeated ")
		if repeated {
			require.True(t, property.Value.Type.Is("array"), "%s.%s", label, row["field"])
			property = property.Value.Items
		}
		if scalar, ok := scalars[kind]; ok {
			require.True(t, property.Value.Type.Is(scalar[0]), "%s.%s", label, row["field"])
			require.Equal(t, scalar[1], property.Value.Format, "%s.%s", label, row["field"])
		} else {
			require.Equal(t, schemaOf(kind), bodyOf(property.Ref), "%s.%s", label, row["field"])
		}
		_, fillable := schema.Properties[row["field"]].Value.Extensions["x-filled-by-gateway"]
		if row["required"] == "required" && (!filled || !fillable) {
			required = append(required, row["field"])
		}
	}
	require.Len(t, schema.Properties, fields, label)
	require.ElementsMatch(t, required, schema.Required, label)
}

func checkEnum(t *testing.T, name string, rows []map[string]string) {
	t.Helper()
	for _, suffix := range []string{"", ".Request"} {
		ref := gatewaySpec().Components.Schemas[name+suffix]
		if ref == nil {
			if name != "DocumentTitleType" { // sent as a number
				require.NotEmpty(t, suffix, name)
			}
			continue
		}
		var known []string
		numbers, _ := ref.Value.Extensions["x-enum-numbers"].([]any)
		require.True(t, ref.Value.Type.Is("string"), name+suffix)
		for _, v := range ref.Value.Enum { // names only: a generator would make two members of a name and its number
			known = append(known, v.(string))
		}
		if open, ok := ref.Value.Extensions["x-extensible-enum"].([]any); ok {
			for _, v := range open {
				known = append(known, v.(string))
			}
		}
		for _, row := range rows {
			if strings.Contains(row["field"], "<") {
				continue // the vendor's own name: carried as an open string
			}
			require.Contains(t, known, row["field"], name+suffix)
			require.Len(t, numbers, len(known), name+suffix)
			require.Equal(t, row["type"], fmt.Sprint("value ", numbers[slices.Index(known, row["field"])]), name+suffix)
		}
	}
}

// TestRequestsAreClosedAndAnswersOpen walks every schema that a body reaches.
func TestRequestsAreClosedAndAnswersOpen(t *testing.T) {
	t.Parallel()
	for path, item := range gatewaySpec().Paths.Map() {
		for method, op := range item.Operations() {
			if body, ok := jsonBody(op); ok && op.OperationID != "createWaybill" {
				walk(body, map[*openapi3.Schema]bool{}, func(s *openapi3.Schema) {
					if s.Type.Is("object") {
						require.NotNil(t, s.AdditionalProperties.Has, "%s %s", method, path)
						require.False(t, *s.AdditionalProperties.Has)
					}
					require.Nil(t, s.Default)
				})
			}
			if ok := op.Responses.Status(200); ok != nil && ok.Value.Content["application/json"] != nil {
				walk(ok.Value.Content["application/json"].Schema.Value, map[*openapi3.Schema]bool{}, func(s *openapi3.Schema) {
					require.Empty(t, s.Enum, "%s %s", method, path)
					require.True(t, s.AdditionalProperties.Has == nil || *s.AdditionalProperties.Has, "%s %s: %v", method, path, s.Required)
				})
			}
		}
	}
}

func walk(s *openapi3.Schema, seen map[*openapi3.Schema]bool, visit func(*openapi3.Schema)) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	visit(s)
	for _, p := range s.Properties {
		walk(p.Value, seen, visit)
	}
	if s.Items != nil {
		walk(s.Items.Value, seen, visit)
	}
}
