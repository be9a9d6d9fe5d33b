// Leave-one-type-out: how a catalogue is searched for machines that the lexicon
// has never heard of.

package searcheval

import (
	"context"

	"equipment-platform/internal/embedding"
)

// LeaveOneTypeOut takes from the lexicon, for one type after the other, what its
// title names, and runs the queries that want machines of that type. The sets must
// be of one catalogue. ok is false for an embedder without a lexicon of its own.
func LeaveOneTypeOut(ctx context.Context, e embedding.Embedder, sets []Set) (m Measured, ok bool, err error) {
	e = embedding.Remembering(e)
	catalogue := sets[0].Catalogue
	m.Set = Set{Name: "one type out", Catalogue: catalogue}
	done := map[string]bool{}
	for _, v := range catalogue.Active() {
		if done[v.Type] {
			continue
		}
		done[v.Type] = true
		var wanted []Judgment
		for _, set := range sets {
			for _, j := range set.Judgments {
				if j.Types[v.Type] == 2 {
					wanted = append(wanted, j)
				}
			}
		}
		if len(wanted) == 0 {
			continue
		}
		without, ok := embedding.WithoutTerms(e, v.Text.TypeTitle)
		if !ok {
			return m, false, nil
		}
		index, err := NewIndex(ctx, without, catalogue)
		if err != nil {
			return m, true, err
		}
		results, err := index.Run(ctx, wanted)
		if err != nil {
			return m, true, err
		}
		m.Results = append(m.Results, results...)
	}
	return m, true, nil
}
