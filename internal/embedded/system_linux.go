package embedded

// This file: Linux: how to recognise the database server, and its shared memory.

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
)

// isServerOf reports whether the process is a PostgreSQL server on that data
// directory, and not another program that got the same process id.
func isServerOf(pid int, data string) bool {
	commandLine, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && bytes.Contains(commandLine, []byte("\x00-D\x00"+data+"\x00"))
}

// smallSharedMemory reports whether /dev/shm is too small for parallel index builds.
func smallSharedMemory() bool {
	var stat syscall.Statfs_t
	if err := syscall.Statfs("/dev/shm", &stat); err != nil {
		return true
	}
	return stat.Bavail*uint64(stat.Bsize) < 512<<20
}
