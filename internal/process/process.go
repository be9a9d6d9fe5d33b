// Package process runs other programs beside this one: the parts of the
// development stack, of the measurements and of the tests. What is started here
// ends with this process, whatever ends that.
//
// This file: a program's life. What it writes is in log.go, when it is ready in
// ready.go, how it is tied to this process in tie_*.go, how the tests and
// measurements get at the project's own programs in build.go.
package process

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Program says what to start.
type Program struct {
	// Name is what messages call it; empty: the last part of Path.
	Name string
	// Path of the binary; one without a slash is looked up in PATH.
	Path string
	Args []string
	// Dir is the working directory; empty: this process's.
	Dir string
	// Env is the whole environment, as Environment makes it; nil: this process's.
	Env []string
	// Standard output and standard error are added to the file LogPath, which is
	// made when missing, or to Log; neither: they are thrown away.
	LogPath string
	Log     *Log
	// Credential is the user that it runs as; nil: this process's.
	Credential *syscall.Credential
}

// Environment is a list of variables (such as os.Environ()) with more of them set.
func Environment(base []string, more map[string]string) []string {
	environment := slices.Clone(base)
	for _, name := range slices.Sorted(maps.Keys(more)) {
		environment = append(environment, name+"="+more[name]) // of several with one name the last counts
	}
	return environment
}

// Process is a started program. Its methods may be called concurrently.
type Process struct {
	program  Program
	cmd      *exec.Cmd
	logStart int64 // where in the file of LogPath this run begins
	done     chan struct{}
}

// Start starts the program, in a process group of its own: Ctrl-C in a terminal
// reaches the whole group in the foreground, and it is for this process to say
// in which order the parts end. When this process dies, even by kill -9, the
// program gets SIGINT (tie says how on each system).
func Start(program Program) (*Process, error) {
	program.Name = cmp.Or(program.Name, filepath.Base(program.Path))
	p := &Process{program: program, done: make(chan struct{})}
	p.cmd = exec.Command(program.Path, program.Args...)
	p.cmd.Dir, p.cmd.Env = program.Dir, program.Env
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: program.Credential}
	switch {
	case program.LogPath != "":
		file, start, err := openLog(program.LogPath)
		if err != nil {
			return nil, fmt.Errorf("open the log of %s: %w", program.Name, err)
		}
		defer file.Close() // the program has its own copy
		p.cmd.Stdout, p.cmd.Stderr, p.logStart = file, file, start
	case program.Log != nil:
		p.cmd.Stdout, p.cmd.Stderr = program.Log, program.Log
	}
	started := make(chan error, 1)
	go p.run(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", program.Name, err)
	}
	return p, nil
}

func (p *Process) run(started chan<- error) {
	// Linux sends the parent-death signal when the *thread* that made the child
	// ends, so this goroutine keeps its thread until the child is gone.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	untie, err := startTied(p.cmd)
	started <- err
	if err != nil {
		return
	}
	_ = p.cmd.Wait() // how it ended is in ProcessState
	untie()
	close(p.done)
}

// PID is the process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Ended reports whether the process is gone.
func (p *Process) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// State says how the process ended; it waits until it has.
func (p *Process) State() *os.ProcessState {
	<-p.done
	return p.cmd.ProcessState
}

// Signal sends the process a signal. It fails when the process has ended: a
// process id that was given to another program meanwhile is never hit.
func (p *Process) Signal(signal syscall.Signal) error { return p.cmd.Process.Signal(signal) }

// Kill ends the process without any shutdown and waits for it.
func (p *Process) Kill() {
	_ = p.Signal(syscall.SIGKILL) // unless it has ended already
	<-p.done
}

// Stop asks the process to end (SIGTERM) and waits for it. One that has not
// ended within the limit is killed, which is an error.
func (p *Process) Stop(limit time.Duration) error {
	_ = p.Signal(syscall.SIGTERM) // unless it has ended already
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.done:
		return nil
	case <-timer.C:
		p.Kill()
		return fmt.Errorf("%s had not ended %s after it was asked to and was killed", p.program.Name, limit)
	}
}

// Failure is the error of a program that ended by itself, with the last line
// that it wrote.
func (p *Process) Failure() error {
	last := strings.TrimSpace(p.Tail(1))
	switch {
	case last == "":
		return errors.New(p.program.Name + " ended by itself")
	case p.program.LogPath == "":
		return fmt.Errorf("%s ended by itself: %s", p.program.Name, last)
	default:
		return fmt.Errorf("%s ended by itself: %s (log: %s)", p.program.Name, last, p.program.LogPath)
	}
}
