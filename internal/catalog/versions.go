package catalog

// This file: optimistic locking (contract 1.3).

import (
	"strconv"
	"strings"
)

// etag is the version as a tag; the edge adds what depends on the bytes.
func etag(version int64) string { return `"` + strconv.FormatInt(version, 10) + `"` }

// checkVersion compares If-Match with the stored version. A tag is the version, a
// dot and what depends on the bytes; the version does not, so a tag that something
// on the way made weak or gave a suffix is as good, and so is a bare version.
func checkVersion(ifMatch *string, version int64) error {
	if ifMatch == nil || strings.TrimSpace(*ifMatch) == "*" {
		return nil
	}
	for tag := range strings.SplitSeq(*ifMatch, ",") {
		tag, quoted := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(tag), "W/"), `"`)
		named := tag[:len(tag)-len(strings.TrimLeft(tag, "0123456789"))]
		if quoted && named == strconv.FormatInt(version, 10) {
			return nil
		}
	}
	return errVersion
}
