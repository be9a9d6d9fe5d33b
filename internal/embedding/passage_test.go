// Tests of the passage: what is in it, in which order, and its fingerprint.

package embedding

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
)

func exampleVehicle() VehicleText {
	return VehicleText{
		Brand: "Caterpillar", Model: "320D L", TypeTitle: "Crawler excavator",
		Categories: []string{"Crawler excavators"}, Groups: []string{"Earthmoving"},
		Tags: []string{"earthworks", "экскаватор"},
		Params: []ParamText{
			{Name: "Operating weight", Value: "21.7", Unit: "t"},
			{Name: "Attachments", Value: "hydraulic breaker"},
			{Name: "Operator included", Value: "true", Boolean: true},
			{Name: "Enclosed cab", Value: "false", Boolean: true},
		},
		ReleaseYear: 2011,
	}
}

func TestPassage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		give VehicleText
		want string
	}{
		{"everything", exampleVehicle(), "Crawler excavator\nCaterpillar 320D L\n" +
			"Crawler excavators, Earthmoving\n" +
			"earthworks, экскаватор\n" +
			"Operating weight 21.7 t; Attachments hydraulic breaker; Operator included\n" +
			"Year 2011"},
		{"least", VehicleText{Brand: "JCB", Model: "3CX", TypeTitle: "Backhoe loader"}, "Backhoe loader\nJCB 3CX"},
		{"lines keep their places", VehicleText{Brand: "JCB", Model: "3CX", ReleaseYear: 2020}, "\nJCB 3CX\n\n\n\nYear 2020"},
		{"repeated names count once", VehicleText{
			Brand: "A", Model: "B", Categories: []string{"Cranes"}, Groups: []string{"cranes", "Lifting"},
			Tags: []string{"urban", "Urban"},
		}, "\nA B\nCranes, Lifting\nurban"},
		{"no line breaks from names", VehicleText{Brand: "A\nB", Model: " C\t D ", TypeTitle: "E\r\nF"}, "E F\nA B C D"},
		{"a text that reads true", VehicleText{Brand: "A", Model: "B", Params: []ParamText{{Name: "Note", Value: "true"}}}, "\nA B\n\n\nNote true"},
		{"a parameter without value", VehicleText{Brand: "A", Model: "B", Params: []ParamText{{Name: "Note", Value: " "}}}, "\nA B"},
		{"nothing", VehicleText{}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, Passage(tt.give))
		})
	}
}

// named is an embedder of another name.
type named struct {
	Embedder
	name string
}

func (n named) Model() string { return n.name }

func TestFingerprint(t *testing.T) {
	t.Parallel()
	m := named{NewLexical(), "m"}
	base := Fingerprint(m, "text")
	require.Equal(t, base, Fingerprint(m, "text"))
	require.Len(t, base, 64)
	for _, other := range []string{Fingerprint(named{NewLexical(), "m2"}, "text"), Fingerprint(m, "text2"), Fingerprint(named{NewLexical(), "mt"}, "ext")} {
		require.NotEqual(t, base, other)
	}
}

// What an operator adds changes the fingerprints of what it touches, no others.
func TestFingerprintFollowsTheLexicon(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "own.txt")
	require.NoError(t, os.WriteFile(file, []byte("glimmer-press : glimmer press; глимерный пресс ~ flatten glimmer\n"), 0o600))
	with, err := New(config.Embeddings{Lexicon: file}, nil)
	require.NoError(t, err)
	before := NewLexical()
	require.Equal(t, before.Model(), with.Model(), "stored vectors stay comparable")
	require.NotEqual(t, before.Vocabulary(), with.Vocabulary())
	touched, other := machine("Acme 3", "Glimmer press"), machine("Terex RT 90", "Rough-terrain crane")
	require.NotEqual(t, Fingerprint(before, touched), Fingerprint(with, touched))
	require.Equal(t, Fingerprint(before, other), Fingerprint(with, other))
}
