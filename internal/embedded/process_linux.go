// Linux: how the database server dies with this process, and how to recognise it.

package embedded

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// tieToParent has the kernel ask the server for a fast shutdown when we end,
// whatever ended us.
func tieToParent(cmd *exec.Cmd) (func(pid int) func(), error) {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGINT
	return func(int) func() { return func() {} }, nil
}

// isServerOf tells whether the process is a PostgreSQL server on that data
// directory, and not another program that got the same process id.
func isServerOf(pid int, data string) bool {
	commandLine, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && bytes.Contains(commandLine, []byte("\x00-D\x00"+data+"\x00"))
}

// smallSharedMemory tells whether /dev/shm is too small for parallel index builds.
func smallSharedMemory() bool {
	var stat syscall.Statfs_t
	if err := syscall.Statfs("/dev/shm", &stat); err != nil {
		return true
	}
	return stat.Bavail*uint64(stat.Bsize) < 512<<20
}
