// The embedder that runs inside the program: a small multilingual model for
// meanings, and words.

package embedding

import (
	"context"
	_ "embed"
	"encoding/binary"
	"math"
	"strings"

	"equipment-platform/internal/embedding/encoder"
)

// builtIn is the model whose weights EMBEDDINGS_WEIGHTS names, with words behind
// it. It has no queue: a query is embedded at once, whatever batch is under way.
type builtIn struct {
	encoder  sentences
	words    *Lexical
	purposes []purpose
}

// sentences is a model for sentences, such as *encoder.Encoder.
type sentences interface {
	// Encode gives a vector of encoder.Dimension components and length 1, which is
	// the caller's.
	Encode(text string) []float32
}

var _ Embedder = (*builtIn)(nil)

const (
	// builtInShare is how much words count beside the model.
	builtInShare = 0.5
	// Of a passage the model sees the title, and the lines up to the tags, without
	// the figures, which the words carry.
	titleWeight, textWeight = 1, 2
	textLines               = 4
)

// Model implements Embedder.
func (*builtIn) Model() string { return encoder.Name + "+lexical/" + lexicalVersion }

// Probe implements Embedder; it never fails.
func (*builtIn) Probe(context.Context) error { return nil }

// Vocabulary implements Embedder.
func (b *builtIn) Vocabulary() string { return b.words.Vocabulary() }

// Meanings implements Embedder.
func (b *builtIn) Meanings(passage string) string { return b.words.Meanings(passage) }

// Relevance implements Embedder.
func (*builtIn) Relevance(score float64) Relevance { return builtInCalibration.of(score) }

// EmbedQuery implements Embedder; the only error is ErrBlank.
func (b *builtIn) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	if strings.TrimSpace(text) == "" {
		return nil, ErrBlank
	}
	raw := b.encoder.Encode(text)
	topic := onTopic(raw)
	direction := principal(centred(raw))
	query := b.words.beside(direction, meant(b.purposes, direction), builtInShare, text, true)
	// A query that is hardly about equipment points away from all machines.
	for i := range query {
		query[i] *= float32(topic)
	}
	query[doubtPlace] = float32(math.Sqrt(1 - topic*topic))
	return query, nil
}

// EmbedPassages implements Embedder; errors are ErrBlank and that of a context
// that ends, as ErrUnavailable. The texts are embedded one after the other, so
// that an indexer leaves the machine to others.
func (b *builtIn) EmbedPassages(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			return nil, ErrBlank
		}
		if ctx.Err() != nil {
			return nil, unavailable("%w", ctx.Err())
		}
		lines := strings.SplitN(text, "\n", textLines+1)
		title, rest := b.sentence(lines[0]), b.sentence(strings.Join(lines[:min(len(lines), textLines)], "\n"))
		for d := range title {
			title[d] = titleWeight*title[d] + textWeight*rest[d]
		}
		out[i] = b.words.beside(principal(title), nil, builtInShare, text, false)
	}
	return out, nil
}

// sentence gives the model's centred vector of a text.
func (b *builtIn) sentence(text string) []float32 { return centred(b.encoder.Encode(text)) }

// centred takes from a vector what all texts about equipment have in common.
func centred(v []float32) []float32 {
	for i := range v {
		v[i] -= components.mean[i]
	}
	normalise(v)
	return v
}

// onTopic is how surely a text is about equipment, by the model's vector: near 0
// for "asdfghjkl" and recipes, near 1 for what people rent.
func onTopic(v []float32) float64 {
	z := float64(components.topicConstant)
	for i, x := range components.topic {
		z += float64(x) * float64(v[i])
	}
	// Leniently: a strange wish is a worse thing to miss than a recipe to answer.
	const benefit = 1
	return 1 / (1 + math.Exp(-z-benefit))
}

// PrincipalDimension is how many of the model's dimensions are kept. The others
// hardly tell machines apart, and the room is worth more to words.
const PrincipalDimension = 256

// principalFile holds the mean of the model's vectors of the lexicon's terms,
// their principal components, and the direction of texts about equipment; made by
// internal/embedding/principal.
//
//go:embed principal.bin
var principalFile []byte

var components = func() (c struct {
	mean          []float32
	principal     [PrincipalDimension][]float32
	topic         []float32
	topicConstant float32
}) {
	raw := principalFile
	number := func() float32 {
		n := math.Float32frombits(binary.LittleEndian.Uint32(raw))
		raw = raw[4:]
		return n
	}
	// Each row is a scale and a byte for each component.
	row := func() []float32 {
		scale := number()
		out := make([]float32, encoder.Dimension)
		for i := range out {
			out[i] = float32(int8(raw[i])) * scale
		}
		raw = raw[encoder.Dimension:]
		return out
	}
	c.mean = row()
	for d := range c.principal {
		c.principal[d] = row()
	}
	c.topic = row()
	c.topicConstant = number()
	return c
}()

// principal gives the vector along the principal components, of length 1.
func principal(v []float32) []float32 {
	out := make([]float32, PrincipalDimension)
	for d, direction := range components.principal {
		for i, x := range direction {
			out[d] += x * v[i]
		}
	}
	normalise(out)
	return out
}
