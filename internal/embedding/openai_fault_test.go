// Tests of the endpoint's embedder against servers that fail in every way.

package embedding

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
)

// hung is longer than any call of these tests may take, and shorter than an
// endpoint would keep it.
const hung = 30 * time.Second

func TestOpenAIBadAnswers(t *testing.T) {
	t.Parallel()
	tests := map[string]func(asked) (int, string){
		"status 500":       func(asked) (int, string) { return 500, `{"error":"` + testKey + `"}` },
		"status 401":       func(asked) (int, string) { return 401, `{"error":"Incorrect key ` + testKey + `"}` },
		"status 204":       func(asked) (int, string) { return 204, `` },
		"garbage":          func(asked) (int, string) { return 200, "<html>" + testKey },
		"empty":            func(asked) (int, string) { return 200, "" },
		"an error as data": func(asked) (int, string) { return 200, `{"error":"overloaded"}` },
		"base64":           func(asked) (int, string) { return 200, `{"data":[{"index":0,"embedding":"AACAPw=="}]}` },
		"none":             func(asked) (int, string) { return 200, `{"data":[]}` },
		"too many": func(asked) (int, string) {
			return 200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]}]}`
		},
		"wrong index":    func(asked) (int, string) { return 200, `{"data":[{"index":7,"embedding":[1]}]}` },
		"negative index": func(asked) (int, string) { return 200, `{"data":[{"index":-1,"embedding":[1]}]}` },
		"no vector":      func(asked) (int, string) { return 200, `{"data":[{"index":0,"embedding":[]}]}` },
		"NaN":            func(asked) (int, string) { return 200, `{"data":[{"index":0,"embedding":[NaN,1]}]}` },
		"null for NaN":   func(asked) (int, string) { return 200, `{"data":[{"index":0,"embedding":[null,1]}]}` },
		"infinite":       func(asked) (int, string) { return 200, `{"data":[{"index":0,"embedding":[1e39,1]}]}` },
		"zeros":          func(asked) (int, string) { return 200, `{"data":[{"index":0,"embedding":[0,0,0]}]}` },
		"too large":      func(asked) (int, string) { return 200, `{"data":[],"x":"` + strings.Repeat("x", answerBytes) + `"}` },
	}
	for name, answer := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, answer)
			v, err := server.embedder(t, nil).EmbedQuery(context.Background(), "crane")
			require.ErrorIs(t, err, ErrUnavailable)
			require.NotErrorIs(t, err, ErrTooLong)
			require.Nil(t, v)
			require.NotContains(t, err.Error(), testKey)
			require.NotContains(t, err.Error(), server.URL)
			require.Len(t, server.inputs, 1)
		})
	}
}

func TestOpenAIBadBatches(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"twice":             `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`,
		"different lengths": `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`,
		"one missing":       `{"data":[{"index":0,"embedding":[1]}]}`,
	} {
		server := serve(t, func(asked) (int, string) { return 200, body })
		v, err := server.embedder(t, nil).EmbedPassages(context.Background(), []string{"a", "b"})
		require.ErrorIs(t, err, ErrUnavailable, name)
		require.Nil(t, v, name)
	}
}

// Whoever tries again needs to know whether that can help: only some answers are
// about the texts.
func TestOpenAITellsRefusedTextsFromPassingFaults(t *testing.T) {
	t.Parallel()
	for status, refused := range map[int]bool{
		400: true, 413: true, 422: true,
		204: false, 401: false, 403: false, 404: false, 408: false, 429: false, 500: false, 502: false, 503: false, 504: false,
	} {
		server := serve(t, func(asked) (int, string) { return status, `{}` })
		_, err := server.embedder(t, nil).EmbedPassages(context.Background(), []string{"a"})
		require.ErrorIs(t, err, ErrUnavailable, status)
		require.Equal(t, refused, errors.Is(err, ErrRefused), "status %d: %v", status, err)
	}
	for _, body := range []string{
		`<html>`, ``, `{"data":[]}`, `{"data":[{"index":0,"embedding":[]}]}`, `{"data":[{"index":1,"embedding":[1]}]}`,
		`{"data":[{"index":0,"embedding":[0]}]}`, `{"data":[{"index":0,"embedding":[null,1]}]}`, `{"data":[{"index":0,"embedding":["x"]}]}`,
		`{"data":[],"x":"` + strings.Repeat("x", answerBytes) + `"}`,
	} {
		server := serve(t, func(asked) (int, string) { return 200, body })
		_, err := server.embedder(t, nil).EmbedPassages(context.Background(), []string{"a"})
		require.ErrorIs(t, err, ErrRefused, "%.60s", body)
		require.ErrorIs(t, err, ErrUnavailable, "%.60s", body)
	}
	broken, _ := brokenFirst(t, 2, true)
	e, err := newOpenAI(config.Embeddings{URL: broken.URL, Model: "m"}, NewLexical(), nil, time.Second)
	require.NoError(t, err)
	_, err = e.EmbedPassages(context.Background(), []string{"a"})
	require.ErrorIs(t, err, ErrUnavailable, "broken connection")
	require.NotErrorIs(t, err, ErrRefused, "broken connection")
	_, err = serve(t, vectors(Dimension+1)).embedder(t, nil).EmbedPassages(context.Background(), []string{"a"})
	require.ErrorIs(t, err, ErrTooLong)
	require.NotErrorIs(t, err, ErrRefused)
}

func TestOpenAITooLong(t *testing.T) {
	t.Parallel()
	err := serve(t, vectors(Dimension+1)).embedder(t, nil).Probe(context.Background())
	require.ErrorIs(t, err, ErrTooLong)
	require.ErrorIs(t, err, ErrUnavailable)
	require.ErrorContains(t, err, "1025")
	require.NoError(t, serve(t, vectors(Dimension)).embedder(t, nil).Probe(context.Background()))
	require.NoError(t, NewLexical().Probe(context.Background()))
}

func TestOpenAISlow(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(release); server.Close() })
	e, err := newOpenAI(config.Embeddings{URL: server.URL, Model: "m"}, NewLexical(), nil, 100*time.Millisecond)
	require.NoError(t, err)
	start := time.Now()
	_, err = e.EmbedQuery(context.Background(), "crane")
	require.ErrorIs(t, err, ErrUnavailable)
	require.Less(t, time.Since(start), hung)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = e.EmbedQuery(ctx, "crane")
	require.ErrorIs(t, err, ErrUnavailable, "cancelled")
}

// An answer that trickles must not outlast the limit either.
func TestOpenAITrickle(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, " ")
			_ = http.NewResponseController(w).Flush()
			<-tick.C
		}
	}))
	t.Cleanup(server.Close)
	e, err := newOpenAI(config.Embeddings{URL: server.URL, Model: "m"}, NewLexical(), nil, 200*time.Millisecond)
	require.NoError(t, err)
	start := time.Now()
	_, err = e.EmbedQuery(context.Background(), "crane")
	require.ErrorIs(t, err, ErrUnavailable)
	require.Less(t, time.Since(start), hung)
}

// brokenFirst breaks the first n connections after reading the request.
func brokenFirst(t *testing.T, n int32, reset bool) (*httptest.Server, *atomic.Int32) {
	t.Helper()
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) > n {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"data":[{"index":0,"embedding":[1,2]}]}`)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if !assert.NoError(t, err) {
			return
		}
		if reset {
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
		} else {
			_, _ = buffered.WriteString("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"data\":[")
			_ = buffered.Flush()
		}
		_ = conn.Close()
	}))
	t.Cleanup(server.Close)
	return server, &calls
}

func TestOpenAIAsksOnceMoreWhenTheConnectionBreaks(t *testing.T) {
	t.Parallel()
	for _, reset := range []bool{true, false} {
		for broken, wantCalls := range map[int32]int32{1: 2, 5: 2} {
			server, calls := brokenFirst(t, broken, reset)
			e, err := newOpenAI(config.Embeddings{URL: server.URL, Model: "m"}, NewLexical(), nil, 2*time.Second)
			require.NoError(t, err)
			_, err = e.EmbedQuery(context.Background(), "crane")
			if broken == 1 {
				require.NoError(t, err, "reset %v", reset)
			} else {
				require.ErrorIs(t, err, ErrUnavailable, "reset %v", reset)
			}
			require.Equal(t, wantCalls, calls.Load(), "reset %v, %d broken", reset, broken)
		}
	}
}

func TestOpenAIDown(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	address := server.URL
	server.Close()
	e, err := newOpenAI(config.Embeddings{URL: strings.Replace(address, "http://", "http://user:"+testKey+"@", 1), Model: "m"}, NewLexical(), nil, time.Second)
	require.NoError(t, err)
	_, err = e.EmbedQuery(context.Background(), "crane")
	require.ErrorIs(t, err, ErrUnavailable)
	require.NotContains(t, err.Error(), testKey)
}

func TestOpenAIFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	var followed atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Store(true) }))
	t.Cleanup(elsewhere.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(server.Close)
	e, err := newOpenAI(config.Embeddings{URL: server.URL, Model: "m", APIKey: testKey}, NewLexical(), nil, time.Second)
	require.NoError(t, err)
	_, err = e.EmbedQuery(context.Background(), "crane")
	require.ErrorIs(t, err, ErrUnavailable)
	require.False(t, followed.Load())
}
