// What a score means: which of the best matches are answers, and which are merely
// the nearest of what there is.

package embedding

// Relevance says in a word what the score of a match means (contract 4.2).
type Relevance string

// The words of Relevance. A query has no answer when its best match is Low.
const (
	Unknown Relevance = "" // the embedder is not calibrated
	High    Relevance = "high"
	Medium  Relevance = "medium"
	Low     Relevance = "low"
)

// calibration holds the least scores of an embedder's High and Medium. They are
// chosen on judged queries and on queries that nothing answers; docs/search.md has
// the errors.
type calibration struct{ high, medium float64 }

var builtInCalibration = calibration{high: 0.3, medium: 0.08}

func (c calibration) of(score float64) Relevance {
	switch {
	case score >= c.high:
		return High
	case score >= c.medium:
		return Medium
	default:
		return Low // a NaN too
	}
}
