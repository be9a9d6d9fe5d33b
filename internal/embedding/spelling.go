// Which known word a misspelt or transliterated one stands for. Think of a noisy
// channel: a word of the lexicon was meant, and letters were left out, doubled,
// swapped or hit beside. The likeliest word is the one that the fewest and
// commonest slips lead from, and of equally near ones that which names machines
// and makes a term with the words around it. A word that is spelt right and is no
// term stays what it is.

package embedding

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
)

// speller maps spellings to words of the lexicon. It is immutable.
type speller struct {
	stems  []uint64 // keys of the stems that terms are made of, ascending
	forms  []form
	groups [3][]spelt // by script, each sorted by length and letters
}

// form is a word of the lexicon.
type form struct {
	text, stem string
	key        uint64  // of the stem
	rank       float32 // how much less likely it is meant than a name of a machine
}

// spelt is a form as it is compared: one byte a letter.
type spelt struct {
	letters string
	set     uint64 // of letters, to pass by most forms without counting slips
	form    int32
}

// What the spellings of a group are in.
const (
	englishLetters = iota
	russianLetters
	latinSpelling // of any word: its sound, more or less
)

// The cost of slips, as seen in what people type.
const (
	slipCost      = 1.0
	swapCost      = 0.8
	nearCost      = 0.8 // a key beside, or a vowel for a vowel
	doubleCost    = 0.5 // a letter twice, or once for twice
	firstCost     = 0.4 // more, where it is the first letter: people rarely miss that
	alphabetsCost = 0.2 // more, for a word of the other alphabet
)

// maxCost is how far a word of that many letters may be from the one that was
// meant: short words have too many neighbours that mean something else.
func maxCost(length int) float32 {
	switch {
	case length < 4:
		return 0
	case length < 5:
		return 0.8
	case length < 8:
		return 1.4
	case length < 11:
		return 2
	}
	return 2.5
}

// acrossAlphabets is how long a word must be to be a misspelling of one in the
// other alphabet: "cheap" is not "черпать".
const acrossAlphabets = 8

// leastSound is how many letters a Latin spelling needs to be compared: shorter ones
// are alike by chance.
const leastSound = 4

// loanWord is how long a word that is spelt right must be to be the same as one of
// the other alphabet: "плоттер" is a plotter, but "most" is no bridge ("мост").
const loanWord = 6

// rankOf says how much less likely the words of a concept are meant than the name
// of a machine.
func rankOf(k kind, late bool) float32 {
	rank := float32(0.15)
	switch k {
	case machineKind:
		rank = 0
	case jobKind:
		rank = 0.3
	}
	if late {
		rank += lateCost
	}
	return rank
}

// lateCost is what a word costs more that only the files of one field each have:
// those fields are rarer.
const lateCost = 0.8

// spellings collects what a speller knows.
type spellings struct {
	stems map[uint64]bool
	known map[string]int // text or stem to form
	forms []form
}

func newSpellings() *spellings { return &spellings{stems: map[uint64]bool{}, known: map[string]int{}} }

func (s *spellings) add(text, stem string, rank float32) {
	key := hashString("stem", stem)
	s.stems[key] = true
	for _, word := range []string{text, stem} {
		if at, known := s.known[word]; known {
			s.forms[at].rank = min(s.forms[at].rank, rank)
			continue
		}
		s.known[word] = len(s.forms)
		s.forms = append(s.forms, form{text, stem, key, rank})
	}
}

func (s *spellings) speller() speller {
	out := speller{stems: slices.Sorted(maps.Keys(s.stems)), forms: s.forms}
	add := func(group int, letters string, form int) {
		if letters != "" {
			out.groups[group] = append(out.groups[group], spelt{letters, setOf(letters), int32(form)})
		}
	}
	for word, at := range s.known {
		group, letters := lettersOf(word)
		add(group, letters, at)
		add(latinSpelling, latin(word), at)
	}
	for _, group := range out.groups {
		slices.SortFunc(group, compareSpelt)
	}
	return out
}

func compareSpelt(a, b spelt) int {
	return cmp.Or(len(a.letters)-len(b.letters), cmp.Compare(a.letters, b.letters), int(a.form-b.form))
}

// sounding gives the first form of that Latin spelling in English letters, or in
// others.
func (s *speller) sounding(spelling string, english bool) (*form, bool) {
	all := s.groups[latinSpelling]
	for at, _ := slices.BinarySearchFunc(all, spelt{letters: spelling}, compareSpelt); at < len(all) && all[at].letters == spelling; at++ {
		if f := &s.forms[all[at].form]; isASCII(f.text) == english {
			return f, true
		}
	}
	return nil, false
}

// lettersOf gives a word of English or Russian letters with a byte for each, and
// nothing for others.
func lettersOf(word string) (group int, letters string) {
	if isASCII(word) {
		return englishLetters, word
	}
	out := make([]byte, 0, len(word)/2)
	for _, r := range word {
		if r < 'а' || r > 'я' {
			return 0, ""
		}
		out = append(out, byte(r-'а')+0x80)
	}
	return russianLetters, string(out)
}

func setOf(letters string) (set uint64) {
	for i := range len(letters) {
		set |= 1 << (letters[i] & 63)
	}
	return set
}

// guess is a word that may be meant.
type guess struct {
	form    int
	cost    float32
	related bool // another form of the same word
}

// correct puts the word of the lexicon that a word stands for in its place, where
// that is beyond doubt, and else, where it may be misspelt, gives what may be
// meant, the likeliest first.
func (s *speller) correct(w *token, guessing bool, into []guess) []guess {
	if _, known := slices.BinarySearch(s.stems, hashString("stem", w.stem)); known {
		w.sure = 1
		return into
	}
	right := spelledRight(*w)
	spelling := latin(w.text)
	// Spelt alike is not enough for "HD", which is a model, and "HDD".
	english := isASCII(w.text)
	f, ok := s.sounding(spelling, english)
	if !ok {
		f, ok = s.sounding(spelling, !english)
	}
	if ok && (len(spelling) > 2 || !english) && (!right || len(spelling) >= loanWord && english != isASCII(f.text)) {
		w.text, w.stem, w.sure = f.text, f.stem, 1
		return into
	}
	if !guessing {
		return into
	}
	w.right = right
	return s.guess(w, into)
}

// guess appends the words that one may stand for, the likeliest first.
func (s *speller) guess(w *token, into []guess) []guess {
	spelling := latin(w.text)
	if len(spelling) > maxWord {
		return into
	}
	group, letters := lettersOf(w.text)
	if letters == "" {
		return into
	}
	before := len(into)
	if w.right {
		into = s.related(group, letters, into)
	}
	into = s.near(group, letters, group, into)
	if _, stem := lettersOf(w.stem); stem != letters {
		into = s.near(group, stem, group, into)
	}
	into = s.near(latinSpelling, spelling, group, into)
	slices.SortFunc(into[before:], func(a, b guess) int { return cmp.Or(cmp.Compare(a.cost, b.cost), a.form-b.form) })
	return into[:min(len(into), before+mostGuesses)]
}

// mostGuesses bounds what a word may stand for, and with it what a query costs.
const mostGuesses = 16

// Words that are spelt right may still be forms of one word of the lexicon that the
// stemmer does not bring together: "warmth" and "warm".
const (
	relatedBeginning = 6 // letters at least that they begin with alike
	relatedEnding    = 3 // letters at most behind that
	relatedCost      = 1.0
)

// related adds the forms that begin like the word and end otherwise.
func (s *speller) related(group int, letters string, into []guess) []guess {
	all := s.groups[group]
	for _, f := range all {
		n := 0
		for n < len(f.letters) && n < len(letters) && f.letters[n] == letters[n] {
			n++
		}
		if n >= relatedBeginning && len(letters)-n <= relatedEnding && len(f.letters)-n <= relatedEnding {
			into = append(into, guess{int(f.form), relatedCost + 0.05*float32(max(len(letters), len(f.letters))-n) + s.forms[f.form].rank, true})
		}
	}
	return into
}

// near adds the forms of the group that are near enough.
func (s *speller) near(group int, letters string, own int, into []guess) []guess {
	most := maxCost(len(letters) + 1)
	if most == 0 {
		return into
	}
	reach := int(most / doubleCost)
	set := setOf(letters)
	all := s.groups[group]
	at, _ := slices.BinarySearchFunc(all, len(letters)-reach, func(x spelt, n int) int { return len(x.letters) - n })
	for ; at < len(all) && len(all[at].letters) <= len(letters)+reach; at++ {
		f := &all[at]
		if group == latinSpelling && len(f.letters) < leastSound {
			continue
		}
		if float32(bits.OnesCount64(f.set^set)) > 2*most/nearCost {
			continue
		}
		limit, more := maxCost((len(letters)+len(f.letters)+1)/2), s.forms[f.form].rank
		if group == latinSpelling && isASCII(s.forms[f.form].text) != (own == englishLetters) {
			if len(letters) < acrossAlphabets {
				continue
			}
			more += alphabetsCost
		}
		if cost := distance(letters, f.letters, limit); cost <= limit {
			into = append(into, guess{int(f.form), cost + more, false})
		}
	}
	return into
}

// distance is the least cost of slips that lead from a to b; more than limit is
// something above it.
func distance(a, b string, limit float32) float32 {
	over := limit + 1
	if len(b) > 2*maxWord {
		return over
	}
	var rows [3][2*maxWord + 1]float32
	two, previous, current := &rows[0], &rows[1], &rows[2]
	for j := range len(b) {
		previous[j+1] = previous[j] + extra(b, j)
	}
	for i := 1; i <= len(a); i++ {
		current[0] = previous[0] + extra(a, i-1)
		least := current[0]
		for j := 1; j <= len(b); j++ {
			best := previous[j-1] + replaced(a, b, i-1, j-1)
			best = min(best, previous[j]+extra(a, i-1), current[j-1]+extra(b, j-1))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				best = min(best, two[j-2]+swapCost)
			}
			current[j] = best
			least = min(least, best)
		}
		if least > limit {
			return over
		}
		two, previous, current = previous, current, two
	}
	return previous[len(b)]
}

// extra is the cost of the letter at i, which the other word has not.
func extra(word string, i int) float32 {
	switch {
	case i == 0:
		return slipCost + firstCost
	case word[i] == word[i-1]:
		return doubleCost
	}
	return slipCost
}

// replaced is the cost of one letter for the other.
func replaced(a, b string, i, j int) float32 {
	x, y := a[i], b[j]
	if x == y {
		return 0
	}
	cost := float32(slipCost)
	if likely[x][y] {
		cost = nearCost
	}
	if i == 0 && j == 0 {
		cost += firstCost
	}
	return cost
}

// likely holds the letters that are often one for the other: their keys lie side by
// side, or both are vowels.
var likely = func() *[256][256]bool {
	var pairs [256][256]bool
	pair := func(a, b rune) {
		_, x := lettersOf(string(a))
		_, y := lettersOf(string(b))
		if x != "" && y != "" {
			pairs[x[0]][y[0]], pairs[y[0]][x[0]] = true, true
		}
	}
	for _, rows := range [][]string{{"qwertyuiop", "asdfghjkl", "zxcvbnm"}, {"йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"}} {
		for y := range rows {
			row := []rune(rows[y])
			for x := range row {
				if x+1 < len(row) {
					pair(row[x], row[x+1])
				}
				// Rows are shifted: the key below stands between two.
				if y+1 < len(rows) {
					below := []rune(rows[y+1])
					for _, i := range []int{x - 1, x} {
						if i >= 0 && i < len(below) {
							pair(row[x], below[i])
						}
					}
				}
			}
		}
	}
	for _, vowels := range []string{"aeiouy", "аоеиыэяюу"} {
		for _, a := range vowels {
			for _, b := range vowels {
				pair(a, b)
			}
		}
	}
	return &pairs
}()
