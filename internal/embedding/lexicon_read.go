// Reading the lexicon: the files that come with the program, and an operator's
// own (EMBEDDINGS_LEXICON). docs/search.md describes the format.

package embedding

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed lexicon/*.txt
var lexiconFiles embed.FS

// reader collects entries until all files are read.
type reader struct {
	lexicon  *lexicon
	entries  []entry
	index    map[string]int32
	hash     hash.Hash
	phrases  map[uint64][]link
	spelling *spellings
	stems    map[string]string // of the words read: most stand in several terms
	old      map[uint64]bool   // terms of the files before those of one field each
	tokens   []token           // of the term at hand
}

// entry is a line: id < wider kinds : terms > fitted machines. Of an operator's
// lines on one concept each is an entry.
type entry struct {
	concept       int32
	wider, fitted []string
	terms         []string
	late          bool   // of a file of one field
	where         string // file and line, for errors
}

// readLexicon reads the lexicon that comes with the program and, unless own is
// empty, the file or the .txt files of the folder of that name. An error names the
// file and the line.
func readLexicon(own string) (*lexicon, error) {
	r, err := readEntries(own)
	if err != nil {
		return nil, err
	}
	return r.lexicon, nil
}

// readEntries is readLexicon for those who want its entries too.
func readEntries(own string) (*reader, error) {
	l := &lexicon{transport: map[string]link{}, stop: map[string]bool{}, weak: map[string]bool{}}
	r := &reader{
		lexicon: l, index: map[string]int32{}, hash: sha256.New(), phrases: map[uint64][]link{}, spelling: newSpellings(),
		stems: map[string]string{}, old: map[uint64]bool{},
	}
	if err := cmp.Or(r.words("stop", l.stop), r.words("weak", l.weak)); err != nil {
		return nil, err
	}
	kinds := map[string]kind{"traits": traitKind, "jobs": jobKind, "brands": brandKind}
	for _, name := range slices.Concat([]string{"machines", "traits", "jobs", "brands"}, fieldFiles()) {
		text, err := lexiconFiles.ReadFile("lexicon/" + name + ".txt")
		if err != nil {
			return nil, err
		}
		if err := r.file("lexicon/"+name+".txt", string(text), kinds[name], strings.HasPrefix(name, "fields-")); err != nil {
			return nil, err
		}
	}
	if err := r.operator(own); err != nil {
		return nil, err
	}
	if err := r.resolve(); err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(r.phrases)) {
		l.phrases.add(key, r.phrases[key])
	}
	l.spelling = r.spelling.speller()
	l.fingerprint = hex.EncodeToString(r.hash.Sum(nil)[:8])
	return r, nil
}

// fieldFiles names the files of other fields: fields.txt and, by name, those of one
// field each, which may add to concepts that there are.
func fieldFiles() []string {
	names := []string{"fields"}
	files, _ := fs.Glob(lexiconFiles, "lexicon/fields-*.txt") // the pattern is right
	for _, file := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".txt"))
	}
	return names
}

func (r *reader) words(name string, into map[string]bool) error {
	text, err := lexiconFiles.ReadFile("lexicon/" + name + ".txt")
	if err != nil {
		return err
	}
	r.hash.Write(text)
	return eachLine(string(text), func(_ int, line string) error {
		for _, t := range tokenise(fold(line), nil) {
			into[t.text] = true
		}
		return nil
	})
}

// maxLexicon bounds an operator's file, so that a wrong path is not read for ever.
const maxLexicon = 8 << 20

func (r *reader) operator(path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	files := []string{path}
	if info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(path, "*.txt")); err != nil {
			return err
		}
		if len(files) == 0 {
			return fmt.Errorf("%s holds no .txt file", path)
		}
		slices.Sort(files)
	}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && (!info.Mode().IsRegular() || info.Size() > maxLexicon) {
			return &fs.PathError{Op: "read", Path: file, Err: fmt.Errorf("not a text file of at most %d MiB", maxLexicon>>20)}
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := r.file(file, string(text), machineKind, true); err != nil {
			return err
		}
	}
	return nil
}

// eachLine calls each with the lines that are no remarks, and the number at which
// they start: one that starts with white space goes on with the one before.
func eachLine(text string, each func(number int, line string) error) error {
	var whole string
	start, number := 0, 0
	flush := func() error {
		if whole == "" {
			return nil
		}
		return each(start, whole)
	}
	for line := range strings.Lines(text) {
		number++
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#':
		case (line[0] == ' ' || line[0] == '\t') && whole != "":
			whole += " " + trimmed
		default:
			if err := flush(); err != nil {
				return err
			}
			whole, start = trimmed, number
		}
	}
	return flush()
}

// file reads entries. With more they may add to concepts that there are.
func (r *reader) file(name, text string, k kind, more bool) error {
	r.hash.Write([]byte(text))
	return eachLine(text, func(number int, line string) error {
		where := fmt.Sprintf("%s:%d", name, number)
		id, e, err := readEntry(line)
		if err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
		own := k
		if k == machineKind && len(e.fitted) > 0 {
			own = jobKind
		}
		e.where = where
		e.late = strings.HasPrefix(name, "lexicon/fields-")
		names, uses, used := strings.Cut(strings.Join(e.terms, ";"), " ~ ")
		if used && own == jobKind {
			return fmt.Errorf("%s: what a machine is for stands behind ~, machines for a job behind >; not both", where)
		}
		e.terms = splitTerms(names)
		if err := r.add(id, e, own, more); err != nil {
			return err
		}
		if !used {
			return nil
		}
		return r.add(id+" use", entry{late: e.late, terms: splitTerms(uses), fitted: []string{id}, where: where}, jobKind, more)
	})
}

func (r *reader) add(id string, e entry, k kind, more bool) error {
	at, known := r.index[id]
	if known && !more {
		return fmt.Errorf("%s: %s stands twice", e.where, id)
	}
	if !known {
		at = int32(len(r.lexicon.concepts))
		r.index[id] = at
		r.lexicon.concepts = append(r.lexicon.concepts, concept{name: id, kind: k, key: hashString("concept", id)})
	}
	e.concept = at
	r.entries = append(r.entries, e)
	return nil
}

// resolve links the entries and makes their terms known.
func (r *reader) resolve() error {
	for _, e := range r.entries {
		c := &r.lexicon.concepts[e.concept]
		wider, err := r.links(e.wider)
		if err != nil {
			return fmt.Errorf("%s: %w", e.where, err)
		}
		fitted, err := r.links(e.fitted)
		if err != nil {
			return fmt.Errorf("%s: %w", e.where, err)
		}
		for _, link := range wider {
			c.wider = addLink(c.wider, link)
		}
		for _, link := range fitted {
			c.fitted = addLink(c.fitted, link)
		}
		for _, term := range e.terms {
			choices := alternatives(term)
			if len(choices) > maxAlternatives {
				return fmt.Errorf("%s: %q stands for more than %d terms", e.where, term, maxAlternatives)
			}
			for _, term := range choices {
				if err := r.addTerm(term, e.concept, e.late); err != nil {
					return fmt.Errorf("%s: %w", e.where, err)
				}
			}
		}
	}
	return nil
}

func readEntry(line string) (id string, e entry, err error) {
	head, rest, ok := strings.Cut(line+" ", " : ")
	if !ok {
		return "", entry{}, fmt.Errorf("no terms in %q", line)
	}
	terms, fitted, _ := strings.Cut(rest, " > ")
	// The fitted machines may stand before the colon too.
	head, more, _ := strings.Cut(head, " > ")
	id, wider, _ := strings.Cut(head, " < ")
	id = strings.TrimSpace(id)
	if id == "" || strings.ContainsAny(id, " \t") {
		return "", entry{}, fmt.Errorf("%q is no name of a concept", id)
	}
	e.wider, e.fitted = strings.Fields(wider), strings.Fields(fitted+" "+more)
	e.terms = splitTerms(terms)
	return id, e, nil
}

// splitTerms gives the terms of a list; one separator too many is no term.
func splitTerms(list string) []string {
	var out []string
	for term := range strings.SplitSeq(list, ";") {
		if term = strings.TrimSpace(term); term != "" {
			out = append(out, term)
		}
	}
	return out
}

func (r *reader) links(names []string) ([]link, error) {
	var out []link
	for _, name := range names {
		name, weight, err := weighted(name)
		if err != nil {
			return nil, err
		}
		i, ok := r.index[name]
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
	if err != nil || !(w > 0 && w <= 2) {
		return "", 0, fmt.Errorf("bad weight in %q", s)
	}
	return name, float32(w), nil
}

// maxAlternatives bounds what one term may stand for.
const maxAlternatives = 64

// alternatives gives the terms that a term with "/" between words stands for:
// "wash/clean roof" is two. It stops soon after there are too many.
func alternatives(term string) []string {
	if !strings.Contains(term, "/") {
		return []string{term}
	}
	out := []string{""}
	for word := range strings.FieldsSeq(term) {
		if len(out) > maxAlternatives {
			break
		}
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

// maxTerm bounds the words of a term.
const maxTerm = 6

// addTerm makes a term of the concept known. What a machine of a late file is for is
// left out where an older file knows what that is done with.
func (r *reader) addTerm(term string, id int32, late bool) error {
	l := r.lexicon
	term, weight, err := weighted(term)
	if err != nil {
		return err
	}
	verb, isVerb := strings.CutSuffix(term, " *")
	var text, stem uint64
	r.tokens = tokeniseWith(fold(verb), r.tokens[:0], r.stem)
	words := r.tokens[:0]
	for _, t := range r.tokens {
		if l.stop[t.text] {
			continue
		}
		t.setKeys()
		text, stem = text+t.textKey, stem+t.stemKey
		words = append(words, t)
	}
	switch {
	case len(words) == 0 || len(words) == 1 && !isVerb && l.weak[words[0].text]:
		return fmt.Errorf("term %q has no word that tells something", term)
	case len(words) > maxTerm:
		return fmt.Errorf("term %q is too long", term)
	}
	for _, t := range words {
		r.spelling.add(t.text, t.stem, rankOf(l.concepts[id].kind, late))
	}
	if isVerb && len(words) == 1 {
		l.transport[words[0].stem] = link{id, weight}
		return nil
	}
	l.longest = max(l.longest, len(words))
	if !late {
		r.old[text], r.old[stem] = true, true
	} else if l.concepts[id].kind == jobKind && (r.old[text] || r.old[stem]) {
		return nil
	}
	for _, key := range []uint64{text, stem} {
		r.phrases[key] = addLink(r.phrases[key], link{id, weight})
	}
	return nil
}

func (r *reader) stem(word string) string {
	known, ok := r.stems[word]
	if !ok {
		known = stem(word)
		r.stems[word] = known
	}
	return known
}

// addLink adds a link unless it is there: several spellings share a stem, and
// several lines a concept.
func addLink(links []link, more link) []link {
	for _, known := range links {
		if known.concept == more.concept {
			return links
		}
	}
	return append(links, more)
}

// LexiconTerms gives the terms of machines and jobs of the lexicon that comes
// with the program, each once, in the order of its files.
func LexiconTerms() []string {
	var out []string
	seen := map[string]bool{}
	for _, name := range slices.Concat([]string{"machines", "jobs"}, fieldFiles()) {
		text, err := lexiconFiles.ReadFile("lexicon/" + name + ".txt")
		if err != nil {
			panic(err) // embedded
		}
		_ = eachLine(string(text), func(_ int, line string) error {
			_, e, _ := readEntry(line) // a test has read it
			for _, term := range splitTerms(strings.ReplaceAll(strings.Join(e.terms, ";"), " ~ ", ";")) {
				term, _, _ = strings.Cut(term, ":")
				if !strings.ContainsAny(term, "*/") && !seen[term] {
					seen[term] = true
					out = append(out, term)
				}
			}
			return nil
		})
	}
	return out
}
