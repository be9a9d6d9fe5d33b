package plate_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/plate"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in, want string
		err      error
	}{
		"separators and case":            {in: "a-123_b.c/77", want: "A123BC77"},
		"no transliteration":             {in: "а123вс 77", want: "А123ВС77"},
		"spaces of every kind":           {in: "\u00a0a\u2009 1\t2\u30003\n", want: "A123"},
		"full upper-case mapping":        {in: "straße 1", want: "STRASSE1"},
		"composed and decomposed agree":  {in: "A\u030a1", want: "\u00c51"},
		"digits of other scripts":        {in: "٣٤٥ د", want: "٣٤٥د"},
		"armenian ligature":              {in: "և 12", want: "ԵՒ12"},
		"georgian":                       {in: "აბ-123", want: "ᲐᲑ123"},
		"mark after a letter":            {in: "e\u0323\u0301 1", want: "Ẹ\u03011"},
		"blank":                          {in: " \t-_./ ", want: ""},
		"empty":                          {in: "", want: ""},
		"exactly 32":                     {in: strings.Repeat("ab", 16), want: strings.Repeat("AB", 16)},
		"33":                             {in: strings.Repeat("a", 33), err: plate.ErrTooLong},
		"33 only after the full mapping": {in: strings.Repeat("a", 31) + "ß", err: plate.ErrTooLong},
		"32 after separators":            {in: strings.Repeat("a-", 32), want: strings.Repeat("A", 32)},
		"punctuation":                    {in: "a*1", err: plate.ErrInvalid},
		"mark without a letter":          {in: "\u03011", err: plate.ErrInvalid},
		"mark after a digit":             {in: "1\u0301", err: plate.ErrInvalid},
		"other number":                   {in: "Ⅷ1", err: plate.ErrInvalid},
		"fraction":                       {in: "½", err: plate.ErrInvalid},
		"emoji":                          {in: "🚜1", err: plate.ErrInvalid},
		"zero width joiner":              {in: "a\u200db", err: plate.ErrInvalid},
		"dash that is no separator":      {in: "a–1", err: plate.ErrInvalid},
		"null":                           {in: "a\x00", err: plate.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := plate.Canonical(c.in)
			require.ErrorIs(t, err, c.err)
			require.Equal(t, c.want, got)
		})
	}
}

func FuzzCanonicalIsAFixedPoint(f *testing.F) {
	for _, seed := range []string{"a123bc 77", "ß", "ŉ1", "ΐ", "ﬁ", "İ", "ı", "A\u030a", "\u0345a", "ᾳ\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once, err := plate.Canonical(s)
		if err != nil {
			return
		}
		twice, err := plate.Canonical(once)
		require.NoError(t, err)
		require.Equal(t, once, twice)
		require.LessOrEqual(t, utf8.RuneCountInString(once), plate.MaxLength)
	})
}

func BenchmarkCanonical(b *testing.B) {
	for b.Loop() {
		_, _ = plate.Canonical(" а 123-вс 77 ")
	}
}
