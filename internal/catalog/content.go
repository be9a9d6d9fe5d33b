package catalog

// This file: how much one vehicle or type may hold (contract 2.9): a page of a hundred of
// them has to fit.

import (
	"encoding/json"
	"time"
)

// maxContent is in bytes of JSON, as an answer shows it.
const maxContent = 256 << 10

// contentCheckFrom is the length of a request's lists from which the content
// before the change is looked at: with less, nobody comes from below the limit to
// above it unless it was there nearly.
const contentCheckFrom = 64 << 10

// content is the length of a resource's JSON, and of that what each change leaves in
// it: who made it, when, the version. A time is shorter when its last digits are 0.
type content struct{ length, mark int }

func contentOf(length int, updatedAt time.Time, updatedBy string, version int64) (content, error) {
	mark, err := json.Marshal([]any{updatedAt, updatedBy, version})
	return content{length, len(mark)}, err
}

// checkContent refuses a resource that has become too large. One that was larger
// already may shrink. before is what it held before the change, nothing for a new one.
func checkContent(before, now content) error {
	if now.length > maxContent && now.length-now.mark >= before.length-before.mark {
		return at(errTooMuchContent, "params", "make the resource larger than 256 KiB of JSON")
	}
	return nil
}
