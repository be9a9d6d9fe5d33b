package gateway

// This file: turning a JSON answer into a typed object: what it will hold is
// known first, see memory.go.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	json1 "github.com/go-json-experiment/json/v1"

	"equipment-platform/internal/contract"
	"equipment-platform/internal/edge"
)

// decode reads a JSON answer. It takes a client's results as they come.
// Fields that the contract does not name are dropped and counted (contract 8.4).
func decode[T any](resp *http.Response, err error) (T, error) {
	answer, _, err := decodeWithWait[T](resp, err)
	return answer, err
}

// decodeWithWait is decode for answers that may carry a Retry-After.
func decodeWithWait[T any](resp *http.Response, err error) (answer T, wait *int32, _ error) {
	if err != nil {
		return answer, nil, err
	}
	buffer, _ := buffers.Get().(*bytes.Buffer)
	defer putBuffer(buffer)
	if err := readInto(buffer, resp, maxJSONBytes); err != nil {
		return answer, nil, err
	}
	body := bytes.TrimSpace(bytes.TrimPrefix(buffer.Bytes(), []byte(byteOrderMark)))
	if len(body) == 0 {
		return answer, nil, absent(resp)
	}
	if body[0] != '{' {
		return answer, nil, unusable(resp, errors.New("the answer is not a JSON object"))
	}
	m, err := weigh(resp, body, shapeOf(reflect.TypeFor[T]()))
	if err != nil {
		return answer, nil, err
	}
	answer, unknown, err := unmarshal[T](body, m)
	if given := callOf(resp.Request.Context()); err != nil && given.operation.answer != nil {
		if refused := given.memory.raise(m.held + int64(m.values)*anyHeld); refused != nil { // a tree of values besides
			return answer, nil, refused
		}
		if named := nameEnums(body, given.operation.answer); named != nil {
			answer, unknown, err = unmarshal[T](named, measure{})
		}
	}
	if err != nil {
		return answer, nil, unusable(resp, err)
	}
	if unknown > 0 {
		countUnknown(resp, unknown)
	}
	return answer, secondsToWait(resp), nil
}

// maxUnmeasured is what an answer may hold by its bound alone, without its tokens
// being read: most are far below.
const maxUnmeasured = 256 << 10

// weigh takes the memory that an answer will hold, before it is decoded.
func weigh(resp *http.Response, body []byte, s *shape) (measure, error) {
	given, m := callOf(resp.Request.Context()), atMost(body, s)
	if m.held > maxUnmeasured {
		if err := given.memory.compute(); err != nil {
			return m, err
		}
		var err error
		var refused *edge.Problem
		if m, err = measured(body, s); errors.As(err, &refused) {
			return m, refused
		} else if err != nil {
			return m, unusable(resp, errors.New("the answer is not one JSON object"))
		}
	}
	if err := given.memory.raise(m.held); err != nil {
		return m, err
	}
	if m.held > maxUnmeasured && given.connection != nil {
		given.memory.boundWriting(given.connection)
	}
	return m, nil
}

// maxPooled bounds the buffers that are kept for reuse.
const maxPooled = 64 << 10

// buffers hold bodies while they are decoded; nothing decoded refers to them.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBuffer(buffer *bytes.Buffer) {
	if buffer.Cap() <= maxPooled {
		buffer.Reset()
		buffers.Put(buffer)
	}
}

// Answers are read as leniently as encoding/json reads: other companies' servers
// write them. It is its second version, the standard library's from Go 1.27 on,
// because that takes a third of the time.
var (
	lenient = json2.JoinOptions(
		json2.MatchCaseInsensitiveNames(true), json1.MatchCaseSensitiveDelimiter(true),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
	)
	knownOnly = json2.JoinOptions(lenient, json2.RejectUnknownMembers(true))
)

// unmarshal decodes one JSON object and counts the fields of it that T does not
// have, unless they are counted in m.
func unmarshal[T any](body []byte, m measure) (answer T, unknown int, err error) {
	if m.exact {
		err = json2.Unmarshal(body, &answer, lenient)
	} else if err = json2.Unmarshal(body, &answer, knownOnly); errors.Is(err, json2.ErrUnknownName) {
		var whole T // without what the first try left
		err = json2.Unmarshal(body, &whole, lenient)
		answer = whole
		m, _ = measured(body, shapeOf(reflect.TypeFor[T]())) // it has been decoded, so it can be read
	}
	var misfit *json2.SemanticError
	if errors.As(err, &misfit) {
		// its own text would quote the value, which is not for logs
		err = fmt.Errorf("the answer has a value at %q that does not fit %s", misfit.JSONPointer, misfit.GoType)
	}
	return answer, m.unknown, err
}

// nameEnums puts names in the place of enumerations that an upstream gave as
// numbers; nil when there are none. Names are the rule, so this comes after
// decoding has failed.
func nameEnums(body []byte, schema *openapi3.Schema) []byte {
	var value any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil
	}
	value, changed := contract.NameEnums(value, schema)
	if !changed {
		return nil
	}
	named, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	return named
}
