// Tests of the built-in embedder: what every vector must be, that the same text
// always has the same one, and what meets what.

package embedding

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"unicode"
)

func query(t testing.TB, text string) []float32 {
	t.Helper()
	v, err := NewLexical().EmbedQuery(context.Background(), text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

func passage(t testing.TB, text string) []float32 {
	t.Helper()
	v, err := NewLexical().EmbedPassages(context.Background(), []string{text})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v[0]
}

func cosine(a, b []float32) float64 {
	var dot float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
	}
	return dot
}

func checkVector(t testing.TB, text string, v []float32) {
	t.Helper()
	if len(v) != Dimension {
		t.Fatalf("%q: %d dimensions", text, len(v))
	}
	if n := cosine(v, v); math.IsNaN(n) || math.Abs(n-1) > 1e-5 {
		t.Fatalf("%q: squared length %v", text, n)
	}
}

func TestEveryTextHasADirection(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"mini excavator", "a", "я", "!!!", "the", "machine", "и", "25", "25 т", "\u0301", "\u200b", "🏗", "مرحبا", "起重机",
		string([]byte{0xff, 0xfe}), strings.Repeat("кран ", 5000), strings.Repeat("a", 5000), strings.Repeat("9", 5000),
		strings.Repeat("\n", 10) + "x", "x;y;z", "1e400", "0 т",
	} {
		checkVector(t, text, query(t, text))
		checkVector(t, text, passage(t, text))
	}
}

func TestBlankIsRefused(t *testing.T) {
	t.Parallel()
	l := NewLexical()
	for _, text := range []string{"", " ", "\t\n", "\u00a0\u2003"} {
		if _, err := l.EmbedQuery(context.Background(), text); !errors.Is(err, ErrBlank) || errors.Is(err, ErrUnavailable) {
			t.Errorf("query %q: %v", text, err)
		}
		if v, err := l.EmbedPassages(context.Background(), []string{"crane", text}); !errors.Is(err, ErrBlank) || v != nil {
			t.Errorf("passage %q: %v", text, err)
		}
	}
	if v, err := l.EmbedPassages(context.Background(), nil); err != nil || len(v) != 0 {
		t.Errorf("no passages: %v, %v", v, err)
	}
}

// The vectors are stored: a change of one is a new lexicalVersion. When this
// test fails on purpose, raise the version and write the new values down.
func TestVectorsAreStable(t *testing.T) {
	t.Parallel()
	golden := []struct {
		give  string
		query bool
		index int
		value float64
	}{
		{"mini excavator", true, 615, 0.52058},
		{"автокран 25 тонн", true, 221, 0.41928},
		{"Caterpillar 320D L, Crawler excavator", false, 89, -0.30729},
		{"!!!", true, 184, -0.70711},
	}
	if m := NewLexical().Model(); m != "lexical/2" {
		t.Errorf("model %q", m)
	}
	for _, g := range golden {
		v := passage(t, g.give)
		if g.query {
			v = query(t, g.give)
		}
		strongest := 0
		for i, x := range v {
			if math.Abs(float64(x)) > math.Abs(float64(v[strongest])) {
				strongest = i
			}
		}
		if strongest != g.index || math.Abs(float64(v[strongest])-g.value) > 1e-4 {
			t.Errorf("{%q, %v, %d, %.5f},", g.give, g.query, strongest, v[strongest])
		}
	}
}

func TestSameVectorFromManyGoroutines(t *testing.T) {
	t.Parallel()
	l := NewLexical()
	texts := []string{"mini excavator 3 т", "автокран 25 тонн", "JCB 3CX", Passage(exampleVehicle())}
	var want [][]float32
	for _, text := range texts {
		want = append(want, query(t, text))
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for round := range 50 {
				i := round % len(texts)
				got, err := l.EmbedQuery(context.Background(), texts[i])
				if err != nil {
					t.Error(err)
					return
				}
				for d := range got {
					if got[d] != want[i][d] {
						t.Errorf("%q differs at %d", texts[i], d)
						return
					}
				}
			}
		})
	}
	wg.Wait()
}

// Each rule in a pair of passages of which the query must prefer the first.
func TestWhatMeetsWhat(t *testing.T) {
	t.Parallel()
	tests := []struct{ rule, query, better, worse string }{
		{"words", "wheel loader", "Volvo L120H, Wheel loader", "Volvo EC220E, Crawler excavator"},
		{"inflection", "экскаваторы", "A, x\n\nэкскаватор", "A, x\n\nпогрузчик"},
		{"maker in Cyrillic", "шантуй", "Shantui SD16, Crawler dozer", "Komatsu D65, Crawler dozer"},
		{"unknown maker in Cyrillic", "зумтек", "Zumtek 12, Wheel loader", "Bantor 12, Wheel loader"},
		{"misspelt unknown maker", "hangcka forklift", "Hangcha A30, Diesel forklift", "Bolzoni A30, Diesel forklift"},
		{"model with other separators", "ZX 200", "Hitachi ZX200-5G, Crawler excavator", "Hitachi EX1200-6, Crawler excavator"},
		{"Cyrillic model in Latin", "KS-45717", "Ivanovets КС-45717К-1, Truck-mounted crane", "Ivanovets КС-35714К, Truck-mounted crane"},
		{"other language", "ножничный подъёмник", "JLG 1930ES, Electric scissor lift", "JLG 600AJ, Articulating boom lift"},
		{"job", "dig a trench for a cable", "Vermeer T655, Chain trencher", "Genie S-65, Telescopic boom lift"},
		{"job in the other language", "уборка снега", "Bobcat S530, Skid steer loader", "Bauer BG 28, Rotary drilling rig"},
		{"the load is not the wish", "перевезти бульдозер", "Goldhofer STZ, Low-loader semi-trailer", "Komatsu D65, Crawler dozer"},
		{"without", "привезти кирпич и разгрузить без крана", "KAMAZ 65117, Flatbed truck with loader crane", "Terex RT 90, Rough-terrain crane"},
		{"quantity", "crane 50 t", "A 1, Crawler crane\n\n\nMax lifting capacity 52 t", "A 1, Crawler crane\n\n\nMax lifting capacity 130 t"},
		{"more rather than less", "crane 50 t", "A 1, Crawler crane\n\n\nMax lifting capacity 57 t", "A 1, Crawler crane\n\n\nMax lifting capacity 43 t"},
		{"units", "цистерна 10 кубов", "A 1, Tanker truck\n\n\nTank volume 10000 l", "A 1, Tanker truck\n\n\nTank volume 4000 l"},
		{"range", "20 to 22 tonne excavator", "A 1, Crawler excavator\n\n\nOperating weight 21 t", "A 1, Crawler excavator\n\n\nOperating weight 37 t"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			q := query(t, tt.query)
			better, worse := cosine(q, passage(t, tt.better)), cosine(q, passage(t, tt.worse))
			if better <= worse+0.02 {
				t.Errorf("%q: %.3f for %q, %.3f for %q", tt.query, better, tt.better, worse, tt.worse)
			}
		})
	}
}

func TestRepetitionCountsLess(t *testing.T) {
	t.Parallel()
	q := query(t, "crane")
	once, often := cosine(q, query(t, "crane loader")), cosine(q, query(t, strings.Repeat("crane ", 50)+"loader"))
	if often <= once || often > 0.995 {
		t.Errorf("once %.3f, often %.3f", once, often)
	}
}

func FuzzLexical(f *testing.F) {
	for _, seed := range []string{"mini excavator", "автокран 25 тонн", "10 000 л", "20 to 22 tonne", "!!!", "A\n\n;\nB 3 m3/h", "\u0301", "9999999999999999999999999 т"} {
		f.Add(seed)
	}
	l := NewLexical()
	f.Fuzz(func(t *testing.T, text string) {
		q, err := l.EmbedQuery(context.Background(), text)
		p, errPassage := l.EmbedPassages(context.Background(), []string{text})
		blank := strings.TrimFunc(text, unicode.IsSpace) == ""
		if blank != errors.Is(err, ErrBlank) || blank != errors.Is(errPassage, ErrBlank) {
			t.Fatalf("%q: %v, %v", text, err, errPassage)
		}
		if blank {
			return
		}
		checkVector(t, text, q)
		checkVector(t, text, p[0])
		again, err := l.EmbedQuery(context.Background(), text)
		if err != nil {
			t.Fatal(err)
		}
		for i := range q {
			if q[i] != again[i] {
				t.Fatalf("%q: not the same vector twice", text)
			}
		}
	})
}

func BenchmarkLexicalQuery(b *testing.B) {
	l := NewLexical()
	for name, text := range map[string]string{
		"words":    "JCB telehandler",
		"sentence": "поднять поддоны с кирпичом на третий этаж",
		"typo":     "kubota mini escavator",
		"longest":  strings.Repeat("гусеничный экскаватор 22 тонны ", 32),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := l.EmbedQuery(context.Background(), text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLexicalPassage(b *testing.B) {
	l := NewLexical()
	text := []string{Passage(exampleVehicle())}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.EmbedPassages(context.Background(), text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadLexicon(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := readLexicon(); err != nil {
			b.Fatal(err)
		}
	}
}
