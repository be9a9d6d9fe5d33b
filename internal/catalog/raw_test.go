package catalog_test

// This file: requests that a polite client cannot send.

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge/edgetest"
)

// doLarge sends a body that the server may refuse before it has read it: 0 is
// a connection that the server closed meanwhile, whose answer went lost.
func doLarge(t testing.TB, c edgetest.Client, path string, body []byte) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "PUT", c.Base+path, bytes.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// chunked sends a body without a Content-Length.
func chunked(t testing.TB, c edgetest.Client, method, path string, body []byte) edgetest.Answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, c.Base+path, io.MultiReader(bytes.NewReader(body)))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	return c.Send(t, req)
}

// countOf returns the number of a count operation.
func countOf(t testing.TB, by edgetest.Client, path string) (n int64) {
	t.Helper()
	var body struct{ Count *int64 }
	by.Do(t, "GET", path, nil).Is(200).JSON(&body)
	require.NotNil(t, body.Count)
	return *body.Count
}

// raw sends headers as they are, also empty and repeated ones.
func raw(t testing.TB, c edgetest.Client, method, path, body string, headers http.Header) edgetest.Answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, c.Base+path, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	for name, values := range headers {
		req.Header[name] = values
	}
	return c.Send(t, req)
}

// waitForLock returns when some statement of the test's database waits for a
// lock.
func waitForLock(t testing.TB, a *api) {
	t.Helper()
	require.Eventually(t, func() bool {
		var waiting bool
		err := a.db.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waiting)
		return err == nil && waiting
	}, 20*time.Second, 2*time.Millisecond)
}
