package gateway

// This file: streams. Both ways they pass through in constant memory; here are
// their idle timeouts and what happens when one breaks off (contract 8.7).

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

var errIdle = errors.New("the upstream sent nothing for too long")

// writeTimeoutConn bounds each write: an upstream that does not read is given up.
type writeTimeoutConn struct {
	net.Conn
	timeout time.Duration
}

func (c *writeTimeoutConn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.timeout)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// callerIdleTimeout bounds how long a caller sends nothing in the middle of an
// upload, and how long it reads nothing of a download.
const callerIdleTimeout = time.Minute

// idleTimeoutBody is a caller's body. Each read may take callerIdleTimeout, the
// whole as long as it likes. A deadline must not outlive the body: the server
// would take its passing for the caller's leaving.
type idleTimeoutBody struct {
	io.ReadCloser
	connection *http.ResponseController
}

func (b *idleTimeoutBody) Read(p []byte) (int, error) {
	_ = b.connection.SetReadDeadline(time.Now().Add(callerIdleTimeout)) // without a connection (a recorder) there is nothing to bound
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		_ = b.connection.SetReadDeadline(time.Time{})
	}
	return n, err
}

func (b *idleTimeoutBody) Close() error {
	_ = b.connection.SetReadDeadline(time.Time{})
	return b.ReadCloser.Close()
}

// errRecordingBody keeps the error of the caller's body, which tells its failure
// from the upstream's.
type errRecordingBody struct {
	io.ReadCloser
	failed atomic.Pointer[error]
}

// recordBodyErrors wraps the body of a request; nil when it has none.
func recordBodyErrors(req *http.Request) *errRecordingBody {
	if req.Body == nil || req.Body == http.NoBody {
		return nil
	}
	body := &errRecordingBody{ReadCloser: req.Body}
	req.Body = body
	return body
}

func (b *errRecordingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.failed.Store(&err)
	}
	return n, err
}

// cause returns the failure of the caller's body, nil when it did not fail.
func (b *errRecordingBody) cause() error {
	if b == nil {
		return nil
	}
	if err := b.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// idleTimeoutTransport adds to http.Transport an idle timeout within an answer,
// as long as the one for its header: it cancels the call.
type idleTimeoutTransport struct{ *http.Transport }

// RoundTrip implements http.RoundTripper.
func (w idleTimeoutTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	resp, err := w.Transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		cancel(nil)
		return nil, err
	}
	resp.Body = &idleTimeoutAnswer{ReadCloser: resp.Body, timeout: w.ResponseHeaderTimeout, cancel: cancel}
	return resp, nil
}

type idleTimeoutAnswer struct {
	io.ReadCloser
	timeout time.Duration
	cancel  context.CancelCauseFunc
	timer   *time.Timer
	expired atomic.Bool
}

func (b *idleTimeoutAnswer) expire() {
	b.expired.Store(true)
	b.cancel(errIdle)
}

func (b *idleTimeoutAnswer) Read(p []byte) (int, error) {
	if b.timer == nil {
		b.timer = time.AfterFunc(b.timeout, b.expire)
	} else {
		b.timer.Reset(b.timeout)
	}
	n, err := b.ReadCloser.Read(p)
	b.timer.Stop() // the time between reads is the caller's
	if err != nil && !errors.Is(err, io.EOF) && b.expired.Load() {
		err = errIdle
	}
	return n, err
}

func (b *idleTimeoutAnswer) Close() error {
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
		_ = b.connection.SetWriteDeadline(time.Now().Add(callerIdleTimeout)) // see idleTimeoutBody
	}
	return n, err
}

func (b *fileBody) Close() error {
	if b.connection != nil {
		_ = b.connection.SetWriteDeadline(time.Time{})
	}
	return b.Closer.Close()
}
