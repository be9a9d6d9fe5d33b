package gateway

// This file: turning an upstream's answer into what the contract promises: a
// text, a file, nothing, or "not yet"; typed objects are in decode.go.

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"golang.org/x/text/encoding/htmlindex"

	"equipment-platform/gen/gatewayapi"
	"equipment-platform/internal/edge"
)

// maxText bounds an answer that is a text, and that of a token endpoint.
const maxText = 1 << 20

// notYet is the error of an empty answer (contract 8.6): passWaiting turns it into 204
// where that is an answer; elsewhere it is a failure of the upstream.
type notYet struct {
	retryAfter *int32
	problem    *edge.Problem
}

func (n *notYet) Error() string { return "the upstream gives an empty answer" }
func (n *notYet) Unwrap() error { return n.problem }

// secondsToWait returns the upstream's Retry-After in whole seconds.
func secondsToWait(resp *http.Response) *int32 {
	wait, ok := retryAfter(resp)
	if !ok {
		return nil
	}
	seconds := int32((wait + time.Second - 1) / time.Second)
	return &seconds
}

// unusable is the 502 for an answer that is not what the upstream promises.
func unusable(resp *http.Response, cause error) *edge.Problem {
	return errFailed("upstream", fmt.Errorf("%s %s: %w", resp.Request.Method, resp.Request.URL.Path, cause))
}

// absent returns the error of an answer without a body: "not yet" for 202, 204
// and whatever carries a Retry-After, else a failure.
func absent(resp *http.Response) error {
	problem := unusable(resp, errors.New("the answer is empty"))
	wait := secondsToWait(resp)
	if wait == nil && resp.StatusCode != http.StatusNoContent && resp.StatusCode != http.StatusAccepted {
		return problem
	}
	return &notYet{retryAfter: wait, problem: problem}
}

// readAll reads a body that fits into limit.
func readAll(resp *http.Response, limit int64) ([]byte, error) {
	var buffer bytes.Buffer
	err := readInto(&buffer, resp, limit)
	return buffer.Bytes(), err
}

// readInto is readAll into a buffer that is there already.
func readInto(buffer *bytes.Buffer, resp *http.Response, limit int64) error {
	defer func() { _ = resp.Body.Close() }() // the one that unpack puts there
	if err := unpack(resp); err != nil {
		return err
	}
	memory := &callOf(resp.Request.Context()).memory
	if resp.ContentLength > unreadShare && resp.ContentLength <= limit {
		if err := memory.raise(resp.ContentLength); err != nil {
			return err
		}
	}
	if resp.ContentLength > 0 && resp.ContentLength <= limit {
		buffer.Grow(int(resp.ContentLength) + bytes.MinRead) // no growing on the way
	}
	n, err := buffer.ReadFrom(&sharingReader{LimitedReader: io.LimitedReader{R: resp.Body, N: limit + 1}, share: memory})
	var refused *edge.Problem
	switch {
	case errors.As(err, &refused):
		return refused
	case err != nil:
		return brokenBody(resp, err)
	case n > limit:
		return errTooLarge.Because(fmt.Errorf("the answer has more than %d bytes", limit))
	default:
		return nil
	}
}

// brokenBody is the problem of an answer whose body broke off before anything was
// answered: the caller's connection need not break for it.
func brokenBody(resp *http.Response, err error) *edge.Problem {
	if errors.Is(err, errIdle) {
		return edge.NewProblem(http.StatusGatewayTimeout, "upstream_timeout", "The upstream did not answer in time.").Because(errIdle)
	}
	return unusable(resp, errors.New(err.Error()))
}

// byteOrderMark is what some servers put in front of UTF-8; it is no part of what
// they say.
const byteOrderMark = "\uFEFF"

// toUTF8 reads a text in the charset that its Content-Type names, in UTF-8 when
// that names none or one that nobody knows.
func toUTF8(raw []byte, contentType string) string {
	if _, parameters, err := mime.ParseMediaType(contentType); err == nil {
		if charset, err := htmlindex.Get(parameters["charset"]); err == nil {
			if decoded, err := charset.NewDecoder().Bytes(raw); err == nil {
				raw = decoded
			}
		}
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(raw), "\uFFFD"), byteOrderMark)
}

// text reads a plain text answer.
func text(resp *http.Response, err error) (string, error) {
	if err != nil {
		return "", err
	}
	body, err := readAll(resp, maxText)
	if err != nil {
		return "", err
	}
	if len(body) == 0 {
		return "", absent(resp)
	}
	return toUTF8(body, resp.Header.Get("Content-Type")), nil
}

// done reads off an answer whose body means nothing. Its result is the generated
// type that each of these operations returns.
//
//nolint:unparam // the callers return both results as they are
func done(resp *http.Response, err error) (gatewayapi.DoneResponse, error) {
	if err != nil {
		return gatewayapi.DoneResponse{}, err
	}
	drain(resp)
	if secondsToWait(resp) != nil { // not done yet
		return gatewayapi.DoneResponse{}, absent(resp)
	}
	return gatewayapi.DoneResponse{}, nil
}

// file hands on an answer as a stream: type, name and length are the
// upstream's, and its coding when the caller accepts it. The generated answer
// closes the body.
func file(resp *http.Response, err error) (gatewayapi.FileAsteriskResponse, error) {
	if err != nil {
		return gatewayapi.FileAsteriskResponse{}, err
	}
	if resp.StatusCode == http.StatusPartialContent {
		_ = resp.Body.Close()
		return gatewayapi.FileAsteriskResponse{}, unusable(resp, errors.New("a part that nobody asked for"))
	}
	given := callOf(resp.Request.Context())
	var coding *string
	if codings := codingsOf(resp.Header); len(codings) == 1 && accepts(given.acceptEncoding, codings[0]) {
		coding = &codings[0]
	} else if err := unpack(resp); err != nil {
		_ = resp.Body.Close()
		return gatewayapi.FileAsteriskResponse{}, err
	}
	body := bufio.NewReader(resp.Body)
	if _, err := body.Peek(1); errors.Is(err, io.EOF) && (resp.StatusCode != http.StatusOK || secondsToWait(resp) != nil) {
		_ = resp.Body.Close()
		return gatewayapi.FileAsteriskResponse{}, absent(resp)
	} else if err != nil && !errors.Is(err, io.EOF) {
		_ = resp.Body.Close()
		return gatewayapi.FileAsteriskResponse{}, brokenBody(resp, err)
	}
	f := gatewayapi.FileAsteriskResponse{
		Body: &fileBody{Reader: body, Closer: resp.Body, connection: given.connection}, ContentType: resp.Header.Get("Content-Type"), ContentLength: max(resp.ContentLength, 0),
	}
	if f.ContentType == "" {
		f.ContentType = "application/octet-stream"
	}
	f.Headers.ContentEncoding = coding
	f.Headers.ContentDisposition = asAttachment(resp.Header.Get("Content-Disposition"))
	return f, nil
}

// asAttachment makes a Content-Disposition an attachment, with the name that it has:
// whatever the file is, a browser must save it and not run it on this origin.
func asAttachment(disposition string) string {
	kind, parameters, err := mime.ParseMediaType(disposition)
	switch {
	case err == nil && kind == "attachment", strings.HasPrefix(strings.ToLower(disposition), "attachment;"):
		return disposition
	case err == nil:
		if attachment := mime.FormatMediaType("attachment", parameters); attachment != "" {
			return attachment
		}
	}
	return "attachment"
}

// Content types of raw bodies towards the provider.
const (
	binaryType = "application/octet-stream"
	xmlType    = "application/xml"
)
