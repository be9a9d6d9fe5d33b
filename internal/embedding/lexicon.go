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
	phrases  map[uint64][]link // by the words of a term, their stems and their classes
	hints    map[uint64][]link // by the class of a word: jobs and machines whose terms hold it
	classes  map[string]uint64 // stems of words that stand for each other, by the class
	moved    map[string]link   // stems of verbs whose object may be a machine: "move *"
	longest  int               // words in the longest term
	stop     map[string]bool   // words without meaning
	weak     map[string]bool   // words with a meaning in terms only
	ordinary map[string]bool   // stems of words that are spelt right and no terms
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

// readLines gives the lines of a file of the lexicon without remarks.
func readLines(name string, each func(line string) error) error {
	text, err := lexiconFiles.ReadFile("lexicon/" + name + ".txt")
	if err != nil {
		return err
	}
	// A line that starts with white space goes on with the line before.
	var whole string
	flush := func() error {
		if whole == "" {
			return nil
		}
		if err := each(whole); err != nil {
			return fmt.Errorf("lexicon %s: %w", name, err)
		}
		return nil
	}
	for line := range strings.Lines(string(text)) {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#':
		case line[0] == ' ' || line[0] == '\t':
			whole += " " + trimmed
		default:
			if err := flush(); err != nil {
				return err
			}
			whole = trimmed
		}
	}
	return flush()
}

func readWords(name string, into map[string]bool) error {
	return readLines(name, func(line string) error {
		for _, t := range tokenise(fold(line), nil) {
			into[t.text] = true
		}
		return nil
	})
}

func readLexicon() (*lexicon, error) {
	l := &lexicon{phrases: map[uint64][]link{}, hints: map[uint64][]link{}, classes: map[string]uint64{},
		moved: map[string]link{}, stop: map[string]bool{}, weak: map[string]bool{},
		ordinary: map[string]bool{},
		without:  map[string]bool{"without": true, "без": true}}
	for name, into := range map[string]map[string]bool{"stop": l.stop, "weak": l.weak} {
		if err := readWords(name, into); err != nil {
			return nil, err
		}
	}
	var classWords []token
	err := readLines("classes", func(line string) error {
		words, err := l.addClass(line)
		classWords = append(classWords, words...)
		return err
	})
	if err != nil {
		return nil, err
	}
	files := []struct {
		name string
		kind kind
	}{{"machines", machineKind}, {"traits", traitKind}, {"jobs", jobKind}, {"brands", brandKind}}
	var entries []entry
	index := map[string]int32{}
	for _, file := range files {
		err := readLines(file.name, func(line string) error {
			e, err := readEntry(line)
			if err != nil {
				return err
			}
			if _, twice := index[e.id]; twice {
				return fmt.Errorf("%s stands twice", e.id)
			}
			index[e.id] = int32(len(entries))
			entries = append(entries, e)
			l.concepts = append(l.concepts, concept{name: e.id, kind: file.kind, key: hashString("concept", e.id)})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for i, e := range entries {
		c := &l.concepts[i]
		var err error
		if c.wider, err = resolve(e.wider, index); err == nil {
			c.fitted, err = resolve(e.fitted, index)
		}
		if err != nil {
			return nil, fmt.Errorf("lexicon: %s: %w", e.id, err)
		}
		for _, term := range e.terms {
			if !strings.ContainsAny(term, ":*/") {
				c.terms = append(c.terms, term)
			}
			l.addHints(term, int32(i))
			for _, term := range alternatives(term) {
				if err := l.addTerm(term, int32(i)); err != nil {
					return nil, fmt.Errorf("lexicon: %s: %w", e.id, err)
				}
			}
		}
	}
	// After the terms, so that of equally near words a term is the right one.
	for _, w := range classWords {
		l.spelling.add(w.text, w.stem)
	}
	ordinary := map[string]bool{}
	if err := readWords("ordinary", ordinary); err != nil {
		return nil, err
	}
	for word := range ordinary {
		if s := stem(word); !l.spelling.stems[s] {
			l.ordinary[s] = true
		}
	}
	l.finishHints()
	l.spelling.finish()
	return l, nil
}

// addClass reads words that stand for each other in terms of several words.
func (l *lexicon) addClass(line string) ([]token, error) {
	var class uint64
	var words []token
	for _, t := range tokenise(fold(line), nil) {
		if class == 0 {
			class = hashString("class", t.stem)
		}
		if known, twice := l.classes[t.stem]; twice && known != class {
			return nil, fmt.Errorf("%s stands in two lines", t.text)
		}
		l.classes[t.stem] = class
		words = append(words, t)
	}
	return words, nil
}

// entry is a line: id < wider kinds : terms > fitted machines.
type entry struct {
	id            string
	wider, fitted []string
	terms         []string
}

func readEntry(line string) (entry, error) {
	head, rest, ok := strings.Cut(line+" ", " : ")
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

// alternatives gives the terms that a term with "/" between words stands for:
// "wash/clean roof" is two.
func alternatives(term string) []string {
	if !strings.Contains(term, "/") {
		return []string{term}
	}
	out := []string{""}
	for word := range strings.FieldsSeq(term) {
		var longer []string
		for _, start := range out {
			for choice := range strings.SplitSeq(word, "/") {
				longer = append(longer, strings.TrimSpace(start+" "+choice))
			}
		}
		out = longer
	}
	return out
}

func (l *lexicon) addTerm(term string, id int32) error {
	term, weight, err := weighted(term)
	if err != nil {
		return err
	}
	verb, isVerb := strings.CutSuffix(term, " *")
	var words []token
	for _, t := range tokenise(fold(verb), nil) {
		if l.stop[t.text] {
			continue
		}
		l.keys(&t)
		words = append(words, t)
		l.spelling.add(t.text, t.stem)
	}
	switch {
	case len(words) == 0 || len(words) == 1 && !isVerb && l.weak[words[0].text]:
		return fmt.Errorf("term %q has no word that tells something", term)
	case len(words) > maxTerm:
		return fmt.Errorf("term %q is too long", term)
	case isVerb && len(words) == 1:
		l.moved[words[0].stem] = link{id, weight}
		return nil
	}
	l.longest = max(l.longest, len(words))
	// A word as it is written comes before its stem: the stems of "harvest" and
	// "harvester" are one. Both come before words that stand for each other.
	var text, stem, class uint64
	for _, w := range words {
		text, stem, class = text+w.textKey, stem+w.stemKey, class+w.classKey
	}
	for _, key := range []uint64{text, stem, class} {
		l.phrases[key] = addLink(l.phrases[key], link{id, weight})
	}
	return nil
}

// keys notes by what a word is looked up. The keys of a term are the sums of its
// words': Russian puts the adjective on either side of the noun.
func (l *lexicon) keys(w *token) {
	w.textKey, w.stemKey = hashString("text", w.text), hashString("stem", w.stem)
	if class, ok := l.classes[w.stem]; ok {
		w.classKey = class
	} else {
		w.classKey = hashString("class", w.stem)
	}
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

// addHints counts the words of a term for what it means, each alternative once.
func (l *lexicon) addHints(term string, id int32) {
	if k := l.concepts[id].kind; k == brandKind || k == traitKind {
		return
	}
	term, _, _ = strings.Cut(term, ":")
	for _, w := range tokenise(fold(term), nil) {
		if l.stop[w.text] || l.weak[w.text] || w.digits {
			continue
		}
		l.keys(&w)
		links := l.hints[w.classKey]
		i := slices.IndexFunc(links, func(known link) bool { return known.concept == id })
		if i < 0 {
			i, links = len(links), append(links, link{concept: id})
		}
		links[i].weight++
		l.hints[w.classKey] = links
	}
}

// finishHints turns counts into how likely a word that stands alone means a job
// or a machine of whose terms it is a part.
func (l *lexicon) finishHints() {
	for key, links := range l.hints {
		var all float32
		for _, h := range links {
			all += h.weight
		}
		for i := range links {
			links[i].weight /= all + hintDoubt
		}
		l.hints[key] = slices.DeleteFunc(links, func(h link) bool { return h.weight < leastHint })
	}
}

const (
	hintDoubt = 0.5  // a word seen once is less sure than one seen often
	leastHint = 0.12 // what is less likely is not worth a vote
)

// maxTerm bounds the words of a term.
const maxTerm = 6

// match is a term found in a text: words from..to and what it means.
type match struct {
	from, to int
	meanings []link
	likely   float32
}

// byClass is how likely a term is meant when a word stands for another.
const byClass = 0.85

// find gives the terms that stand in the words, longest first from the left,
// none overlapping, and notes in the words which term they are part of.
func (l *lexicon) find(words []token, into []match) []match {
	for i := 0; i < len(words); {
		n := min(l.longest, len(words)-i)
		var text, stem, class uint64
		for _, w := range words[i : i+n] {
			text, stem, class = text+w.textKey, stem+w.stemKey, class+w.classKey
		}
		for ; n > 0; n-- {
			meanings, ok := l.phrases[text]
			likely := float32(1)
			if !ok {
				meanings, ok = l.phrases[stem]
			}
			if !ok && n > 1 {
				meanings, ok = l.phrases[class]
				likely = byClass
			}
			if ok {
				into = append(into, match{i, i + n, meanings, likely})
				for j := range n {
					words[i+j].term = len(into)
					words[i+j].phrase = n > 1
				}
				break
			}
			w := &words[i+n-1]
			text, stem, class = text-w.textKey, stem-w.stemKey, class-w.classKey
		}
		i += max(n, 1)
	}
	return into
}

// findApart adds jobs whose two words stand a little apart in a query: "lower
// the gas pipe" is "lower pipe". Words of one term found already are not paired.
func (l *lexicon) findApart(words []token, into []match) []match {
	for i := range words {
		for j := i + 2; j < len(words) && j <= i+apartReach; j++ {
			a, b := &words[i], &words[j]
			if a.phrase && b.phrase {
				continue
			}
			meanings, ok := l.phrases[a.stemKey+b.stemKey]
			likely := float32(1)
			if !ok {
				meanings, likely = l.phrases[a.classKey+b.classKey], byClass
			}
			for _, meaning := range meanings {
				if l.concepts[meaning.concept].kind == jobKind {
					into = append(into, match{i, j + 1, []link{meaning}, likely})
					a.apart, b.apart = true, true
				}
			}
		}
	}
	return into
}

// apartReach is how many words apart the words of a job may stand.
const apartReach = 3
