// What an answer of the endpoint must look like, and what may be said of one
// that does not: never its text, which may repeat the API key.

package embedding

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"

	"equipment-platform/gen/embeddingsapi"
)

// vectorsOf checks an answer and gives its vectors in the order of the texts,
// each of length 1.
func vectorsOf(response *embeddingsapi.CreateEmbeddingsResponse, want int) ([][]float32, error) {
	switch status := response.StatusCode(); status {
	case http.StatusOK:
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return nil, refused("the endpoint answered status %d", status)
	default: // also 401, 403 and 404: a wrong key or model is no fault of the texts
		return nil, unavailable("the endpoint answered status %d", status)
	}
	if response.JSON200 == nil {
		return nil, refused("the endpoint answered something that is not JSON")
	}
	data := response.JSON200.Data
	if len(data) != want {
		return nil, refused("the endpoint answered %d vectors for %d texts", len(data), want)
	}
	if err := refuseNulls(response.Body); err != nil {
		return nil, err
	}
	out := make([][]float32, want)
	for _, d := range data {
		switch {
		case d.Index < 0 || d.Index >= want:
			return nil, refused("the endpoint answered an index out of range")
		case out[d.Index] != nil:
			return nil, refused("the endpoint answered an index twice")
		case len(d.Embedding) == 0:
			return nil, refused("the endpoint answered an empty vector")
		case len(d.Embedding) > Dimension:
			return nil, lengthError{len(d.Embedding)}
		case len(d.Embedding) != len(data[0].Embedding):
			return nil, refused("the endpoint answered vectors of different lengths")
		case !normalise(d.Embedding):
			return nil, refused("the endpoint answered a vector that is zero or not finite")
		}
		out[d.Index] = d.Embedding
	}
	return out, nil
}

// refuseNulls refuses vectors with null components: servers in JavaScript write
// a NaN that way, and reading it as a number gives a silent 0. Other nulls do no
// harm.
func refuseNulls(body []byte) error {
	if !bytes.Contains(body, []byte("null")) {
		return nil
	}
	var answer struct {
		Data []struct {
			Embedding []*float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return refused("the endpoint answered something that is not JSON")
	}
	for _, d := range answer.Data {
		for _, x := range d.Embedding {
			if x == nil {
				return refused("the endpoint answered a vector with a null in it")
			}
		}
	}
	return nil
}

// failure says why a request failed without the address, which may hold a
// password, and without anything that was sent or answered.
func failure(ctx context.Context, err error) error {
	var tooLarge *http.MaxBytesError
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	var operation *net.OpError
	var lookup *net.DNSError
	var viaURL *url.Error
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return unavailable("the endpoint took too long: %w", context.DeadlineExceeded)
	case errors.Is(ctx.Err(), context.Canceled):
		return unavailable("the caller gave up")
	case errors.As(err, &tooLarge):
		return refused("the endpoint's answer is too large")
	case errors.As(err, &syntax), errors.As(err, &wrongType):
		return refused("the endpoint answered something that is not the JSON asked for")
	case errors.As(err, &lookup):
		return unavailable("the endpoint's host name cannot be resolved")
	case errors.As(err, &operation):
		return unavailable("connection failed: %s: %v", operation.Op, operation.Err)
	case errors.As(err, &viaURL):
		return unavailable("the connection broke")
	}
	return unavailable("the answer cannot be read")
}

func isNetError(err error) bool {
	var operation *net.OpError
	return errors.As(err, &operation)
}
