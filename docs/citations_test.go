// Package docs has no code: its test holds the citations of the repository
// against the rules of contract.md.
package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

var (
	anchor   = regexp.MustCompile(`<a id="r(\d+\.\d+)"></a>\*\*(\d+\.\d+)`)
	link     = regexp.MustCompile(`#r(\d+\.\d+)`)
	citation = regexp.MustCompile(`\bcontract (\d+\.\d+)`)
	// A letter before the number, or before a chapter in parentheses: forms of
	// documents that nobody who clones the repository has.
	foreign = regexp.MustCompile(`\b[SD][1-9]\.\d{1,2}\b|\([SD][1-9][,)]`)
)

// citing are the kinds of files that cite rules; others are data, in which a
// letter and a number may be a machine's name. Scripts have no ending.
var citing = map[string]bool{
	".go": true, ".sql": true, ".yaml": true, ".yml": true, ".toml": true, ".py": true, ".ts": true, ".tsx": true,
	".css": true, ".md": true, ".tsv": true, "": true,
}

// Every rule that is cited stands in contract.md, under one number, and the
// published descriptions cite none: partners read them without it.
func TestCitations(t *testing.T) {
	t.Parallel()
	contract, err := os.ReadFile("contract.md")
	require.NoError(t, err)
	rules := map[string]bool{}
	for _, m := range anchor.FindAllStringSubmatch(string(contract), -1) {
		require.Equal(t, m[1], m[2], "the anchor of a rule is its number")
		require.False(t, rules[m[1]], "%s is the number of two rules", m[1])
		rules[m[1]] = true
	}

	names, err := exec.Command("git", "-C", "..", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	require.NoError(t, err)
	var wrong []string
	cited := 0
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		// what was published stays as it was, what is generated says what its source says
		if !citing[filepath.Ext(name)] || strings.HasPrefix(name, "gen/") || strings.HasPrefix(name, "openapi/published/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", name))
		if os.IsNotExist(err) || !utf8.Valid(text) {
			continue // deleted and not committed yet, or not a text
		}
		require.NoError(t, err)
		published := filepath.Dir(name) == "openapi" && filepath.Ext(name) == ".yaml"
		for i, line := range strings.Split(string(text), "\n") {
			at := func(format string, args ...any) {
				wrong = append(wrong, fmt.Sprintf("%s:%d: ", name, i+1)+fmt.Sprintf(format, args...))
			}
			for _, m := range citation.FindAllStringSubmatch(line, -1) {
				cited++
				if !rules[m[1]] {
					at("%s is no rule of docs/contract.md", m[0])
				}
				if before, _, _ := strings.Cut(line, m[0]); published && !strings.Contains(before, "#") {
					at("a description cites %s", m[0])
				}
			}
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				if filepath.Ext(name) == ".md" && !rules[m[1]] {
					at("%s leads nowhere", m[0])
				}
			}
			if old := foreign.FindString(line); old != "" {
				at("%s is not a citation that can be followed; the form is: contract 2.12", old)
			}
		}
	}
	require.Empty(t, strings.Join(wrong, "\n"))
	require.NotZero(t, cited)
}
