// The bilingual lexicon of equipment rental: which words mean one thing, which
// machines belong to a kind, and which are rented for a job. The data is in
// lexicon/; this file reads it and finds its terms in a text.

package embedding

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed lexicon/*.txt
var lexiconFiles embed.FS

// kind says which file a concept comes from.
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
	terms  []string
}

type link struct {
	concept int32
	weight  float32
}

// lexicon is immutable once read.
type lexicon struct {
	concepts []concept
	phrases  map[string][]link // by the sorted words of a term, and by its sorted stems
	moved    map[string]link   // stems of verbs whose object may be a machine: "move *"
	longest  int               // words in the longest term
	stop     map[string]bool   // words without meaning
	weak     map[string]bool   // words with a meaning in terms only
	without  map[string]bool   // words that take back what follows
	spelling speller
}

// theLexicon reads the data once. A mistake in it is a programming error, so it
// panics; a test reads it.
var theLexicon = sync.OnceValue(func() *lexicon {
	l, err := readLexicon()
	if err != nil {
		panic(err)
	}
	return l
})

func readWords(name string, into map[string]bool) error {
	text, err := lexiconFiles.ReadFile("lexicon/" + name + ".txt")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			for _, t := range tokenise(fold(line), nil) {
				into[t.text] = true
			}
		}
	}
	return nil
}

func readLexicon() (*lexicon, error) {
	l := &lexicon{phrases: map[string][]link{}, moved: map[string]link{}, stop: map[string]bool{}, weak: map[string]bool{},
		without: map[string]bool{"without": true, "без": true}}
	if err := readWords("stop", l.stop); err != nil {
		return nil, err
	}
	if err := readWords("weak", l.weak); err != nil {
		return nil, err
	}
	files := []struct {
		name string
		kind kind
	}{{"machines", machineKind}, {"traits", traitKind}, {"jobs", jobKind}, {"brands", brandKind}}
	var err error
	var entries []entry
	index := map[string]int32{}
	for _, file := range files {
		text, err := lexiconFiles.ReadFile("lexicon/" + file.name + ".txt")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if line == "" || line[0] == '#' {
				continue
			}
			e, err := readEntry(line)
			if err != nil {
				return nil, fmt.Errorf("lexicon %s: %w", file.name, err)
			}
			if _, twice := index[e.id]; twice {
				return nil, fmt.Errorf("lexicon %s: %s stands twice", file.name, e.id)
			}
			index[e.id] = int32(len(entries))
			entries = append(entries, e)
			l.concepts = append(l.concepts, concept{name: e.id, kind: file.kind, key: hashString("concept", e.id)})
		}
	}
	for i, e := range entries {
		c := &l.concepts[i]
		if c.wider, err = resolve(e.wider, index); err == nil {
			c.fitted, err = resolve(e.fitted, index)
		}
		if err != nil {
			return nil, fmt.Errorf("lexicon: %s: %w", e.id, err)
		}
		for _, term := range e.terms {
			if !strings.ContainsAny(term, ":*") {
				c.terms = append(c.terms, term)
			}
			if err := l.addTerm(term, int32(i)); err != nil {
				return nil, fmt.Errorf("lexicon: %s: %w", e.id, err)
			}
		}
	}
	l.spelling.finish()
	return l, nil
}

// entry is a line: id < wider kinds : terms > fitted machines.
type entry struct {
	id            string
	wider, fitted []string
	terms         []string
}

func readEntry(line string) (entry, error) {
	head, rest, ok := strings.Cut(line, " : ")
	if !ok {
		return entry{}, fmt.Errorf("no terms in %q", line)
	}
	var e entry
	terms, fitted, _ := strings.Cut(rest, " > ")
	// The fitted machines may stand before the colon too.
	head, more, _ := strings.Cut(head, " > ")
	id, wider, _ := strings.Cut(head, " < ")
	e.id = strings.TrimSpace(id)
	e.wider = strings.Fields(wider)
	e.fitted = strings.Fields(fitted + " " + more)
	for term := range strings.SplitSeq(terms, ";") {
		e.terms = append(e.terms, strings.TrimSpace(term))
	}
	return e, nil
}

func resolve(names []string, index map[string]int32) ([]link, error) {
	var out []link
	for _, name := range names {
		name, weight, err := weighted(name)
		if err != nil {
			return nil, err
		}
		i, ok := index[name]
		if !ok {
			return nil, fmt.Errorf("%s is not in the lexicon", name)
		}
		out = append(out, link{i, weight})
	}
	return out, nil
}

// weighted splits "name:0.4"; without a number the weight is 1.
func weighted(s string) (string, float32, error) {
	name, number, ok := strings.Cut(s, ":")
	if !ok {
		return s, 1, nil
	}
	w, err := strconv.ParseFloat(number, 32)
	if err != nil || w <= 0 || w > 2 {
		return "", 0, fmt.Errorf("bad weight in %q", s)
	}
	return name, float32(w), nil
}

func (l *lexicon) addTerm(term string, id int32) error {
	term, weight, err := weighted(term)
	if err != nil {
		return err
	}
	verb, isVerb := strings.CutSuffix(term, " *")
	var texts, stems []string
	for _, t := range tokenise(fold(verb), nil) {
		if l.stop[t.text] {
			continue
		}
		texts, stems = append(texts, t.text), append(stems, t.stem)
		l.spelling.add(t.text, t.stem)
	}
	switch {
	case len(stems) == 0 || len(stems) == 1 && !isVerb && l.weak[texts[0]]:
		return fmt.Errorf("term %q has no word that tells something", term)
	case len(stems) > maxTerm:
		return fmt.Errorf("term %q is too long", term)
	case isVerb && len(stems) == 1:
		l.moved[stems[0]] = link{id, weight}
		return nil
	}
	l.longest = max(l.longest, len(stems))
	// A word as it is written comes before its stem: the stems of "harvest" and
	// "harvester" are one.
	for _, key := range []string{"=" + phraseKey(texts), phraseKey(stems)} {
		l.phrases[key] = addLink(l.phrases[key], link{id, weight})
	}
	return nil
}

// addLink adds a meaning unless it is there: several spellings share a stem.
func addLink(links []link, more link) []link {
	for _, known := range links {
		if known.concept == more.concept {
			return links
		}
	}
	return append(links, more)
}

// phraseKey is the same for every order of the words: Russian puts the
// adjective on either side of the noun. It sorts the stems in place.
func phraseKey(stems []string) string {
	if len(stems) == 1 {
		return stems[0]
	}
	slices.Sort(stems)
	return strings.Join(stems, " ")
}

// maxTerm bounds the words of a term.
const maxTerm = 6

// match is a term found in a text: words from..to and what it means.
type match struct {
	from, to int
	meanings []link
}

// find gives the terms that stand in the words, longest first from the left,
// none overlapping, and notes in the words which term they are part of.
func (l *lexicon) find(words []token, into []match) []match {
	var room [maxTerm]string
	for i := 0; i < len(words); {
		n := min(l.longest, len(words)-i)
		for ; n > 0; n-- {
			part := room[:n]
			for j := range part {
				part[j] = words[i+j].text
			}
			meanings, ok := l.phrases["="+phraseKey(part)]
			if !ok {
				for j := range part {
					part[j] = words[i+j].stem
				}
				meanings, ok = l.phrases[phraseKey(part)]
			}
			if ok {
				into = append(into, match{i, i + n, meanings})
				for j := range n {
					words[i+j].term = len(into)
				}
				break
			}
		}
		i += max(n, 1)
	}
	return into
}

// findApart adds jobs whose two words stand a little apart in a query: "lower
// the gas pipe" is "lower pipe". Words of one term found already are not paired.
func (l *lexicon) findApart(words []token, into []match) []match {
	var pair [2]string
	for i := range words {
		for j := i + 2; j < len(words) && j <= i+apartReach; j++ {
			if words[i].term > 0 && words[i].term == words[j].term {
				continue
			}
			pair[0], pair[1] = words[i].stem, words[j].stem
			for _, meaning := range l.phrases[phraseKey(pair[:])] {
				if l.concepts[meaning.concept].kind == jobKind {
					into = append(into, match{i, j + 1, []link{meaning}})
				}
			}
		}
	}
	return into
}

// apartReach is how many words apart the words of a job may stand.
const apartReach = 3
