package process

// This file: what programs write, in a file or in memory.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// openLog opens the file for adding to it, and returns how long it is already.
func openLog(path string) (*os.File, int64, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, 0, err
	}
	start, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, start, nil
}

// Tail returns the last lines, at most so many, that this process has written.
func (p *Process) Tail(lines int) string {
	var text string
	switch {
	case p.program.LogPath != "":
		content, err := os.ReadFile(p.program.LogPath)
		if err != nil || int64(len(content)) <= p.logStart {
			return ""
		}
		text = string(content[p.logStart:])
	case p.program.Log != nil:
		text = p.program.Log.String()
	}
	all := strings.SplitAfter(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "")
}

// Log keeps what programs write, in memory, and lets others wait for a line of
// it. The zero value is empty and ready. It may be used concurrently.
type Log struct {
	mu    sync.Mutex
	text  bytes.Buffer
	grown chan struct{} // closed by the next Write; nil: nobody waits
}

// Write implements io.Writer.
func (l *Log) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.grown != nil {
		close(l.grown)
		l.grown = nil
	}
	return l.text.Write(data)
}

// String is all of it.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Await returns the first whole line that holds the text, and waits for it until
// ctx ends.
func (l *Log) Await(ctx context.Context, text string) (line string, err error) {
	for {
		l.mu.Lock()
		for line := range strings.Lines(l.text.String()) {
			if strings.HasSuffix(line, "\n") && strings.Contains(line, text) {
				l.mu.Unlock()
				return strings.TrimSuffix(line, "\n"), nil
			}
		}
		if l.grown == nil {
			l.grown = make(chan struct{})
		}
		grown := l.grown
		l.mu.Unlock()
		select {
		case <-grown:
		case <-ctx.Done():
			return "", fmt.Errorf("no line with %q: %w", text, context.Cause(ctx))
		}
	}
}
