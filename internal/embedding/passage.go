// Everything about the text that stands for a vehicle in the search: what goes
// into it, in which order, and the fingerprint that tells when it changed.

package embedding

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// PassageVersion is part of every fingerprint: raising it embeds every vehicle
// anew. Raise it with each change of Passage.
const PassageVersion = "2"

// VehicleText is what a passage is made of. Names are as the catalogue shows
// them; empty ones are left out.
type VehicleText struct {
	Brand       string
	Model       string
	TypeTitle   string
	Categories  []string // names of the type's categories
	Groups      []string // names of the groups that the categories lie in
	Tags        []string // names of the search tags of the vehicle and its type
	Params      []ParamText
	ReleaseYear int // 0: unknown
}

// ParamText is one parameter value of a vehicle.
type ParamText struct {
	Name  string
	Value string // as stored; a boolean is "true" or "false"
	Unit  string // code of the unit; empty: none
	// Boolean tells a yes-or-no value from a text that reads "true".
	Boolean bool
}

// Passage is the text that is embedded for a vehicle. It is a pure function of
// its argument.
//
// One line for each kind of fact, the most telling first: type title; brand and
// model; categories and groups; tags; parameters with units; year. The built-in
// embedders weigh the lines in this order, so a kind without facts leaves its
// line empty. A parameter that says no is left out: neither words nor vectors of
// a sentence can say no, and "Enclosed cab" would attract who asks for one.
func Passage(v VehicleText) string {
	var b strings.Builder
	words(&b, " ", v.TypeTitle)
	b.WriteByte('\n')
	words(&b, " ", v.Brand, v.Model)
	b.WriteByte('\n')
	words(&b, ", ", distinct(v.Categories, v.Groups)...)
	b.WriteByte('\n')
	words(&b, ", ", distinct(v.Tags)...)
	b.WriteByte('\n')
	params := make([]string, 0, len(v.Params))
	for _, p := range v.Params {
		params = append(params, paramText(p))
	}
	words(&b, "; ", params...)
	b.WriteByte('\n')
	if v.ReleaseYear != 0 {
		b.WriteString("Year " + strconv.Itoa(v.ReleaseYear))
	}
	return strings.TrimRight(b.String(), "\n")
}

// Fingerprint tells whether a stored vector is still the right one: it is the
// hash of the model's name, the version of Passage, the passage and what the
// lexicon makes of it, in hex. A changed term therefore changes the fingerprints
// of the passages that it touches, and no others.
func Fingerprint(e Embedder, passage string) string {
	h := sha256.New()
	for _, part := range []string{e.Model(), PassageVersion, passage, e.Meanings(passage)} {
		// The lengths keep ("ab", "c") apart from ("a", "bc").
		h.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func paramText(p ParamText) string {
	name, value := clean(p.Name), clean(p.Value)
	switch {
	case p.Boolean && value == "true":
		return name
	case p.Boolean || value == "":
		return ""
	case p.Unit == "":
		return name + " " + value
	}
	return name + " " + value + " " + clean(p.Unit)
}

// words writes the parts that are not blank with the separator between them.
func words(b *strings.Builder, separator string, parts ...string) {
	first := true
	for _, part := range parts {
		part = clean(part)
		if part == "" {
			continue
		}
		if !first {
			b.WriteString(separator)
		}
		first = false
		b.WriteString(part)
	}
}

// distinct joins lists and drops repetitions, which would count a word twice.
func distinct(lists ...[]string) []string {
	var out []string
	seen := map[string]bool{}
	for _, list := range lists {
		for _, item := range list {
			if key := strings.ToLower(clean(item)); !seen[key] {
				seen[key] = true
				out = append(out, item)
			}
		}
	}
	return out
}

// clean makes one line of a name: white space of any kind becomes one space, so
// that a line break inside a name cannot start another line of the passage.
func clean(s string) string { return strings.Join(strings.Fields(s), " ") }
