package edge_test

// This file: how answers leave: codings, tags, header names on the wire, and
// refusals that reach their callers.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"
)

// answering serves one body with an ETag, or without, in pieces of a size.
func answering(tb testing.TB, body []byte, etag string, piece int) string {
	tb.Helper()
	return start(tb, optionsOf(tb), func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Type", "application/json")
		if etag != "" {
			h.Set("ETag", etag)
		}
		if piece >= len(body) {
			h.Set("Content-Length", fmt.Sprint(len(body)))
		}
		c.Response().WriteHeader(http.StatusOK)
		for rest := body; len(rest) > 0; {
			n := min(piece, len(rest))
			if _, err := c.Response().Write(rest[:n]); err != nil {
				return err
			}
			rest = rest[n:]
		}
		return nil
	}).Base + things
}

// ask sends a request without net/http's own Accept-Encoding.
func ask(tb testing.TB, url string, headers ...string) (*http.Response, []byte) {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), http.MethodGet, url, nil)
	require.NoError(tb, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	resp, err := (&http.Transport{DisableCompression: true}).RoundTrip(req)
	require.NoError(tb, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(tb, err)
	return resp, body
}

func unpack(tb testing.TB, coding string, body []byte) []byte {
	tb.Helper()
	var r io.Reader = bytes.NewReader(body)
	switch coding {
	case "gzip":
		z, err := gzip.NewReader(r)
		require.NoError(tb, err)
		r = z
	case "zstd":
		z, err := zstd.NewReader(r)
		require.NoError(tb, err)
		defer z.Close()
		r = z
	}
	out, err := io.ReadAll(r)
	require.NoError(tb, err)
	return out
}

func TestCodings(t *testing.T) {
	t.Parallel()
	large := []byte(`["` + strings.Repeat("abcdefghij", 20_000) + `"]` + "\n")
	for _, etag := range []string{"", `"7"`} {
		for _, piece := range []int{1 << 20, 5_000} {
			url := answering(t, large, etag, piece)
			for accept, want := range map[string]string{
				"": "", "identity": "", "br": "", "gzip": "gzip", "GZip": "gzip", "zstd": "zstd", "gzip, deflate, br, zstd": "zstd", "gzip;q=1.0, zstd;q=0.5": "gzip",
				"*": "zstd", "*;q=0.5, zstd;q=0": "gzip", "gzip;q=0": "", "zstd;q=0, gzip;q=0, *": "", "identity, gzip;q=0.5": "", "gzip;q=x": "", "gzip;q=2": "", "identity;q=0, gzip": "gzip", ",, gzip": "gzip",
			} {
				headers := []string{}
				if accept != "" {
					headers = append(headers, "Accept-Encoding", accept)
				}
				resp, body := ask(t, url, headers...)
				require.Equal(t, want, resp.Header.Get("Content-Encoding"), "%q", accept)
				require.Equal(t, large, unpack(t, want, body), "%q", accept)
				require.Contains(t, resp.Header.Values("Vary"), "Accept-Encoding")
				if etag != "" || piece >= len(large) {
					require.EqualValues(t, len(body), resp.ContentLength, "the length is said")
				}
				if etag != "" {
					require.Regexp(t, `^"7\.[A-Za-z0-9_-]{16}(-(gzip|zstd))?"$`, resp.Header.Get("ETag"))
				}
			}
		}
	}
	// small ones are left as they are
	small := []byte(`"` + strings.Repeat("x", 1021) + `"`)
	resp, _ := ask(t, answering(t, small, `"1"`, 1<<20), "Accept-Encoding", "gzip")
	require.Empty(t, resp.Header.Get("Content-Encoding"))
	require.Contains(t, resp.Header.Values("Vary"), "Accept-Encoding")
	resp, _ = ask(t, answering(t, append(small, '\n'), `"1"`, 1<<20), "Accept-Encoding", "gzip")
	require.Equal(t, "gzip", resp.Header.Get("Content-Encoding"))
}

func TestTheContractIsCompressed(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.Docs = true
	o.SpecYAML = append([]byte(smallSpec), strings.Repeat("# padding\n", 200)...)
	base := start(t, o, nil).Base
	resp, body := ask(t, base+"/openapi.json", "Accept-Encoding", "zstd")
	require.Equal(t, "zstd", resp.Header.Get("Content-Encoding"))
	require.True(t, json.Valid(unpack(t, "zstd", body)))
}

// The same bytes have the same tag on every replica, and nothing else has it.
func TestTags(t *testing.T) {
	t.Parallel()
	tagOf := func(url string) string {
		resp, _ := ask(t, url)
		return resp.Header.Get("ETag")
	}
	a, same, other := answering(t, []byte(`{"a":1}`), `"1"`, 3), answering(t, []byte(`{"a":1}`), `"1"`, 1<<20), answering(t, []byte(`{"a":2}`), `"1"`, 1<<20)
	require.Equal(t, tagOf(a), tagOf(same))
	require.NotEqual(t, tagOf(a), tagOf(other))
	for _, header := range []string{tagOf(a), "W/" + tagOf(a), `"x", ` + tagOf(a), "*"} {
		resp, body := ask(t, a, "If-None-Match", header)
		require.Equal(t, http.StatusNotModified, resp.StatusCode, header)
		require.Empty(t, body)
		require.Equal(t, tagOf(a), resp.Header.Get("ETag"))
		require.Empty(t, resp.Header.Get("Content-Type"))
	}
	resp, _ := ask(t, a, "If-None-Match", tagOf(other))
	require.Equal(t, http.StatusOK, resp.StatusCode)
}

// Programs that keep headers in a plain map look for the customary names.
func TestHeaderNamesOnTheWire(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.RateLimitRPS, o.RateLimitBurst = 100, 100
	server := newServer(t, o, func(c echo.Context) error {
		c.Response().Header().Set("ETag", `"1"`)
		return c.JSON(http.StatusOK, 1)
	})
	address := listen(t, server)
	exchange := func(request string) (string, map[string]string) {
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, request)
		require.NoError(t, err)
		headers := map[string]string{}
		r := bufio.NewReader(conn)
		status, err := r.ReadString('\n')
		require.NoError(t, err)
		for {
			line, err := r.ReadString('\n')
			require.NoError(t, err)
			name, value, found := strings.Cut(strings.TrimSpace(line), ": ")
			if !found {
				return status, headers
			}
			headers[name] = value
		}
	}
	_, got := exchange("GET " + things + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	for _, name := range []string{"ETag", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id"} {
		require.Contains(t, got, name)
	}
	_, got = exchange("POST " + things + " HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	require.Contains(t, got, "WWW-Authenticate")
}

// A refusal reaches a caller that is still sending.
func TestRefusalsReachCallersThatAreStillSending(t *testing.T) {
	t.Parallel()
	address := listen(t, newServer(t, optionsOf(t), nil))
	for _, size := range []int{2 << 20, 30 << 20} {
		for name, c := range map[string]struct {
			token  string
			status int
		}{"too large": {token(t, "a", "ADMIN"), 413}, "no role": {token(t, "a"), 403}, "no token": {"", 401}} {
			t.Run(fmt.Sprint(name, " ", size>>20), func(t *testing.T) {
				t.Parallel()
				conn, err := net.Dial("tcp", address)
				require.NoError(t, err)
				defer conn.Close()
				head := "POST " + things + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
				if c.token != "" {
					head += "Authorization: Bearer " + c.token + "\r\n"
				}
				_, err = fmt.Fprintf(conn, "%sContent-Length: %d\r\n\r\n", head, size)
				require.NoError(t, err)
				// all of it is sent before a look at the answer, as simple clients do
				_, err = conn.Write(bytes.Repeat([]byte("x"), size))
				require.NoError(t, err, "the connection is not reset while its caller sends")
				resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
				require.NoError(t, err)
				defer resp.Body.Close()
				require.Equal(t, c.status, resp.StatusCode)
				var body struct{ Status int }
				require.NoError(t, json.NewDecoder(resp.Body).Decode(&body))
				require.Equal(t, c.status, body.Status)

				// net/http's client, which looks for the answer while it sends
				req, err := http.NewRequest("POST", "http://"+address+things, bytes.NewReader(bytes.Repeat([]byte("x"), size)))
				require.NoError(t, err)
				req.Header.Set("Content-Type", "application/json")
				if c.token != "" {
					req.Header.Set("Authorization", "Bearer "+c.token)
				}
				again, err := (&http.Client{Transport: &http.Transport{}}).Do(req)
				require.NoError(t, err)
				defer again.Body.Close()
				require.Equal(t, c.status, again.StatusCode)
				require.NoError(t, json.NewDecoder(again.Body).Decode(&body))
			})
		}
	}
}

// A refusal does not wait for a body that does not come. The connection goes on where
// the rest comes, and ends where it would be taken for the next request.
func TestRefusalsDoNotWaitForTheBody(t *testing.T) {
	t.Parallel()
	address := listen(t, newServer(t, optionsOf(t), nil))
	const first = "POST " + things + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n"
	refused := func(t *testing.T, head string) (net.Conn, *bufio.Reader) {
		t.Helper()
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		_, err = io.WriteString(conn, head)
		require.NoError(t, err)
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(5*time.Second))) // the body has 30
		r := bufio.NewReader(conn)
		resp, err := http.ReadResponse(r, nil)
		require.NoError(t, err)
		defer resp.Body.Close()
		require.Equal(t, http.StatusUnauthorized, resp.StatusCode)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		return conn, r
	}
	t.Run("the rest comes later", func(t *testing.T) {
		t.Parallel()
		conn, r := refused(t, first+"\r\n{")
		_, err := io.WriteString(conn, strings.Repeat(" ", 999)+"GET "+things+" HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		resp, err := http.ReadResponse(r, nil)
		require.NoError(t, err)
		defer resp.Body.Close()
		require.Equal(t, http.StatusOK, resp.StatusCode)
	})
	t.Run("it was not asked for", func(t *testing.T) {
		t.Parallel()
		conn, r := refused(t, first+"Expect: 100-continue\r\n\r\n")
		_, _ = io.WriteString(conn, "GET "+things+" HTTP/1.1\r\nHost: x\r\n\r\n") // the connection may be gone
		_, err := http.ReadResponse(r, nil)
		require.Error(t, err, "no answer to what may be a body")
	})
}
