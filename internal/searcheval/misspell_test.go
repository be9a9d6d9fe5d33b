// Tests of the misspellings made by program: each way makes its mistake, the same
// one every time, and their table adds up.

package searcheval

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/embedding"
)

func TestMisspeltWords(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Crawler excavator", "Дизельный генератор", "a b roller"} {
		for _, s := range slips[1:] {
			got, ok := misspelt(text, s)
			require.True(t, ok)
			again, _ := misspelt(text, s)
			require.Equal(t, got, again)
			written, _ := misspelt(text, slips[0])
			require.NotEqual(t, written, got, s.name)
			more := map[string]int{"a letter left out": -1, "a letter twice": 1}[s.name]
			require.Len(t, []rune(got), len([]rune(written))+more, s.name)
		}
	}
	_, ok := misspelt("saw 2000 т", slips[1])
	require.False(t, ok, "no word is long enough")
	require.ElementsMatch(t, []rune("adwezx"), beside('s'))
	require.ElementsMatch(t, []rune("йуыф"), beside('ц')[:4])
}

func TestMeasureMisspelt(t *testing.T) {
	t.Parallel()
	text := func(title string) embedding.VehicleText { return embedding.VehicleText{TypeTitle: title} }
	catalogue := &Catalogue{Vehicles: []Vehicle{
		{Key: "a1", Type: "a", IsActive: true, Text: text("Crawler excavator")},
		{Key: "b1", Type: "b", IsActive: true, Text: text("Дизельный генератор")},
	}}
	lexical := Judgment{Key: "q", Query: "генераторы", Category: "lexical", Types: map[string]int{"b": 2}}
	need := Judgment{Key: "n", Query: "electricity", Category: "need", Types: map[string]int{"b": 2}}
	sets := []Set{
		{Name: "x", Catalogue: catalogue, Judgments: []Judgment{lexical, need}},
		{Name: "x, second", Catalogue: catalogue, Judgments: []Judgment{lexical}},
	}
	measured, err := MeasureMisspelt(t.Context(), embedding.NewLexical(), sets)
	require.NoError(t, err)
	require.Len(t, measured, 2*len(slips))
	require.Equal(t, 3, measured[0].Scores.Queries, "two titles and a query that names a machine")
	require.Equal(t, 1, measured[len(slips)].Scores.Queries, "the titles once")
	require.InDelta(t, 1, measured[0].Found, 1e-12)
	var out bytes.Buffer
	require.NoError(t, WriteMisspelt(&out, measured))
	require.Contains(t, out.String(), "| x ")
	require.NotContains(t, out.String(), "x, second")
	_, row, found := strings.Cut(out.String(), "| cases")
	require.True(t, found)
	cells := strings.Fields(row)
	require.Equal(t, "16", cells[1], "four cases in four ways")
	_, err = MeasureMisspelt(t.Context(), failing{}, sets)
	require.ErrorIs(t, err, embedding.ErrUnavailable)
}
