// Package embedding turns texts into vectors for the semantic search.
//
// This file holds what all embedders share: the interface, the settings, the
// errors and the rule that every vector has 1024 dimensions and length 1.
package embedding

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"

	"equipment-platform/internal/config"
	"equipment-platform/internal/embedding/encoder"
)

// Dimension is the number of components of every vector (contract 4.6, contract 12.1).
const Dimension = 1024

// Errors that callers tell apart with errors.Is.
var (
	// ErrUnavailable says that no vector could be had now: the endpoint is
	// down, slow, or answers nonsense. The HTTP layer answers 503
	// embedding_unavailable with Retry-After (contract 4.4); the indexer waits.
	ErrUnavailable = errors.New("embedding unavailable")
	// ErrRefused says that the endpoint answered and that the answer is about
	// these texts: it refused them (400, 413, 422), or what it gave for them
	// cannot be used. Asking again with the same texts is likely to end the same
	// way, while all other reasons pass. An error that is ErrRefused is
	// ErrUnavailable too: to a search both are the same.
	ErrRefused = fmt.Errorf("%w: refused", ErrUnavailable)
	// ErrTooLong says that the endpoint's vectors are longer than Dimension, so
	// that waiting cannot help: catalog and indexer refuse to start (contract 9.14). An
	// error that is ErrTooLong is ErrUnavailable too.
	ErrTooLong = errors.New("embedding model is too long")
	// ErrBlank says that there is nothing to embed: the text holds nothing but
	// white space. It is the caller's mistake, never ErrUnavailable.
	ErrBlank = errors.New("blank text cannot be embedded")
)

// Embedder turns texts into vectors of Dimension components and length 1, so
// that the cosine of two of them is their inner product. It is safe for use by
// many goroutines.
type Embedder interface {
	// Model names what makes vectors comparable: model, prefixes, lexical share
	// and rules, but not the terms of the lexicon. Stored vectors record it, and
	// only vectors of the model in use are searched (contract 4.3).
	Model() string
	// Vocabulary is a fingerprint of the lexicon in use; empty where none is. When
	// it changes, Meanings tells which passages that touches.
	Vocabulary() string
	// Meanings is a fingerprint of what the lexicon makes of a passage; empty where
	// none is in use.
	Meanings(passage string) string
	// Relevance says what the score of a match means, a cosine with a vector of
	// EmbedQuery (contract 4.2); Unknown where this embedder has not been calibrated.
	Relevance(score float64) Relevance
	// EmbedQuery embeds what a person typed. It takes at most 5 seconds (contract 4.4).
	// Errors: ErrBlank, or one that is ErrUnavailable.
	EmbedQuery(ctx context.Context, text string) ([]float32, error)
	// EmbedPassages embeds texts made by Passage, one vector each in the same
	// order. It is all or nothing. Errors: ErrBlank when any text is blank, or
	// one that is ErrUnavailable; ErrRefused then tells apart what is the fault of
	// the texts.
	EmbedPassages(ctx context.Context, texts []string) ([][]float32, error)
	// Probe embeds a word to learn at start whether the model can be used. An
	// error that is ErrTooLong is a reason not to start (contract 9.14); any other says
	// that the endpoint cannot be asked now. It takes at most 5 seconds.
	Probe(ctx context.Context) error
}

// New makes the embedder that the settings ask for: a client of the endpoint with
// a URL, else the model whose weights are named, else words alone. It does not
// call the endpoint. wrap goes around the requests to it, for traces; nil: nothing
// does. An error names the variable, and the line of a lexicon.
func New(c config.Embeddings, wrap func(http.RoundTripper) http.RoundTripper) (Embedder, error) {
	var words *Lexical
	if c.Lexicon == "" {
		words = newLexical(theLexicon())
	} else {
		lexicon, err := readLexicon(c.Lexicon)
		if err != nil {
			return nil, fmt.Errorf("EMBEDDINGS_LEXICON: %w", err)
		}
		words = newLexical(lexicon)
	}
	switch {
	case c.URL != "":
		return newOpenAI(c, words, wrap, callTimeout)
	case c.Weights != "":
		model, err := encoder.Open(c.Weights)
		if err != nil {
			return nil, fmt.Errorf("EMBEDDINGS_WEIGHTS: %w", err)
		}
		known, _ := readPurposes(purposesFile)
		return &builtIn{encoder: model, words: words, purposes: known}, nil
	default:
		return words, nil
	}
}

// normalise scales the vector to length 1 in place and says whether it could:
// false for a zero vector and for one with a component that is not finite.
func normalise(vector []float32) bool {
	// In float64 the squares of float32 values neither overflow nor vanish.
	var sum float64
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return false
	}
	scale := 1 / math.Sqrt(sum)
	for i, x := range vector {
		vector[i] = float32(float64(x) * scale)
	}
	return true
}

// unavailable wraps a reason that may be shown in logs: it never holds the API
// key, the URL's user part or anything the endpoint sent.
func unavailable(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrUnavailable}, args...)...)
}

// refused is unavailable for a reason that lies in the texts.
func refused(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrRefused}, args...)...)
}

// lengthError is the error for an endpoint whose vectors have more than
// Dimension components.
type lengthError struct{ got int }

func (e lengthError) Error() string {
	return fmt.Sprintf("%v: it answers %d dimensions, at most %d can be stored", ErrTooLong, e.got, Dimension)
}

func (e lengthError) Is(target error) bool {
	return target == ErrTooLong || target == ErrUnavailable
}
