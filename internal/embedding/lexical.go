// The built-in embedder: no network, no model file, the same vector for the
// same text on every machine (contract 4.3). It knows words, their spelling, quantities
// and a lexicon of equipment rental; see docs/search.md for what each is worth.

package embedding

import (
	"context"
	"strings"
	"sync"
)

// lexicalVersion is part of the model's name: raise it with every change of the
// rules or the lexicon that changes a vector, so that stored ones are replaced.
const lexicalVersion = "2"

// Lexical is the built-in embedder. Its vectors are hashed features, so that
// the cosine of two of them says how much two texts have in common.
type Lexical struct {
	lexicon *lexicon
	room    sync.Pool
}

var _ Embedder = (*Lexical)(nil)

// NewLexical makes the built-in embedder. Reading the lexicon takes some
// milliseconds the first time.
func NewLexical() *Lexical {
	return &Lexical{
		lexicon: theLexicon(),
		room:    sync.Pool{New: func() any { return new(scratch) }},
	}
}

// Model implements Embedder.
func (*Lexical) Model() string { return "lexical/" + lexicalVersion }

// Probe implements Embedder; it never fails.
func (*Lexical) Probe(context.Context) error { return nil }

// EmbedQuery implements Embedder; the only error is ErrBlank.
func (l *Lexical) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	return l.embed(text, true)
}

// EmbedPassages implements Embedder; the only error is ErrBlank.
func (l *Lexical) EmbedPassages(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		v, err := l.embed(text, false)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func (l *Lexical) embed(text string, query bool) ([]float32, error) {
	out := make([]float32, Dimension)
	if err := l.embedInto(out, text, query); err != nil {
		return nil, err
	}
	return out, nil
}

// embedInto fills out, which must be zero, with a vector of length 1.
func (l *Lexical) embedInto(out []float32, text string, query bool) error {
	if strings.TrimSpace(text) == "" {
		return ErrBlank
	}
	s, _ := l.room.Get().(*scratch)
	defer l.room.Put(s)
	s.bag = s.bag[:0]
	if query {
		l.query(s, text)
	} else {
		l.passage(s, text)
	}
	s.bag.vector(out)
	if !normalise(out) {
		// No word in it, or features that cancel out: the text as a whole is
		// a feature, so that it still has a direction of its own.
		clear(out)
		write(out, hashString("text", text), 1)
		if !normalise(out) {
			// Even its places cancel out.
			out[0] = 1
		}
	}
	return nil
}

// scratch is memory that calls reuse.
type scratch struct {
	bag     bag
	tokens  []token
	words   []token
	matches []match
	apart   []match
	votes   []link // the jobs of a query
	gram    []byte
}
