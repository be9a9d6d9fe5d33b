package gateway

// This file: the memory that JSON answers take together. A few bytes of JSON can
// become a thousand in memory, so what an answer will hold is known before it is
// decoded, see measure.go.

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"equipment-platform/internal/edge"
)

const (
	// maxJSONBytes and maxJSONValues bound one answer. The largest that the provider's
	// own limits allow is a page of 100 events with 40 documents each: 10 MB with
	// 280,000 values.
	maxJSONBytes  = 64 << 20
	maxJSONValues = 1_000_000

	// answerMemory is what the answers in flight may hold together: one of the largest
	// size, with room for others beside it.
	answerMemory = 320 << 20
	// unreadShare is how much of a body is read before it takes a share of its own.
	unreadShare = 64 << 10
	// bytesFactor is how often the bytes of an answer are in memory at the worst: as
	// they came, decoded, encoded, and in the buffer that encoding grows into.
	bytesFactor = 4
)

// errTooLarge is the problem of an answer that is beyond the bounds of one.
var errTooLarge = edge.NewProblem(http.StatusBadGateway, "upstream_failed", "The upstream's answer is too large to be passed on.")

// share is what one request has taken of the answers' memory, which the edge shares
// out and takes back (edge.Reserve).
type share struct {
	ctx        context.Context // of the caller's request, which outlives those of the calls; nil: no bound
	held       int64
	connection *http.ResponseController // with a deadline for writing; nil: with none
}

// raise makes the share at least n bytes large; the error is a problem when it
// cannot be.
func (s *share) raise(n int64) error {
	switch {
	case s.ctx == nil || n <= s.held:
		return nil
	case n > answerMemory:
		return errTooLarge.Because(fmt.Errorf("the answer would hold %d bytes", n))
	}
	if err := edge.Reserve(s.ctx, n-s.held); err != nil {
		return err
	}
	s.held = n
	return nil
}

// compute waits for the caller's turn at decoding what is large (edge.Compute), which
// lasts until the answer goes out.
func (s *share) compute() error {
	if s.ctx == nil {
		return nil
	}
	_, err := edge.Compute(s.ctx)
	return err
}

// release ends the deadline, when the answer has been written.
func (s *share) release() {
	if s.connection != nil {
		_ = s.connection.SetWriteDeadline(time.Time{})
	}
}

// sharingReader takes the share of a body while it is read: one that comes slowly
// holds no more than is there of it.
type sharingReader struct {
	io.LimitedReader

	share *share
	read  int64
}

func (r *sharingReader) Read(p []byte) (int, error) {
	n, err := r.LimitedReader.Read(p)
	if r.read += int64(n); r.read > unreadShare {
		if taken := r.share.raise(2 * r.read); taken != nil { // the buffer doubles as it grows
			return n, taken
		}
	}
	return n, err
}

// slowestCaller is the least rate, in bytes a second, at which a caller must take an
// answer that holds memory.
const slowestCaller = 64 << 10

// boundWriting gives a caller the time that an answer takes at the slowest rate:
// what it does not take holds memory that is everybody's.
func (s *share) boundWriting(connection *http.ResponseController) {
	s.connection = connection
	_ = connection.SetWriteDeadline(time.Now().Add(callerIdleTimeout + time.Duration(s.held)*time.Second/slowestCaller)) // a recorder has none
}
