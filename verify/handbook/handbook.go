// Package handbook gives out the commands and settings of docs/operations.md, so that what rehearses them runs what the
// page says.
package handbook

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// Page is the path of the document, from the root of the repository.
const Page = "docs/operations.md"

var block = regexp.MustCompile("(?ms)^```(?:ini|sh|sql)\n(.*?)^```$")

// Blocks are the commands and settings of a section (a heading of the second level) in their order. They must be as
// many as the caller knows what to do with: who adds one to the page has it rehearsed.
func Blocks(path, heading string, many int) ([]string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	_, section, found := strings.Cut(string(raw), "\n## "+heading+"\n")
	if !found {
		return nil, fmt.Errorf("%s has no section %q", path, heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var all []string
	for _, match := range block.FindAllStringSubmatch(section, -1) {
		all = append(all, match[1])
	}
	if len(all) != many {
		return nil, fmt.Errorf("%s, %q: %d blocks of commands and settings, not %d", path, heading, len(all), many)
	}
	return all, nil
}
