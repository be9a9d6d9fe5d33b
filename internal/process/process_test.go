package process_test

// This file: real programs: started, waited for, stopped, and gone with their
// parent.

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/process"
)

// patience bounds what would hang.
const patience = 30 * time.Second

func start(t *testing.T, script string, more process.Program) *process.Process {
	t.Helper()
	more.Name, more.Path, more.Args = "part", "sh", []string{"-c", script}
	p, err := process.Start(more)
	require.NoError(t, err)
	t.Cleanup(p.Kill)
	return p
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

func TestProgramGetsWhatItIsGiven(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log := &process.Log{}
	p := start(t, `pwd; echo "$OWN $HOME"; echo error >&2; exit 3`, process.Program{
		Dir: dir, Log: log, Env: process.Environment([]string{"OWN=before", "HOME=/nowhere"}, map[string]string{"OWN": "set"}),
	})
	require.Equal(t, 3, p.State().ExitCode())
	require.True(t, p.Ended())
	require.Equal(t, dir+"\nset /nowhere\nerror\n", log.String())
	require.Equal(t, "set /nowhere\nerror", p.Tail(2))
	require.EqualError(t, p.Failure(), "part ended by itself: error")
	require.ErrorIs(t, p.Signal(syscall.SIGTERM), os.ErrProcessDone)
	require.NoError(t, p.Stop(time.Second))

	_, err := process.Start(process.Program{Path: filepath.Join(dir, "missing")})
	require.ErrorContains(t, err, "start missing: ")
}

// The log of a program that is started again holds all its runs; what is said of
// one is its own.
func TestLogFileIsKept(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "part.log")
	<-start(t, "echo first", process.Program{LogPath: path}).Done()
	second := start(t, "true", process.Program{LogPath: path})
	<-second.Done()
	require.EqualError(t, second.Failure(), "part ended by itself")
	third := start(t, "echo third", process.Program{LogPath: path})
	<-third.Done()
	require.EqualError(t, third.Failure(), "part ended by itself: third (log: "+path+")")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "first\nthird\n", string(text))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestLogAwaitsALine(t *testing.T) {
	t.Parallel()
	log := &process.Log{}
	found := make(chan string, 1)
	go func() {
		line, err := log.Await(t.Context(), "two")
		found <- fmt.Sprint(line, err)
	}()
	for _, part := range []string{"one\n", "line tw", "o of", " it"} {
		_, err := log.Write([]byte(part))
		require.NoError(t, err)
		require.Empty(t, found, "the line has not ended")
	}
	_, err := log.Write([]byte("\nthree\n"))
	require.NoError(t, err)
	require.Equal(t, "line two of it<nil>", <-found)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = log.Await(ctx, "four")
	require.ErrorIs(t, err, context.Canceled)
}

func TestStop(t *testing.T) {
	t.Parallel()
	log := &process.Log{}
	polite := start(t, `trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.01; done`, process.Program{Log: log})
	_, err := log.Await(within(t), "up")
	require.NoError(t, err)
	require.NoError(t, polite.Stop(patience))
	require.Zero(t, polite.State().ExitCode())
	require.Contains(t, log.String(), "bye")

	log = &process.Log{}
	deaf := start(t, `trap '' TERM; echo up; while :; do sleep 0.01; done`, process.Program{Log: log})
	_, err = log.Await(within(t), "up")
	require.NoError(t, err)
	require.EqualError(t, deaf.Stop(10*time.Millisecond), "part had not ended 10ms after it was asked to and was killed")
	require.True(t, deaf.Ended())
}

func TestAwaitReady(t *testing.T) {
	t.Parallel()
	var looks atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if looks.Add(1) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(server.Close)
	p := start(t, "sleep 60", process.Program{})
	require.NoError(t, p.AwaitReady(t.Context(), server.URL, patience))
	require.EqualValues(t, 3, looks.Load())

	looks.Store(-1000)
	require.EqualError(t, p.AwaitReady(t.Context(), server.URL, 10*time.Millisecond), "part is not ready after 10ms")
	ended := start(t, "echo no; exit 1", process.Program{Log: &process.Log{}})
	require.EqualError(t, ended.AwaitReady(t.Context(), server.URL, patience), "part ended by itself: no")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, p.AwaitReady(ctx, server.URL, patience), context.Canceled)
	require.ErrorContains(t, process.AwaitHTTP(ctx, server.URL), "is not ready")
}

// The parent is a process of its own here, killed as the out-of-memory killer
// would.
func TestChildEndsWithItsParent(t *testing.T) {
	t.Parallel()
	log := &process.Log{}
	parent, err := process.Start(process.Program{
		Path: os.Args[0], Args: []string{"-test.run=^TestHelperParent$"}, Log: log,
		Env: process.Environment(os.Environ(), map[string]string{"PROCESS_TEST_PARENT": "yes"}),
	})
	require.NoError(t, err)
	t.Cleanup(parent.Kill)
	line, err := log.Await(within(t), "child ")
	require.NoError(t, err)
	child, err := strconv.Atoi(strings.TrimPrefix(line, "child "))
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(child, 0), "it runs")
	parent.Kill()
	require.Eventually(t, func() bool { return !runs(child) }, patience, 10*time.Millisecond)
}

// runs reports whether the process does anything: one that has ended may
// stay to be collected where process 1 does not do that.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err == nil {
		_, state, _ := strings.Cut(string(stat), ") ")
		return !strings.HasPrefix(state, "Z")
	}
	return syscall.Kill(pid, 0) == nil
}

// TestHelperParent is the parent of the test above; by itself it does nothing.
func TestHelperParent(t *testing.T) {
	if os.Getenv("PROCESS_TEST_PARENT") == "" {
		return
	}
	child, err := process.Start(process.Program{Path: "sleep", Args: []string{"60"}})
	require.NoError(t, err)
	fmt.Println("child", child.PID())
	<-child.Done()
}

func TestBuildOnce(t *testing.T) {
	t.Parallel()
	built := make(chan error, 3)
	for range cap(built) {
		go func() {
			dir, err := process.Build(t.Context(), "internal/testdb/withpostgres")
			if err == nil {
				_, err = os.Stat(filepath.Join(dir, "withpostgres"))
			}
			built <- err
		}()
	}
	for range cap(built) {
		require.NoError(t, <-built)
	}
	_, err := process.Build(t.Context(), "cmd/nothing")
	require.ErrorContains(t, err, "go build")
}

func TestFreeAddress(t *testing.T) {
	t.Parallel()
	address, err := process.FreeAddress()
	require.NoError(t, err)
	require.Regexp(t, `^127\.0\.0\.1:\d+$`, address)
}
