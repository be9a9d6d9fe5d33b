// Misspellings made by program: how surely a machine is found by a name with a
// wrong letter, in hundreds of cases in place of the few that people judged.

package searcheval

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"equipment-platform/internal/embedding"
)

// slip is one way to miss a word of at least leastSlip letters; at is the letter
// that it happens to, which is not the last.
type slip struct {
	name string
	of   func(word []rune, at int, random *rand.Rand) []rune
}

// leastSlip is how many letters a word has that is misspelt.
const leastSlip = 5

var slips = []slip{
	{"as written", nil},
	{"a letter left out", func(word []rune, at int, _ *rand.Rand) []rune {
		return slices.Delete(word, at, at+1)
	}},
	{"two letters swapped", func(word []rune, at int, _ *rand.Rand) []rune {
		// Two that are the same would not be seen.
		for i := range word[:len(word)-1] {
			if j := (at + i) % (len(word) - 1); word[j] != word[j+1] {
				word[j], word[j+1] = word[j+1], word[j]
				break
			}
		}
		return word
	}},
	{"a letter twice", func(word []rune, at int, _ *rand.Rand) []rune {
		return slices.Insert(word, at, word[at])
	}},
	{"the key beside", func(word []rune, at int, random *rand.Rand) []rune {
		if near := beside(word[at]); len(near) > 0 {
			word[at] = near[random.IntN(len(near))]
		}
		return word
	}},
}

// keyboards holds the rows of keys, English and Russian.
var keyboards = [][]string{
	{"qwertyuiop", "asdfghjkl", "zxcvbnm"},
	{"йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"},
}

// beside gives the letters left and right of a letter, and above and below.
func beside(letter rune) (near []rune) {
	for _, rows := range keyboards {
		for y, row := range rows {
			x := slices.Index([]rune(row), letter)
			if x < 0 {
				continue
			}
			for dy := -1; dy <= 1; dy++ {
				if y+dy < 0 || y+dy >= len(rows) {
					continue
				}
				other := []rune(rows[y+dy])
				// Rows are shifted: the key below stands between two.
				for _, i := range map[int][]int{-1: {x, x + 1}, 0: {x - 1, x + 1}, 1: {x - 1, x}}[dy] {
					if i >= 0 && i < len(other) {
						near = append(near, other[i])
					}
				}
			}
		}
	}
	return near
}

// misspelt gives the text with one word spelt wrong, by chance that hangs on the
// text and the slip alone; ok is false for a text without a word long enough.
func misspelt(text string, s slip) (string, bool) {
	words := strings.Fields(strings.ToLower(text))
	var long []int
	for i, w := range words {
		letters := []rune(w)
		if len(letters) >= leastSlip && !slices.ContainsFunc(letters, func(r rune) bool { return !unicode.IsLetter(r) }) {
			long = append(long, i)
		}
	}
	if len(long) == 0 {
		return "", false
	}
	if s.of == nil {
		return strings.Join(words, " "), true
	}
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(s.name + "\n" + text))
	random := rand.New(rand.NewPCG(seed.Sum64(), 0)) //nolint:gosec // a measurement is to be the same twice
	i := long[random.IntN(len(long))]
	word := []rune(words[i])
	words[i] = string(s.of(word, random.IntN(len(word)-1), random))
	return strings.Join(words, " "), true
}

// Misspelt is what an embedder found of the cases of one slip in one set of a
// catalogue.
type Misspelt struct {
	Catalogue, Slip string
	Scores          Scores
	// Found is the share of cases with a wanted vehicle among the first ten.
	Found float64
}

// MeasureMisspelt looks for the types of each catalogue by their titles, and for
// what queries with names of machines want, with one word spelt wrong in each of
// several ways. Sets of one catalogue that follow each other share its titles and
// the name before their comma.
func MeasureMisspelt(ctx context.Context, e embedding.Embedder, sets []Set) ([]Misspelt, error) {
	var out []Misspelt
	var index *Index
	for i, set := range sets {
		var judgments []Judgment
		if i == 0 || set.Catalogue != sets[i-1].Catalogue {
			var err error
			if index, err = NewIndex(ctx, e, set.Catalogue); err != nil {
				return nil, err
			}
			done := map[string]bool{}
			for _, v := range set.Catalogue.Active() {
				if !done[v.Type] {
					done[v.Type] = true
					judgments = append(judgments, Judgment{Key: v.Type, Query: v.Text.TypeTitle, Types: map[string]int{v.Type: 2}})
				}
			}
		}
		for n, j := range set.Judgments {
			if j.Category == "lexical" || j.Category == "cross-lingual" {
				j.Key += "-" + strconv.Itoa(n)
				judgments = append(judgments, j)
			}
		}
		for _, s := range slips {
			var cases []Judgment
			for _, j := range judgments {
				query, ok := misspelt(j.Query, s)
				if !ok {
					continue
				}
				j.Query = query
				cases = append(cases, j)
			}
			results, err := index.Run(ctx, cases)
			if err != nil {
				return nil, err
			}
			found := 0
			for _, r := range results {
				if r.Wanted {
					found++
				}
			}
			catalogue, _, _ := strings.Cut(set.Name, ",")
			out = append(out, Misspelt{catalogue, s.name, Mean(results, nil), float64(found) / float64(max(1, len(results)))})
		}
	}
	return out, nil
}
