// Tests of folding, words, stems, Latin spelling and quantities.

package embedding

import (
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
