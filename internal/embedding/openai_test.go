// Tests of the endpoint's embedder against real HTTP servers that answer well.

package embedding

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
)

const testKey = "sk-secret-of-the-test"

// endpoint is a server that answers as told, and what it was asked.
type endpoint struct {
	*httptest.Server
	mu     sync.Mutex
	inputs [][]string
}

type asked struct {
	Model          string   `json:"model"`
	Input          []string `json:"input"`
	EncodingFormat string   `json:"encoding_format"`

	left <-chan struct{} // closed when the caller has given up
}

// serve starts an endpoint; answer gives status and body.
func serve(t *testing.T, answer func(asked) (int, string)) *endpoint {
	t.Helper()
	e := &endpoint{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var a asked
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&a))
		assert.Equal(t, "POST /v1/embeddings", r.Method+" "+r.URL.Path)
		assert.Equal(t, asked{Model: "m", Input: a.Input, EncodingFormat: "float"}, a)
		assert.Equal(t, "Bearer "+testKey, r.Header.Get("Authorization"))
		a.left = r.Context().Done()
		e.mu.Lock()
		e.inputs = append(e.inputs, a.Input)
		e.mu.Unlock()
		status, body := answer(a)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) embedder(t *testing.T, change func(*config.Embeddings)) *openAI {
	t.Helper()
	s := config.Embeddings{URL: e.URL + "/v1", Model: "m", APIKey: testKey, QueryPrefix: "query: ", PassagePrefix: "passage: "}
	if change != nil {
		change(&s)
	}
	out, err := newOpenAI(s, NewLexical(), nil, 2*time.Second)
	require.NoError(t, err)
	return out
}

// vectors answers one vector of that length for each input, last first, with the
// number of the text's letters as its first component.
func vectors(length int) func(asked) (int, string) {
	return func(a asked) (int, string) {
		var data []string
		for i, text := range slices.Backward(a.Input) {
			v := make([]string, length)
			for d := range v {
				v[d] = "0.5"
			}
			v[0] = fmt.Sprint(len(text))
			data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%s]}`, i, strings.Join(v, ",")))
		}
		return 200, `{"object":"list","model":null,"data":[` + strings.Join(data, ",") + `],"usage":{"total_tokens":1}}`
	}
}

func TestOpenAIQueryAndPassages(t *testing.T) {
	t.Parallel()
	server := serve(t, vectors(384))
	e := server.embedder(t, nil)
	v, err := e.EmbedQuery(context.Background(), "mini excavator")
	require.NoError(t, err)
	checkVector(t, "query", v)
	require.Zero(t, v[384])
	require.Zero(t, v[1023])
	var texts []string
	for i := range 33 {
		texts = append(texts, strings.Repeat("x", i+1))
	}
	all, err := e.EmbedPassages(context.Background(), texts)
	require.NoError(t, err)
	require.Len(t, all, len(texts))
	for i, v := range all {
		checkVector(t, "passage", v)
		require.Equal(t, len("passage: ")+i+1, int(math.Round(float64(v[0]/v[1]*0.5))), "letters of the text that vector %d belongs to", i)
	}
	require.Equal(t, []string{"query: mini excavator"}, server.inputs[0])
	require.Len(t, server.inputs[1], firstBatch)
	require.Equal(t, "passage: x", server.inputs[1][0])
}

func TestOpenAIBatchesByBytes(t *testing.T) {
	t.Parallel()
	server := serve(t, vectors(8))
	texts := []string{strings.Repeat("a", batchBytes), "b", "c"}
	_, err := server.embedder(t, nil).EmbedPassages(context.Background(), texts)
	require.NoError(t, err)
	require.Len(t, server.inputs, 2)
	require.Len(t, server.inputs[0], 1)
	require.Len(t, server.inputs[1], 2)
}

func TestOpenAIBatchesFollowTheServer(t *testing.T) {
	t.Parallel()
	fast := serve(t, vectors(8))
	e := fast.embedder(t, nil)
	texts := slices.Repeat([]string{"crane"}, 300)
	_, err := e.EmbedPassages(context.Background(), texts)
	require.NoError(t, err)
	largest := 0
	for _, input := range fast.inputs {
		largest = max(largest, len(input))
	}
	require.Greater(t, largest, firstBatch)
	require.LessOrEqual(t, largest, maxBatch)

	// Too slow for more than one text: the call shrinks its requests and succeeds.
	slow := serve(t, func(a asked) (int, string) {
		if len(a.Input) > 1 {
			<-a.left
		}
		return vectors(8)(a)
	})
	e = slow.embedder(t, nil)
	e.timeout = 200 * time.Millisecond
	all, err := e.EmbedPassages(context.Background(), texts[:3])
	require.NoError(t, err)
	require.Len(t, all, 3)
}

func TestOpenAIBlank(t *testing.T) {
	t.Parallel()
	server := serve(t, vectors(8))
	e := server.embedder(t, nil)
	_, err := e.EmbedQuery(context.Background(), " \n")
	require.ErrorIs(t, err, ErrBlank)
	_, err = e.EmbedPassages(context.Background(), []string{"a", ""})
	require.ErrorIs(t, err, ErrBlank)
	require.Empty(t, server.inputs, "the endpoint was asked for nothing")
}

func TestOpenAIHybrid(t *testing.T) {
	t.Parallel()
	server := serve(t, func(a asked) (int, string) {
		body := `{"data":[`
		for i := range a.Input {
			if i > 0 {
				body += ","
			}
			body += fmt.Sprintf(`{"index":%d,"embedding":[3,4]}`, i)
		}
		return 200, body + "]}"
	})
	share := 0.25
	e := server.embedder(t, func(s *config.Embeddings) { s.LexicalShare = share })
	ctx := context.Background()
	crane, err := e.EmbedQuery(ctx, "crane")
	require.NoError(t, err)
	texts := []string{machine("Terex RT 90", "Rough-terrain crane"), machine("Bobcat S530", "Skid steer loader")}
	passages, err := e.EmbedPassages(ctx, texts)
	require.NoError(t, err)
	checkVector(t, "hybrid", crane)
	require.Greater(t, cosine(crane, passages[0]), cosine(crane, passages[1])+0.01, "the model finds all alike here, the words do not")
	require.Equal(t, []string{"passage: " + texts[0], "passage: " + texts[1]}, server.inputs[1], "the model sees plain passages")
	require.NotEmpty(t, e.Vocabulary())
	require.NotEqual(t, e.Meanings(texts[0]), e.Meanings(texts[1]))
	require.Equal(t, Unknown, e.Relevance(1), "each model has cosines of its own")
}

// A model whose vectors leave no room for words goes without them.
func TestOpenAIWithoutRoomForWords(t *testing.T) {
	t.Parallel()
	server := serve(t, vectors(Dimension))
	e := server.embedder(t, func(s *config.Embeddings) { s.LexicalShare = 0.25 })
	ctx := context.Background()
	v, err := e.EmbedQuery(ctx, "crane")
	require.NoError(t, err)
	checkVector(t, "query", v)
	passages, err := e.EmbedPassages(ctx, []string{Passage(exampleVehicle())})
	require.NoError(t, err)
	checkVector(t, "passage", passages[0])
}

func TestOpenAIModelNamesWhatChangesVectors(t *testing.T) {
	t.Parallel()
	base := config.Embeddings{URL: "http://localhost/v1", Model: "m"}
	names := map[string]bool{}
	for _, change := range []func(*config.Embeddings){
		func(*config.Embeddings) {},
		func(s *config.Embeddings) { s.Model = "n" },
		func(s *config.Embeddings) { s.QueryPrefix = "q: " },
		func(s *config.Embeddings) { s.PassagePrefix = "q: " },
		func(s *config.Embeddings) { s.LexicalShare = 0.2 },
		func(s *config.Embeddings) { s.LexicalShare = 0.25 },
	} {
		s := base
		change(&s)
		e, err := New(s, nil)
		require.NoError(t, err)
		require.False(t, names[e.Model()], "%q twice", e.Model())
		names[e.Model()] = true
	}
	moved := base
	moved.URL, moved.APIKey = "https://elsewhere.example/v1", testKey
	e, err := New(moved, nil)
	require.NoError(t, err)
	require.True(t, names[e.Model()], "another host gives another model: %s", e.Model())
}

func TestWordsAloneWithoutURLAndWeights(t *testing.T) {
	t.Parallel()
	e, err := New(config.Embeddings{}, nil)
	require.NoError(t, err)
	require.Equal(t, NewLexical().Model(), e.Model())
}
