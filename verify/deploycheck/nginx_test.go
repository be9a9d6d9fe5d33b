package deploycheck

// This file: the delivered nginx configuration in a real nginx, in front of services
// that say what they got.

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// startNginx runs the delivered configuration with addresses and places of this
// machine, until the test ends.
func startNginx(t *testing.T, catalog, gateway string) (address string) {
	t.Helper()
	program, err := exec.LookPath("nginx")
	require.NoError(t, err, "nginx is needed (Debian: nginx-light)")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address = listener.Addr().String()
	require.NoError(t, listener.Close())
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.html"), []byte("the app"), 0o644))
	raw, err := os.ReadFile("../../deploy/web/nginx.conf")
	require.NoError(t, err)
	text := string(raw)
	for _, change := range [][2]string{
		{"/tmp/", dir + "/"}, // first: the other places may lie there
		{"server catalog:8080;", "server " + catalog + ";"}, {"server gateway:8080;", "server " + gateway + ";"}, {"listen 8080;", "listen " + address + ";"},
		{"root /usr/share/nginx/html;", "root " + dir + ";"}, {"/etc/nginx/settings.json", dir + "/settings.json"},
	} {
		require.Contains(t, text, change[0])
		text = strings.ReplaceAll(text, change[0], change[1])
	}
	conf := filepath.Join(dir, "nginx.conf")
	require.NoError(t, os.WriteFile(conf, []byte("daemon off;\nworker_processes 1;\n"+strings.Replace(text, "worker_processes auto;\n", "", 1)), 0o644))
	// workers of a start by root would be another user's and could not read a directory of this one
	arguments := []string{"-c", conf, "-e", "stderr"}
	if os.Geteuid() == 0 {
		arguments = append(arguments, "-g", "user root;")
	}
	var output bytes.Buffer
	nginx := exec.Command(program, arguments...)
	nginx.Stderr = &output
	require.NoError(t, nginx.Start())
	t.Cleanup(func() {
		_ = nginx.Process.Signal(syscall.SIGTERM)
		_ = nginx.Wait()
		if t.Failed() {
			t.Log(output.String())
		}
	})
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	}, 10*time.Second, 10*time.Millisecond)
	return address
}

// service says which path it got, as written, and from whom.
func service(t *testing.T, name string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, "%s %s from %s", name, r.RequestURI, strings.Join(r.Header.Values("X-Forwarded-For"), ","))
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

func TestNginx(t *testing.T) {
	t.Parallel()
	address := startNginx(t, service(t, "catalog"), service(t, "gateway"))
	// paths as they are: a client library would clean them
	get := func(path string, headers ...string) (status int, body string) {
		t.Helper()
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer conn.Close()
		_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s\r\n", path, strings.Join(headers, ""))
		require.NoError(t, err)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		defer resp.Body.Close()
		raw, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, string(raw)
	}
	for path, got := range map[string]string{
		"/catalog/api/v1/vehicles?size=1&x=%2F":     "catalog /api/v1/vehicles?size=1&x=%2F",
		"/catalog/api/v1/units/a%2Fb":               "catalog /api/v1/units/a%2Fb",
		"/catalog/api/v1/units/a%2fb%20c%3Fd%C3%A9": "catalog /api/v1/units/a%2fb%20c%3Fd%C3%A9",
		"/catalog/api/v1/units/a//b":                "catalog /api/v1/units/a//b",
		"/catalog/api/v1/units/%2E%2E/x":            "catalog /api/v1/units/%2E%2E/x",
		"/gateway/api/v1/exchange/a%2Fb?c":          "gateway /api/v1/exchange/a%2Fb?c",
		"/gateway/api/":                             "gateway /api/",
	} {
		status, body := get(path)
		require.Equal(t, 200, status, path)
		require.Equal(t, got+" from 127.0.0.1", body)
	}
	_, body := get("/catalog/api/x", "X-Forwarded-For: 192.0.2.1\r\n")
	require.Equal(t, "catalog /api/x from 192.0.2.1, 127.0.0.1", body, "who connects stands last")
	for _, path := range []string{
		"/catalog/readyz", "/catalog/healthz", "/gateway/readyz", "/gateway/healthz", "/catalog/metrics", "/catalog/", "/catalog/%72eadyz", "/catalog//readyz", "/catalog/./readyz",
		"/catalog/x/../readyz", "/%63atalog/readyz", "/gateway/../catalog/readyz", "/gateway/../catalog/api/x", "/catalog/%2e%2e/catalog/readyz",
	} {
		status, body := get(path)
		require.Equal(t, 404, status, path)
		require.NotContains(t, body, " from ", path)
	}
	// steps back lead nowhere but where the service itself finds nothing
	for _, path := range []string{"/catalog/api/../readyz", "/catalog/api/%2e%2e/readyz", "/catalog/api/..%2Freadyz"} {
		_, body := get(path)
		require.NotContains(t, body, "catalog /readyz", path)
	}
	for _, path := range []string{"/", "/vehicles/1"} {
		status, body := get(path)
		require.Equal(t, 200, status)
		require.Equal(t, "the app", body)
	}
}
