// Words of English and Russian that are spelt right, whatever they mean: the
// speller leaves them alone.

package embedding

import (
	_ "embed"
	"encoding/binary"
	"slices"
	"sort"
)

// dictionaryFile holds the hashes of words that are spelt right, sorted, four bytes each; made by internal/embedding/dictionary. A wrong word
// meets one of them by chance once in twenty thousand times.
//
//go:embed dictionary.bin
var dictionaryFile string

// PackDictionary gives what dictionary.bin holds of the words.
func PackDictionary(words []string) []byte {
	var hashes []uint32
	for _, word := range words {
		for _, t := range tokenise(fold(word), nil) {
			hashes = append(hashes, dictionaryHash(t))
		}
	}
	slices.Sort(hashes)
	var out []byte
	for _, hash := range slices.Compact(hashes) {
		out = binary.BigEndian.AppendUint32(out, hash)
	}
	return out
}

// dictionaryHash is that of an English word as it is written, as the stem of
// "magnatic" is that of "magnates", and of the stem of a Russian one, which has too
// many endings.
func dictionaryHash(t token) uint32 {
	if isASCII(t.text) {
		return hashOn(hashBasis, t.text)
	}
	return hashOn(hashBasis, t.stem)
}

// spelledRight reports whether the word is one of the dictionary.
func spelledRight(t token) bool {
	const size = 4
	hash := string(binary.BigEndian.AppendUint32(nil, dictionaryHash(t)))
	n := len(dictionaryFile) / size
	i := sort.Search(n, func(i int) bool { return dictionaryFile[size*i:size*i+size] >= hash })
	return i < n && dictionaryFile[size*i:size*i+size] == hash
}
