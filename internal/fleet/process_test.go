package fleet_test

// This file: the programs and how they run, and the keys that their callers
// sign with.

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/process"
	"equipment-platform/internal/testdb"
)

// patience bounds what would hang; nothing here takes nearly as long.
const patience = 2 * time.Minute

func TestMain(tests *testing.M) { testdb.Main(tests) }

// programs are the binaries, with the key that signs tokens and its public half.
type programs struct {
	dir, jwks string
	key       *auth.DevKey
}

var built = sync.OnceValues(func() (p programs, err error) {
	if p.dir, err = process.Build(context.Background(), "cmd/catalog", "cmd/indexer", "cmd/gateway", "cmd/sandbox"); err != nil {
		return p, err
	}
	// testdb.Main ends the process, so nothing could be removed at the end: one place, used again
	keys := filepath.Join(filepath.Dir(p.dir), "fleet")
	if p.key, err = auth.LoadDevKey(filepath.Join(keys, "dev.pem")); err != nil {
		return p, err
	}
	p.jwks = filepath.Join(keys, "jwks.json")
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

// instance is a program that runs until the end of the test, unless it is stopped
// before; its addresses stay over restarts.
type instance struct {
	*process.Process
	t       testing.TB
	program process.Program
	env     map[string]string
	addr    string // of the API
	admin   string // of /metrics
	log     *process.Log
}

// start runs a program until the test ends.
func (p programs) start(t testing.TB, command []string, env map[string]string) *instance {
	t.Helper()
	x := &instance{t: t, addr: freeAddress(t), admin: freeAddress(t), log: &process.Log{}}
	x.program = process.Program{Path: filepath.Join(p.dir, command[0]), Args: command[1:], Log: x.log}
	x.env = map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": os.Getenv("HOME"), "APP_ENV": "production", "LOG_FORMAT": "json",
		"HTTP_ADDR": x.addr, "ADMIN_ADDR": x.admin, "AUTH_JWKS_URL": "file://" + p.jwks, "SHUTDOWN_TIMEOUT": "12s",
	}
	maps.Copy(x.env, env)
	x.run()
	t.Cleanup(func() { x.Kill() })
	return x
}

// run starts the program, also after it has ended.
func (x *instance) run() {
	x.t.Helper()
	x.program.Dir = x.t.TempDir() // no .env there
	x.program.Env = process.Environment(nil, x.env)
	var err error
	x.Process, err = process.Start(x.program)
	require.NoError(x.t, err)
}

// stop asks the program to end and demands that it ends well.
func (x *instance) stop() {
	x.t.Helper()
	require.NoError(x.t, x.Stop(patience), x.log)
	require.Zero(x.t, x.State().ExitCode(), x.log)
}

// awaitReady waits until /readyz says yes.
func (x *instance) awaitReady() {
	x.t.Helper()
	require.NoError(x.t, x.AwaitReady(x.t.Context(), "http://"+x.addr+"/readyz", patience))
}

// sandbox starts the provider in memory and returns its address, where it answers.
func (p programs) sandbox(t testing.TB) string {
	t.Helper()
	x := p.start(t, []string{"sandbox", "serve"}, nil)
	require.NoError(t, x.AwaitReady(t.Context(), "http://"+x.addr+"/healthz", patience))
	return x.addr
}

// metrics returns what /metrics shows.
func (x *instance) metrics() string {
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
func (x *instance) series(name string) map[string]float64 {
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
	cmd.Env = process.Environment([]string{"PATH=" + os.Getenv("PATH"), "AUTH_JWKS_URL=file://" + p.jwks}, env)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func freeAddress(t testing.TB) string {
	t.Helper()
	address, err := process.FreeAddress()
	require.NoError(t, err)
	return address
}
