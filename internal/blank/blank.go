// Package blank knows which texts nobody can see anything of (contract 1.5).
package blank

import "unicode"

// unseen are characters without a form of their own that Unicode does not count
// among the default ignorable ones.
var unseen = map[rune]bool{
	'\u2800':     true, // braille pattern blank
	'\U0001D159': true, // musical symbol null notehead
}

// Text reports whether a text has no character that can be seen: nothing but white
// space and what Unicode calls default ignorable, such as U+200B and U+3164. Control
// characters are a matter of their own.
func Text(s string) bool {
	for _, r := range s {
		if isSeen(r) {
			return false
		}
	}
	return true
}

// isSeen follows the derivation of Default_Ignorable_Code_Point in Unicode's
// DerivedCoreProperties: the format characters that stand before digits
// (U+0600 and the like) are seen.
func isSeen(r rune) bool {
	return unicode.Is(unicode.Prepended_Concatenation_Mark, r) ||
		!unicode.In(r, unicode.White_Space, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) && !unseen[r]
}
