package gateway_test

// This file: the connections to an upstream: kept, given up, and what an upstream
// may do on them.

import (
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
)

// counted is an upstream that counts its calls and connections.
type counted struct {
	*httptest.Server
	calls, connections atomic.Int32
}

func newCounted(t *testing.T, answer http.HandlerFunc) *counted {
	t.Helper()
	c := &counted{}
	c.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.calls.Add(1)
		answer(w, r)
	}))
	c.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			c.connections.Add(1)
		}
	}
	c.Start()
	t.Cleanup(c.Close)
	return c
}

func TestConnectionsAreKept(t *testing.T) {
	t.Parallel()
	up := newCounted(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Query().Get("messageId") {
		case "refused":
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, strings.Repeat("much to say ", 10_000))
		case "closing":
			w.Header().Set("Connection", "close")
			_, _ = io.WriteString(w, "{}")
		case "chunked":
			_, _ = io.WriteString(w, "{")
			w.(http.Flusher).Flush()
			_, _ = io.WriteString(w, "}")
		default:
			_, _ = io.WriteString(w, "{}")
		}
	})
	b := startGateway(t, config.Gateway{ProviderURL: up.URL, BoxID: box, UpstreamTimeout: testTimeout})
	ask := func(message string, status int, connections int32) {
		t.Helper()
		got := b.call("GET", api+"/messages?messageId="+message, "")
		require.Equal(t, status, got.StatusCode, string(got.body))
		require.Equal(t, connections, up.connections.Load(), message)
	}
	for range 3 {
		ask("m", 200, 1)
		ask("chunked", 200, 1)
	}
	ask("closing", 200, 1)
	ask("m", 200, 2)
	ask("refused", 404, 2) // its text is not read to the end
	ask("m", 200, 3)
	before := up.calls.Load()
	up.CloseClientConnections()
	ask("m", 200, 4)
	require.Equal(t, before+1, up.calls.Load())

	var callers sync.WaitGroup
	for range 16 {
		callers.Go(func() {
			for range 20 {
				if got := b.call("GET", api+"/messages?messageId=m", ""); got.StatusCode != 200 {
					t.Error(got.StatusCode, string(got.body))
				}
			}
		})
	}
	callers.Wait()
	// net/http dials for a call that finds none free, and may then not need what it dialled: some more than
	// callers, far fewer than calls
	require.LessOrEqual(t, up.connections.Load(), int32(4+2*16))
}

// TestUncommonAnswers: the upstream writes its part of the connection by hand.
func TestUncommonAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer string
		status int
	}{
		"informational":      {"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", 200},
		"until the end":      {"HTTP/1.0 200 OK\r\n\r\n{}", 200},
		"no HTTP":            {"220 smtp.example ESMTP\r\n", 502},
		"header too large":   {"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 70<<10) + "\r\nContent-Length: 2\r\n\r\n{}", 502},
		"header that ends":   {"HTTP/1.1 200 OK\r\nContent-Le", 502},
		"nothing":            {"", 502},
		"switching":          {"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", 502},
		"more than its size": {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"a\":\"b\"}", 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			up, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			t.Cleanup(func() { _ = up.Close() })
			go func() {
				for {
					conn, err := up.Accept()
					if err != nil {
						return
					}
					go func() {
						defer conn.Close()
						if _, err := conn.Read(make([]byte, 4096)); err == nil {
							_, _ = io.WriteString(conn, c.answer)
						}
					}()
				}
			}()
			b := startGateway(t, config.Gateway{ProviderURL: "http://" + up.Addr().String(), BoxID: box, UpstreamTimeout: testTimeout})
			for range 3 {
				got := b.call("GET", api+"/messages?messageId=m", "")
				require.Equal(t, c.status, got.StatusCode, string(got.body))
			}
		})
	}
}

// TestTLSAndProxy: a gateway of its own process, because both are read from the
// environment once.
func TestTLSAndProxy(t *testing.T) {
	t.Parallel()
	ask := func(c *child) int {
		req, err := http.NewRequest("GET", c.url+api+"/messages?messageId=m", nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+tokenFor(t, "tester", "ADMIN"))
		req.Header.Set("X-Partner-Access-Token", partnerToken)
		resp, err := http.DefaultTransport.RoundTrip(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode
	}
	answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })

	secure := httptest.NewTLSServer(answer)
	t.Cleanup(secure.Close)
	certificate := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}), 0o600))
	trusting := startChild(t, secure.URL, "SSL_CERT_FILE="+certificate)
	require.Equal(t, 200, ask(trusting))
	require.Equal(t, 200, ask(trusting))
	trusting.stop(t)
	doubting := startChild(t, secure.URL)
	require.Equal(t, 502, ask(doubting))
	doubting.stop(t)

	var asked atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(fmt.Sprint(r.URL.Scheme, "://", r.URL.Host))
		answer(w, r)
	}))
	t.Cleanup(proxy.Close)
	proxied := startChild(t, "http://provider.example", "HTTP_PROXY="+proxy.URL)
	require.Equal(t, 200, ask(proxied))
	require.Equal(t, "http://provider.example", asked.Load())
	proxied.stop(t)
}
