// How text is levelled before it is cut: compatibility forms become plain ones by
// the vocabulary's own table, and each run of spaces becomes one mark.

package encoder

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// spaceMark stands for a space, and before the first word.
const spaceMark = "\u2581"

// normalizer holds a trie of what is replaced, as a double array, and the
// replacements, each ended by a zero byte.
type normalizer struct {
	units        []uint32
	replacements []byte
}

func readNormalizer(table []byte) (*normalizer, error) {
	if len(table) < 8 {
		return nil, errVocabulary
	}
	size := binary.LittleEndian.Uint32(table)
	rest := table[4:]
	if size%4 != 0 || size == 0 || uint64(size) > uint64(len(rest)) {
		return nil, errVocabulary
	}
	n := &normalizer{units: make([]uint32, size/4), replacements: rest[size:]}
	for i := range n.units {
		n.units[i] = binary.LittleEndian.Uint32(rest[4*i:])
	}
	return n, nil
}

// offset is the distance from a unit of the double array to its children.
func offset(unit uint32) uint32 { return unit >> 10 << (unit & 0x200 >> 6) }

// unit gives a unit of the array, one without a label outside of it.
func (n *normalizer) unit(at uint32) uint32 {
	if at < uint32(len(n.units)) {
		return n.units[at]
	}
	return 1 << 31
}

// replace gives what stands for the start of the text, and how many bytes of it
// that is: the longest entry of the table, else one letter as it is.
func (n *normalizer) replace(text string) (string, int) {
	longest, value := 0, uint32(0)
	at := offset(n.units[0])
	for i := range len(text) {
		at ^= uint32(text[i])
		unit := n.unit(at)
		if unit&0x800000ff != uint32(text[i]) {
			break
		}
		at ^= offset(unit)
		if unit&0x100 != 0 {
			longest, value = i+1, n.unit(at)&0x7fffffff
		}
	}
	if longest == 0 || int(value) >= len(n.replacements) {
		_, size := utf8.DecodeRuneInString(text)
		return text[:size], size
	}
	replacement := n.replacements[value:]
	if end := bytes.IndexByte(replacement, 0); end >= 0 {
		replacement = replacement[:end]
	}
	return string(replacement), longest
}

// normalize gives the text as the vocabulary writes it; "" when nothing but
// spaces is left.
func (n *normalizer) normalize(text string) string {
	var out strings.Builder
	spaced := true // what came last is a space, or nothing
	for len(text) > 0 {
		part, size := n.replace(text)
		text = text[size:]
		for i := range len(part) {
			if part[i] == ' ' {
				spaced = true
				continue
			}
			if spaced {
				out.WriteString(spaceMark)
				spaced = false
			}
			out.WriteByte(part[i])
		}
	}
	return out.String()
}
