// The server process of the embedded PostgreSQL as a child of this one. What
// belongs here: starting it so that it dies with us, signalling it, noticing its end.

package devstack

import (
	"os/exec"
	"runtime"
	"syscall"
)

// serverProcess is a started child; done is closed when it has ended.
type serverProcess struct {
	pid  int
	done chan struct{}
}

// startServer starts the command so that it is stopped when this process dies,
// even by kill -9 (tieToParent says how on each system).
func startServer(cmd *exec.Cmd) (*serverProcess, error) {
	started := make(chan error, 1)
	server := &serverProcess{done: make(chan struct{})}
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

// ended tells whether the server process is gone.
func (s *serverProcess) ended() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// signal reaches the server unless it has ended: a reused process id is never hit.
func (s *serverProcess) signal(signal syscall.Signal) {
	if !s.ended() {
		_ = syscall.Kill(s.pid, signal)
	}
}

// kill ends the server and its workers without any shutdown and waits for it.
func (s *serverProcess) kill() {
	s.signal(syscall.SIGQUIT)
	s.signal(syscall.SIGKILL)
	<-s.done
}
