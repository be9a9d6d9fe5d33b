// From text to subwords: the likeliest way to cut it into pieces of the
// vocabulary (a unigram model).

package encoder

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// Pieces with a meaning of their own.
const (
	unknownPiece = 0
	startPiece   = 1
	endPiece     = 2
)

// tokenizer is immutable. The pieces are sorted, so that those that begin with
// the same bytes stand together and reading one byte more narrows them down.
type tokenizer struct {
	normalizer *normalizer
	pieces     []piece
	byFirst    [257]int32 // where the pieces that begin with a byte start
	unknown    float64    // score of a letter that no piece holds
}

type piece struct {
	text  string
	score float32
	id    int32
}

var errVocabulary = errors.New("the vocabulary cannot be read")

// fieldsOf calls each with the number and content of the fields of a message
// that have a length or are numbers of 32 bits.
func fieldsOf(message []byte, each func(number protowire.Number, content []byte)) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return errVocabulary
		}
		message = message[n:]
		size := protowire.ConsumeFieldValue(number, kind, message)
		if size < 0 {
			return errVocabulary
		}
		switch kind {
		case protowire.BytesType:
			content, _ := protowire.ConsumeBytes(message)
			each(number, content)
		case protowire.Fixed32Type:
			each(number, message[:size])
		default:
		}
		message = message[size:]
	}
	return nil
}

// readTokenizer reads a SentencePiece model of the layout that this encoder came
// with: pieces in field 1 (text 1, score 2), and the table of replaced letters in
// field 2 of field 3.
func readTokenizer(model []byte) (*tokenizer, error) {
	t := &tokenizer{unknown: math.Inf(1)}
	var table []byte
	var inner error
	err := fieldsOf(model, func(number protowire.Number, content []byte) {
		switch number {
		case 1:
			p := piece{id: int32(len(t.pieces))}
			inner = errors.Join(inner, fieldsOf(content, func(number protowire.Number, content []byte) {
				switch {
				case number == 1:
					p.text = string(content)
				case number == 2 && len(content) == 4:
					bits, _ := protowire.ConsumeFixed32(content)
					p.score = math.Float32frombits(bits)
				}
			}))
			t.pieces = append(t.pieces, p)
			t.unknown = min(t.unknown, float64(p.score))
		case 3:
			inner = errors.Join(inner, fieldsOf(content, func(number protowire.Number, content []byte) {
				if number == 2 {
					table = content
				}
			}))
		}
	})
	if err := errors.Join(err, inner); err != nil {
		return nil, err
	}
	if len(t.pieces) == 0 || len(t.pieces) > pieceChunks*pieceRows {
		return nil, errVocabulary
	}
	t.unknown -= 10
	if t.normalizer, err = readNormalizer(table); err != nil {
		return nil, err
	}
	slices.SortFunc(t.pieces, func(a, b piece) int { return cmp.Compare(a.text, b.text) })
	for _, p := range t.pieces {
		if p.text == "" {
			return nil, errVocabulary
		}
		t.byFirst[int(p.text[0])+1]++
	}
	for first := range len(t.byFirst) - 1 {
		t.byFirst[first+1] += t.byFirst[first]
	}
	return t, nil
}

// encode appends the pieces of the text, with those for its start and end.
func (t *tokenizer) encode(text string, into []int32) []int32 {
	into = append(into, startPiece)
	text = t.normalizer.normalize(strings.ToValidUTF8(text, "\uFFFD"))
	if text == "" {
		return append(into, unknownPiece, endPiece)
	}
	// best[i] is the best way to cut the first i bytes: the piece it ends with and
	// where that one starts.
	type cut struct {
		score float64
		from  int32
		piece int32
	}
	best := make([]cut, len(text)+1)
	for i := range best[1:] {
		best[i+1].score = math.Inf(-1)
	}
	for i := 0; i < len(text); {
		_, letter := utf8.DecodeRuneInString(text[i:])
		single := false
		low, high := t.byFirst[text[i]], t.byFirst[int(text[i])+1]
		for end := i + 1; low < high; {
			// Of the pieces that begin with text[i:end], the shortest stands first.
			if p := &t.pieces[low]; len(p.text) == end-i {
				single = single || end == i+letter
				if score := best[i].score + float64(p.score); score > best[end].score {
					best[end] = cut{score, int32(i), p.id}
				}
				low++
			}
			if end == len(text) {
				break
			}
			low, high = t.narrow(low, high, end-i, text[end])
			end++
		}
		if score := best[i].score + t.unknown; !single && score > best[i+letter].score {
			best[i+letter] = cut{score, int32(i), unknownPiece}
		}
		i += letter
	}
	start := len(into)
	for i := len(text); i > 0; i = int(best[i].from) {
		into = append(into, best[i].piece)
	}
	slices.Reverse(into[start:])
	return append(into, endPiece)
}

// narrow gives those of the pieces low..high, which share their first n bytes
// and are longer, whose next byte is b.
func (t *tokenizer) narrow(low, high int32, n int, b byte) (from, to int32) {
	pieces := t.pieces[low:high]
	start, _ := slices.BinarySearchFunc(pieces, b, func(p piece, b byte) int { return cmp.Compare(p.text[n], b) })
	size, _ := slices.BinarySearchFunc(pieces[start:], b, func(p piece, b byte) int {
		if p.text[n] <= b {
			return -1
		}
		return 1
	})
	return low + int32(start), low + int32(start+size)
}
