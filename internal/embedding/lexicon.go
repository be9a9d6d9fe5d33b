// The bilingual lexicon of equipment rental: which words mean one thing, which
// machines belong to a kind, and which are rented for a job. This file holds what
// it knows and finds its terms in a text; lexicon_read.go reads the files, and
// lexicon_pack.go what was made of those that come with the program.

package embedding

import (
	"slices"
	"unicode/utf8"
)

// kind says what a concept is.
type kind int

const (
	machineKind kind = iota
	traitKind
	jobKind
	brandKind
)

// concept is one meaning that any number of terms share.
type concept struct {
	name   string
	kind   kind
	key    uint64 // its feature
	wider  []link // what it is a kind of; they are true wherever it is
	fitted []link // machines for a job; a guess, made for queries only
}

type link struct {
	concept int32
	weight  float32
}

// lexicon is immutable once read.
type lexicon struct {
	concepts    []concept
	phrases     phrases         // by the words of a term, or by their stems
	transport   map[string]link // stems of verbs whose object may be a machine: "move *"
	longest     int             // words in the longest term
	stop        map[string]bool // words without meaning
	weak        map[string]bool // words with a meaning in terms only
	spelling    speller
	fingerprint string // of all that was read
}

// phrases gives the meanings of a term by its key. A sorted list takes a third of
// a map's memory and is there at once.
type phrases struct {
	keys  []uint64 // ascending
	ends  []uint32 // of each key's part of links
	links []link
}

// of gives nil for a key without links.
func (p *phrases) of(key uint64) []link {
	i, ok := slices.BinarySearch(p.keys, key)
	if !ok {
		return nil
	}
	start := uint32(0)
	if i > 0 {
		start = p.ends[i-1]
	}
	if start == p.ends[i] {
		return nil
	}
	return p.links[start:p.ends[i]]
}

func (p *phrases) add(key uint64, links []link) {
	p.keys, p.links = append(p.keys, key), append(p.links, links...)
	p.ends = append(p.ends, uint32(len(p.links)))
}

// match is a term found in a text: words from..to and what it means.
type match struct {
	from, to int
	meanings []link
}

// find gives the terms that stand in the words, longest first from the left,
// none overlapping, and notes in the words which term they are part of.
func (l *lexicon) find(words []token, into []match) []match {
	for i := 0; i < len(words); {
		n := min(l.longest, len(words)-i)
		var text, stem uint64
		for _, w := range words[i : i+n] {
			text, stem = text+w.textKey, stem+w.stemKey
		}
		for ; n > 0; n-- {
			// A word as it is written comes before its stem: the stems of "harvest"
			// and "harvester" are one.
			meanings := l.phrases.of(text)
			if meanings == nil {
				meanings = l.phrases.of(stem)
			}
			if meanings != nil {
				into = append(into, match{i, i + n, meanings})
				for j := range n {
					words[i+j].term = len(into)
				}
				break
			}
			w := &words[i+n-1]
			text, stem = text-w.textKey, stem-w.stemKey
		}
		i += max(n, 1)
	}
	return into
}

// findApart gives the jobs whose two words stand a little apart: "lower the gas
// pipe" is "lower pipe".
func (l *lexicon) findApart(words []token, into []match) []match {
	for i := range words {
		for j := i + 2; j < len(words) && j <= i+apartReach; j++ {
			for _, meaning := range l.phrases.of(words[i].stemKey + words[j].stemKey) {
				if l.concepts[meaning.concept].kind == jobKind {
					into = append(into, match{i, j + 1, []link{meaning}})
					words[i].apart, words[j].apart = true, true
				}
			}
		}
	}
	return into
}

// apartReach is how many words apart the words of a job may stand.
const apartReach = 3

// termBonus is how much likelier a word is meant that makes a term with the word
// beside it.
const termBonus = 0.6

// choose puts the likeliest of the words that the one at i may stand for in its
// place. One that is spelt right needs a reason: a "caret extractor" is one for
// carpets, but a caret alone is none, and "across the road" is no crossing.
func (l *lexicon) choose(words []token, i int) {
	w := &words[i]
	var best *form
	var bestCost, slips float32
	for _, g := range w.guesses {
		f, cost := &l.spelling.forms[g.form], g.cost
		switch {
		case w.right && !g.related && firstLetter(f.text) != firstLetter(w.text):
			continue
		case i > 0 && l.phrases.of(words[i-1].stemKey+f.key) != nil, i+1 < len(words) && l.follows(f.key, &words[i+1]):
			cost -= termBonus
		case w.right && (!g.related || l.phrases.of(f.key) == nil):
			continue
		}
		if best == nil || cost < bestCost {
			best, bestCost, slips = f, cost, g.cost
		}
	}
	w.guesses = nil
	if best != nil {
		w.typed, w.text, w.stem, w.sure = w.stem, best.text, best.stem, 1-unsure*slips
		w.setKeys()
	}
}

func firstLetter(word string) rune {
	r, _ := utf8.DecodeRuneInString(word)
	return r
}

// unsure is what each slip takes from how sure a word is.
const unsure = 0.15

// follows reports whether the word, or one that it may stand for, makes a term with
// that of the key.
func (l *lexicon) follows(key uint64, next *token) bool {
	return l.phrases.of(key+next.stemKey) != nil || slices.ContainsFunc(next.guesses, func(g guess) bool {
		return l.phrases.of(key+l.spelling.forms[g.form].key) != nil
	})
}
