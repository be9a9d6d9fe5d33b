// Numbers with units: "25 т", "25-tonne" and "25000 kg" are one quantity, and a
// machine of 26 tonnes is nearly what was asked for.

package embedding

import (
	"math"
	"strings"
)

// measure is a physical quantity in one unit for all that measure it.
type measure struct {
	name  string // what is measured; quantities of other names never meet
	value float64
}

type unit struct {
	name   string
	factor float64
}

// units by the folded word or, for inflected words, by its stem.
var units = map[string]unit{
	"t": {"mass", 1}, "т": {"mass", 1}, "тн": {"mass", 1}, "ton": {"mass", 1}, "tons": {"mass", 1}, "tonne": {"mass", 1}, "tonn": {"mass", 1},
	"тонн": {"mass", 1}, "тон": {"mass", 1}, "тонник": {"mass", 1},
	"kg": {"mass", 0.001}, "кг": {"mass", 0.001}, "kilo": {"mass", 0.001}, "kilogram": {"mass", 0.001}, "килограмм": {"mass", 0.001}, "килограм": {"mass", 0.001},
	"lb": {"mass", 0.000454}, "lbs": {"mass", 0.000454}, "pound": {"mass", 0.000454},
	"m": {"length", 1}, "м": {"length", 1}, "metr": {"length", 1}, "meter": {"length", 1}, "metre": {"length", 1}, "метр": {"length", 1}, "метров": {"length", 1},
	"cm": {"length", 0.01}, "см": {"length", 0.01}, "сантиметр": {"length", 0.01},
	"mm": {"length", 0.001}, "мм": {"length", 0.001}, "миллиметр": {"length", 0.001},
	"ft": {"length", 0.3048}, "foot": {"length", 0.3048}, "feet": {"length", 0.3048}, "фут": {"length", 0.3048},
	"km": {"distance", 1}, "км": {"distance", 1}, "километр": {"distance", 1},
	"l": {"volume", 0.001}, "л": {"volume", 0.001}, "litr": {"volume", 0.001}, "liter": {"volume", 0.001}, "litre": {"volume", 0.001}, "литр": {"volume", 0.001}, "литров": {"volume", 0.001},
	"куб": {"volume", 1}, "кубов": {"volume", 1}, "кубометр": {"volume", 1}, "cube": {"volume", 1}, "cbm": {"volume", 1}, "кубовик": {"volume", 1},
	"kw": {"power", 1}, "квт": {"power", 1}, "киловатт": {"power", 1}, "kilowatt": {"power", 1}, "mw": {"power", 1000}, "мвт": {"power", 1000},
	"hp": {"power", 0.7355}, "bhp": {"power", 0.7355}, "horsepow": {"power", 0.7355}, "лс": {"power", 0.7355}, "лошадин": {"power", 0.7355},
	// A generator's kVA at the usual power factor.
	"kva": {"power", 0.8}, "ква": {"power", 0.8},
	"bar": {"pressure", 1}, "бар": {"pressure", 1}, "атм": {"pressure", 1}, "atm": {"pressure", 1},
	"kn": {"force", 1}, "кн": {"force", 1},
}

// floorHeight is what a storey adds to the height that has to be reached, in
// metres.
const floorHeight = 3

var floors = map[string]bool{"floor": true, "storey": true, "stori": true, "story": true, "этаж": true, "этажн": true}

// spelled holds the numbers that stand before floors and units as words.
var spelled = map[string]float64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleventh": 11, "twelfth": 12, "fifteenth": 15, "sixteenth": 16, "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50,
	"twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100,
	"перв": 1, "втор": 2, "трет": 3, "трети": 3, "четверт": 4, "пят": 5, "шест": 6, "седьм": 7, "восьм": 8, "девят": 9, "десят": 10,
	"дв": 2, "два": 2, "две": 2, "три": 3, "четыр": 4, "пять": 5, "шесть": 6, "семь": 7, "восем": 8, "девять": 9, "десять": 10,
	"одиннадцат": 11, "двенадцат": 12, "тринадцат": 13, "четырнадцат": 14, "пятнадцат": 15, "шестнадцат": 16, "семнадцат": 17,
	"восемнадцат": 18, "девятнадцат": 19, "двадцат": 20, "тридцат": 30, "сорок": 40, "пятьдесят": 50, "сто": 100,
}

// readQuantity reads a quantity at the start of the words and says how many
// words it took; 0 when there is none.
func readQuantity(words []token) (measure, int) {
	value, ok := numberOf(words[0])
	if !ok {
		return measure{}, 0
	}
	n := 1
	// "10 000 л": groups of three digits.
	for n < len(words) && words[n-1].digits && words[n].digits && len(words[n].text) == 3 && !words[n].joined &&
		value == math.Trunc(value) && value < 1000 && n+1 < len(words) {
		if _, isUnit := unitOf(words[n+1]); !isUnit {
			break
		}
		value, n = value*1000+words[n].number, n+1
	}
	if n < len(words) && words[n].joined && ordinalEnd[words[n].text] {
		n++
	}
	if n >= len(words) {
		return measure{}, 0
	}
	if floors[words[n].stem] {
		return measure{"length", value*floorHeight + 1}, n + 1
	}
	cubic := cubicWord[words[n].stem] && n+1 < len(words)
	if cubic {
		n++
	}
	u, ok := unitOf(words[n])
	if !ok {
		return measure{}, 0
	}
	n++
	if cubic && u.name == "length" {
		return measure{"volume", value * u.factor * u.factor * u.factor}, n
	}
	following := func(i int) string {
		if i < len(words) {
			return words[i].text
		}
		return ""
	}
	switch {
	case u.name == "length" && n < len(words) && words[n].text == "3" && words[n].joined:
		u, n = unit{"volume", u.factor * u.factor * u.factor}, n+1
		switch following(n) {
		case "h", "ч", "час":
			u, n = unit{"flow", 1}, n+1
		case "min", "мин":
			u, n = unit{"flow", 60}, n+1
		}
	case u.name == "volume" && words[n-1].text == "л" && following(n) == "с":
		u, n = unit{"power", 0.7355}, n+1
	case u.name == "volume" && (following(n) == "м" || following(n) == "m"):
		n++ // "куб. м"
	case u.name == "distance" && (following(n) == "h" || following(n) == "ч"):
		u, n = unit{"speed", 1}, n+1
	}
	return measure{u.name, value * u.factor}, n
}

// cubicWord holds the stems that make a length a volume: "3 cubic metres".
var cubicWord = map[string]bool{"cubic": true, "cu": true, "кубическ": true}

// ordinalEnd holds what is written right behind an ordinal number.
var ordinalEnd = map[string]bool{"th": true, "st": true, "nd": true, "rd": true, "й": true, "го": true, "ый": true, "ом": true}

func numberOf(t token) (float64, bool) {
	if t.digits {
		return t.number, true
	}
	n, ok := spelled[t.stem]
	return n, ok
}

func unitOf(t token) (unit, bool) {
	if u, ok := units[t.text]; ok {
		return u, true
	}
	if u, ok := units[t.stem]; ok {
		return u, true
	}
	if strings.HasPrefix(t.text, "тонн") {
		return units["т"], true
	}
	return unit{}, false
}

// Quantities are compared on a logarithmic ladder: a step is 6 %, about the
// difference that people do not mind.
const ladderStep = 0.058

func ladder(value float64) (step int, rest float32, ok bool) {
	if math.IsNaN(value) || value <= 1e-6 || value > 1e9 {
		return 0, 0, false
	}
	at := math.Log(value) / ladderStep
	floor := math.Floor(at)
	return int(floor), float32(at - floor), true
}

// askedFor is how well a machine serves that is so many steps above (or below)
// the quantity asked for: more is better than less, a quarter more is still
// good, and a tenth less will seldom do.
func askedFor(steps float64) float32 {
	width := 4.0
	if steps < 0 {
		width = 1.6
	}
	return float32(math.Exp(-steps * steps / (2 * width * width)))
}
