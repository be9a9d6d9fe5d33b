// What machines are for, by the model: a wish in words that the lexicon does not know
// leans towards the names of machines that are for something that means the same.

package embedding

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
)

const (
	// purposesTaken is how many of the nearest purposes count, each by how much
	// further away it is than the nearest: e^-1 for every purposeReach of cosine.
	purposesTaken = 10
	purposeReach  = 0.1
	// purposeWeight is how much they count beside the query itself, where the lexicon
	// knows none of its words.
	purposeWeight = 0.5
)

// purpose is something that machines of the lexicon's field files are for, with vectors
// of length 1 along the principal components.
type purpose struct {
	machine  int32     // the concept that fits best
	use, fit []float32 // the means of its phrases, and of the names of the machines that fit
}

// purposesFile is what PackPurposes makes of the lexicon's field files. It has to be
// made again when the lexicon or the encoder changes; a test compares the fingerprint.
//
//go:embed purposes.bin
var purposesFile []byte

// purposeVector is how many bytes the file has for a vector: a scale, and a byte for
// each component.
const purposeVector = 4 + PrincipalDimension

// readPurposes reads what purposes.bin holds, with the fingerprint of the lexicon that
// it was made of.
func readPurposes(file []byte) (all []purpose, fingerprint string) {
	vector := func(raw []byte) []float32 {
		scale := math.Float32frombits(binary.LittleEndian.Uint32(raw))
		out := make([]float32, PrincipalDimension)
		for i := range out {
			out[i] = float32(int8(raw[4+i])) * scale
		}
		return out
	}
	text, rows, _ := bytes.Cut(file, []byte{0})
	for row := range slices.Chunk(rows, 2+2*purposeVector) {
		all = append(all, purpose{int32(binary.LittleEndian.Uint16(row)), vector(row[2:]), vector(row[2+purposeVector:])})
	}
	return all, string(text)
}

// meant gives the direction of the machines that a query may ask for, of length 1:
// their names, by how near what they are for is to the query's vector.
func meant(all []purpose, query []float32) []float32 {
	near := make([]link, len(all)) // by index
	for i, p := range all {
		near[i] = link{int32(i), dot(query, p.use)}
	}
	slices.SortFunc(near, func(a, b link) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.concept, b.concept)) })
	out := make([]float32, len(query))
	for _, n := range near[:min(len(near), purposesTaken)] {
		weight := float32(math.Exp(float64(n.weight-near[0].weight) / purposeReach))
		for i, x := range all[n.concept].fit {
			out[i] += weight * x
		}
	}
	normalise(out)
	return out
}

func dot(a, b []float32) (sum float32) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// PackPurposes gives what purposes.bin holds. encode gives the model's vector of a
// text.
func PackPurposes(encode func(text string) []float32) ([]byte, error) {
	r, err := readEntries("")
	if err != nil {
		return nil, err
	}
	m := &purposeMaker{encode: encode, entries: r.entries, names: map[int32][]float32{}}
	out := append([]byte(r.lexicon.fingerprint), 0)
	for _, e := range r.entries {
		job := r.lexicon.concepts[e.concept]
		if job.kind != jobKind || !strings.HasPrefix(e.where, "lexicon/fields") {
			continue
		}
		fit := make([]float32, PrincipalDimension)
		for _, machine := range job.fitted {
			for i, x := range m.name(machine.concept) {
				fit[i] += x * machine.weight
			}
		}
		normalise(fit)
		machine := job.fitted[0].concept
		if machine > math.MaxUint16 {
			return nil, fmt.Errorf("%s: too many concepts", e.where)
		}
		out = binary.LittleEndian.AppendUint16(out, uint16(machine))
		out = appendBytes(appendBytes(out, m.mean(e.terms)), fit)
	}
	return out, nil
}

type purposeMaker struct {
	encode  func(text string) []float32
	entries []entry
	names   map[int32][]float32 // of the machines that have been asked for
}

// name gives the mean of a machine's names.
func (m *purposeMaker) name(machine int32) []float32 {
	if m.names[machine] == nil {
		var terms []string
		for _, e := range m.entries {
			if e.concept == machine {
				terms = append(terms, e.terms...)
			}
		}
		m.names[machine] = m.mean(terms)
	}
	return m.names[machine]
}

func (m *purposeMaker) mean(terms []string) []float32 {
	sum := make([]float32, len(components.mean))
	for _, term := range terms {
		for _, phrase := range examples(term) {
			for i, x := range centred(m.encode(phrase)) {
				sum[i] += x
			}
		}
	}
	return principal(sum)
}

// appendBytes appends a scale and a byte for each component.
func appendBytes(out []byte, vector []float32) []byte {
	scale := 0.0
	for _, x := range vector {
		scale = max(scale, math.Abs(float64(x))/math.MaxInt8)
	}
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(scale)))
	for _, x := range vector {
		out = append(out, byte(int8(math.Round(float64(x)/scale))))
	}
	return out
}

// examples gives phrases that a term stands for, each choice of its words at least
// once: "wash/clean roof/facade" is "wash roof" and "clean facade".
func examples(term string) []string {
	term, _, _ = strings.Cut(term, ":")
	words := strings.Fields(term)
	most := 1
	for _, word := range words {
		most = max(most, strings.Count(word, "/")+1)
	}
	out := make([]string, most)
	for n := range out {
		phrase := make([]string, len(words))
		for i, word := range words {
			choices := strings.Split(word, "/")
			phrase[i] = strings.ReplaceAll(choices[n%len(choices)], "-", " ")
		}
		out[n] = strings.Join(phrase, " ")
	}
	return out
}
