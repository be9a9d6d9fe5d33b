package edge

// This file: the budget of one body, whose age a test can choose.

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/semaphore"
)

// A body that takes from the budget must come at a least rate; a small one may
// take its time.
func TestBodiesThatComeTooSlowly(t *testing.T) {
	t.Parallel()
	read := func(size int, took time.Duration) error {
		budget := semaphore.NewWeighted(8 << 20)
		body := &budgetedBody{ReadCloser: io.NopCloser(bytes.NewReader(make([]byte, size))), budget: budget, started: time.Now().Add(-took)}
		_, err := io.ReadAll(body)
		body.release()
		require.True(t, budget.TryAcquire(8<<20), "all is given back")
		return err
	}
	require.NoError(t, read(64<<10, time.Hour))
	require.NoError(t, read(4<<20, 29*time.Second))
	require.ErrorIs(t, read(4<<20, 2*time.Minute), errBodyTooSlow)
	require.ErrorIs(t, read(9<<20, 0), errBudgetExhausted)
}
