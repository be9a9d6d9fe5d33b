// The lexicon that comes with the program, made ready beforehand: reading its files
// takes half a second of a processor, reading this some milliseconds.

package embedding

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"sync"
)

// lexiconFile is what PackLexicon makes of lexicon/*.txt. A test holds it against the
// files; it also fails when they outgrow the columns' types.
//
//go:embed lexicon.bin
var lexiconFile string

// theLexicon gives the lexicon that comes with the program.
var theLexicon = sync.OnceValue(func() *lexicon { return unpackLexicon(lexiconFile) })

// PackLexicon gives what lexicon.bin holds of the lexicon's files: columns of numbers
// and texts, each behind its length, in the order that unpackLexicon takes them.
func PackLexicon() ([]byte, error) {
	l, err := readLexicon("")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	putTexts(&out, []string{l.fingerprint})
	put(&out, []uint8{uint8(l.longest)})
	for _, words := range []map[string]bool{l.stop, l.weak} {
		putTexts(&out, slices.Sorted(maps.Keys(words)))
	}

	var names []string
	var kinds []uint8
	var wider, fitted phrases
	for i, c := range l.concepts {
		names, kinds = append(names, c.name), append(kinds, uint8(c.kind))
		wider.add(uint64(i), c.wider)
		fitted.add(uint64(i), c.fitted)
	}
	putTexts(&out, names)
	put(&out, kinds)
	putPhrases(&out, wider)
	putPhrases(&out, fitted)
	putPhrases(&out, l.phrases)

	verbs := slices.Sorted(maps.Keys(l.transport))
	var moves phrases
	for i, verb := range verbs {
		moves.add(uint64(i), []link{l.transport[verb]})
	}
	putTexts(&out, verbs)
	putPhrases(&out, moves)

	put(&out, l.spelling.stems)
	var texts, stems []string
	var ranks []float32
	for _, f := range l.spelling.forms {
		texts, stems, ranks = append(texts, f.text), append(stems, f.stem), append(ranks, f.rank)
	}
	putTexts(&out, texts)
	putTexts(&out, stems)
	put(&out, ranks)
	for _, group := range l.spelling.groups {
		var letters []string
		var forms []uint16
		for _, s := range group {
			letters, forms = append(letters, s.letters), append(forms, uint16(s.form))
		}
		putTexts(&out, letters)
		put(&out, forms)
	}
	return out.Bytes(), nil
}

// unpackLexicon is the other way; its texts are parts of data.
func unpackLexicon(data string) *lexicon {
	c := &columns{data}
	l := &lexicon{fingerprint: c.texts()[0], longest: int(numbers[uint8](c)[0]), stop: c.words(), weak: c.words(), transport: map[string]link{}}

	names, kinds := c.texts(), numbers[uint8](c)
	wider, fitted := c.phrases(), c.phrases()
	l.concepts = make([]concept, len(names))
	for i, name := range names {
		l.concepts[i] = concept{name, kind(kinds[i]), hashString("concept", name), wider.of(uint64(i)), fitted.of(uint64(i))}
	}
	l.phrases = c.phrases()

	verbs, moves := c.texts(), c.phrases()
	for i, verb := range verbs {
		l.transport[verb] = moves.links[i]
	}

	l.spelling.stems = numbers[uint64](c)
	texts, stems, ranks := c.texts(), c.texts(), numbers[float32](c)
	l.spelling.forms = make([]form, len(texts))
	for i, text := range texts {
		l.spelling.forms[i] = form{text, stems[i], hashString("stem", stems[i]), ranks[i]}
	}
	for g := range l.spelling.groups {
		letters, forms := c.texts(), numbers[uint16](c)
		l.spelling.groups[g] = make([]spelt, len(letters))
		for i, s := range letters {
			l.spelling.groups[g][i] = spelt{s, setOf(s), int32(forms[i])}
		}
	}
	return l
}

type number interface {
	uint8 | uint16 | uint32 | uint64 | float32
}

func put[T number](out *bytes.Buffer, column []T) {
	_ = binary.Write(out, binary.LittleEndian, uint32(len(column))) // neither the buffer nor these types can fail
	_ = binary.Write(out, binary.LittleEndian, column)
}

// putTexts writes texts of at most 255 bytes.
func putTexts(out *bytes.Buffer, texts []string) {
	lengths := make([]uint8, len(texts))
	for i, text := range texts {
		lengths[i] = uint8(len(text))
	}
	put(out, lengths)
	put(out, []byte(strings.Join(texts, "")))
}

func putPhrases(out *bytes.Buffer, p phrases) {
	counts, concepts, weights := make([]uint8, len(p.keys)), make([]uint16, len(p.links)), make([]float32, len(p.links))
	for i, key := range p.keys {
		counts[i] = uint8(len(p.of(key)))
	}
	for i, link := range p.links {
		concepts[i], weights[i] = uint16(link.concept), link.weight
	}
	put(out, p.keys)
	put(out, counts)
	put(out, concepts)
	put(out, weights)
}

// columns is what is left to read.
type columns struct{ rest string }

func (c *columns) take(n int) string {
	taken := c.rest[:n]
	c.rest = c.rest[n:]
	return taken
}

// length reads how long the next column is.
func (c *columns) length() int { return int(binary.LittleEndian.Uint32([]byte(c.take(4)))) }

func numbers[T number](c *columns) []T {
	out := make([]T, c.length())
	// by parts, as a copy of the whole would stay in the process's memory for long
	var buffer [4096]byte
	for part := range slices.Chunk(out, len(buffer)/8) {
		raw := buffer[:binary.Size(part)]
		copy(raw, c.take(len(raw)))
		_, _ = binary.Decode(raw, binary.LittleEndian, part) // there are as many bytes as it takes
	}
	return out
}

func (c *columns) texts() []string {
	lengths := c.take(c.length())
	text := c.take(c.length())
	out := make([]string, len(lengths))
	for i := range out {
		out[i], text = text[:lengths[i]], text[lengths[i]:]
	}
	return out
}

func (c *columns) words() map[string]bool {
	out := map[string]bool{}
	for _, word := range c.texts() {
		out[word] = true
	}
	return out
}

func (c *columns) phrases() phrases {
	p := phrases{keys: numbers[uint64](c)}
	p.ends = make([]uint32, len(p.keys))
	end := uint32(0)
	for i, count := range numbers[uint8](c) {
		end += uint32(count)
		p.ends[i] = end
	}
	concepts, weights := numbers[uint16](c), numbers[float32](c)
	p.links = make([]link, len(concepts))
	for i, concept := range concepts {
		p.links[i] = link{int32(concept), weights[i]}
	}
	return p
}
