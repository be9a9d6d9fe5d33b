// Tests of folding, words, stems, Latin spelling and quantities.

package embedding

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
		require.Equal(t, want, fold(give), "%q", give)
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
		require.Equal(t, tt.want, strings.Join(got, " "), "%q", tt.give)
	}
	words := tokenise(strings.Repeat("я", 10_000), nil)
	require.Len(t, words, 1)
	require.LessOrEqual(t, len(words[0].text), 4*maxWord, "a very long word is cut")
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
			require.Equal(t, stem(forms[0]), stem(form), "%q and %q", forms[0], form)
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
		require.LessOrEqual(t, distance(a, b, 2), float32(1), "%q is %q, %q is %q", cyrillic, a, name, b)
	}
	require.Equal(t, latin("бульдозер"), latin("бульдозэр"), "letters that sound alike")
}
