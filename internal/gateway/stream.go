package gateway

// This file: streams. Both ways they pass through in constant memory; here is
// what bounds their silences and what happens when one breaks off (D8.7).

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

var errSilence = errors.New("the upstream fell silent")

// impatientConn gives up on an upstream that does not take what is sent.
type impatientConn struct {
	net.Conn
	timeout time.Duration
}

func (c *impatientConn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.timeout)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// callerPatience bounds a caller's silence in the middle of an upload, and its
// not taking what it asked to download.
const callerPatience = time.Minute

// patientBody is a caller's body. Each read may take a while, the whole as
// long as it likes. A deadline must not outlive the body: the server would take
// its passing for the caller's leaving.
type patientBody struct {
	io.ReadCloser
	connection *http.ResponseController
}

func (b *patientBody) Read(p []byte) (int, error) {
	_ = b.connection.SetReadDeadline(time.Now().Add(callerPatience)) // without a connection (a recorder) there is nothing to bound
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		_ = b.connection.SetReadDeadline(time.Time{})
	}
	return n, err
}

func (b *patientBody) Close() error {
	_ = b.connection.SetReadDeadline(time.Time{})
	return b.ReadCloser.Close()
}

// sentBody remembers that the caller's body, not the upstream, failed.
type sentBody struct {
	io.ReadCloser
	failed atomic.Pointer[error]
}

// watchBody wraps the body of a request; nil when it has none.
func watchBody(req *http.Request) *sentBody {
	if req.Body == nil || req.Body == http.NoBody {
		return nil
	}
	body := &sentBody{ReadCloser: req.Body}
	req.Body = body
	return body
}

func (b *sentBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.failed.Store(&err)
	}
	return n, err
}

// cause returns the failure of the caller's body, nil when it did not fail.
func (b *sentBody) cause() error {
	if b == nil {
		return nil
	}
	if err := b.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// watched is the transport with a bound on the silences within an answer, which
// it does not have itself: one that lasts longer than it waits for a header
// cancels the call.
type watched struct{ *http.Transport }

// RoundTrip implements http.RoundTripper.
func (w watched) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	resp, err := w.Transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		cancel(nil)
		return nil, err
	}
	resp.Body = &watchedBody{ReadCloser: resp.Body, timeout: w.ResponseHeaderTimeout, cancel: cancel}
	return resp, nil
}

type watchedBody struct {
	io.ReadCloser
	timeout time.Duration
	cancel  context.CancelCauseFunc
	silence *time.Timer
	silent  atomic.Bool
}

func (b *watchedBody) fellSilent() {
	b.silent.Store(true)
	b.cancel(errSilence)
}

func (b *watchedBody) Read(p []byte) (int, error) {
	if b.silence == nil {
		b.silence = time.AfterFunc(b.timeout, b.fellSilent)
	} else {
		b.silence.Reset(b.timeout)
	}
	n, err := b.ReadCloser.Read(p)
	b.silence.Stop() // the time between reads is the caller's
	if err != nil && !errors.Is(err, io.EOF) && b.silent.Load() {
		err = errSilence
	}
	return n, err
}

func (b *watchedBody) Close() error {
	err := b.ReadCloser.Close()
	b.cancel(nil)
	return err
}

// answerBody is the body of an answer. Any break of it is also
// http.ErrAbortHandler, so that the caller's connection breaks too instead of
// ending as if it were whole.
type answerBody struct{ io.ReadCloser }

func (b answerBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: %w", http.ErrAbortHandler, err)
	}
	return n, err
}

// fileBody is a stream to the caller, which has been looked into. The caller
// may take a while over each piece; the deadline must not outlive the stream,
// or it would hit later answers on the same connection.
type fileBody struct {
	io.Reader
	io.Closer
	connection *http.ResponseController
	begun      bool
}

func (b *fileBody) Read(p []byte) (int, error) {
	if b.connection != nil && b.begun {
		_ = b.connection.Flush() // what is there goes out before more is waited for; a failure shows at the next write
	}
	b.begun = true
	n, err := b.Reader.Read(p)
	if b.connection != nil {
		_ = b.connection.SetWriteDeadline(time.Now().Add(callerPatience)) // see patientBody
	}
	return n, err
}

func (b *fileBody) Close() error {
	if b.connection != nil {
		_ = b.connection.SetWriteDeadline(time.Time{})
	}
	return b.Closer.Close()
}
