package edge

// This file: how a body arrives: the least rate at which it must come, and the
// memory that bodies may take together (contract 7.5).

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// A body must come at 1 KiB/s: bodyStep within each bodyPatience that the service
// waits for it. The rate is not an average of the whole, of which a fast beginning
// would buy hours of silence.
const (
	bodyPatience = 30 * time.Second
	bodyStep     = 30 << 10
)

// errTooSlow ends a body that comes too slowly. The connection closes: nobody waits
// for the rest.
var errTooSlow = &Problem{
	Status: http.StatusRequestTimeout, Code: "request_timeout", Message: "The body comes too slowly: at least 1 KiB a second is expected.",
	Header: http.Header{"Connection": {"close"}},
}

// arrivingBody is the body of every request that has one. It ends where the caller
// is slower than the least rate; the time between reads is the service's and does
// not count. It knows whether it was read to its end, and stays open when its reader
// closes it (as http.Transport does when a call fails), since what comes after is
// drained.
//
// The deadline of the connection is what ends a read. It must not outlive the body:
// the server would take its passing for the caller's leaving.
type arrivingBody struct {
	io.ReadCloser

	connection *http.ResponseController
	allowed    time.Duration // for each step
	patience   time.Duration // left for this step
	came       int           // of this step

	ended, closed atomic.Bool
}

func newArrivingBody(w http.ResponseWriter, r *http.Request, allowed time.Duration) *arrivingBody {
	b := &arrivingBody{ReadCloser: r.Body, allowed: allowed, patience: allowed}
	if r.ContentLength == 0 {
		b.ended.Store(true)
		return b
	}
	b.connection = http.NewResponseController(w)
	b.expect() // the server reads by itself what no handler has read
	return b
}

// expect sets the deadline of a read that begins now. What has no connection (a
// recorder) has no deadline either.
func (b *arrivingBody) expect() { _ = b.connection.SetReadDeadline(time.Now().Add(b.patience)) }

// Read implements io.Reader.
func (b *arrivingBody) Read(p []byte) (int, error) {
	if b.closed.Load() {
		return 0, http.ErrBodyReadAfterClose
	}
	if b.connection == nil {
		return b.ReadCloser.Read(p)
	}
	began := time.Now()
	b.expect()
	n, err := b.ReadCloser.Read(p)
	b.patience -= time.Since(began)
	if b.came += n; b.came >= bodyStep {
		b.came, b.patience = 0, b.allowed
	}
	switch {
	case err == nil:
	case errors.Is(err, os.ErrDeadlineExceeded):
		b.ended.Store(true)
		err = errTooSlow
	default:
		b.ended.Store(true)
		_ = b.connection.SetReadDeadline(time.Time{})
	}
	return n, err
}

// Close implements io.Closer.
func (b *arrivingBody) Close() error {
	b.closed.Store(true)
	return nil
}

// budgetedBody takes from the pool of body bytes what comes: a body that is sent
// slowly holds no more than is there of it. A large one that is there waits for its
// turn before it ends: validating it is work for the processors alone, of which a few
// at once would take all.
type budgetedBody struct {
	io.ReadCloser
	share share

	ctx   context.Context // of the request
	turns *turns
	turn  *turn // nil: a small body, or not there yet
}

// Read implements io.Reader.
func (b *budgetedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if refused := b.share.add(int64(n)); refused != nil {
		return n, refused
	}
	if errors.Is(err, io.EOF) && b.turn == nil && b.share.used > freeBytes {
		var gone error
		if b.turn, gone = b.turns.wait(b.ctx, b.share.caller); gone != nil {
			return n, gone
		}
	}
	return n, err
}
