package edge

// This file: the memory that bodies may take together (D7.5).

import (
	"errors"
	"io"
	"time"

	"golang.org/x/sync/semaphore"
)

// budgetStep is how much of a body is free, and how much of the budget is taken
// at a time for the rest.
const budgetStep = 64 << 10

// A body that takes from the budget must come at this least rate after a while:
// what it holds is missing to everybody.
const (
	bodyGrace = 30 * time.Second
	bodyRate  = 128 << 10 // bytes a second
)

var (
	errBudgetExhausted = errors.New("the budget for bodies is exhausted")
	errBodyTooSlow     = errors.New("the body comes too slowly")
)

// budgetedBody takes from the budget what a body has beyond its first step, as it
// comes: a body that is sent slowly holds no more than is there of it.
type budgetedBody struct {
	io.ReadCloser

	budget     *semaphore.Weighted
	started    time.Time
	read, held int64
}

// Read implements io.Reader.
func (b *budgetedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	for b.read-budgetStep > b.held {
		if !b.budget.TryAcquire(budgetStep) {
			return n, errBudgetExhausted
		}
		b.held += budgetStep
	}
	if b.held > 0 && err == nil && time.Since(b.started) > bodyGrace+time.Duration(b.read)*time.Second/bodyRate {
		return n, errBodyTooSlow
	}
	return n, err
}

func (b *budgetedBody) release() { b.budget.Release(b.held) }
