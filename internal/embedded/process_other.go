//go:build !linux

// Systems without a parent-death signal (macOS): how the database server dies
// with this process, and how to recognise it.

package embedded

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// tieToParent starts a watcher whose standard input is a pipe that only we hold
// open: when we end, whatever ended us, it reads the end of the pipe and asks the
// server for a fast shutdown. The watcher is in its own process group, so that
// Ctrl-C does not end it before the server.
func tieToParent(*exec.Cmd) (func(pid int) func(), error) {
	return func(pid int) func() {
		watcher := exec.Command("/bin/sh", "-c", `read -r line; [ "$line" = over ] || kill -INT "$1"`, "sh", strconv.Itoa(pid))
		watcher.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		pipe, err := watcher.StdinPipe()
		if err != nil {
			return func() {}
		}
		if err := watcher.Start(); err != nil {
			return func() {} // the next start finds and stops an orphan anyway
		}
		return func() {
			_, _ = fmt.Fprintln(pipe, "over")
			_ = pipe.Close()
			_ = watcher.Wait()
		}
	}, nil
}

// isServerOf tells whether the process is a PostgreSQL server on that data
// directory, and not another program that got the same process id.
func isServerOf(pid int, data string) bool {
	out, err := exec.Command("ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && strings.Contains(string(out), " -D "+data+" ")
}

// smallSharedMemory is a matter of Linux containers.
func smallSharedMemory() bool { return false }
