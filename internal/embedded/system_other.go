//go:build !linux

package embedded

// This file: other systems (macOS): how to recognise the database server, and
// its shared memory.

import (
	"os/exec"
	"strconv"
	"strings"
)

// isServerOf reports whether the process is a PostgreSQL server on that data
// directory, and not another program that got the same process id.
func isServerOf(pid int, data string) bool {
	out, err := exec.Command("ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && strings.Contains(string(out), " -D "+data+" ")
}

// smallSharedMemory is a matter of Linux containers.
func smallSharedMemory() bool { return false }
