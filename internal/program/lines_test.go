package program

// This file: log lines come out whole, in order, and in time.

import (
	"bytes"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// target counts what is written to it.
type target struct {
	mu     sync.Mutex
	text   bytes.Buffer
	writes int
}

func (t *target) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.writes++
	return t.text.Write(p)
}

func (t *target) seen() (lines []string, writes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Split(strings.TrimSuffix(t.text.String(), "\n"), "\n"), t.writes
}

func TestLines(t *testing.T) {
	t.Parallel()
	out := &target{}
	waiting := &lines{to: out}
	plain := slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key != "n" {
			return slog.Attr{}
		}
		return a
	}}
	log := slog.New(urgent{slog.NewTextHandler(waiting, &plain), waiting})

	log.Info("", "n", 1)
	log.With("n", 2).Info("")
	require.Eventually(t, func() bool { _, writes := out.seen(); return writes > 0 }, 5*time.Second, time.Millisecond, "without another line")
	log.Info("", "n", 3)
	log.Warn("", "n", 4)
	got, _ := out.seen()
	require.Equal(t, []string{"n=1", "n=2", "n=3", "n=4"}, got, "a warning is out at once, and what came before it")

	_, before := out.seen()
	for n := 5; n <= 20_000; n++ {
		log.Info("", "n", n)
	}
	waiting.flush()
	got, after := out.seen()
	require.Len(t, got, 20_000)
	for i, line := range got {
		require.Equal(t, "n="+strconv.Itoa(i+1), line)
	}
	require.Less(t, after-before, 2000, "many lines at a time")
}
