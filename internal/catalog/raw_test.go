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
func doLarge(tb testing.TB, c edgetest.Client, path string, body []byte) int {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), http.MethodPut, c.Base+path, bytes.NewReader(body))
	require.NoError(tb, err)
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
func chunked(tb testing.TB, c edgetest.Client, method, path string, body []byte) edgetest.Answer {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), method, c.Base+path, io.MultiReader(bytes.NewReader(body)))
	require.NoError(tb, err)
	req.Header.Set("Content-Type", "application/json")
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	return c.Send(tb, req)
}

// countOf returns the number of a count operation.
func countOf(tb testing.TB, by edgetest.Client, path string) (n int64) {
	tb.Helper()
	var body struct{ Count *int64 }
	by.Do(tb, "GET", path, nil).Is(200).JSON(&body)
	require.NotNil(tb, body.Count)
	return *body.Count
}

// raw sends headers as they are, also empty and repeated ones.
func raw(tb testing.TB, c edgetest.Client, method, path, body string, headers http.Header) edgetest.Answer {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), method, c.Base+path, strings.NewReader(body))
	require.NoError(tb, err)
	req.Header.Set("Content-Type", "application/json")
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	for name, values := range headers {
		req.Header[name] = values
	}
	return c.Send(tb, req)
}

// waitForLock returns when some statement of the test's database waits for a
// lock.
func waitForLock(tb testing.TB, a *api) {
	tb.Helper()
	require.Eventually(tb, func() bool {
		var waiting bool
		err := a.db.QueryRow(tb.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waiting)
		return err == nil && waiting
	}, 20*time.Second, 2*time.Millisecond)
}

// contract 7.4: of several request ids, one by each proxy, the first is taken, as a single one would be.
func TestSeveralRequestIDs(t *testing.T) {
	t.Parallel()
	a := setup(t)
	for _, ids := range [][]string{{"first", "second"}, {"not safe", "second"}, {"", ""}} {
		got := raw(t, a.admin, "GET", base+"/groups", "", http.Header{"X-Request-Id": ids}).Is(200).Header.Values("X-Request-Id")
		require.Len(t, got, 1)
		require.NotEmpty(t, got[0])
		require.Equal(t, ids[0] == "first", got[0] == "first")
	}
}
