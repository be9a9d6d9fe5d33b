package sandbox_test

// This file: credentials, requests that no operation sees, faults on demand, and
// the server's life.

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"equipment-platform/internal/edge/edgetest"
	"equipment-platform/internal/sandbox"

	"github.com/stretchr/testify/require"
)

// ask sends a request as it is, and returns status, headers and text: for what no
// spec describes.
func ask(t *testing.T, method, target, body string, header ...string) (int, http.Header, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+sandbox.Token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json; charset=utf-8")
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode, resp.Header, string(text)
}

func TestCredentialsAndBoxes(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	header := func(name, value string) []edgetest.Header { return []edgetest.Header{{Name: name, Value: value}} }
	for _, c := range []struct {
		name, method, path string
		body               any
		want               int
		header             []edgetest.Header
	}{
		{"own box", "GET", target("/GetBox", mine), nil, 200, nil},
		{"own box by its short form", "GET", "/GetBox?boxId=00000000-0000-4000-8000-0000000000b1", nil, 200, nil},
		{"another's box", "GET", target("/GetBox", theirs), nil, 403, nil},
		{"unknown box", "GET", "/GetBox?boxId=x", nil, 404, nil},
		{"missing box", "GET", "/GetBox", nil, 400, nil},
		{"no token", "GET", target("/GetBox", mine), nil, 401, header("Authorization", "")},
		{"unknown token", "GET", target("/GetBox", mine), nil, 401, header("Authorization", "Bearer x")},
		{"no bearer", "GET", target("/GetBox", mine), nil, 401, header("Authorization", sandbox.Token)},
		{"the other side", "GET", target("/GetBox", theirs), nil, 200, header("Authorization", "Bearer "+sandbox.CounteragentToken)},
		{"unknown field", "POST", target("/V2/KeyValueStorageGet", mine), object{"X": 1}, 400, nil},
		{"unknown enumeration", "GET", "/GetContent?typeNamedId=Contract&function=a&version=b&titleIndex=0&contentType=Pdf", nil, 400, nil},
		{"unknown operation", "GET", "/V9/Nothing", nil, 404, nil},
		{"wrong method", "DELETE", target("/GetBox", mine), nil, 405, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b.own().client.Do(t, c.method, c.path, c.body, c.header...).Is(c.want)
		})
	}
	for _, key := range []string{"", "wrong"} {
		b.partner("/logistics", key).get(401, "/transportations")
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	url := newBed(t).url + target("/GetBox", mine)
	status, header, _ := ask(t, "GET", url, "", "X-Sandbox-Fault", "503;2")
	require.Equal(t, 503, status)
	require.Equal(t, "2", header.Get("Retry-After"))
	status, _, _ = ask(t, "GET", url, "", "X-Sandbox-Fault", "404")
	require.Equal(t, 404, status)
	status, _, text := ask(t, "GET", url, "", "X-Sandbox-Fault", "garbage")
	require.Equal(t, 200, status)
	require.Contains(t, text, "garbage")
	begin := time.Now()
	status, _, _ = ask(t, "GET", url, "", "X-Sandbox-Fault", "slow")
	require.Equal(t, 200, status)
	require.GreaterOrEqual(t, time.Since(begin), 300*time.Millisecond)
	status, _, _ = ask(t, "GET", url, "", "X-Sandbox-Fault", "unheard of")
	require.Equal(t, 400, status)
	for fault, phase := range map[string]string{"timeout": "answer", "cut": "body"} {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		require.NoError(t, err)
		req.Header.Set("X-Sandbox-Fault", fault)
		resp, err := http.DefaultTransport.RoundTrip(req)
		if phase == "body" {
			require.NoError(t, err)
			_, err = io.ReadAll(resp.Body)
			require.NoError(t, resp.Body.Close())
		}
		require.Error(t, err, fault)
		cancel()
	}
}

// TestServe starts the sandbox on an address and ends it.
func TestServe(t *testing.T) {
	t.Parallel()
	logs, lines := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		log := slog.New(slog.NewJSONHandler(lines, nil))
		served <- sandbox.New(log).Serve(ctx, "127.0.0.1:0", time.Second)
	}()
	var line struct{ Address string }
	require.NoError(t, json.NewDecoder(logs).Decode(&line))
	status, _, text := ask(t, "GET", "http://"+line.Address+"/healthz", "")
	require.Equal(t, "200 ok", strconv.Itoa(status)+" "+text)
	require.Error(t, sandbox.New(slog.New(slog.DiscardHandler)).Serve(ctx, line.Address, time.Second), "the address is taken")
	stop()
	require.NoError(t, <-served)
}
