package catalog

// This file: optimistic locking (D1.3).

import (
	"strconv"
	"strings"
)

func etag(version int64) string { return `"` + strconv.FormatInt(version, 10) + `"` }

// checkVersion compares If-Match with the stored version. Strong comparison:
// a weak tag never matches.
func checkVersion(ifMatch *string, version int64) error {
	if ifMatch == nil || matches(*ifMatch, version, false) {
		return nil
	}
	return errVersion
}

// notModified tells whether If-None-Match names the stored version. Weak
// comparison, as HTTP has it for reads.
func notModified(ifNoneMatch *string, version int64) bool {
	return ifNoneMatch != nil && matches(*ifNoneMatch, version, true)
}

func matches(header string, version int64, weak bool) bool {
	if strings.TrimSpace(header) == "*" {
		return true
	}
	want := etag(version)
	for tag := range strings.SplitSeq(header, ",") {
		tag = strings.TrimSpace(tag)
		if weak {
			tag = strings.TrimPrefix(tag, "W/")
		}
		if tag == want {
			return true
		}
	}
	return false
}
