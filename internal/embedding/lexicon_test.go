// Tests of the lexicon: its data is sound, its terms are found in any order and
// inflection, misspelt words find their way to them, and an operator's mistakes
// are told by file and line.

package embedding

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
)

func meaningsOf(l *Lexical, text string) []string {
	s := new(scratch)
	l.split(s, text, true, true)
	var out []string
	for _, m := range s.matches {
		for _, meaning := range m.meanings {
			out = append(out, l.lexicon.concepts[meaning.concept].name)
		}
	}
	return out
}

func TestLexiconData(t *testing.T) {
	t.Parallel()
	l, err := readLexicon("")
	require.NoError(t, err)
	require.LessOrEqual(t, l.longest, maxTerm)
	keys := map[uint64]string{}
	for _, c := range l.concepts {
		require.NotContains(t, keys, c.key, c.name)
		keys[c.key] = c.name
		for _, fits := range c.fitted {
			require.NotEqual(t, brandKind, l.concepts[fits.concept].kind, "%s is fitted by a maker", c.name)
		}
	}
}

func TestPackedLexiconIsOfItsFiles(t *testing.T) {
	t.Parallel()
	read, err := readLexicon("")
	require.NoError(t, err)
	require.True(t, reflect.DeepEqual(read, theLexicon()), "internal/embedding/lexicon.bin is not what `make generate` makes of internal/embedding/lexicon")
}

func TestTermsAreFound(t *testing.T) {
	t.Parallel()
	l := NewLexical()
	for give, want := range map[string]string{
		"mini excavators":       "mini-excavator",
		"экскаватор-погрузчик":  "backhoe-loader",
		"погрузчик фронтальный": "wheel-loader",
		"компрессор дизельный":  "portable-compressor",
		"гусеничного крана":     "crawler-crane",
		"bakhoe loder":          "backhoe-loader",
		"escavator":             "excavator",
		"ekskavator":            "excavator",
		"бульдозэр":             "dozer",
		"катерпилар":            "caterpillar",
		"harvester":             "harvester",
		"telescopik handller":   "telehandler",
		"whel loadr":            "wheel-loader",
		"truck mixr":            "truck-mixer",
		"экскватор погрузщик":   "backhoe-loader",
		"фронтальынй погручзик": "wheel-loader",
		"тахеометры":            "total-station-survey",
	} {
		require.Contains(t, meaningsOf(l, give), want, give)
	}
	require.Len(t, meaningsOf(l, "excavator"), 1)
	for _, text := range []string{"zzyzx", "later", "thanks", "travel", "value", "частый", "понять", "most"} {
		require.Empty(t, meaningsOf(l, text), "%s is no term and spelt right", text)
	}
}

func TestAlternatives(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"paint wall now", "paint roof now", "wash wall now", "wash roof now"}, alternatives("paint/wash wall/roof now"))
	require.Equal(t, []string{"mini excavator:0.4"}, alternatives("mini excavator:0.4"))
}

func TestWordsOfAJobMayStandApart(t *testing.T) {
	t.Parallel()
	l := NewLexical()
	s := new(scratch)
	l.split(s, "опустить тяжёлую стальную трубу", true, true)
	var found []string
	for _, m := range l.lexicon.findApart(s.words, nil) {
		found = append(found, l.lexicon.concepts[m.meanings[0].concept].name)
	}
	require.Contains(t, found, "pipeline")
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b  string
		limit float32
		want  float32
	}{
		{"crane", "crane", 2, 0},
		{"crane", "crne", 2, slipCost},
		{"crane", "crrane", 2, doubleCost},
		{"crane", "rane", 2, slipCost + firstCost},
		{"crane", "vrane", 2, nearCost + firstCost},
		{"crane", "crone", 2, nearCost},
		{"crane", "crame", 2, nearCost},
		{"crane", "crape", 2, slipCost},
		{"forklift", "forklfit", 2, swapCost},
		{"crane", "excavator", 2, 3},
		{"", "ab", 3, 2*slipCost + firstCost},
		{"abc", strings.Repeat("x", 500), 2, 3},
	} {
		require.InDelta(t, tt.want, distance(tt.a, tt.b, tt.limit), 1e-6, "%s %s", tt.a, tt.b)
	}
}

// own makes the embedder of words with an operator's files.
func own(t *testing.T, files map[string]string) (*Lexical, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	e, err := New(config.Embeddings{Lexicon: dir}, nil)
	l, _ := e.(*Lexical)
	return l, err
}

func TestAnOperatorsTerms(t *testing.T) {
	t.Parallel()
	l, err := own(t, map[string]string{
		"presses.txt": "# ours\nglimmer-press < press : glimmer press;\n  глимерный пресс; ~ flatten glimmer\npress : presser\n",
		"more.txt":    "excavator : щебокоп\nflatten-foil > glimmer-press:0.7 excavator:0.2 : foil; фольга\n",
		"notes.md":    "not read",
	})
	require.NoError(t, err)
	require.Equal(t, []string{"glimmer-press"}, meaningsOf(l, "глимерные прессы"))
	require.Equal(t, []string{"excavator"}, meaningsOf(l, "щебокопы"), "a line on a concept that there is adds to it")
	ask := func(text string) float64 {
		q, err := l.EmbedQuery(t.Context(), text)
		require.NoError(t, err)
		p, err := l.EmbedPassages(t.Context(), []string{machine("Acme 3", "Glimmer press"), machine("Terex RT 90", "Rough-terrain crane")})
		require.NoError(t, err)
		return cosine(q, p[0]) - cosine(q, p[1])
	}
	require.Greater(t, ask("flatten glimmer"), 0.1)
	require.Greater(t, ask("фольга"), 0.1)
}

func TestAnOperatorsMistakesAreToldByFileAndLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a : b\ncrane":                        "own.txt:2: no terms",
		"# remark\n\nx < nothing : y":         "own.txt:3: nothing is not in the lexicon",
		"x : y > nothing":                     "own.txt:1: nothing is not in the lexicon",
		"x < crane:9 : y":                     "own.txt:1: bad weight",
		"x < crane:NaN : y":                   "own.txt:1: bad weight",
		"x : y:0":                             "own.txt:1: bad weight",
		"x : the":                             "own.txt:1: term \"the\" has no word",
		"x : machine":                         "own.txt:1: term \"machine\" has no word",
		"x : aa bb cc dd ee ff gg":            "own.txt:1: term",
		"x : a/b/c/d a/b/c/d a/b/c/d a/b/c/d": "own.txt:1: \"a/b/c/d a/b/c/d a/b/c/d a/b/c/d\" stands for more than 64 terms",
		" : y":                                "own.txt:1:",
		"two words : y":                       "own.txt:1: \"two words\" is no name",
		"x : y ~ z > crane":                   "own.txt:1: what a machine is for",
	} {
		_, err := own(t, map[string]string{"own.txt": text})
		require.ErrorContains(t, err, want, text)
		require.ErrorContains(t, err, "EMBEDDINGS_LEXICON: ", text)
		require.NotContains(t, err.Error(), "\n", "one line")
	}
	_, err := own(t, nil)
	require.ErrorContains(t, err, "holds no .txt file")
	_, err = New(config.Embeddings{Lexicon: filepath.Join(t.TempDir(), "missing.txt")}, nil)
	require.ErrorContains(t, err, "EMBEDDINGS_LEXICON: ")
}
