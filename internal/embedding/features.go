// Weighted features and how they are hashed into a vector.

package embedding

import (
	"cmp"
	"math"
	"slices"
)

// feature is something true of a text, by the hash of its name.
type feature struct {
	key    uint64
	weight float32
}

func compareFeatures(a, b feature) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.weight, b.weight))
}

// bag collects the features of one text; the same feature may come many times.
type bag []feature

func (b *bag) add(key uint64, weight float32) {
	if weight > 0 {
		*b = append(*b, feature{key, weight})
	}
}

// addTo adds the features to out as a vector of that length; nothing where there
// are none. Repetition counts less and less (1 + ln), so that a text cannot win by
// saying a word often. It sorts the bag, so that the result does not depend on the
// order of adding.
func (b bag) addTo(out []float32, length float64, s *scratch) {
	s.part = slices.Grow(s.part[:0], len(out))[:len(out)]
	clear(s.part)
	slices.SortFunc(b, compareFeatures)
	for i := 0; i < len(b); {
		key, sum := b[i].key, float32(0)
		for ; i < len(b) && b[i].key == key; i++ {
			sum += b[i].weight
		}
		if sum > 1 {
			sum = 1 + float32(math.Log(float64(sum)))
		}
		write(s.part, key, sum)
	}
	if !normalise(s.part) {
		return
	}
	for i, x := range s.part {
		out[i] += x * float32(length)
	}
}

// spread is in how many places a feature is written: two features that meet in
// one place rarely meet in the other too.
const spread = 2

func write(out []float32, key uint64, weight float32) {
	h := key
	for range spread {
		h = mix(h)
		place(out, h, weight)
	}
}

// place adds the weight with a hashed sign at a hashed place.
func place(out []float32, h uint64, weight float32) {
	if h&1 == 0 {
		weight = -weight
	}
	out[(h>>32)*uint64(len(out))>>32] += weight
}

// hashString is FNV-1a over the family and the name: stable for ever, because
// stored vectors depend on it.
func hashString(family, name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(family) {
		h = (h ^ uint64(family[i])) * 1099511628211
	}
	h = (h ^ 0xff) * 1099511628211
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return mix(h)
}

// hashBasis is the hash of nothing.
const hashBasis = uint32(2166136261)

// hashOn goes on with the FNV-1a hash of a text whose beginning has the hash h.
func hashOn(h uint32, s string) uint32 {
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// mix spreads every bit over all others (the finaliser of SplitMix64).
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
