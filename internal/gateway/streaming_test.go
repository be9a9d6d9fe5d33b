package gateway_test

// This file: large files through a gateway of its own process, whose peak
// memory is measured: 200 MiB down, four parts of 50 MiB up at once.

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
	"equipment-platform/internal/process"
)

const (
	mib = 1 << 20
	// maxPeak is what the gateway may use while it streams.
	maxPeak = 150 * mib
)

// child is a gateway process.
type child struct {
	*process.Process
	url  string
	path string // of its program
}

// withinMemory holds a peak against its limit, but for a program with the race
// detector, which needs several times the memory.
func (c *child) withinMemory(t testing.TB, peak, most int64) {
	t.Helper()
	t.Logf("peak memory %d MiB", peak/mib)
	info, err := buildinfo.ReadFile(c.path)
	require.NoError(t, err)
	if !slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		require.Less(t, peak, most)
	}
}

func startChild(t testing.TB, upstream string, environment ...string) *child {
	t.Helper()
	keys()
	programs, err := process.Build(t.Context(), "cmd/gateway")
	require.NoError(t, err)
	log, path := &process.Log{}, filepath.Join(programs, "gateway")
	started, err := process.Start(process.Program{
		Path: path, Args: []string{"serve"}, Dir: t.TempDir(), Log: log,
		Env: append(append(os.Environ(), "LOG_FORMAT=json", "HTTP_ADDR=127.0.0.1:0", "PROVIDER_URL="+upstream, "PROVIDER_BOX_ID="+box, "AUTH_JWKS_URL="+jwksURL), environment...),
	})
	require.NoError(t, err)
	t.Cleanup(started.Kill)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	line, err := log.Await(ctx, `"address":"`)
	require.NoError(t, err, log)
	_, rest, _ := strings.Cut(line, `"address":"`)
	address, _, _ := strings.Cut(rest, `"`)
	require.NoError(t, started.AwaitReady(t.Context(), "http://"+address+"/readyz", 30*time.Second), log)
	return &child{Process: started, url: "http://" + address, path: path}
}

// stop ends the process and returns the most memory that it used.
func (c *child) stop(t testing.TB) int64 {
	t.Helper()
	// Linux counts the parent's memory into the resource usage of a child, so the process is asked while it lives
	peak := highWater(c.PID())
	require.NoError(t, c.Stop(time.Minute))
	require.Zero(t, c.State().ExitCode())
	if peak == 0 {
		peak = c.State().SysUsage().(*syscall.Rusage).Maxrss // in bytes outside Linux
	}
	return peak
}

// highWater reads the peak resident set of a process, 0 where there is no
// /proc.
func highWater(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes int64
	_, _ = fmt.Sscan(rest, &kilobytes)
	return kilobytes * 1024
}

// pattern is a stream that is easy to make and hard to confuse.
type pattern struct{ at int64 }

func (p *pattern) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(p.at>>10) ^ byte(p.at)
		p.at++
	}
	return len(b), nil
}

func hashOf(t testing.TB, r io.Reader) string {
	t.Helper()
	h := sha256.New()
	_, err := io.Copy(h, r)
	require.NoError(t, err)
	return hex.EncodeToString(h.Sum(nil))
}

func TestStreamingMemory(t *testing.T) {
	t.Parallel()
	const download, part = 200 * mib, 50 * mib
	var mu sync.Mutex
	uploaded := map[string]string{}
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Length", strconv.Itoa(download))
			_, _ = io.CopyN(w, &pattern{}, download)
			return
		}
		h := sha256.New()
		n, _ := io.Copy(h, r.Body)
		mu.Lock()
		defer mu.Unlock()
		uploaded[r.URL.Query().Get("partIndex")] = fmt.Sprint(n, hex.EncodeToString(h.Sum(nil)))
		_, _ = io.WriteString(w, "[]")
	}))
	t.Cleanup(up.Close)
	c := startChild(t, up.URL)
	token := tokenFor(t, "tester", "ADMIN")
	do := func(method, path string, body io.Reader, length int64) (*http.Response, error) {
		req, err := http.NewRequest(method, c.url+api+path, body)
		if err != nil {
			return nil, err
		}
		req.ContentLength = length
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("X-Partner-Access-Token", partnerToken)
		req.Header.Set("Content-Type", "application/octet-stream")
		return http.DefaultTransport.RoundTrip(req)
	}
	resp, err := do("GET", "/shelves?Query=fileName%3Dbig", nil, 0)
	require.NoError(t, err)
	require.EqualValues(t, download, resp.ContentLength)
	require.Equal(t, hashOf(t, io.LimitReader(&pattern{}, download)), hashOf(t, resp.Body))
	require.NoError(t, resp.Body.Close())
	var parts sync.WaitGroup
	errs := make(chan error, 4)
	for i := range 4 {
		parts.Go(func() {
			length := int64(part)
			if i%2 == 1 {
				length = -1 // chunked
			}
			query := url.QueryEscape(fmt.Sprintf("fileName=big&partIndex=%d", i))
			resp, err := do("POST", "/shelves/parts?Query="+query, io.LimitReader(&pattern{at: int64(i)}, part), length)
			if err == nil && resp.StatusCode != 200 {
				err = fmt.Errorf("part %d: %s", i, resp.Status)
			}
			if err == nil {
				err = resp.Body.Close()
			}
			errs <- err
		})
	}
	parts.Wait()
	for range 4 {
		require.NoError(t, <-errs)
	}
	for i := range 4 {
		want := fmt.Sprint(part, hashOf(t, io.LimitReader(&pattern{at: int64(i)}, part)))
		require.Equal(t, want, uploaded[strconv.Itoa(i)])
	}
	c.withinMemory(t, c.stop(t), maxPeak)
}

// TestUpstreamThatDoesNotRead: an upload must not hang on an upstream that
// takes nothing.
func TestUpstreamThatDoesNotRead(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
		}
	}()
	b := startGateway(t, config.Gateway{ProviderURL: "http://" + listener.Addr().String(), BoxID: box, UpstreamTimeout: 300 * time.Millisecond})
	req := b.request("POST", api+"/shelves", io.LimitReader(&pattern{}, 60*mib), "Content-Type", "application/octet-stream")
	b.do(req).problem(t, 504, "upstream_timeout")
}
