package edge_test

// This file: requests that net/http refuses before any handler sees them.

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"
)

func TestUnreadableRequests(t *testing.T) {
	t.Parallel()
	s := newServer(t, optionsOf(t), nil)
	address := listen(t, s)
	send := func(t *testing.T, request string) (*http.Response, string) {
		t.Helper()
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, request)
		require.NoError(t, err)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp, string(body)
	}
	for name, c := range map[string]struct {
		request string
		status  int
	}{
		"bad escape":            {"GET " + things + "/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		"no host":               {"GET " + things + " HTTP/1.1\r\n\r\n", 400},
		"bad name of a header":  {"GET " + things + " HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n", 400},
		"bad value of a header": {"GET " + things + " HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n", 400},
		"no request":            {"nonsense\r\n\r\n", 400},
		"bad length":            {"POST " + things + " HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400},
		"unknown transfer":      {"POST " + things + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
		"large headers":         {"GET " + things + " HTTP/1.1\r\nHost: x\r\nX-Large: " + strings.Repeat("x", 80<<10) + "\r\n\r\n", 431},
		"expectation":           {"POST " + things + " HTTP/1.1\r\nHost: x\r\nExpect: more\r\nContent-Length: 2\r\n\r\n{}", 417},
		"expectation in 1.0":    {"GET " + things + " HTTP/1.0\r\nHost: x\r\nExpect: more\r\n\r\n", 417},
		"unknown version":       {"GET " + things + " HTTP/3.0\r\nHost: x\r\n\r\n", 505},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resp, body := send(t, c.request)
			require.Equal(t, c.status, resp.StatusCode, body)
			require.Equal(t, "application/json", resp.Header.Get("Content-Type"))
			require.NotEmpty(t, resp.Header.Get("X-Request-Id"))
			var dto struct {
				Status                         int
				Message, Code, Path, Timestamp *string
				Details                        map[string]string
			}
			require.NoError(t, json.Unmarshal([]byte(body), &dto), body)
			require.Equal(t, c.status, dto.Status)
			for _, field := range []*string{dto.Message, dto.Code, dto.Path, dto.Timestamp} {
				require.NotNil(t, field, body)
			}
			if c.status == 400 {
				require.NotEmpty(t, dto.Details)
			}
		})
	}
}

// What a handler sends is left alone, whatever its pieces look like.
func TestAnswersThatLookLikeErrors(t *testing.T) {
	t.Parallel()
	const line = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
	pieces := []string{line, strings.Repeat(line, 1000), "HTTP/1.1 417 \r\n", line}
	whole := strings.Join(pieces, "")
	s := newServer(t, optionsOf(t), func(c echo.Context) error {
		c.Response().Header().Set("Content-Length", strconv.Itoa(len(whole)))
		c.Response().WriteHeader(http.StatusOK)
		for _, piece := range pieces {
			if _, err := io.WriteString(c.Response(), piece); err != nil {
				return err
			}
			c.Response().Flush()
		}
		return nil
	})
	address := listen(t, s)
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	answers := bufio.NewReader(conn)
	for range 3 { // on one connection
		_, err = io.WriteString(conn, "GET "+things+" HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		resp, err := http.ReadResponse(answers, nil)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, whole, string(body))
		require.Zero(t, answers.Buffered())
	}
	_, err = io.WriteString(conn, "nonsense\r\n\r\n") // between answers net/http speaks for itself
	require.NoError(t, err)
	resp, err := http.ReadResponse(answers, nil)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, "application/json", resp.Header.Get("Content-Type"))
}
