package catalog

// This file: how much one vehicle or type may hold (contract 2.9): a page of a hundred of
// them has to fit.

// maxContent is in bytes of JSON, as an answer shows it.
const maxContent = 256 << 10

// contentCheckFrom is the length of a request's lists from which the content
// before the change is looked at: with less, nobody comes from below the limit to
// above it unless it was there nearly.
const contentCheckFrom = 64 << 10

// checkContent refuses a resource that has become too large. One that was larger
// already may shrink. before is its length before the change, 0 for a new one.
func checkContent(before, now int) error {
	if now > maxContent && now >= before {
		return at(errTooMuchContent, "params", "make the resource larger than 256 KiB of JSON")
	}
	return nil
}
