package process

// This file: Linux: how a child ends with this process.

import (
	"os/exec"
	"syscall"
)

// startTied starts the command and has the kernel send it SIGINT when the thread
// that calls this ends, whatever ended it. untie is to be called when the
// command has ended.
func startTied(cmd *exec.Cmd) (untie func(), err error) {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGINT
	return func() {}, cmd.Start()
}
