package contract

// This file: the body of a request.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"equipment-platform/internal/strictjson"
)

const (
	mediaJSON       = "application/json"
	mediaMergePatch = "application/merge-patch+json"
)

// Body is a JSON body.
type Body struct {
	Sent  []byte // as the caller sent it
	Valid []byte // validated, in the form that the generated code decodes; nil: there is none
}

// HasBody reports whether the operation takes a body.
func (o *Operation) HasBody() bool { return o.body != nil }

// HasJSONBody reports whether the operation takes a body of JSON, which is read
// into memory.
func (o *Operation) HasJSONBody() bool { return o.jsonBody != nil }

// ReadBody reads and validates the body of an operation that takes one. A JSON
// body is returned; any other is left in the request to be streamed under the
// operation's limit. w is told when the limit is passed. The error is a
// *Violation, an *http.MaxBytesError or one of this package's; a Violation has as
// its Cause what kept the body from being read.
func (o *Operation) ReadBody(w http.ResponseWriter, r *http.Request) (Body, error) {
	if r.ContentLength > o.BodyLimit {
		return Body{}, ErrTooLarge
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") && r.ContentLength != 0 {
		return Body{}, ErrContentCoding
	}
	r.Body = http.MaxBytesReader(w, r.Body, o.BodyLimit)
	mediaType, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		mediaType = ""
	}
	if mediaType == mediaMergePatch && r.Method == http.MethodPatch {
		mediaType = mediaJSON // one meaning (contract 1.9), one name for the generated code
	}
	if mediaType != mediaJSON || o.jsonBody == nil {
		return Body{}, o.acceptStream(r, mediaType)
	}
	if charset, given := params["charset"]; given && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "us-ascii") {
		return Body{}, o.refuseMediaType(r) // JSON is UTF-8 (RFC 8259, 8.1), and ASCII a part of it
	}
	r.Header.Set("Content-Type", mediaJSON)
	raw, err := io.ReadAll(r.Body)
	switch {
	case err != nil:
		return Body{}, unreadBody(err)
	case len(raw) == 0:
		return Body{}, o.withoutBody()
	}
	valid, err := o.validateJSON(raw)
	return Body{Sent: raw, Valid: valid}, err
}

// validateJSON returns the body in the form that is decoded.
func (o *Operation) validateJSON(raw []byte) ([]byte, error) {
	value, values, err := strictjson.Parse(raw)
	if err != nil {
		var fault *strictjson.Fault
		errors.As(err, &fault)
		return nil, violation(pathOrBody(fault.Path), fault.Rule.Error())
	}
	if o.rewrite != nil {
		if rewritten, changed := o.rewrite.apply(value, o.jsonBody); changed {
			if raw, err = json.Marshal(rewritten); err != nil {
				return nil, fmt.Errorf("encode the rewritten body: %w", err)
			}
		}
	}
	if err := validateValue(o.jsonBody, value, values); err != nil {
		return nil, err
	}
	if object, ok := value.(map[string]any); ok {
		for _, field := range o.exact {
			if n, ok := object[field].(json.Number); ok {
				if message := offBounds(n.String(), o.jsonBody.Properties[field].Value); message != "" {
					return nil, violation(field, message)
				}
			}
		}
	}
	return raw, nil
}

// acceptStream accepts a body of another media type that the operation takes.
func (o *Operation) acceptStream(r *http.Request, mediaType string) error {
	if o.streaming {
		for accepted := range o.body.Content {
			if matchesMediaType(accepted, mediaType) && accepted != mediaJSON {
				return nil
			}
		}
	}
	return o.refuseMediaType(r)
}

// refuseMediaType refuses a body, if there is one: nothing has no media type.
func (o *Operation) refuseMediaType(r *http.Request) error {
	var probe [1]byte
	n, err := r.Body.Read(probe[:])
	if n > 0 {
		return ErrMediaType
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return unreadBody(err)
	}
	return o.withoutBody()
}

func matchesMediaType(accepted, sent string) bool {
	if prefix, ok := strings.CutSuffix(accepted, "/*"); ok {
		return prefix == "*" || strings.HasPrefix(sent, prefix+"/")
	}
	return accepted == sent
}

func (o *Operation) withoutBody() error {
	if o.body.Required {
		return violation("body", "is required")
	}
	return nil
}

// unreadBody is the error of a body that broke off. That it is too large stays
// what it is.
func unreadBody(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	return &Violation{Fields: map[string]string{"body": "could not be read to its end"}, Cause: err}
}
