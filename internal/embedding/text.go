// From text to words: Unicode folding, splitting, stemming and the spelling of
// any script in Latin letters. Nothing in it knows about equipment.

package embedding

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/russian"
	"golang.org/x/text/unicode/norm"
)

// token is one word or number of a text.
type token struct {
	text    string  // folded: lower case, no marks
	stem    string  // what inflected forms share
	number  float64 // value of a number
	digits  bool    // the token is a number; it may hold a decimal point
	joined  bool    // no space between it and the token before
	sure    float32 // how sure the lexicon knows the word; 0: not at all
	taken   bool    // part of an amount
	typed   string  // the stem before the speller guessed; empty: it did not
	right   bool    // spelt right, and no word of the lexicon
	guesses []guess // words of the lexicon that it may stand for, the likeliest first
	term    int     // which term of the lexicon it is part of, from 1; 0: none
	apart   bool    // part of a job whose two words stand apart
	// What terms are looked up by: the keys of a term are the sums of its words',
	// as Russian puts the adjective on either side of the noun.
	textKey, stemKey uint64
}

func (t *token) setKeys() {
	t.textKey, t.stemKey = hashString("text", t.text), hashString("stem", t.stem)
}

// maxWord bounds what one word costs; nothing that people search by is longer.
const maxWord = 40

// fold brings the spellings of one text together: compatibility forms (half and
// full width, ligatures, superscripts), lower case, accents of Latin letters.
// Russian й keeps its breve and ё becomes е, as Russian readers do.
func fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	s = strings.ToLower(norm.NFKC.String(s))
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r == 'ё':
			b.WriteRune('е')
		case r < 0x80 || r >= 0x0400 && r <= 0x04ff:
			b.WriteRune(r)
		case r == 'ß':
			b.WriteString("ss")
		case r == 'ø':
			b.WriteByte('o')
		case r == 'ł':
			b.WriteByte('l')
		default:
			// The first rune of the decomposition is the letter, the rest marks.
			base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
			if !unicode.Is(unicode.M, base) {
				b.WriteRune(base)
			}
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// tokenise splits folded text into words and numbers. A change between letters
// and digits splits, so that "25t", "ZX200" and "25-тонный" give their parts;
// joined remembers what stood together.
func tokenise(folded string, into []token) []token { return tokeniseWith(folded, into, stem) }

// tokeniseWith is tokenise with another way to the stem of a word.
func tokeniseWith(folded string, into []token, stem func(string) string) []token {
	previousEnd := -1
	for i := 0; i < len(folded); {
		r, size := utf8.DecodeRuneInString(folded[i:])
		var end int
		digits := false
		switch {
		case r >= '0' && r <= '9':
			digits = true
			end = numberEnd(folded, i)
		case unicode.IsLetter(r):
			end = i + size
			for end < len(folded) {
				next, n := utf8.DecodeRuneInString(folded[end:])
				if !unicode.IsLetter(next) {
					break
				}
				end += n
			}
		default:
			i += size
			continue
		}
		text := folded[i:min(end, i+maxWord*utf8.UTFMax)]
		t := token{text: text, digits: digits, joined: previousEnd == i}
		if digits {
			t.text, t.number = parseNumber(text)
			t.stem = t.text
		} else {
			t.stem = stem(text)
		}
		into = append(into, t)
		i, previousEnd = end, end
	}
	return into
}

// numberEnd finds the end of a number that starts at i: digits with at most one
// decimal point or comma that has digits on both sides.
func numberEnd(s string, i int) int {
	point := false
	for i < len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
		case (c == '.' || c == ',') && !point && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
			point = true
		default:
			return i
		}
		i++
	}
	return i
}

// parseNumber reads what numberEnd found. Three digits after a comma are
// thousands ("10,000 l"), unless the number starts with 0; fewer or more are a
// decimal fraction, as Russian writes it ("0,8 м3").
func parseNumber(s string) (string, float64) {
	whole, fraction, divisor := 0.0, 0.0, 1.0
	i := strings.IndexAny(s, ".,")
	if i > 0 && len(s)-i-1 == 3 && s[i] == ',' && s[0] != '0' {
		s, i = s[:i]+s[i+1:], -1
	}
	end := len(s)
	if i >= 0 {
		end = i
	}
	for _, c := range s[:end] {
		whole = whole*10 + float64(c-'0')
	}
	if i >= 0 {
		for _, c := range s[i+1:] {
			divisor *= 10
			fraction = fraction*10 + float64(c-'0')
		}
		if fraction == 0 {
			s = s[:i]
		} else {
			s = s[:i] + "." + s[i+1:]
		}
	}
	return s, whole + fraction/divisor
}

// stem cuts the endings of an English or Russian word; words in other scripts
// stay whole.
func stem(word string) string {
	if len(word) > maxWord*utf8.UTFMax {
		return word
	}
	r, _ := utf8.DecodeRuneInString(word)
	switch {
	case r < 0x80 && len(word) > 3:
		return english.Stem(word, true)
	case r >= 0x0400 && r <= 0x04ff && len(word) > 6:
		return russianStem(word)
	}
	return word
}

// russianStem cuts endings until there is none left: "бензопилы" gives "бензопил",
// which looks like a verb in the past, as "бензопила" does.
func russianStem(word string) string {
	for first := true; ; first = false {
		shorter := trimVowels(russian.Stem(word, true))
		switch {
		case len(shorter) < leastStem && first:
			// "поля" and "помыть" have little left: of a short word one vowel goes.
			if r, size := utf8.DecodeLastRuneInString(word); strings.ContainsRune(endings, r) {
				return word[:len(word)-size]
			}
			return word
		case len(shorter) < leastStem || shorter == word:
			return word
		}
		word = shorter
	}
}

// leastStem is how many bytes of a Russian word the stemmer leaves: four letters.
const leastStem = 8

// trimVowels takes what the Russian stemmer leaves in some cases of a noun and
// not in others ("транше" of "траншея", "транш" of "траншею").
func trimVowels(stem string) string {
	for {
		r, size := utf8.DecodeLastRuneInString(stem)
		if len(stem)-size < 4*size || !strings.ContainsRune(endings, r) {
			return stem
		}
		stem = stem[:len(stem)-size]
	}
}

// latin spells a word in Latin letters the way makers' names travel between
// alphabets, and levels spellings that sound alike (c and k, v and w, y and i,
// doubled letters), so that "комацу" meets "Komatsu" and "шантуй" "Shantui".
func latin(word string) string {
	b := make([]byte, 0, len(word)+8)
	for _, r := range word {
		switch {
		case r < 0x80:
			b = append(b, byte(r))
		default:
			if s, ok := romanised[r]; ok {
				b = append(b, s...)
			} else {
				b = utf8.AppendRune(b, r)
			}
		}
	}
	out := b[:0]
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch c {
		case 'c':
			if i+1 < len(b) && b[i+1] == 'h' {
				break
			}
			c = 'k'
		case 'q':
			c = 'k'
		case 'w':
			c = 'v'
		case 'y', 'j':
			c = 'i'
		case 'p':
			if i+1 < len(b) && b[i+1] == 'h' {
				c = 'f'
				i++
			}
		}
		if n := len(out); n > 0 && out[n-1] == c && c >= 'a' && c <= 'z' {
			continue
		}
		out = append(out, c)
	}
	return string(out)
}

// romanised holds Cyrillic and the Greek letters that stand in model names.
var romanised = map[rune]string{
	'а': "a", 'б': "b", 'в': "v", 'г': "g", 'д': "d", 'е': "e", 'ж': "zh",
	'з': "z", 'и': "i", 'й': "i", 'к': "k", 'л': "l", 'м': "m", 'н': "n",
	'о': "o", 'п': "p", 'р': "r", 'с': "s", 'т': "t", 'у': "u", 'ф': "f",
	'х': "h", 'ц': "ts", 'ч': "ch", 'ш': "sh", 'щ': "sh", 'ъ': "", 'ы': "i",
	'ь': "", 'э': "e", 'ю': "iu", 'я': "ia", 'і': "i", 'ї': "i", 'є': "e",
	'ґ': "g", 'α': "a", 'β': "b", 'γ': "g", 'δ': "d", 'λ': "l", 'μ': "m",
}

// endings holds the letters that Russian cases end in.
const endings = "аеиоуыэюяйь"
