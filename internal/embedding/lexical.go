// The words of a text as a vector: names, meanings of the lexicon, amounts. No
// network, no model file, the same vector for the same text on every machine
// (contract 4.3); docs/search.md says what each part is worth.

package embedding

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"sync"
)

// lexicalVersion is part of the model's name: raise it with every change of the
// rules that changes a vector, so that stored ones are replaced. Changes of the
// lexicon need no version, see Fingerprint.
const lexicalVersion = "5"

// Lexical is the embedder of words alone. Its vectors are hashed features, so that
// the cosine of two of them says how much two texts have in common. It is also
// the part of other embedders that knows names, figures and the lexicon.
type Lexical struct {
	lexicon *lexicon
	room    sync.Pool // of *scratch
}

var _ Embedder = (*Lexical)(nil)

// NewLexical makes the embedder of words alone with the lexicon that comes with the
// program.
func NewLexical() *Lexical { return newLexical(theLexicon()) }

func newLexical(from *lexicon) *Lexical {
	return &Lexical{lexicon: from, room: sync.Pool{New: func() any { return new(scratch) }}}
}

// Model implements Embedder.
func (*Lexical) Model() string { return "lexical/" + lexicalVersion }

// Probe implements Embedder; it never fails.
func (*Lexical) Probe(context.Context) error { return nil }

// Relevance implements Embedder. A query of words that no machine has finds
// nothing, and so does many a good one: words alone cannot tell them apart.
func (*Lexical) Relevance(float64) Relevance { return Unknown }

// EmbedQuery implements Embedder; the only error is ErrBlank.
func (l *Lexical) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	if strings.TrimSpace(text) == "" {
		return nil, ErrBlank
	}
	return l.beside(nil, nil, 1, text, true), nil
}

// EmbedPassages implements Embedder; the only error is ErrBlank.
func (l *Lexical) EmbedPassages(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			return nil, ErrBlank
		}
		out[i] = l.beside(nil, nil, 1, text, false)
	}
	return out, nil
}

// Vocabulary implements Embedder.
func (l *Lexical) Vocabulary() string { return l.lexicon.fingerprint }

// Meanings implements Embedder.
func (l *Lexical) Meanings(passage string) string {
	s, _ := l.room.Get().(*scratch)
	defer l.room.Put(s)
	l.read(s, passage, false)
	h := sha256.New()
	for _, b := range []bag{s.names, s.concepts} {
		slices.SortFunc(b, compareFeatures)
		for _, f := range b {
			var raw [16]byte
			binary.LittleEndian.PutUint64(raw[:], f.key)
			// Rounded, as the last bit may differ between kinds of processors.
			binary.LittleEndian.PutUint64(raw[8:], uint64(math.Round(float64(f.weight)*1024)))
			h.Write(raw[:])
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// The parts of the words, by the length of each: what counts is how they compare
// with each other and with the model, whose vector has length 1.
const (
	namesLength    = 0.45
	conceptsLength = 1.0
	amountLength   = 0.25 // each amount of a machine
	wishLength     = 1.2  // each amount of a query
	mostAmounts    = 8    // a machine with more has smaller ones
	// The last component: how much a query is in doubt. A passage has nothing there.
	doubtPlace = Dimension - 1
	// namesRoom is the share of the room in which names and meanings are hashed;
	// the rest is for amounts.
	namesRoom = 0.6
)

// beside gives a stored vector: the model's vector, if there is one, and the
// words of the text in the room behind it, with a share between them:
//
//	(1 - share) · cosine of the model + share · what the words have in common
//
// up to a factor: the parts of the words have the lengths above, as far as there
// is something in them. The model's vector leans towards meant, unless that is nil, the
// more of the query's words the lexicon does not know.
func (l *Lexical) beside(model, meant []float32, share float64, text string, query bool) []float32 {
	s, _ := l.room.Get().(*scratch)
	defer l.room.Put(s)
	l.read(s, text, query)
	out := make([]float32, Dimension)
	copy(out, model)
	if meant != nil {
		for i, x := range meant {
			out[i] += x * purposeWeight * float32(1-s.known)
		}
		normalise(out)
	}
	for i := range model {
		out[i] *= float32(math.Sqrt(1 - share))
	}
	if s.load {
		clear(out[:len(model)]) // a model takes the load for the wish
	}
	room := out[len(model):doubtPlace]
	hashed, waves := room[:int(namesRoom*float64(len(room)))], room[int(namesRoom*float64(len(room))):]
	scale := math.Sqrt(share)
	for _, part := range []struct {
		bag    bag
		length float64
	}{{s.names, namesLength}, {s.concepts, conceptsLength * s.known}} {
		part.bag.addTo(hashed, part.length*scale, s)
	}
	for _, a := range s.amounts {
		length := wishLength
		if !query {
			length = amountLength * math.Sqrt(min(1, mostAmounts/float64(len(s.amounts))))
		}
		a.addTo(waves, length*scale, query)
	}
	if !normalise(out) {
		// No word in it, or features that cancel out: the text as a whole is
		// a feature, so that it still has a direction of its own.
		clear(out)
		place(out, hashString("text", text), 1)
	}
	return out
}

// scratch is memory that calls reuse.
type scratch struct {
	names, concepts bag
	amounts         []amount
	load            bool    // the query is about moving a machine
	known           float64 // share of the query's words that the lexicon knows; of a passage 1
	tokens          []token
	words           []token
	guesses         []guess
	matches, apart  []match
	part            []float32
}

// Weights of the lines of a passage, in the order that Passage writes them:
// title, maker and model, categories, tags, parameters, year.
var lineWeights = [...]float32{1, 1, 0.45, 0.5, 0.15, 0.1}

// headlines is how many lines name the machine: numbers in them are names.
const headlines = 2

// Weights of the features of names.
const (
	wordWeight   = 0.4
	typedWeight  = 0.2  // a word as it was before the speller guessed: it may be a name after all
	numberWeight = 0.7  // in a name: "ZX 200"
	takenWeight  = 0.15 // a word of an amount: "100" in "QAS 100"
)

// read fills s with what the text has.
func (l *Lexical) read(s *scratch, text string, query bool) {
	s.names, s.concepts, s.amounts, s.known = s.names[:0], s.concepts[:0], s.amounts[:0], 1
	s.load = false
	if query {
		l.split(s, text, true, true)
		l.meanings(s, 1, true)
		l.nameFeatures(s, 1, true)
		s.known = l.knownShare(s.words)
		return
	}
	line := 0
	for part := range strings.Lines(text) {
		weight := lineWeights[min(line, len(lineWeights)-1)]
		for segment := range strings.SplitSeq(part, ";") {
			l.split(s, segment, false, line >= headlines)
			l.meanings(s, weight, false)
			l.nameFeatures(s, weight, line < headlines)
		}
		line++
	}
}

// split makes s.tokens of the text, and s.words of those that tell something,
// with the lexicon's spelling. Amounts are read before that, as "тонн" is no
// misspelt word.
func (l *Lexical) split(s *scratch, text string, query, measured bool) {
	if measured {
		text = signed(text)
	}
	s.tokens = tokenise(fold(text), s.tokens[:0])
	if measured {
		s.amounts = readAmounts(s.tokens, query, s.amounts)
	}
	s.words = s.words[:0]
	for _, t := range s.tokens {
		if !l.lexicon.stop[t.text] {
			s.words = append(s.words, t)
		}
	}
	if len(s.words) == 0 {
		s.words = append(s.words, s.tokens...)
	}
	s.guesses = s.guesses[:0]
	for i := range s.words {
		t := &s.words[i]
		before := len(s.guesses)
		if !t.digits && !t.taken {
			s.guesses = l.lexicon.spelling.correct(t, query && comparisons[t.text] == about, s.guesses)
		}
		t.guesses = s.guesses[before:]
		t.setKeys()
	}
	for i := range s.words {
		if len(s.words[i].guesses) > 0 {
			l.lexicon.choose(s.words, i)
		}
	}
	s.matches = l.lexicon.find(s.words, s.matches[:0])
	if query && l.reconsider(s) {
		for i := range s.words {
			s.words[i].term = 0
		}
		s.matches = l.lexicon.find(s.words, s.matches[:0])
	}
}

// reconsider looks at words of the lexicon that are part of no term here: they may
// be misspelt, or a form of a word that is one. It reports whether it found any.
func (l *Lexical) reconsider(s *scratch) bool {
	found := false
	for i := range s.words {
		t := &s.words[i]
		if t.term > 0 || t.sure != 1 || t.digits || t.taken || t.typed != "" || l.lexicon.weak[t.text] || comparisons[t.text] != about {
			continue
		}
		t.right = true
		t.guesses = l.lexicon.spelling.guess(t, s.guesses[:0])
		l.lexicon.choose(s.words, i)
		found = found || t.typed != ""
	}
	return found
}

// knownShare is the share of the words that are part of a term. What the lexicon
// makes of a query counts by it: where it knows one word of many, it guesses.
func (l *Lexical) knownShare(words []token) float64 {
	all, known := 0.0, 0.0
	for _, t := range words {
		if t.taken || t.digits || l.lexicon.weak[t.text] {
			continue
		}
		all++
		if t.term > 0 {
			known++
		}
	}
	if all == 0 {
		return 1
	}
	return known / all
}

// nameFeatures adds words by their Latin spelling.
func (l *Lexical) nameFeatures(s *scratch, weight float32, named bool) {
	for _, t := range s.words {
		switch {
		case t.term == 0 && l.lexicon.weak[t.text]:
		case t.taken:
			s.names.add(hashString("word", t.text), weight*takenWeight)
		case t.digits && named:
			s.names.add(hashString("word", t.text), weight*numberWeight)
		case !t.digits:
			s.names.add(hashString("word", latin(t.stem)), weight*wordWeight)
			if t.typed != "" {
				s.names.add(hashString("word", latin(t.typed)), weight*typedWeight)
			}
		}
	}
}
