package edge

// This file: errors that net/http answers by itself, before there is a request
// to handle: a bad escape in the path, headers that are too large, an
// expectation that it does not know. It writes them as plain text, or without
// any, straight to the connection; here they become an ApiErrorDto, which is
// promised for every error answer of the process (contract 7.1). Only that promise needs
// this: with a proxy in front callers hardly see them. The connections that it wraps for it
// also say when a first request has come.

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// plainError is how net/http's own errors begin. The 417 has a date where the
// others have their type.
var plainError = regexp.MustCompile(`^HTTP/1\.[01] (?:(\d{3}) [^\r]*\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n|(417) )`)

// rewritePlainErrors returns the listener on which the server's own errors are
// ApiErrorDto. It takes the server's ConnContext and ConnState, and wraps its
// handler. It counts the connections on which nothing was asked yet, which a
// server that stops waits for.
func rewritePlainErrors(server *http.Server, listener net.Listener, unasked *sync.WaitGroup) net.Listener {
	type connKey struct{}
	server.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, conn)
	}
	handler := server.Handler
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, ok := r.Context().Value(connKey{}).(*rewritingConn); ok {
			conn.handling.Store(true)
			conn.asked()
		}
		handler.ServeHTTP(w, r)
	})
	server.ConnState = func(conn net.Conn, state http.ConnState) {
		if c, ok := conn.(*rewritingConn); ok && state == http.StateIdle { // the answer is out
			c.handling.Store(false)
		}
	}
	return rewritingListener{listener, unasked}
}

type rewritingListener struct {
	net.Listener

	unasked *sync.WaitGroup
}

func (l rewritingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if tcp, ok := conn.(*net.TCPConn); ok {
		l.unasked.Add(1)
		return &rewritingConn{TCPConn: tcp, asked: sync.OnceFunc(l.unasked.Done)}, err
	}
	return conn, err
}

// rewritingConn keeps all that net/http knows to use of a TCP connection.
type rewritingConn struct {
	*net.TCPConn

	// handling is on while a handler's answer may be under way: the bytes of a
	// file can look like anything, an error of net/http included.
	handling atomic.Bool
	// asked is called when a first request has reached its handler, or none will come.
	asked func()
}

func (c *rewritingConn) Close() error {
	c.asked()
	return c.TCPConn.Close()
}

func (c *rewritingConn) Write(p []byte) (int, error) {
	if c.handling.Load() {
		return c.TCPConn.Write(p)
	}
	match := plainError.FindSubmatch(p)
	if match == nil {
		return c.TCPConn.Write(p)
	}
	status, _ := strconv.Atoi(string(match[1]) + string(match[2])) // one of the two is empty
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
