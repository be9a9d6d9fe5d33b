// Child processes that die with this one: the PostgreSQL server, and whatever else
// a program starts to run beside itself. What belongs here: starting, signalling,
// noticing the end.

package embedded

import (
	"os/exec"
	"runtime"
	"syscall"
)

// Process is a started child.
type Process struct {
	pid  int
	done chan struct{}
}

// StartProcess starts the command so that it is stopped when this process dies,
// even by kill -9 (tieToParent says how on each system).
func StartProcess(cmd *exec.Cmd) (*Process, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	started := make(chan error, 1)
	server := &Process{done: make(chan struct{})}
	go func() {
		defer close(server.done)
		// Linux sends the parent-death signal when the *thread* that made the
		// child ends, so this goroutine keeps its thread until the child is gone.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		untie, err := tieToParent(cmd)
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			started <- err
			return
		}
		server.pid = cmd.Process.Pid
		started <- nil
		release := untie(cmd.Process.Pid)
		_ = cmd.Wait() // how it ended is in its log
		release()
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return server, nil
}

// Done is closed when the process has ended.
func (s *Process) Done() <-chan struct{} { return s.done }

// Ended tells whether the process is gone.
func (s *Process) Ended() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// Signal reaches the process unless it has ended: a reused process id is never hit.
func (s *Process) Signal(signal syscall.Signal) {
	if !s.Ended() {
		_ = syscall.Kill(s.pid, signal)
	}
}

// Kill ends the process without any shutdown and waits for it. The quit signal comes
// first: by it a PostgreSQL server ends its workers too.
func (s *Process) Kill() {
	s.Signal(syscall.SIGQUIT)
	s.Signal(syscall.SIGKILL)
	<-s.done
}
