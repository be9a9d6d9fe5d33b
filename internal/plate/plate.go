// Package plate brings license plates into canonical form (contract 2.12), and
// nothing else.
package plate

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// MaxLength is the longest canonical plate, in characters.
const MaxLength = 32

var (
	// ErrInvalid is a character other than a letter or digit.
	ErrInvalid = errors.New("license plate has a character other than a letter or digit")
	// ErrTooLong is a canonical form of more than MaxLength characters.
	ErrTooLong = errors.New("license plate is longer than 32 characters")
)

// Canonical returns the canonical form: white space and the separators `-`,
// `_`, `.`, `/` removed, NFC, Unicode upper case by the full mapping (`ß` gives
// `SS`), NFC. The result is a fixed point. An empty result means no plate.
func Canonical(s string) (string, error) {
	c := Fold(s)
	if !Valid(c) {
		return "", ErrInvalid
	}
	if utf8.RuneCountInString(c) > MaxLength {
		return "", ErrTooLong
	}
	return c, nil
}

// Fold is Canonical without its checks.
func Fold(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune("-_./", r) {
			return -1
		}
		return r
	}, s)
	// Upper-casing may decompose or combine what NFC then joins, which may have
	// an upper case of its own: repeat until nothing changes. Real plates need
	// one round.
	for {
		next := norm.NFC.String(cases.Upper(language.Und).String(norm.NFC.String(s)))
		if next == s {
			return s
		}
		s = next
	}
}

// Valid tells whether a folded text consists of letters and digits only: a
// letter is category L, or M after a letter or another such M; a digit is Nd.
func Valid(folded string) bool {
	afterLetter := false
	for _, r := range folded {
		switch {
		case unicode.IsLetter(r):
			afterLetter = true
		case unicode.IsMark(r) && afterLetter:
		case unicode.Is(unicode.Nd, r):
			afterLetter = false
		default:
			return false
		}
	}
	return true
}
