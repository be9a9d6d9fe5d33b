// Which features a query and a passage have, and how much each weighs. The
// weights were set by hand and checked on held-out judgments (docs/search.md).

package embedding

import (
	"math"
	"strings"
)

// Weights of the lines of a passage, in the order that Passage writes them:
// headline, categories, tags, parameters, year.
var lineWeights = [...]float32{1, 0.45, 0.5, 0.15, 0.15}

const (
	traitWeight  = 0.55
	jobWeight    = 0.6
	brandWeight  = 1.0
	widerWeight  = 0.6  // a kind, where a narrower one is meant
	fittedWeight = 0.75 // machines for a job
	fittedBeside = 0.3  // the same where the query names a machine itself
	// A job of several words is surer to be what the machine is wanted for.
	fittedBesideLong = 0.7
	movedWeight      = 0.25 // a machine that is the load, not the wish
	singleWeight     = 0.65 // a job by one word: "bridge" is a part of many jobs
	apartWeight      = 0.4  // a job by one word that is part of another job's two
	hintWeight       = 0.5  // a word that is no term by itself, see lexicon.hints
	knownWord        = 0.25 // a word of the lexicon, beside its meaning
	unknownWord      = 0.8  // any other word
	numberWord       = 0.45
	takenWord        = 0.15 // a word of a quantity: "100" in "QAS 100"
	pairWeight       = 0.45
	gramsWeight      = 0.5
	quantityWeight   = 1.0
)

// How many words before a machine a verb that moves it, or "without", is looked
// for.
const (
	movedReach   = 2
	withoutReach = 2
)

// passage adds the features of a vehicle's passage.
func (l *Lexical) passage(s *scratch, text string) {
	line := 0
	for part := range strings.Lines(text) {
		weight := lineWeights[min(line, len(lineWeights)-1)]
		headline := line == 0
		for segment := range strings.SplitSeq(part, ";") {
			l.split(s, segment, false, !headline)
			l.meanings(s, weight, false)
			l.wordFeatures(s, weight, headline)
		}
		line++
	}
}

// query adds the features of what a person typed.
func (l *Lexical) query(s *scratch, text string) {
	l.split(s, text, true, true)
	l.meanings(s, 1, true)
	l.countVotes(s)
	l.wordFeatures(s, 1, true)
}

// split makes s.tokens of the text, and s.words of those that tell something,
// with the lexicon's spelling. Quantities are read before that, as "тонн" is no
// misspelt word; in a headline numbers are names.
func (l *Lexical) split(s *scratch, text string, query, measured bool) {
	s.tokens = tokenise(fold(text), s.tokens[:0])
	s.words = s.words[:0]
	for _, t := range s.tokens {
		if l.lexicon.stop[t.text] {
			continue
		}
		s.words = append(s.words, t)
	}
	if len(s.words) == 0 {
		s.words = append(s.words, s.tokens...)
	}
	if measured {
		s.quantities(query)
	}
	for i := range s.words {
		if w := &s.words[i]; !w.digits && !w.taken {
			l.lexicon.spelling.correct(w, query && !l.lexicon.ordinary[w.stem])
		}
		l.lexicon.keys(&s.words[i])
	}
	s.matches = l.lexicon.find(s.words, s.matches[:0])
}

// meanings adds the concepts of the terms found, what they are kinds of, and for
// a query the machines that fit its jobs.
func (l *Lexical) meanings(s *scratch, weight float32, query bool) {
	named, moved := false, -1
	if query {
		s.votes = s.votes[:0]
		named = l.namesMachine(s.matches)
		moved = l.addMoved(s)
		s.apart = l.lexicon.findApart(s.words, s.apart[:0])
		for _, m := range s.apart {
			l.addMeaning(s, m.meanings[0], m.meanings[0].weight*m.likely*sureness(s.words[m.from:m.to]), true, named, 2)
		}
		l.hints(s, named)
	}
	for n, m := range s.matches {
		if query && l.takenBack(s.words[:m.from]) {
			continue
		}
		// A term with several meanings is not several times as telling.
		shared := weight * sureness(s.words[m.from:m.to]) / float32(math.Sqrt(float64(len(m.meanings)))) * m.likely
		if query && m.to-m.from == 1 && s.words[m.from].apart {
			shared *= apartWeight
		}
		if n == moved {
			shared *= movedWeight
		}
		for _, meaning := range m.meanings {
			likely := shared * meaning.weight
			if query && m.to-m.from == 1 && l.lexicon.concepts[meaning.concept].kind == jobKind {
				likely *= singleWeight
			}
			l.addMeaning(s, meaning, likely, query, named, m.to-m.from)
		}
	}
}

// hints adds what words that are no term by themselves are likely to mean.
func (l *Lexical) hints(s *scratch, named bool) {
	for _, w := range s.words {
		if w.term > 0 || w.apart || w.taken || w.sure == 0 {
			continue
		}
		for _, h := range l.lexicon.hints[w.classKey] {
			l.addMeaning(s, h, hintWeight*w.sure*h.weight, true, named, 1)
		}
	}
}

// takenBack says whether one of the last words before a term is "without".
func (l *Lexical) takenBack(before []token) bool {
	for _, w := range before[max(0, len(before)-withoutReach):] {
		if l.lexicon.without[w.text] {
			return true
		}
	}
	return false
}

// sureness is how likely the words are what the lexicon took them for.
func sureness(words []token) float32 {
	sure := float32(1)
	for _, w := range words {
		if w.sure > 0 {
			sure *= w.sure
		}
	}
	return sure
}

// addMeaning adds one concept, found in that many words, with what follows from
// it. Jobs of a query are counted first, so that several words for one job make
// it surer than one word each for several.
func (l *Lexical) addMeaning(s *scratch, meaning link, weight float32, query, named bool, words int) {
	if !query || named || l.lexicon.concepts[meaning.concept].kind != jobKind {
		l.addConcept(s, meaning, weight, query, named, words)
		return
	}
	for i := range s.votes {
		if s.votes[i].concept == meaning.concept {
			s.votes[i].weight += weight
			return
		}
	}
	s.votes = append(s.votes, link{meaning.concept, weight})
}

// countVotes adds the jobs of a query, the less the further they are behind the
// surest.
func (l *Lexical) countVotes(s *scratch) {
	var best float32
	for _, v := range s.votes {
		best = max(best, v.weight)
	}
	for _, v := range s.votes {
		l.addConcept(s, v, v.weight*v.weight/best, true, false, 1)
	}
}

func (l *Lexical) addConcept(s *scratch, meaning link, weight float32, query, named bool, words int) {
	c := &l.lexicon.concepts[meaning.concept]
	own := weight * kindWeight(c.kind)
	s.bag.add(c.key, own)
	for _, wider := range c.wider {
		s.bag.add(l.lexicon.concepts[wider.concept].key, own*wider.weight*widerWeight)
	}
	if !query {
		return
	}
	fit := weight * fittedWeight
	switch {
	case named && words > 1:
		fit *= fittedBesideLong
	case named:
		fit *= fittedBeside
	}
	for _, machine := range c.fitted {
		s.bag.add(l.lexicon.concepts[machine.concept].key, fit*machine.weight)
	}
}

// namesMachine says whether the query asks for a machine by its name.
func (l *Lexical) namesMachine(matches []match) bool {
	for _, m := range matches {
		for _, meaning := range m.meanings {
			if l.lexicon.concepts[meaning.concept].kind == machineKind && meaning.weight >= 0.5 {
				return true
			}
		}
	}
	return false
}

// addMoved looks for "move the excavator": the machine is what is moved, and
// what is wanted is what moves it. It adds that meaning and gives the position
// of the machine among the matches, or -1.
func (l *Lexical) addMoved(s *scratch) int {
	for n, m := range s.matches {
		if !l.namesMachine(s.matches[n : n+1]) {
			continue
		}
		for i := max(0, m.from-movedReach); i < m.from; i++ {
			if verb, ok := l.lexicon.moved[s.words[i].stem]; ok {
				l.addMeaning(s, verb, verb.weight, true, false, 2)
				return n
			}
		}
	}
	return -1
}

func kindWeight(k kind) float32 {
	switch k {
	case traitKind:
		return traitWeight
	case jobKind:
		return jobWeight
	case brandKind:
		return brandWeight
	default:
		return 1
	}
}

// wordFeatures adds words by their Latin spelling, pairs of neighbours around a
// number ("ZX 200" and "ZX200"), and the trigrams of words that the lexicon does
// not know, which forgive misspelt names. Spelling counts in headlines only: the
// rest of a passage is made of ordinary words.
func (l *Lexical) wordFeatures(s *scratch, weight float32, headline bool) {
	for i, w := range s.words {
		known := w.term > 0
		switch {
		case !known && (l.lexicon.weak[w.text] || l.lexicon.ordinary[w.stem]) && len(s.matches) > 0:
			continue
		case w.taken:
			s.bag.add(hashString("word", w.text), weight*takenWord)
			continue
		case w.digits:
			if !headline {
				continue
			}
			s.bag.add(hashString("word", w.text), weight*numberWord)
		case known:
			s.bag.add(hashString("word", latin(w.stem)), weight*knownWord)
		default:
			s.bag.add(hashString("word", latin(w.stem)), weight*unknownWord)
			if headline {
				l.grams(s, latin(w.text), weight)
			}
		}
		if headline && i > 0 && (w.digits || s.words[i-1].digits) {
			s.gram = append(append(s.gram[:0], latin(s.words[i-1].text)...), latin(w.text)...)
			s.bag.add(hashString("pair", string(s.gram)), weight*pairWeight)
		}
	}
}

func (l *Lexical) grams(s *scratch, word string, weight float32) {
	s.gram = append(append(append(s.gram[:0], '^'), word...), '$')
	n := len(s.gram) - 2
	if n < 1 {
		return
	}
	each := weight * gramsWeight / float32(math.Sqrt(float64(n)))
	for i := range n {
		s.bag.add(hashString("gram", string(s.gram[i:i+3])), each)
	}
}

// quantities adds the numbers with units and marks their words as taken. A
// passage says what it has; a query spreads over what would serve.
func (s *scratch) quantities(query bool) {
	for i := 0; i < len(s.words); {
		q, n := readQuantity(s.words[i:])
		if n == 0 {
			// "20 to 22 tonne": the first number has the unit of the second.
			if i+2 < len(s.words) && s.words[i].digits && s.words[i+1].digits {
				if second, k := readQuantity(s.words[i+1:]); k > 0 && s.words[i+1].number > 0 {
					q, n = measure{second.name, second.value * s.words[i].number / s.words[i+1].number}, 1
				}
			}
		}
		if n == 0 {
			i++
			continue
		}
		for j := i; j < i+n; j++ {
			s.words[j].taken = true
		}
		i += n
		s.addQuantity(q, query)
	}
}

func (s *scratch) addQuantity(q measure, query bool) {
	step, rest, ok := ladder(q.value)
	if !ok {
		return
	}
	if !query {
		s.bag.add(hashNumber("quantity", q.name, step), quantityWeight*(1-rest))
		s.bag.add(hashNumber("quantity", q.name, step+1), quantityWeight*rest)
		return
	}
	// The middle of what serves lies a little above what is asked for.
	const below, above = -3, 9
	var sum float32
	for d := below; d <= above; d++ {
		w := askedFor(float64(float32(d) - rest))
		sum += w * w
	}
	norm := quantityWeight / float32(math.Sqrt(float64(sum)))
	for d := below; d <= above; d++ {
		s.bag.add(hashNumber("quantity", q.name, step+d), norm*askedFor(float64(float32(d)-rest)))
	}
}
