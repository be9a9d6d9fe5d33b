package handbook

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// Every command and setting of the page is run by somebody as it stands there.
func TestEveryBlockIsRehearsed(t *testing.T) {
	t.Parallel()
	asked := map[string]bool{}
	call := regexp.MustCompile(`handbook\.Blocks\([^,]+, "([^"]+)", \d+\)`)
	for _, dir := range []string{"internal", "verify"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, dir), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.Contains(path, "handbook") {
				return err
			}
			source, err := os.ReadFile(path)
			for _, match := range call.FindAllStringSubmatch(string(source), -1) {
				asked[match[1]] = true
			}
			return err
		}))
	}
	raw, err := os.ReadFile(filepath.Join(root, Page))
	require.NoError(t, err)
	sections := strings.Split(string(raw), "\n## ")
	with := 0
	for _, section := range sections[1:] {
		heading, text, _ := strings.Cut(section, "\n")
		if !strings.Contains(text, "\n```") {
			continue
		}
		with++
		require.True(t, asked[heading], "nobody rehearses what %q says", heading)
	}
	require.Equal(t, len(asked), with)
	require.Positive(t, with)
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	page := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(page, []byte("# P\n\n## One\n\n```sh\na \\\n  b\n```\n\n```ini\nc = 1\n```\n\n```text\nsaid\n```\n\n## Two\n\n```sh\nd\n```\n"), 0o600))
	one, err := Blocks(page, "One", 2)
	require.NoError(t, err)
	require.Equal(t, []string{"a \\\n  b\n", "c = 1\n"}, one)
	_, err = Blocks(page, "One", 3)
	require.ErrorContains(t, err, "2 blocks of commands and settings, not 3")
	_, err = Blocks(page, "Three", 1)
	require.ErrorContains(t, err, "no section")
}
