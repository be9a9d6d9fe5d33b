// Package marked writes what was measured into a document.
package marked

import (
	"fmt"
	"os"
	"strings"
)

// Write puts the text between the lines <!-- NAME --> and <!-- /NAME --> of the
// document, in place of what is there. The text ends with a newline.
func Write(path, name, text string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
	before, rest, begins := strings.Cut(string(raw), begin)
	_, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		return fmt.Errorf("%s has no place for the table: a line %s and one %s", path, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return os.WriteFile(path, []byte(before+begin+text+end+after), 0o644)
}
