//go:build !linux

package process

// This file: systems without a parent-death signal (macOS): how a child ends
// with this process.

import (
	"fmt"
	"os/exec"
	"strconv"
	"syscall"
)

// startTied starts the command with a watcher, whose standard input is a pipe
// that only we hold open: when we end, whatever ended us, the watcher reads the
// end of the pipe and sends the command SIGINT. The watcher is in its own process
// group, so that Ctrl-C does not end it before the command. untie is to be
// called when the command has ended.
func startTied(cmd *exec.Cmd) (untie func(), err error) {
	untie = func() {}
	if err := cmd.Start(); err != nil {
		return untie, err
	}
	watcher := exec.Command("/bin/sh", "-c", `read -r line; [ "$line" = over ] || kill -INT "$1"`, "sh", strconv.Itoa(cmd.Process.Pid))
	watcher.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pipe, err := watcher.StdinPipe()
	if err != nil {
		return untie, nil //nolint:nilerr // the command runs; only its end is less sure
	}
	if err := watcher.Start(); err != nil {
		return untie, nil //nolint:nilerr // as above
	}
	return func() {
		_, _ = fmt.Fprintln(pipe, "over")
		_ = pipe.Close()
		_ = watcher.Wait()
	}, nil
}
