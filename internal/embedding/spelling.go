// Which known word a misspelt or transliterated one stands for: a deletion
// index over the words of the lexicon, spelt in Latin letters.

package embedding

import "slices"

// speller maps spellings to stems of the lexicon. It is filled by add, made
// ready by finish and immutable from then on.
type speller struct {
	stems  map[string]bool // stems that terms are made of
	exact  map[string]int  // Latin spelling to form
	forms  []form
	nearby []variant // sorted
}

// form is a spelling and the word of the lexicon that it stands for.
type form struct{ spelling, text, stem string }

// variant is a form with up to maxErrors letters left out: the hash of what is left,
// and below it the number of the form in 16 bits.
type variant uint64

func newVariant(hash uint32, form int) variant { return variant(hash)<<16 | variant(form) }

func (v variant) hash() uint32 { return uint32(v >> 16) }
func (v variant) form() int    { return int(v & 0xffff) }

// maxErrors is how many letters may be wrong in a word of that length: short
// words have too many neighbours that mean something else.
func maxErrors(length int) int {
	switch {
	case length < 5:
		return 0
	case length < 9:
		return 1
	}
	return 2
}

// acrossAlphabets is how long a word must be to be a misspelling of one in the
// other alphabet: "cheap" is not "черпать".
const acrossAlphabets = 8

func (s *speller) add(text, stem string) {
	if s.exact == nil {
		s.exact, s.stems = map[string]int{}, map[string]bool{}
	}
	s.stems[stem] = true
	for _, spelling := range []string{latin(text), latin(stem)} {
		if _, known := s.exact[spelling]; known || spelling == "" {
			continue
		}
		s.exact[spelling] = len(s.forms)
		s.forms = append(s.forms, form{spelling, text, stem})
	}
}

func (s *speller) finish() {
	most := 0
	for _, f := range s.forms {
		n := len(f.spelling)
		most += []int{1, 1 + n, 1 + n + n*(n-1)/2}[maxErrors(n)]
	}
	var room []uint32
	all := make([]variant, 0, most)
	for i, f := range s.forms {
		room = deletions(room[:0], f.spelling, maxErrors(len(f.spelling)))
		for _, hash := range room {
			all = append(all, newVariant(hash, i))
		}
	}
	slices.Sort(all)
	s.nearby = slices.Clone(slices.Compact(all)) // without the room of those that are the same
}

// correct puts the word of the lexicon that a word stands for in its place and
// notes how sure that is. Only the spelling of a query is worth guessing at.
func (s *speller) correct(w *token, guess bool) {
	if s.stems[w.stem] {
		w.sure = 1
		return
	}
	spelling := latin(w.text)
	// Spelt alike is not enough for "HD", which is a model, and "HDD".
	if i, ok := s.exact[spelling]; ok && (len(spelling) > 2 || !isASCII(w.text)) {
		w.text, w.stem, w.sure = s.forms[i].text, s.forms[i].stem, 1
		return
	}
	errors := maxErrors(len(spelling))
	if !guess || errors == 0 || len(spelling) > maxWord {
		return
	}
	best, bestDistance := -1, errors+1
	for _, hash := range deletions(nil, spelling, errors) {
		at, _ := slices.BinarySearch(s.nearby, newVariant(hash, 0))
		for ; at < len(s.nearby) && s.nearby[at].hash() == hash; at++ {
			i := s.nearby[at].form()
			candidate := s.forms[i].spelling
			limit := min(errors, maxErrors(len(candidate)))
			if isASCII(w.text) != isASCII(s.forms[i].text) && len(spelling) < acrossAlphabets {
				continue
			}
			d := distance(spelling, candidate, limit)
			if d > limit {
				continue
			}
			// Of equally near words the one read first: machines before traits
			// before jobs, so that "escavator" is no escalator.
			if d < bestDistance || d == bestDistance && i < best {
				best, bestDistance = i, d
			}
		}
	}
	if best >= 0 {
		w.text, w.stem = s.forms[best].text, s.forms[best].stem
		w.sure = 1 - 0.15*float32(bestDistance)
	}
}

// deletions appends the hashes of the word and of what is left of it without up to
// n letters, two at most.
func deletions(into []uint32, word string, n int) []uint32 {
	into = append(into, hashOn(hashBasis, word))
	if n == 0 {
		return into
	}
	before := hashBasis // of what stands before i
	for i := range len(word) {
		into = append(into, hashOn(before, word[i+1:]))
		if n > 1 {
			between := before // of that without i, up to j
			for j := i + 1; j < len(word); j++ {
				into = append(into, hashOn(between, word[j+1:]))
				between = hashOn(between, word[j:j+1])
			}
		}
		before = hashOn(before, word[i:i+1])
	}
	return into
}

// distance counts the letters to insert, delete, replace or swap with a
// neighbour to get from a to b; more than limit is limit+1.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit || len(b) > 2*maxWord {
		return limit + 1
	}
	var rows [3][2*maxWord + 1]int
	two, previous, current := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			current[j] = min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], two[j-2]+1)
			}
		}
		two, previous, current = previous, current, two
	}
	return min(previous[len(b)], limit+1)
}
