package process

// This file: waiting until a server can be used, and an address for it.

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

const (
	// lookEvery is the pause between two looks whether a server is ready.
	lookEvery = 50 * time.Millisecond
	// lookLimit bounds one look.
	lookLimit = 2 * time.Second
)

// AwaitHTTP waits until a GET of the URL is answered with 200, or ctx ends.
func AwaitHTTP(ctx context.Context, url string) error {
	client := &http.Client{Timeout: lookLimit}
	for {
		last, err := get(ctx, client, url)
		if err == nil && last == http.StatusOK {
			return nil
		}
		select {
		case <-ctx.Done():
			if err == nil {
				err = fmt.Errorf("status %d", last)
			}
			return fmt.Errorf("%s is not ready: %w (last answer: %w)", url, context.Cause(ctx), err)
		case <-time.After(lookEvery):
		}
	}
}

func get(ctx context.Context, client *http.Client, url string) (status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body) // so that the connection is used again
	return resp.StatusCode, err
}

// AwaitReady waits until a GET of the URL is answered with 200. It fails when the
// process ends before, with what it said last, and after the limit.
func (p *Process) AwaitReady(ctx context.Context, url string, limit time.Duration) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	go func() {
		select {
		case <-p.done:
			cancel()
		case <-limited.Done():
		}
	}()
	err := AwaitHTTP(limited, url)
	switch {
	case err == nil:
		return nil
	case p.Ended():
		return p.Failure()
	case ctx.Err() != nil:
		return ctx.Err()
	case p.program.LogPath != "":
		return fmt.Errorf("%s is not ready after %s; its log is %s", p.program.Name, limit, p.program.LogPath)
	default:
		return fmt.Errorf("%s is not ready after %s", p.program.Name, limit)
	}
}

// FreeAddress asks the system for a port on 127.0.0.1 that is free, for a program
// that listens there a moment later.
func FreeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	return listener.Addr().String(), listener.Close()
}
