package docs

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	lists = regexp.MustCompile(`(?m)^readonly (PARTS|NIGHTLY)="([^"]*)"`)
	row   = regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| .+ \\| (\\d+(?:\\.\\d)?) \\| (CI|nightly) \\|$")
)

// The table of the checks in CONTRIBUTING.md has every part that verify/run knows, where it
// runs it.
func TestTableOfParts(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../verify/run")
	require.NoError(t, err)
	run := map[string]string{}
	for _, list := range lists.FindAllStringSubmatch(string(script), -1) {
		for part := range strings.FieldsSeq(list[2]) {
			require.Empty(t, run[part], "%s is there twice", part)
			run[part] = map[string]string{"PARTS": "CI", "NIGHTLY": "nightly"}[list[1]]
			_, err := os.Stat("../verify/" + part)
			require.NoError(t, err)
		}
	}
	require.Greater(t, len(run), 10)
	text, err := os.ReadFile("../CONTRIBUTING.md")
	require.NoError(t, err)
	said := map[string]string{}
	for _, r := range row.FindAllStringSubmatch(string(text), -1) {
		require.Empty(t, said[r[1]], "%s is there twice", r[1])
		said[r[1]] = r[3]
	}
	require.Equal(t, run, said)
}
