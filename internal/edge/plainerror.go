package edge

// This file: errors that net/http answers by itself, before there is a request
// to handle: a bad escape in the path, headers that are too large, an
// expectation that it does not know. It writes them as plain text, or without
// any, straight to the connection; here they become an ApiErrorDto like every
// other error of the process (D7.1).

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// plainError is how net/http's own answers go on after the status line, all but
// 417, which has a date.
var plainError = []byte("Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")

// dtoListener gives connections whose plain errors are rewritten.
type dtoListener struct{ net.Listener }

func (l dtoListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if tcp, ok := conn.(*net.TCPConn); ok {
		return &dtoConn{TCPConn: tcp}, err
	}
	return conn, err
}

// dtoConn keeps all that net/http knows to use of a TCP connection.
type dtoConn struct {
	*net.TCPConn
	// answering is on while a handler's answer may be under way: the bytes of a
	// file can look like anything, an error of net/http included.
	answering atomic.Bool
}

type connKey struct{}

// withConn and onState make a server tell its connections when they answer.
func withConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

func onState(conn net.Conn, state http.ConnState) {
	if c, ok := conn.(*dtoConn); ok && state == http.StateIdle { // the answer is out
		c.answering.Store(false)
	}
}

func markAnswering(ctx context.Context) {
	if c, ok := ctx.Value(connKey{}).(*dtoConn); ok {
		c.answering.Store(true)
	}
}

func (c *dtoConn) Write(p []byte) (int, error) {
	if c.answering.Load() {
		return c.TCPConn.Write(p)
	}
	statusLine, rest, _ := bytes.Cut(p, []byte("\r\n"))
	protocol, reason, _ := bytes.Cut(statusLine, []byte(" "))
	code, _, _ := bytes.Cut(reason, []byte(" "))
	status, err := strconv.Atoi(string(code))
	if !bytes.HasPrefix(protocol, []byte("HTTP/1.")) || err != nil || !bytes.HasPrefix(rest, plainError) && status != http.StatusExpectationFailed {
		return c.TCPConn.Write(p)
	}
	if _, err := c.TCPConn.Write(plainAnswer(status)); err != nil {
		return 0, err
	}
	return len(p), nil
}

func plainAnswer(status int) []byte {
	p := InvalidField("request", "cannot be read: "+http.StatusText(status))
	if status == http.StatusRequestHeaderFieldsTooLarge {
		p = ErrTooLarge
	}
	body, err := json.Marshal(errorBody{Status: status, Message: p.Message, Code: p.Code, Details: p.Details, Timestamp: time.Now().UTC().Truncate(time.Microsecond)})
	if err != nil {
		body = nil // a fixed structure cannot fail to marshal
	}
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nCache-Control: no-store\r\nX-Request-Id: %s\r\nConnection: close\r\n\r\n%s",
		status, http.StatusText(status), len(body), rand.Text(), body)
}
