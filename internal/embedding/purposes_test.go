package embedding

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPurposesAreOfTheLexicon(t *testing.T) {
	t.Parallel()
	all, fingerprint := readPurposes(purposesFile)
	require.Equal(t, theLexicon().fingerprint, fingerprint, "make internal/embedding/purposes.bin again: see internal/embedding/purposes")
	require.Greater(t, len(all), 2000)
	for _, p := range all {
		require.Equal(t, machineKind, theLexicon().concepts[p.machine].kind)
		require.InDelta(t, 1, dot(p.use, p.use), 0.01)
		require.InDelta(t, 1, dot(p.fit, p.fit), 0.01)
	}
}

// A wish that has no word of the lexicon comes nearer to the machine for it, which is then the first.
func TestWishInOtherWords(t *testing.T) {
	t.Parallel()
	e, err := theBuiltIn()
	require.NoError(t, err)
	with, ok := e.(*builtIn)
	require.True(t, ok)
	without := &builtIn{encoder: with.encoder, words: with.words}
	passages, err := e.EmbedPassages(t.Context(), []string{
		machine("Fujikura 90S", "Fusion splicer"), machine("Kärcher HD 9", "Мойка высокого давления"), machine("Sage Oracle", "Espresso machine"),
		machine("Atlas Copco XAS 88", "Mobile compressor"), machine("Bosch GLL 3-80", "Laser level"),
	})
	require.NoError(t, err)
	for i, text := range []string{"put two broken broadband lines back together", "get rid of moss and grime", "latte and cappuccino for guests"} {
		wish, err := e.EmbedQuery(t.Context(), text)
		require.NoError(t, err)
		plain, err := without.EmbedQuery(t.Context(), text)
		require.NoError(t, err)
		checkVector(t, text, wish)
		require.Greater(t, cosine(wish, passages[i]), cosine(plain, passages[i])+0.02, text)
		for j := range passages {
			if i != j {
				require.Greater(t, cosine(wish, passages[i]), cosine(wish, passages[j]), text)
			}
		}
	}
	// What the lexicon knows word for word it does not touch.
	known, err := e.EmbedQuery(t.Context(), "fusion splicer")
	require.NoError(t, err)
	plain, err := without.EmbedQuery(t.Context(), "fusion splicer")
	require.NoError(t, err)
	require.InDelta(t, 1, cosine(known, plain), 1e-5)
}

func TestExamples(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"wash roof", "clean facade", "rinse roof"}, examples("wash/clean/rinse roof/facade"))
	require.Equal(t, []string{"iron bed linen"}, examples("iron bed-linen:0.5"))
}
