// What measurements need beyond searching.

package embedding

import (
	"slices"
	"sync"
)

// Remembering gives the embedder with all that its model ever made of a text kept,
// which only a measurement can afford: the embedders that WithoutTerms makes of it
// differ in their words alone and share that.
func Remembering(e Embedder) Embedder {
	if b, ok := e.(*builtIn); ok {
		return &builtIn{encoder: &remembered{sentences: b.encoder}, words: b.words, purposes: b.purposes}
	}
	return e
}

// WithoutTerms gives the embedder as it would be if its lexicon had never heard
// of the machines that the text names, and ok false for one without a lexicon of
// its own.
func WithoutTerms(e Embedder, text string) (without Embedder, ok bool) {
	switch e := e.(type) {
	case *Lexical:
		without, _ := e.lexicon.lacking(e, text)
		return newLexical(without), true
	case *builtIn:
		without, gone := e.words.lexicon.lacking(e.words, text)
		known := slices.DeleteFunc(slices.Clone(e.purposes), func(p purpose) bool { return gone[p.machine] })
		return &builtIn{encoder: e.encoder, words: newLexical(without), purposes: known}, true
	default:
		return nil, false
	}
}

// remembered keeps every vector.
type remembered struct {
	sentences
	known sync.Map // text to []float32
}

func (r *remembered) Encode(text string) []float32 {
	v, ok := r.known.Load(text)
	if !ok {
		v, _ = r.known.LoadOrStore(text, r.sentences.Encode(text))
	}
	vector, _ := v.([]float32)
	return slices.Clone(vector)
}

// lacking gives the lexicon without the machines that the text names, and these.
func (l *lexicon) lacking(words *Lexical, text string) (without *lexicon, gone map[int32]bool) {
	var s scratch
	words.split(&s, text, false, false)
	gone = map[int32]bool{}
	for _, m := range s.matches {
		for _, meaning := range m.meanings {
			if l.concepts[meaning.concept].kind == machineKind {
				gone[meaning.concept] = true
			}
		}
	}
	drop := func(links []link) []link {
		return slices.DeleteFunc(slices.Clone(links), func(x link) bool { return gone[x.concept] })
	}
	out := *l
	out.concepts = slices.Clone(l.concepts)
	for i := range out.concepts {
		out.concepts[i].fitted = drop(out.concepts[i].fitted)
	}
	out.phrases = phrases{}
	for _, key := range l.phrases.keys {
		if links := drop(l.phrases.of(key)); len(links) > 0 {
			out.phrases.add(key, links)
		}
	}
	return &out, gone
}
