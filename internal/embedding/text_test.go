// Tests of folding, words, stems, Latin spelling and quantities.

package embedding

import (
	"math"
	"strings"
	"testing"
)

func TestFold(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"JCB":                "jcb",
		"Vögele":             "vogele",
		"Ёмкость, й":         "емкость, й",
		"U17-3α":             "u17-3α",
		"ｍ３":                 "m3",
		"м³":                 "м3",
		"Straße Łódź Øre":    "strasse lodz ore",
		"e\u0301cole":        "ecole",
		"\u0301":             "",
		"992 ԲՖ":             "992 բֆ",
		string([]byte{0xff}): "\ufffd",
	}
	for give, want := range tests {
		if got := fold(give); got != want {
			t.Errorf("fold(%q) = %q, want %q", give, got, want)
		}
	}
}

func TestTokenise(t *testing.T) {
	t.Parallel()
	tests := []struct{ give, want string }{
		{"zx200-5g", "zx +200 5 +g"},
		{"25-тонный кран", "25 тонный кран"},
		{"0,8 м3", "0.8 м +3"},
		{"10,000 l", "10000 l"},
		{"7.0 bar", "7 bar"},
		{"e. x., y", "e x y"},
		{"", ""},
		{"—!?", ""},
	}
	for _, tt := range tests {
		var got []string
		for _, w := range tokenise(tt.give, nil) {
			text := w.text
			if w.joined {
				text = "+" + text
			}
			got = append(got, text)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("tokenise(%q) = %q, want %q", tt.give, s, tt.want)
		}
	}
	if words := tokenise(strings.Repeat("я", 10_000), nil); len(words) != 1 || len(words[0].text) > 4*maxWord {
		t.Error("a very long word is not cut")
	}
}

func TestStemBringsFormsTogether(t *testing.T) {
	t.Parallel()
	for _, forms := range [][]string{
		{"crane", "cranes"},
		{"trenching", "trenched"},
		{"экскаватор", "экскаватора", "экскаваторы", "экскаваторов"},
		{"траншея", "траншею", "траншей", "траншеи"},
		{"гусеничный", "гусеничная", "гусеничного"},
	} {
		for _, form := range forms[1:] {
			if stem(form) != stem(forms[0]) {
				t.Errorf("stem(%q) = %q, stem(%q) = %q", form, stem(form), forms[0], stem(forms[0]))
			}
		}
	}
}

func TestLatinBringsAlphabetsTogether(t *testing.T) {
	t.Parallel()
	for cyrillic, name := range map[string]string{
		"комацу": "komatsu", "шантуй": "shantui", "камаз": "kamaz", "хитачи": "hitachi", "вольво": "volvo",
		"кубота": "kubota", "маниту": "manitou", "бомаг": "bomag", "дт": "dt",
	} {
		a, b := latin(cyrillic), latin(name)
		if distance(a, b, 2) > 1 {
			t.Errorf("%q is %q, %q is %q", cyrillic, a, name, b)
		}
	}
	if latin("бульдозэр") != latin("бульдозер") {
		t.Error("letters that sound alike differ")
	}
}

func TestReadQuantity(t *testing.T) {
	t.Parallel()
	tests := []struct {
		give  string
		name  string
		value float64
		words int
	}{
		{"25 т", "mass", 25, 2},
		{"25-тонный", "mass", 25, 2},
		{"25 тонн", "mass", 25, 2},
		{"60 tonnes", "mass", 60, 2},
		{"900 kg", "mass", 0.9, 2},
		{"20 m", "length", 20, 2},
		{"20 метров", "length", 20, 2},
		{"300 mm", "length", 0.3, 2},
		{"9 m3", "volume", 9, 3},
		{"9 м³", "volume", 9, 3},
		{"10 куб. м", "volume", 10, 3},
		{"3 cubic metres", "volume", 3, 3},
		{"6 кубических метров", "volume", 6, 3},
		{"twentieth floor", "length", 61, 2},
		{"10 кубов", "volume", 10, 2},
		{"10 000 л", "volume", 10, 3},
		{"10,000 litres", "volume", 10, 2},
		{"72 m3/h", "flow", 72, 4},
		{"10 м3/мин", "flow", 600, 4},
		{"100 kVA", "power", 80, 2},
		{"100 кВт", "power", 100, 2},
		{"300 л.с.", "power", 220.65, 3},
		{"300 hp", "power", 220.65, 2},
		{"40 km/h", "speed", 40, 3},
		{"40 km", "distance", 40, 2},
		{"10th floor", "length", 31, 3},
		{"третий этаж", "length", 10, 2},
		{"third floor", "length", 10, 2},
		{"9-этажный", "length", 28, 2},
		{"320", "", 0, 0},
		{"320 excavator", "", 0, 0},
		{"excavator 25 т", "", 0, 0},
	}
	for _, tt := range tests {
		got, n := readQuantity(tokenise(fold(tt.give), nil))
		if n != tt.words || got.name != tt.name || math.Abs(got.value-tt.value) > 1e-9 {
			t.Errorf("readQuantity(%q) = %v, %d words; want %v %v, %d", tt.give, got, n, tt.name, tt.value, tt.words)
		}
	}
}

func TestAskedForPrefersALittleMore(t *testing.T) {
	t.Parallel()
	if askedFor(3) <= askedFor(-3) {
		t.Error("less than asked for serves as well as more")
	}
	if askedFor(0) < askedFor(1) || askedFor(1) < askedFor(8) {
		t.Error("what is asked for does not serve best")
	}
	for _, v := range []float64{0, -1, math.NaN(), math.Inf(1), 1e12} {
		if _, _, ok := ladder(v); ok {
			t.Errorf("%v has a place on the ladder", v)
		}
	}
}
