// Tests of the lexicon: its data is sound, its terms are found in any order and
// inflection, and misspelt words find their way to them.

package embedding

import (
	"slices"
	"strings"
	"testing"
)

func meaningsOf(t *testing.T, text string) []string {
	t.Helper()
	l := NewLexical()
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
	l, err := readLexicon()
	if err != nil {
		t.Fatal(err)
	}
	if l.longest > maxTerm {
		t.Errorf("a term of %d words", l.longest)
	}
	keys := map[uint64]string{}
	for _, c := range l.concepts {
		if other, ok := keys[c.key]; ok {
			t.Errorf("%s and %s have one feature", c.name, other)
		}
		keys[c.key] = c.name
		for _, fits := range c.fitted {
			if k := l.concepts[fits.concept].kind; k == brandKind {
				t.Errorf("%s is fitted by a maker", c.name)
			}
		}
	}
	if n := len(l.spelling.forms); n > 1<<16 {
		t.Errorf("%d spellings do not fit into the index", n)
	}
}

func TestReadEntryRefusesMistakes(t *testing.T) {
	t.Parallel()
	if _, err := readEntry("crane"); err == nil {
		t.Error("an entry without terms is read")
	}
	for _, bad := range []string{"crane:x", "crane:0", "crane:-1", "crane:3"} {
		if _, _, err := weighted(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
	if _, err := resolve([]string{"unknown"}, map[string]int32{}); err == nil {
		t.Error("an unknown concept is read")
	}
	l := &lexicon{phrases: map[uint64][]link{}, stop: map[string]bool{"the": true}, weak: map[string]bool{"machine": true}}
	for _, bad := range []string{"the", "machine", "", "one two three four five six seven"} {
		if err := l.addTerm(bad, 0); err == nil {
			t.Errorf("term %q is read", bad)
		}
	}
}

func TestTermsAreFound(t *testing.T) {
	t.Parallel()
	tests := []struct{ give, want string }{
		{"mini excavators", "mini-excavator"},
		{"экскаватор-погрузчик", "backhoe-loader"},
		{"погрузчик фронтальный", "wheel-loader"},
		{"компрессор дизельный", "portable-compressor"},
		{"гусеничного крана", "crawler-crane"},
		{"bakhoe loder", "backhoe-loader"},
		{"escavator", "excavator"},
		{"ekskavator", "excavator"},
		{"бульдозэр", "dozer"},
		{"катерпилар", "caterpillar"},
		{"harvester", "harvester"},
	}
	for _, tt := range tests {
		if got := meaningsOf(t, tt.give); !slices.Contains(got, tt.want) {
			t.Errorf("%q means %v, want %s", tt.give, got, tt.want)
		}
	}
	if got := meaningsOf(t, "excavator"); len(got) != 1 {
		t.Errorf("a word that is a term itself also means %v", got)
	}
	if got := meaningsOf(t, "zzyzx"); len(got) != 0 {
		t.Errorf("an unknown word means %v", got)
	}
}

// The words differ from those of the lexicon's term, its meaning does not.
func TestWordsThatStandForEachOther(t *testing.T) {
	t.Parallel()
	tests := []struct{ give, want string }{
		{"restoring a facade", "facade"},
		{"почистить озеро", "ditch-cleaning"},
		{"перевозить чернозём", "haul"},
	}
	for _, tt := range tests {
		if got := meaningsOf(t, tt.give); !slices.Contains(got, tt.want) {
			t.Errorf("%q means %v, want %s", tt.give, got, tt.want)
		}
	}
	l := &lexicon{classes: map[string]uint64{}}
	if _, err := l.addClass("wash clean"); err != nil {
		t.Fatal(err)
	}
	if _, err := l.addClass("clean tidy"); err == nil {
		t.Error("a word stands in two classes")
	}
}

func TestAlternatives(t *testing.T) {
	t.Parallel()
	if got := alternatives("paint/wash wall/roof now"); !slices.Equal(got,
		[]string{"paint wall now", "paint roof now", "wash wall now", "wash roof now"}) {
		t.Errorf("got %v", got)
	}
	if got := alternatives("mini excavator:0.4"); !slices.Equal(got, []string{"mini excavator:0.4"}) {
		t.Errorf("got %v", got)
	}
}

// A word that the lexicon holds only as a part of terms still says something.
func TestPartsOfTermsAreHints(t *testing.T) {
	t.Parallel()
	l := NewLexical()
	s := new(scratch)
	l.query(s, "netwrap the clamp by the soakaway")
	found := map[string]bool{}
	for _, v := range s.votes {
		found[l.lexicon.concepts[v.concept].name] = true
	}
	if !found["hay"] || !found["silage"] || !found["small-dig"] {
		t.Errorf("jobs %v", found)
	}
	for _, links := range l.lexicon.hints {
		var all float32
		for _, h := range links {
			all += h.weight
		}
		if all > 1 {
			t.Fatalf("hints of one word add up to %v", all)
		}
	}
}

func TestQueriesAreExpandedWithMachines(t *testing.T) {
	t.Parallel()
	l := NewLexical()
	if got := l.expanded("сделать силос"); !strings.HasPrefix(got, "сделать силос: forage harvester") {
		t.Errorf("expanded to %q", got)
	}
	for _, same := range []string{"JCB telehandler", "zzyzx", "22"} {
		if got := l.expanded(same); got != same {
			t.Errorf("%q is expanded to %q", same, got)
		}
	}
}

func TestWordsOfAJobMayStandApart(t *testing.T) {
	t.Parallel()
	l := NewLexical()
	s := new(scratch)
	l.split(s, "опустить тяжёлую стальную трубу", true, true)
	found := l.lexicon.findApart(s.words, nil)
	if !slices.ContainsFunc(found, func(m match) bool {
		return l.lexicon.concepts[m.meanings[0].concept].name == "pipeline"
	}) {
		t.Errorf("found %v", found)
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b  string
		limit int
		want  int
	}{
		{"crane", "crane", 2, 0},
		{"crane", "crne", 2, 1},
		{"forklift", "forklfit", 2, 1},
		{"crane", "drone", 2, 2},
		{"crane", "excavator", 2, 3},
		{"", "ab", 2, 2},
		{"abc", strings.Repeat("x", 500), 2, 3},
	}
	for _, tt := range tests {
		if got := distance(tt.a, tt.b, tt.limit); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestGloss(t *testing.T) {
	t.Parallel()
	l := NewLexical()
	passage := Passage(exampleVehicle())
	was := strings.Split(passage, "\n")
	if whole := l.glossed(passage, true); strings.Count(whole, "\n") != len(was) || !strings.HasSuffix(whole, "\n"+was[len(was)-1]) {
		t.Errorf("not whole: %q", whole)
	}
	got := l.glossed(passage, false)
	lines := strings.Split(got, "\n")
	if lines[0] != was[0] || !slices.Equal(lines[2:], was[1:1+glossLines]) {
		t.Errorf("the lines of words are changed: %q", got)
	}
	if !strings.Contains(lines[1], "гусеничный экскаватор") || !strings.Contains(lines[1], "For: ") {
		t.Errorf("gloss %q", lines[1])
	}
	if unknown := "Acme 1, Gizmo\nThings"; l.glossed(unknown, false) != unknown {
		t.Errorf("an unknown machine is glossed: %q", l.glossed(unknown, false))
	}
}
