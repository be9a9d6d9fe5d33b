package edge

// This file: what becomes of a JSON body once it is validated. Both readers find
// it by the request, since generated code stands between the gate and them:
// the wrapper that decodes it, and the handler of a creation with an
// Idempotency-Key, which compares what was sent (internal/catalog/idempotency.go).

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/labstack/echo/v4"

	"equipment-platform/internal/contract"
)

const (
	bodyKey           = "edge.body"
	idempotencyHeader = "Idempotency-Key"
)

// handOver leaves the body where binder and RawRequest look for it.
func handOver(c echo.Context, body contract.Body) {
	c.Set(bodyKey, body.Valid)
	if r := c.Request(); body.Sent != nil && r.Header.Get(idempotencyHeader) != "" {
		c.SetRequest(r.WithContext(context.WithValue(r.Context(), rawKey{}, rawRequest{r.URL.Path, body.Sent})))
	}
}

// binder hands the validated bytes to the generated wrappers. They must not
// read the request again: its body is spent.
type binder struct{}

// Bind implements echo.Binder. io.EOF is how the generated wrappers learn that an
// optional body is not there.
func (binder) Bind(i any, c echo.Context) error {
	raw, validated := c.Get(bodyKey).([]byte)
	if !validated {
		return errors.New("a JSON body was bound that nobody validated")
	}
	if raw == nil {
		return io.EOF
	}
	err := json.NewDecoder(bytes.NewReader(raw)).Decode(i)
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrongType):
		// such as 2020.0, an integer to the schema but not to a Go integer
		return InvalidField(cmp.Or(wrongType.Field, "body"), "has a value that does not fit its type").Because(err)
	case err != nil:
		return InvalidField("body", "cannot be read").Because(err)
	default:
		return nil
	}
}

type rawKey struct{}

type rawRequest struct {
	path string
	body []byte
}

// RawRequest returns path and body, as sent, of a request that carries an
// Idempotency-Key: two bodies are the same when their bytes are (contract 9.11).
func RawRequest(ctx context.Context) (path string, body []byte) {
	r, _ := ctx.Value(rawKey{}).(rawRequest)
	return r.path, r.body
}
