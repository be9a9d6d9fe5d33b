package program

// This file: log lines on their way out. A service writes one for each request;
// a system call for each was the most expensive part of the shared middleware.

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// A line waits this long for others, or until there are so many bytes. It is
// what a process loses that is killed without a signal.
const (
	linesWait = 10 * time.Millisecond
	linesSize = 32 << 10
)

// lines writes whole lines, many at a time, in their order.
type lines struct {
	to io.Writer

	mu      sync.Mutex
	waiting []byte
	timed   bool // a flush will come
}

// Write implements io.Writer for a handler. It blocks when its target does:
// lines are not dropped.
func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, line...)
	if len(l.waiting) >= linesSize {
		return len(line), l.write()
	}
	if !l.timed {
		l.timed = true
		time.AfterFunc(linesWait, l.flush)
	}
	return len(line), nil
}

// flush writes what waits.
func (l *lines) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.timed = false
	_ = l.write() // of the logger: there is nowhere to tell of it
}

func (l *lines) write() error {
	if len(l.waiting) == 0 {
		return nil
	}
	_, err := l.to.Write(l.waiting)
	l.waiting = l.waiting[:0]
	return err
}

// urgent is a handler whose warnings and errors do not wait.
type urgent struct {
	slog.Handler
	lines *lines
}

// Handle implements slog.Handler.
func (u urgent) Handle(ctx context.Context, record slog.Record) error {
	err := u.Handler.Handle(ctx, record)
	if record.Level >= slog.LevelWarn {
		u.lines.flush()
	}
	return err
}

// WithAttrs implements slog.Handler.
func (u urgent) WithAttrs(attrs []slog.Attr) slog.Handler {
	return urgent{u.Handler.WithAttrs(attrs), u.lines}
}

// WithGroup implements slog.Handler.
func (u urgent) WithGroup(name string) slog.Handler {
	return urgent{u.Handler.WithGroup(name), u.lines}
}
