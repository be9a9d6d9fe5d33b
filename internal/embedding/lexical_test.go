// Tests of words alone: what every vector must be, that the same text always has
// the same one, and what meets what.

package embedding

import (
	"context"
	"math"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// machine is the passage of a machine with the tags and parameters given.
func machine(name, title string, facts ...string) string {
	return title + "\n" + name + "\n\n" + strings.Join(facts, "\n")
}

func query(t testing.TB, text string) []float32 {
	t.Helper()
	v, err := NewLexical().EmbedQuery(context.Background(), text)
	require.NoError(t, err, text)
	return v
}

func passage(t testing.TB, text string) []float32 {
	t.Helper()
	v, err := NewLexical().EmbedPassages(context.Background(), []string{text})
	require.NoError(t, err, text)
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
	require.Len(t, v, Dimension, text)
	require.InDelta(t, 1, cosine(v, v), 1e-5, text)
}

func TestEveryTextHasADirection(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"mini excavator", "a", "я", "!!!", "the", "machine", "и", "25", "25 т", "\u0301", "\u200b", "🏗", "مرحبا", "起重机",
		string([]byte{0xff, 0xfe}), strings.Repeat("кран ", 5000), strings.Repeat("a", 5000), strings.Repeat("9", 5000),
		strings.Repeat("\n", 10) + "x", "x;y;z", "1e400", "0 т", "over 0 kg", "0 to 0 m",
	} {
		checkVector(t, text, query(t, text))
		checkVector(t, text, passage(t, text))
	}
}

func TestBlankIsRefused(t *testing.T) {
	t.Parallel()
	l := NewLexical()
	for _, text := range []string{"", " ", "\t\n", "\u00a0\u2003"} {
		_, err := l.EmbedQuery(context.Background(), text)
		require.ErrorIs(t, err, ErrBlank)
		require.NotErrorIs(t, err, ErrUnavailable)
		v, err := l.EmbedPassages(context.Background(), []string{"crane", text})
		require.ErrorIs(t, err, ErrBlank)
		require.Nil(t, v)
	}
	v, err := l.EmbedPassages(context.Background(), nil)
	require.NoError(t, err)
	require.Empty(t, v)
}

// The vectors are stored: a change of one is a new lexicalVersion. When this
// test fails on purpose, raise the version and write the new values down.
func TestVectorsAreStable(t *testing.T) {
	t.Parallel()
	require.Equal(t, "lexical/5", NewLexical().Model())
	for _, golden := range []struct {
		give  string
		query bool
		index int
		value float64
	}{
		{"mini excavator", true, 368, -0.49168},
		{"автокран 25 тонн", true, 696, -0.50323},
		{machine("Caterpillar 320D L", "Crawler excavator"), false, 169, 0.44287},
		{"!!!", true, 685, -1.00000},
	} {
		v := passage(t, golden.give)
		if golden.query {
			v = query(t, golden.give)
		}
		strongest := 0
		for i, x := range v {
			if math.Abs(float64(x)) > math.Abs(float64(v[strongest])) {
				strongest = i
			}
		}
		require.Equal(t, golden.index, strongest, "{%q, %v, %d, %.5f},", golden.give, golden.query, strongest, v[strongest])
		require.InDelta(t, golden.value, v[strongest], 1e-4)
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
				assert.True(t, err == nil && cosine(got, want[i]) > 1-1e-6, "%q: another vector, %v", texts[i], err)
			}
		})
	}
	wg.Wait()
}

// Each rule in a pair of passages of which the query must prefer the first.
func TestWhatMeetsWhat(t *testing.T) {
	t.Parallel()
	crane := func(capacity string) string {
		return machine("A 1", "Crawler crane", "", "Max lifting capacity "+capacity+"; Engine power 200 kW; Mileage 12000 km")
	}
	weighing := func(weight string) string {
		return machine("A 1", "Crawler excavator", "", "Operating weight "+weight+"; Digging depth 6 m")
	}
	genset := func(power string) string { return machine("A 1", "Diesel generator", "", "Power "+power) }
	for _, tt := range []struct{ rule, query, better, worse string }{
		{"words", "wheel loader", machine("Volvo L120H", "Wheel loader"), machine("Volvo EC220E", "Crawler excavator")},
		{"inflection", "экскаваторы", machine("A", "x", "экскаватор"), machine("A", "x", "погрузчик")},
		{"maker in Cyrillic", "шантуй", machine("Shantui SD16", "Crawler dozer"), machine("Komatsu D65", "Crawler dozer")},
		{"unknown maker in Cyrillic", "зумтек", machine("Zumtek 12", "Wheel loader"), machine("Bantor 12", "Wheel loader")},
		{"model with other separators", "ZX 200", machine("Hitachi ZX200-5G", "Crawler excavator"), machine("Hitachi EX1200-6", "Crawler excavator")},
		{"Cyrillic model in Latin", "KS-45717", machine("Ivanovets КС-45717К-1", "Truck-mounted crane"), machine("Ivanovets КС-35714К", "Truck-mounted crane")},
		{"other language", "ножничный подъёмник", machine("JLG 1930ES", "Electric scissor lift"), machine("JLG 600AJ", "Articulating boom lift")},
		{"job", "dig a trench for a cable", machine("Vermeer T655", "Chain trencher"), machine("Genie S-65", "Telescopic boom lift")},
		{"job in the other language", "уборка снега", machine("Bobcat S530", "Skid steer loader"), machine("Bauer BG 28", "Rotary drilling rig")},
		{"another field", "тепловизор", machine("Flir T540", "Thermal camera"), machine("Alfa Laval M10", "Plate heat exchanger")},
		{"a job of another field", "wet plaster after a flood", machine("Trotec TTK", "Осушитель воздуха"), machine("Stihl MS 261", "Бензопила")},
		{"the load is not the wish", "перевезти бульдозер", machine("Goldhofer STZ", "Low-loader semi-trailer"), machine("Komatsu D65", "Crawler dozer")},
		{"a load with an amount", "move a 40-tonne excavator", machine("Goldhofer STZ", "Low-loader semi-trailer"), machine("Komatsu PC390", "Crawler excavator")},
		{"amount", "crane 50 t", crane("52 t"), crane("130 t")},
		{"more rather than less", "crane 50 t", crane("57 t"), crane("43 t")},
		{"a little more rather than much", "crane 25 t", crane("30 t"), crane("90 t")},
		{"units", "цистерна 10 кубов", machine("A 1", "Tanker truck", "", "Tank volume 10000 l"), machine("A 1", "Tanker truck", "", "Tank volume 4000 l")},
		{"range", "20 to 22 tonne excavator", weighing("21 t"), weighing("37 t")},
		{"between", "excavator between 5 and 10 tonnes", weighing("7 t"), weighing("12 t")},
		{"heavier than", "excavator heavier than 35 t", weighing("80 t"), weighing("30 t")},
		{"at least", "generator at least 20 kW", genset("60 kW"), genset("12 kW")},
		{"not less than, in Russian", "генератор не менее 20 кВт", genset("60 kW"), genset("12 kW")},
		{"not more than, in Russian", "генератор не более 20 кВт", genset("12 kW"), genset("60 kW")},
		{"up to, in Russian", "экскаватор до 3 тонн", weighing("1.7 t"), weighing("5 t")},
		{"under", "excavator under 3 t", weighing("1.7 t"), weighing("5 t")},
		{"a sign", "excavator ≥ 35 t", weighing("80 t"), weighing("30 t")},
		{"horsepower is power", "generator over 100 hp", genset("90 kW"), genset("60 kW")},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			q := query(t, tt.query)
			require.Greater(t, cosine(q, passage(t, tt.better)), cosine(q, passage(t, tt.worse))+0.02, tt.query)
		})
	}
}

func TestRepetitionCountsLess(t *testing.T) {
	t.Parallel()
	q := query(t, "crane")
	once, often := cosine(q, query(t, "crane loader")), cosine(q, query(t, strings.Repeat("crane ", 50)+"loader"))
	require.Greater(t, often, once)
	require.Less(t, often, 0.995)
}

func FuzzLexical(f *testing.F) {
	for _, seed := range []string{"mini excavator", "автокран 25 тонн", "10 000 л", "20 to 22 tonne", "!!!", "A\n\n;\nB 3 m3/h", "\u0301", "9999999999999999999999999 т", "≥ 5\" or more"} {
		f.Add(seed)
	}
	l := NewLexical()
	f.Fuzz(func(t *testing.T, text string) {
		q, err := l.EmbedQuery(context.Background(), text)
		p, errPassage := l.EmbedPassages(context.Background(), []string{text})
		if strings.TrimFunc(text, unicode.IsSpace) == "" {
			require.ErrorIs(t, err, ErrBlank)
			require.ErrorIs(t, errPassage, ErrBlank)
			return
		}
		require.NoError(t, err)
		require.NoError(t, errPassage)
		checkVector(t, text, q)
		checkVector(t, text, p[0])
		require.Equal(t, q, query(t, text), "the same vector twice")
	})
}

func BenchmarkLexicalQuery(b *testing.B) {
	l := NewLexical()
	for name, text := range map[string]string{
		"words":    "JCB telehandler",
		"sentence": "поднять поддоны с кирпичом на третий этаж",
		"amount":   "excavator between 20 and 22 t",
		"typo":     "kubota mini escavator",
		"longest":  strings.Repeat("гусеничный экскаватор 22 тонны ", 32),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := l.EmbedQuery(context.Background(), text)
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkLexicalPassage(b *testing.B) {
	l := NewLexical()
	text := []string{Passage(exampleVehicle())}
	b.ReportAllocs()
	for b.Loop() {
		_, err := l.EmbedPassages(context.Background(), text)
		require.NoError(b, err)
	}
}

func BenchmarkReadLexicon(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, err := readLexicon("")
		require.NoError(b, err)
	}
}

func BenchmarkUnpackLexicon(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		unpackLexicon(lexiconFile)
	}
}
