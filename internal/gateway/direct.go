package gateway

// This file: calls without a body, sent and read on the goroutine that wants
// the answer. http.Transport hands each call to two goroutines of its
// connection and back, and waking those costs more than all the gateway's own
// work on a small answer.

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode"
)

var errHeaderTooLarge = errors.New("the header of the answer is too large")

// direct sends GET without a body over connections of its own, in HTTP/1.1. All
// else, and what goes through a proxy, is for the transport; its settings hold
// for both.
type direct struct {
	*http.Transport
	next http.RoundTripper
	dial func(ctx context.Context, network, addr string) (net.Conn, error)

	mu       sync.Mutex
	idle     map[string][]*line // by scheme and host, the last used at the end
	sweeping bool
}

// line is a connection. One call has it at a time.
type line struct {
	net.Conn
	direct *direct
	key    string
	reader *bufio.Reader
	writer *bufio.Writer
	header int64 // bytes that the header may still take; below 0: it is past
	used   bool  // it has served a call
	since  time.Time
}

// RoundTrip implements http.RoundTripper.
func (d *direct) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet || req.Body != nil && req.Body != http.NoBody ||
		strings.IndexFunc(req.URL.Host, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
		return d.next.RoundTrip(req)
	}
	if proxy, err := d.Proxy(req); proxy != nil || err != nil {
		return d.next.RoundTrip(req)
	}
	for {
		l, err := d.line(req)
		if err != nil {
			return nil, err
		}
		resp, err := l.ask(req)
		if err == nil {
			return resp, nil
		}
		_ = l.Close()
		var ended *endedError
		switch {
		case req.Context().Err() != nil:
			return nil, req.Context().Err()
		case !errors.As(err, &ended):
			return nil, err
		}
	}
}

// endedError is what becomes of a call on a kept connection that the upstream
// has closed meanwhile: nobody has seen the call, so it goes over another one.
type endedError struct{ error }

// ask sends the call and reads the answer up to its body.
func (l *line) ask(req *http.Request) (*http.Response, error) {
	// an end of the call ends the connection under whatever is going on
	stop := context.AfterFunc(req.Context(), func() { _ = l.Close() })
	resp, err := l.answer(req)
	if err != nil {
		stop()
		return nil, err
	}
	resp.Body = &lineBody{ReadCloser: resp.Body, line: l, stop: stop, reusable: !resp.Close && resp.StatusCode >= http.StatusOK}
	return resp, nil
}

func (l *line) answer(req *http.Request) (*http.Response, error) {
	l.header = l.direct.MaxResponseHeaderBytes
	if err := l.SetDeadline(time.Now().Add(l.direct.ResponseHeaderTimeout)); err != nil {
		return nil, l.ended(err)
	}
	err := req.Write(l.writer)
	if err == nil {
		err = l.writer.Flush()
	}
	if err == nil {
		_, err = l.reader.Peek(1)
	}
	if err != nil {
		return nil, l.ended(err)
	}
	for {
		resp, err := http.ReadResponse(l.reader, req)
		switch {
		case err != nil:
			return nil, fmt.Errorf("the answer cannot be read: %w", err)
		case resp.StatusCode < http.StatusOK && resp.StatusCode != http.StatusSwitchingProtocols:
			continue // informational: the answer follows
		}
		l.header = -1
		return resp, nil
	}
}

// ended tells a connection that was closed before this call from a failure.
func (l *line) ended(err error) error {
	if l.used && !timedOut(err) {
		return &endedError{err}
	}
	return err
}

func timedOut(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// Read is where the buffered reader reads. The whole header has the time that
// was set when the call was sent; then each piece of the body has as long.
func (l *line) Read(p []byte) (int, error) {
	if l.header == 0 {
		return 0, errHeaderTooLarge
	}
	if l.header < 0 {
		if err := l.SetReadDeadline(time.Now().Add(l.direct.ResponseHeaderTimeout)); err != nil {
			return 0, err
		}
		return l.Conn.Read(p)
	}
	n, err := l.Conn.Read(p[:min(int64(len(p)), l.header)])
	l.header -= int64(n)
	return n, err
}

// lineBody keeps the connection when the answer has been read to its end.
type lineBody struct {
	io.ReadCloser
	line     *line
	stop     func() bool
	reusable bool
	done     bool
}

func (b *lineBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.finish(errors.Is(err, io.EOF))
	}
	if timedOut(err) {
		err = errSilence
	}
	return n, err
}

// Close ends the answer; what is left of it ends with the connection.
func (b *lineBody) Close() error {
	b.finish(false)
	return nil
}

func (b *lineBody) finish(whole bool) {
	if b.done {
		return
	}
	b.done = true
	if b.stop() && whole && b.reusable && b.line.reader.Buffered() == 0 {
		b.line.keep()
	} else {
		_ = b.line.Close()
	}
}

// keep puts a connection where the next call finds it.
func (l *line) keep() {
	d := l.direct
	l.used, l.since = true, time.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.idle[l.key]) >= d.MaxIdleConnsPerHost {
		_ = l.Close()
		return
	}
	d.idle[l.key] = append(d.idle[l.key], l)
	if !d.sweeping {
		d.sweeping = true
		time.AfterFunc(d.IdleConnTimeout, d.sweep)
	}
}

// sweep closes what nobody has used for a while.
func (d *direct) sweep() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sweeping = false
	for key, list := range d.idle {
		for len(list) > 0 && time.Since(list[0].since) >= d.IdleConnTimeout {
			_ = list[0].Close()
			list = list[1:]
		}
		d.idle[key] = list
		d.sweeping = d.sweeping || len(list) > 0
	}
	if d.sweeping {
		time.AfterFunc(d.IdleConnTimeout, d.sweep)
	}
}

// line takes a kept connection, or makes one.
func (d *direct) line(req *http.Request) (*line, error) {
	key := req.URL.Scheme + "://" + req.URL.Host
	d.mu.Lock()
	if list := d.idle[key]; len(list) > 0 {
		last := list[len(list)-1]
		list[len(list)-1] = nil
		d.idle[key] = list[:len(list)-1]
		d.mu.Unlock()
		return last, nil
	}
	d.mu.Unlock()
	ctx, host, port := req.Context(), req.URL.Hostname(), req.URL.Port()
	secure := req.URL.Scheme == "https"
	switch {
	case port == "" && secure:
		port = "443"
	case port == "":
		port = "80"
	}
	conn, err := d.dial(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	if secure {
		ctx, cancel := context.WithTimeout(ctx, d.TLSHandshakeTimeout)
		defer cancel()
		encrypted := tls.Client(conn, &tls.Config{ServerName: host})
		if err := encrypted.HandshakeContext(ctx); err != nil {
			_ = conn.Close()
			return nil, err
		}
		conn = encrypted
	}
	l := &line{Conn: conn, direct: d, key: key, writer: bufio.NewWriter(conn)}
	l.reader = bufio.NewReader(l)
	return l, nil
}
