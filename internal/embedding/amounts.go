// Amounts: numbers with units, and what a query says of them. "25 т", "25-tonne"
// and "25000 kg" are one amount; "at least 20 kW", "до 3 тонн" and "between 5 and
// 10 m" are comparisons.

package embedding

import (
	"math"
	"regexp"
	"strings"
)

// amount is what a text says of one physical quantity: a point, or in a query the
// bounds of what is wanted.
type amount struct {
	name      string
	low, high float64 // high may be infinite and low zero; equal: a point
}

// wish is what the words before a number make of it.
type wish int

const (
	about wish = iota
	atLeast
	atMost
)

// comparisons holds the words that say more or less, by stem or as written.
var comparisons = func() map[string]wish {
	table := map[string]wish{}
	for words, w := range map[string]wish{
		"over above more greater exceeding exceeds minimum min least from heavier longer higher taller wider deeper bigger larger stronger " +
			"faster beyond upwards starting " +
			"от более больше свыше минимум выше тяжелее длиннее шире глубже мощнее крупнее": atLeast,
		"under below less maximum max most upto within lighter shorter lower narrower smaller fewer " +
			"до менее меньше максимум ниже легче короче уже": atMost,
	} {
		for word := range strings.FieldsSeq(words) {
			table[word] = w
		}
	}
	return table
}()

var (
	negations = map[string]bool{"no": true, "not": true, "не": true}
	ranges    = map[string]bool{"to": true, "and": true, "до": true, "и": true, "or": true, "или": true, "по": true}
	signs     = strings.NewReplacer("≥", " minimum ", ">=", " minimum ", "≤", " maximum ", "<=", " maximum ", ">", " over ", "<", " under ", "″", " inch ", "²", "2", "³", "3",
		"°C", " celsius ", "° C", " celsius ", "°С", " celsius ", "°", " degrees ", "%", " percent ")
)

// inchMark is an inch mark behind a number.
var inchMark = regexp.MustCompile(`([0-9])"`)

// signed writes signs of comparison, and the inch mark behind a number, as words.
func signed(text string) string { return inchMark.ReplaceAllString(signs.Replace(text), "$1 inch ") }

// readAmounts finds the amounts in the words and notes which words they took. A
// query may say more than a point: a range, at least, at most.
func readAmounts(words []token, query bool, into []amount) []amount {
	for i := 0; i < len(words); {
		value, n := readNumber(words[i:])
		if n == 0 {
			i++
			continue
		}
		u, m := readUnit(words[i+n:])
		if m == 0 {
			u = unitBefore(words[:i])
		}
		if m == 0 && i+n < len(words) && floors[words[i+n].stem] {
			u, m, value = unit{"length", floorHeight}, 1, value+1.0/floorHeight
		}
		a := amount{u.name, value * u.factor, value * u.factor}
		taken := n + m
		if query {
			if r, more := readUpper(words[i+taken:], value, u); more > 0 {
				a, taken = r, taken+more
			} else if m > 0 {
				a.compare(words[:i], words[i+taken:])
			}
		}
		if a.name == "" {
			i += n
			continue
		}
		for j := i; j < i+taken; j++ {
			words[j].taken = true
		}
		into = append(into, a)
		i += taken
	}
	return into
}

// unitBefore reads a unit in front of a number, as in "Seats 300"; one letter
// there is a name.
func unitBefore(words []token) unit {
	if len(words) == 0 || words[len(words)-1].digits || len(words[len(words)-1].text) < 4 {
		return unit{}
	}
	u, _ := readUnit(words[len(words)-1:])
	return u
}

// readUpper reads the second number of a range, as in "20 to 22 t", "от 15 до 30
// ква" or "5-10 kW", and says how many words that took; 0 when there is none. The
// first may have no unit of its own.
func readUpper(words []token, first float64, own unit) (amount, int) {
	skip := 0
	switch {
	case len(words) == 0:
		return amount{}, 0
	case ranges[words[0].text]:
		skip = 1
	case !words[0].digits:
		return amount{}, 0
	}
	second, n := readNumber(words[skip:])
	if n == 0 {
		return amount{}, 0
	}
	u, m := readUnit(words[skip+n:])
	if own.name == "" {
		own = u
	}
	a := amount{u.name, first * own.factor, second * u.factor}
	if m == 0 || u.name != own.name || a.high <= a.low {
		return amount{}, 0
	}
	return a, skip + n + m
}

// compare opens the amount upwards or downwards where the words around it say so.
func (a *amount) compare(before, after []token) {
	switch wishOf(before, after) {
	case atLeast:
		a.high = math.Inf(1)
	case atMost:
		a.low = 0
	}
}

// wishOf reads the words around an amount: the nearest comparison counts, "not
// more" being the other way round.
func wishOf(before, after []token) wish {
	if len(after) > 1 && (after[0].text == "or" || after[0].text == "and" || after[0].text == "и" || after[0].text == "или") {
		switch after[1].text {
		case "more", "above", "up", "over", "более", "больше", "выше", "bigger", "larger", "heavier":
			return atLeast
		case "less", "under", "below", "менее", "меньше", "smaller":
			return atMost
		}
	}
	const reach = 3
	for i := len(before) - 1; i >= max(0, len(before)-reach); i-- {
		w, ok := comparisons[before[i].text]
		switch {
		case before[i].digits:
			return about
		case before[i].text == "to" && i > 0 && before[i-1].text == "up":
			return atMost
		case !ok:
			continue
		}
		if i > 0 && negations[before[i-1].text] {
			return atLeast + atMost - w
		}
		return w
	}
	return about
}

// readNumber reads a number at the start of the words and says how many words it
// took; 0 when there is none.
func readNumber(words []token) (float64, int) {
	if len(words) == 0 {
		return 0, 0
	}
	value, ok := spelled[words[0].stem]
	if words[0].digits {
		value, ok = words[0].number, true
	}
	if !ok {
		return 0, 0
	}
	n := 1
	// "10 000 л": groups of three digits.
	for n < len(words) && words[n-1].digits && words[n].digits && len(words[n].text) == 3 && !words[n].joined &&
		value == math.Trunc(value) && value < 1000 {
		if _, m := readUnit(words[n+1:]); m == 0 {
			break
		}
		value, n = value*1000+words[n].number, n+1
	}
	if n < len(words) && words[n].joined && ordinalEnd[words[n].text] {
		n++
	}
	return value, n
}

// readUnit reads the longest unit at the start of the words.
func readUnit(words []token) (unit, int) {
	for n := min(maxUnit, len(words)); n > 0; n-- {
		if u, ok := unitTable[unitKey(words[:n])]; ok {
			return u, n
		}
	}
	return unit{}, 0
}

// ordinalEnd holds what is written right behind an ordinal number.
var ordinalEnd = map[string]bool{"th": true, "st": true, "nd": true, "rd": true, "й": true, "го": true, "ый": true, "ом": true}
