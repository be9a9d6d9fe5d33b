// The embedder that asks an OpenAI-compatible endpoint, through the generated
// client: prefixes, batches, time limits, the one retry. What an answer must
// look like is in openai_answer.go.

package embedding

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"equipment-platform/gen/embeddingsapi"
	"equipment-platform/internal/config"
)

const (
	// callTimeout bounds one request with its retry, and so every search (contract 4.4).
	callTimeout = 5 * time.Second
	// firstBatch is how many passages the first request holds. The number follows
	// the server from there: a small one on a busy machine needs a second for a
	// few, and searches wait behind them.
	firstBatch = 4
	maxBatch   = 64
	batchBytes = 64 << 10
	slowBatch  = time.Second            // halve
	fastBatch  = 250 * time.Millisecond // double
	// answerBytes bounds what is read of an answer: maxBatch vectors of a few
	// thousand numbers of 25 bytes.
	answerBytes = 8 << 20
)

// openAI is the embedder of an endpoint.
type openAI struct {
	client  *embeddingsapi.ClientWithResponses
	config  config.Embeddings
	timeout time.Duration
	batch   atomic.Int32 // passages in the next request
	lexical *Lexical     // fills what room a shorter model leaves, with a lexical share
}

var _ Embedder = (*openAI)(nil)

func newOpenAI(c config.Embeddings, words *Lexical, wrap func(http.RoundTripper) http.RoundTripper, timeout time.Duration) (*openAI, error) {
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		MaxIdleConns:          64,
		MaxIdleConnsPerHost:   64, // every search holds one; the default of 2 would reconnect
		IdleConnTimeout:       90 * time.Second,
		ResponseHeaderTimeout: timeout,
	}
	var sender http.RoundTripper = transport
	if wrap != nil {
		sender = wrap(transport)
	}
	doer := &http.Client{
		Transport: bounded{sender},
		// A redirect would carry the texts, and maybe the key, elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	options := []embeddingsapi.ClientOption{embeddingsapi.WithHTTPClient(doer)}
	if c.APIKey != "" {
		options = append(options, embeddingsapi.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", "Bearer "+c.APIKey)
			return nil
		}))
	}
	client, err := embeddingsapi.NewClientWithResponses(c.URL, options...)
	if err != nil {
		return nil, errors.New("EMBEDDINGS_URL cannot be used") // the cause would repeat a password in it
	}
	e := &openAI{client: client, config: c, timeout: timeout}
	e.batch.Store(firstBatch)
	if c.LexicalShare > 0 {
		e.lexical = words
	}
	return e, nil
}

// Model implements Embedder. The address is not part of it: the same model may
// move to another host without every vehicle being embedded anew.
func (e *openAI) Model() string {
	name := "openai/" + e.config.Model
	if e.config.QueryPrefix != "" || e.config.PassagePrefix != "" {
		name += fmt.Sprintf(" prefixes=%q,%q", e.config.QueryPrefix, e.config.PassagePrefix)
	}
	if e.lexical != nil {
		name += " lexical=" + strconv.FormatFloat(e.config.LexicalShare, 'g', -1, 64) + "/" + lexicalVersion
	}
	return name
}

// Vocabulary implements Embedder.
func (e *openAI) Vocabulary() string {
	if e.lexical == nil {
		return ""
	}
	return e.lexical.Vocabulary()
}

// Meanings implements Embedder.
func (e *openAI) Meanings(passage string) string {
	if e.lexical == nil {
		return ""
	}
	return e.lexical.Meanings(passage)
}

// Relevance implements Embedder. Each model has cosines of its own.
func (*openAI) Relevance(float64) Relevance { return Unknown }

// Probe implements Embedder.
func (e *openAI) Probe(ctx context.Context) error {
	_, err := e.EmbedQuery(ctx, "excavator")
	return err
}

// EmbedQuery implements Embedder.
func (e *openAI) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	if strings.TrimSpace(text) == "" {
		return nil, ErrBlank
	}
	vectors, err := e.embed(ctx, []string{text}, e.config.QueryPrefix, true)
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// EmbedPassages implements Embedder. The texts go out in requests of a few, one
// after the other. Each request may take 5 seconds; one that takes longer is
// made again with half the texts. ctx bounds them all.
func (e *openAI) EmbedPassages(ctx context.Context, texts []string) ([][]float32, error) {
	for _, text := range texts {
		if strings.TrimSpace(text) == "" {
			return nil, ErrBlank
		}
	}
	out := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		limit := int(e.batch.Load())
		n, size := 1, len(texts[0])
		for n < len(texts) && n < limit && size+len(texts[n]) <= batchBytes {
			size += len(texts[n])
			n++
		}
		start := time.Now()
		vectors, err := e.embed(ctx, texts[:n], e.config.PassagePrefix, false)
		took := time.Since(start)
		switch {
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil && n > 1:
			e.batch.Store(int32(n / 2))
			continue
		case err != nil:
			return nil, err
		case took > slowBatch:
			e.batch.Store(int32(max(1, n/2)))
		case took < fastBatch && n == limit:
			e.batch.Store(int32(min(maxBatch, 2*limit)))
		}
		out = append(out, vectors...)
		texts = texts[n:]
	}
	return out, nil
}

// embed makes one request and turns its vectors into stored ones.
func (e *openAI) embed(ctx context.Context, texts []string, prefix string, query bool) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	input := make([]string, len(texts))
	for i, text := range texts {
		input[i] = prefix + text
	}
	vectors, err := e.ask(ctx, input)
	if err != nil {
		return nil, err
	}
	for i, v := range vectors {
		vectors[i] = e.fill(v, texts[i], query)
	}
	return vectors, nil
}

// ask sends the texts, once more when the connection broke: a kept-alive one may
// have been closed by a server that restarted. Embedding changes nothing, so
// asking twice is safe. A status or a bad answer is not asked for again; the
// next search will.
func (e *openAI) ask(ctx context.Context, input []string) ([][]float32, error) {
	request := embeddingsapi.EmbeddingsRequest{
		Model:          e.config.Model,
		Input:          input,
		EncodingFormat: embeddingsapi.Float,
	}
	for attempt := 1; ; attempt++ {
		response, err := e.client.CreateEmbeddingsWithResponse(ctx, request)
		switch {
		case err == nil:
			return vectorsOf(response, len(input))
		case attempt == 1 && ctx.Err() == nil && isConnectionError(err):
			continue
		default:
			return nil, failure(ctx, err)
		}
	}
}

// fill puts the words, or zeros, behind a vector that is shorter than Dimension.
func (e *openAI) fill(vector []float32, text string, query bool) []float32 {
	room := Dimension - len(vector)
	if e.lexical != nil && room >= minLexicalRoom {
		return e.lexical.beside(vector, nil, e.config.LexicalShare, text, query)
	}
	return append(vector, make([]float32, room)...)
}

// minLexicalRoom is the least number of free dimensions that is worth filling:
// in fewer, features meet by chance more often than by meaning.
const minLexicalRoom = 128

// bounded stops reading an answer that is larger than any right one.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(r)
	if err == nil {
		response.Body = http.MaxBytesReader(nil, response.Body, answerBytes)
	}
	return response, err
}

// isConnectionError says whether the endpoint could not be reached or the
// connection broke, as opposed to an answer that cannot be read.
func isConnectionError(err error) bool {
	var viaURL *url.Error
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return false
	}
	if errors.As(err, &viaURL) {
		return true
	}
	return errors.Is(err, io.ErrUnexpectedEOF) || isNetError(err)
}
