package fleet_test

// This file: building and running the programs, and the keys that their callers
// sign with.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/testdb"
)

// patience bounds what would hang; nothing here takes nearly as long.
const patience = 2 * time.Minute

func TestMain(tests *testing.M) { testdb.Main(tests) }

// programs are the binaries, built once for the tests of this package, with
// the key that signs tokens and its public half.
type programs struct {
	dir, jwks string
	key       *auth.DevKey
}

var built = sync.OnceValues(func() (p programs, err error) {
	// testdb.Main ends the process, so nothing could be removed at the end: one place, used again
	if p.dir, err = filepath.Abs("../../.local/fleet"); err != nil {
		return p, err
	}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return p, err
	}
	out, err := exec.Command("go", "build", "-o", p.dir+"/", "../../cmd/catalog", "../../cmd/indexer", "../../cmd/gateway", "../../cmd/sandbox").CombinedOutput()
	if err != nil {
		return p, fmt.Errorf("go build: %w\n%s", err, out)
	}
	if p.key, err = auth.LoadDevKey(filepath.Join(p.dir, "dev.pem")); err != nil {
		return p, err
	}
	p.jwks = filepath.Join(p.dir, "jwks.json")
	return p, p.key.WriteJWKS(p.jwks)
})

func build(t testing.TB) programs {
	t.Helper()
	p, err := built()
	require.NoError(t, err)
	return p
}

func (p programs) token(t testing.TB, sub string, roles ...string) string {
	t.Helper()
	signed, err := p.key.Sign(auth.DevClaims{Subject: sub, Roles: roles, TTL: time.Hour})
	require.NoError(t, err)
	return signed
}

// process is a running program.
type process struct {
	t       testing.TB
	name    string
	command []string
	env     map[string]string
	addr    string // of the API
	admin   string // of /metrics

	cmd   *exec.Cmd
	ended chan struct{}
	log   *output
}

// output keeps what a program writes.
type output struct {
	mu sync.Mutex
	bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.Buffer.Write(p)
}

func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.String()
}

// start runs a program until the test ends; its addresses stay over restarts.
func (p programs) start(t testing.TB, command []string, env map[string]string) *process {
	t.Helper()
	x := &process{t: t, name: command[0], command: command, addr: freeAddr(t), admin: freeAddr(t), log: &output{}}
	x.env = map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": os.Getenv("HOME"), "APP_ENV": "production", "LOG_FORMAT": "json",
		"HTTP_ADDR": x.addr, "ADMIN_ADDR": x.admin, "AUTH_JWKS_URL": "file://" + p.jwks, "SHUTDOWN_TIMEOUT": "12s",
	}
	maps.Copy(x.env, env)
	x.run(p.dir)
	t.Cleanup(x.kill)
	return x
}

func (x *process) run(dir string) {
	x.t.Helper()
	x.cmd = exec.Command(filepath.Join(dir, x.command[0]), x.command[1:]...)
	x.cmd.Dir = x.t.TempDir() // no .env there
	for name, value := range x.env {
		x.cmd.Env = append(x.cmd.Env, name+"="+value)
	}
	x.cmd.Stdout, x.cmd.Stderr = x.log, x.log
	require.NoError(x.t, x.cmd.Start())
	ended := make(chan struct{})
	x.ended = ended
	go func(cmd *exec.Cmd) { _ = cmd.Wait(); close(ended) }(x.cmd)
}

func (x *process) kill() {
	_ = x.cmd.Process.Kill()
	<-x.ended
}

// stop asks the program to end and demands that it ends well.
func (x *process) stop() {
	x.t.Helper()
	require.NoError(x.t, x.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case <-x.ended:
	case <-time.After(patience):
		require.Fail(x.t, "it does not end", x.log.text())
	}
	require.Zero(x.t, x.cmd.ProcessState.ExitCode(), x.log.text())
}

// awaitReady waits until /readyz says yes.
func (x *process) awaitReady() {
	x.t.Helper()
	require.Eventually(x.t, func() bool { return status(x.addr, "/readyz") == http.StatusOK }, patience, 20*time.Millisecond, x.name)
}

// metrics returns what /metrics shows.
func (x *process) metrics() string {
	x.t.Helper()
	var text string
	require.Eventually(x.t, func() bool {
		resp, err := http.Get("http://" + x.admin + "/metrics")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		raw, err := io.ReadAll(resp.Body)
		text = string(raw)
		return err == nil && resp.StatusCode == http.StatusOK
	}, patience, 20*time.Millisecond)
	return text
}

// series returns the values of a metric, by what stands between the braces.
func (x *process) series(name string) map[string]float64 {
	x.t.Helper()
	out := map[string]float64{}
	for line := range strings.Lines(x.metrics()) {
		var value float64
		head, number, _ := strings.Cut(strings.TrimSpace(line), "} ")
		if metric, labels, ok := strings.Cut(head, "{"); ok && metric == name {
			_, err := fmt.Sscan(number, &value)
			require.NoError(x.t, err)
			out[labels] = value
		}
	}
	return out
}

// status is the answer to a GET; 0: none.
func status(addr, path string) int {
	resp, err := http.Get("http://" + addr + path)
	if err != nil {
		return 0
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// once runs a program to its end.
func (p programs) once(ctx context.Context, env map[string]string, command ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(p.dir, command[0]), command[1:]...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "AUTH_JWKS_URL=file://" + p.jwks}
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func freeAddr(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return listener.Addr().String()
}
