package embedding

// This file: a shorter model's vector keeps its cosine, whatever its length, and
// the result has Dimension components and length 1.

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"equipment-platform/internal/config"

	"github.com/stretchr/testify/require"
)

func FuzzFill(f *testing.F) {
	for _, n := range []uint16{1, 2, 384, 895, 896, 897, 1023, 1024} {
		f.Add(n, uint64(n), 0.2, "wheel loader 3 t")
	}
	lexical := NewLexical()
	f.Fuzz(func(t *testing.T, n uint16, seed uint64, share float64, text string) {
		if n == 0 || int(n) > Dimension || !(share >= 0 && share <= 1) || strings.TrimSpace(text) == "" {
			return
		}
		r := rand.New(rand.NewPCG(seed, 1))
		vector := make([]float32, n)
		for i := range vector {
			vector[i] = r.Float32() - 0.5
		}
		if !normalise(vector) {
			return
		}
		e := &openAI{config: config.Embeddings{LexicalShare: share}}
		if share > 0 {
			e.lexical = lexical
		}
		out := e.fill(vector, text, true)
		require.Len(t, out, Dimension)
		var sum float64
		for _, x := range out {
			require.False(t, math.IsNaN(float64(x)) || math.IsInf(float64(x), 0))
			sum += float64(x) * float64(x)
		}
		require.InDelta(t, 1, sum, 1e-3)
	})
}
