// Tests of the model inside the program, with the real weights.

package embedding

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
	"equipment-platform/internal/embedding/weights"
)

var theBuiltIn = sync.OnceValues(func() (Embedder, error) {
	path, err := weights.Path()
	if err != nil {
		return nil, err
	}
	return New(config.Embeddings{Weights: path}, nil)
})

func TestBuiltIn(t *testing.T) {
	t.Parallel()
	e, err := theBuiltIn()
	require.NoError(t, err)
	require.Equal(t, "use-multilingual-v3+lexical/5", e.Model())
	require.NoError(t, e.Probe(t.Context()))
	texts := []string{machine("Flir T540", "Thermal camera"), machine("Alfa Laval M10", "Plate heat exchanger"), machine("Yamaha F20", "Подвесной лодочный мотор")}
	passages, err := e.EmbedPassages(t.Context(), texts)
	require.NoError(t, err)
	for _, p := range passages {
		checkVector(t, "passage", p)
	}
	for i, text := range []string{"find heat loss of an office building", "пластинчатый теплообменник", "engine for a dinghy"} {
		q, err := e.EmbedQuery(t.Context(), text)
		require.NoError(t, err)
		checkVector(t, text, q)
		for j := range passages {
			if i != j {
				require.Greater(t, cosine(q, passages[i]), cosine(q, passages[j])+0.02, text)
			}
		}
		require.NotEqual(t, Low, e.Relevance(cosine(q, passages[i])), text)
	}
	for _, noise := range []string{"asdfghjkl qwerty", "рецепт борща со свёклой"} {
		q, err := e.EmbedQuery(t.Context(), noise)
		require.NoError(t, err)
		checkVector(t, noise, q)
		for _, p := range passages {
			require.Equal(t, Low, e.Relevance(cosine(q, p)), noise)
		}
	}
}

func TestBuiltInRefuses(t *testing.T) {
	t.Parallel()
	e, err := theBuiltIn()
	require.NoError(t, err)
	_, err = e.EmbedQuery(t.Context(), " \n")
	require.ErrorIs(t, err, ErrBlank)
	_, err = e.EmbedPassages(t.Context(), []string{"crane", "\t"})
	require.ErrorIs(t, err, ErrBlank)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = e.EmbedPassages(ended, []string{"crane"})
	require.ErrorIs(t, err, ErrUnavailable, "a batch ends with its context")
	_, err = New(config.Embeddings{Weights: filepath.Join(t.TempDir(), "missing")}, nil)
	require.ErrorContains(t, err, "EMBEDDINGS_WEIGHTS: ")
}

func TestRelevance(t *testing.T) {
	t.Parallel()
	c := calibration{high: 0.3, medium: 0.1}
	require.Equal(t, High, c.of(0.3))
	require.Equal(t, Medium, c.of(0.29))
	require.Equal(t, Low, c.of(0.09))
	require.Equal(t, Low, c.of(-1))
}

func TestWithoutTerms(t *testing.T) {
	t.Parallel()
	known, err := theBuiltIn()
	require.NoError(t, err)
	for _, e := range []Embedder{NewLexical(), known, Remembering(known)} {
		without, ok := WithoutTerms(e, "Crawler dozer")
		require.True(t, ok)
		passage := machine("Shantui SD16", "Crawler dozer")
		require.NotEqual(t, e.Meanings(passage), without.Meanings(passage))
		other := machine("Terex RT 90", "Rough-terrain crane")
		require.Equal(t, e.Meanings(other), without.Meanings(other))
		require.Equal(t, e.Model(), without.Model())
	}
	_, ok := WithoutTerms(named{NewLexical(), "m"}, "Crawler dozer")
	require.False(t, ok)
}

func BenchmarkBuiltIn(b *testing.B) {
	e, err := theBuiltIn()
	require.NoError(b, err)
	b.Run("query", func(b *testing.B) {
		for b.Loop() {
			_, err := e.EmbedQuery(b.Context(), "нужен кран на стройку 25 тонн")
			require.NoError(b, err)
		}
	})
	b.Run("passage", func(b *testing.B) {
		text := []string{Passage(exampleVehicle())}
		for b.Loop() {
			_, err := e.EmbedPassages(b.Context(), text)
			require.NoError(b, err)
		}
	})
}
