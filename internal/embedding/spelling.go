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
	nearby []variant // sorted by hash
}

// form is a spelling and the word of the lexicon that it stands for.
type form struct{ spelling, text, stem string }

// variant is a form with up to maxErrors letters left out.
type variant struct {
	hash uint32
	form uint16
}

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
	var room []string
	for i, f := range s.forms {
		room = deletions(room[:0], f.spelling, maxErrors(len(f.spelling)))
		for _, v := range room {
			s.nearby = append(s.nearby, variant{hash32(v), uint16(i)})
		}
	}
	slices.SortFunc(s.nearby, func(a, b variant) int {
		if a.hash != b.hash {
			if a.hash < b.hash {
				return -1
			}
			return 1
		}
		return int(a.form) - int(b.form)
	})
	s.nearby = slices.Compact(s.nearby)
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
	for _, v := range deletions(nil, spelling, errors) {
		hash := hash32(v)
		at, _ := slices.BinarySearchFunc(s.nearby, hash, func(e variant, h uint32) int {
			switch {
			case e.hash < h:
				return -1
			case e.hash > h:
				return 1
			}
			return 0
		})
		for ; at < len(s.nearby) && s.nearby[at].hash == hash; at++ {
			i := int(s.nearby[at].form)
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

// deletions appends the word and what is left of it without up to n letters.
func deletions(into []string, word string, n int) []string {
	into = append(into, word)
	if n == 0 {
		return into
	}
	for i := range len(word) {
		shorter := word[:i] + word[i+1:]
		into = append(into, shorter)
		if n > 1 {
			for j := i; j < len(shorter); j++ {
				into = append(into, shorter[:j]+shorter[j+1:])
			}
		}
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
