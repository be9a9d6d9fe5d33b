// The programs of the stack as child processes. What belongs here: starting one
// with its own log file, noticing its end, stopping it.

package devstack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"equipment-platform/internal/embedded"
)

// killAfter is how long a program may take to end after SIGTERM; it is longer
// than the programs' own drain time.
const killAfter = 25 * time.Second

// child is a running program.
type child struct {
	*embedded.Process
	name    string
	logPath string
}

// startChild runs a binary with more environment variables. It gets a process
// group of its own, so that Ctrl-C in the terminal ends the stack in order.
func startChild(name, binary string, args []string, logDir string, environment map[string]string) (*child, error) {
	logPath := filepath.Join(logDir, name+".log")
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // the program has its own copy
	cmd := exec.Command(binary, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = os.Environ()
	for key, value := range environment {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	process, err := embedded.StartProcess(cmd)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	return &child{Process: process, name: name, logPath: logPath}, nil
}

// awaitHTTP waits until url answers 200, or the child ends.
func (c *child) awaitHTTP(ctx context.Context, url string, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	client := &http.Client{Timeout: 2 * time.Second}
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		if resp, err := client.Do(req); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-c.Done():
			return c.failure()
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready after %s; its log is %s", c.name, limit, c.logPath)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// failure tells the last line of the log of a program that ended by itself.
func (c *child) failure() error {
	raw, err := os.ReadFile(c.logPath)
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	if err != nil || len(lines) == 0 || lines[len(lines)-1] == "" {
		return errors.New(c.name + " ended by itself")
	}
	return fmt.Errorf("%s ended by itself: %s (log: %s)", c.name, lines[len(lines)-1], c.logPath)
}

// stop asks the program to end and waits.
func (c *child) stop() {
	c.Signal(syscall.SIGTERM)
	select {
	case <-c.Done():
	case <-time.After(killAfter):
		c.Kill()
	}
}
