package edge

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/semaphore"
)

// A body that takes room of others must come at a least rate; a small one may
// take its time.
func TestBodiesThatComeTooSlowly(t *testing.T) {
	t.Parallel()
	read := func(size int, took time.Duration) error {
		room := semaphore.NewWeighted(8 << 20)
		body := &roomyBody{ReadCloser: io.NopCloser(bytes.NewReader(make([]byte, size))), room: room, begun: time.Now().Add(-took)}
		_, err := io.ReadAll(body)
		body.release()
		require.True(t, room.TryAcquire(8<<20), "all room is given back")
		return err
	}
	require.NoError(t, read(64<<10, time.Hour))
	require.NoError(t, read(4<<20, 29*time.Second))
	require.ErrorIs(t, read(4<<20, 2*time.Minute), errTooSlow)
	require.ErrorIs(t, read(9<<20, 0), errNoRoom)
}
