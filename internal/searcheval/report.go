// The evaluation as text: tables with all catalogues as columns, on request each
// query with what it found, and what was to be reached beside what was.

package searcheval

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// overall stands for all categories.
const overall = "overall"

func in(category string) func(Judgment) bool {
	return func(j Judgment) bool { return category == overall || j.Category == category }
}

// categories in the order of the tables; a set may lack some.
var categories = []string{"need", "cross-lingual", "spec", "typo", "lexical", overall}

// WriteTable prints nDCG@10 for each category, a column for each set, and below
// recall@10 and the share of queries with a wanted machine first, as a Markdown
// table.
func WriteTable(w io.Writer, measured []Measured) error {
	return table(w, func(line func(...string)) {
		head, rule := []string{"nDCG@10"}, []string{"---"}
		for _, m := range measured {
			head, rule = append(head, m.Set.Name), append(rule, "--:")
		}
		line(head...)
		line(rule...)
		row := func(name string, value func(Measured) string) {
			cells := []string{name}
			for _, m := range measured {
				cells = append(cells, value(m))
			}
			line(cells...)
		}
		for _, category := range categories {
			row(category, func(m Measured) string {
				s := Mean(m.Results, in(category))
				if s.Queries == 0 {
					return ""
				}
				return fmt.Sprintf("%.3f", s.NDCG)
			})
		}
		row("recall@10", func(m Measured) string { return fmt.Sprintf("%.3f", Mean(m.Results, nil).Recall) })
		row("wanted first", func(m Measured) string { return percent(Mean(m.Results, nil).First) })
		row("queries", func(m Measured) string { return strconv.Itoa(len(m.Results)) })
		row("noise marked low", func(m Measured) string {
			if len(m.Noise) == 0 || !m.calibrated() {
				return ""
			}
			return percent(m.NoiseLow())
		})
		row("answers marked low", func(m Measured) string {
			if !m.calibrated() {
				return ""
			}
			return percent(m.AnswersLow())
		})
	})
}

// WriteMisspelt prints, for each way to spell a word wrong, nDCG@10 and the share
// of cases with a wanted vehicle among the first ten: a column for each catalogue, the
// last for all cases together.
func WriteMisspelt(w io.Writer, measured []Misspelt) error {
	return table(w, func(line func(...string)) {
		var catalogues, ways []string
		for _, m := range measured {
			if !slices.Contains(catalogues, m.Catalogue) {
				catalogues = append(catalogues, m.Catalogue)
			}
			if !slices.Contains(ways, m.Slip) {
				ways = append(ways, m.Slip)
			}
		}
		head, rule := []string{"misspelt"}, []string{"---"}
		for _, catalogue := range append(slices.Clone(catalogues), "all") {
			head, rule = append(head, catalogue), append(rule, "--:")
		}
		line(head...)
		line(rule...)
		row := func(name string, wanted func(Misspelt) bool) {
			cells, queries := []string{name}, []string{"cases"}
			for _, catalogue := range append(slices.Clone(catalogues), "") {
				var ndcg, found float64
				n := 0
				for _, m := range measured {
					if (catalogue == "" || m.Catalogue == catalogue) && wanted(m) {
						n += m.Scores.Queries
						ndcg += m.Scores.NDCG * float64(m.Scores.Queries)
						found += m.Found * float64(m.Scores.Queries)
					}
				}
				cells = append(cells, fmt.Sprintf("%.3f, %s", ndcg/float64(max(1, n)), percent(found/float64(max(1, n)))))
				queries = append(queries, strconv.Itoa(n))
			}
			line(cells...)
			if name == misspeltAll {
				line(queries...)
			}
		}
		for _, way := range ways {
			row(way, func(m Misspelt) bool { return m.Slip == way })
		}
		row(misspeltAll, func(m Misspelt) bool { return m.Slip != slips[0].name })
	})
}

// misspeltAll names the row of all cases that are spelt wrong.
const misspeltAll = "all that are wrong"

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// table writes lines of cells as a Markdown table.
func table(w io.Writer, fill func(line func(cells ...string))) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 1, ' ', 0)
	fill(func(cells ...string) { fmt.Fprintf(t, "| %s\t|\n", strings.Join(cells, "\t| ")) })
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Goal is what an embedder must reach on a catalogue that nothing was chosen on.
type Goal struct {
	Category string
	NDCG     float64
	Gate     bool
}

// What the default with its model, and words alone, must reach on unseen
// catalogues. A gate fails a measurement that misses it; the others, of ten or
// twelve queries each, are shown.
var (
	ModelGoals = []Goal{
		{overall, 0.75, true}, {"need", 0.50, true}, {"cross-lingual", 0.60, true}, {"typo", 0.90, true},
		{"spec", 0.88, false}, {"lexical", 0.93, false},
	}
	WordsGoals = []Goal{{overall, 0.62, true}}
)

// Least share of noise, and most of answers, that may be marked low.
const (
	noiseLowGoal   = 0.95
	answersLowGoal = 0.05
)

// WriteGoals prints a line for each goal and reports whether all gates are met on
// every set given.
func WriteGoals(w io.Writer, measured []Measured, goals []Goal, calibrated bool) (bool, error) {
	var b strings.Builder
	all := true
	goal := func(met, gate bool, format string, args ...any) {
		verdict := "met"
		if !met {
			verdict, all = "MISSED", all && !gate
		}
		fmt.Fprintf(&b, "%s: %s\n", fmt.Sprintf(format, args...), verdict)
	}
	for _, m := range measured {
		for _, g := range goals {
			if s := Mean(m.Results, in(g.Category)); s.Queries > 0 {
				goal(s.NDCG >= g.NDCG, g.Gate, "%s, %s: %.3f, at least %.2f", m.Set.Name, g.Category, s.NDCG, g.NDCG)
			}
		}
		if calibrated && len(m.Noise) > 0 {
			goal(m.NoiseLow() >= noiseLowGoal, true, "%s, noise marked low: %s, at least %s", m.Set.Name, percent(m.NoiseLow()), percent(noiseLowGoal))
			goal(m.AnswersLow() <= answersLowGoal, true, "%s, answers marked low: %s, at most %s", m.Set.Name, percent(m.AnswersLow()), percent(answersLowGoal))
		}
	}
	_, err := io.WriteString(w, b.String())
	return all, err
}

// WriteQueries prints each query with its scores and the first vehicles found,
// worst first.
func WriteQueries(w io.Writer, results []Result) error {
	sorted := slices.Clone(results)
	slices.SortStableFunc(sorted, func(a, b Result) int { return cmp.Compare(a.NDCG, b.NDCG) })
	for _, r := range sorted {
		if _, err := fmt.Fprintf(w, "%.3f %.3f %.3f %s %q\n      %s\n", r.NDCG, r.Recall, r.Best, r.Judgment.Key, r.Judgment.Query,
			strings.Join(r.Top, " ")); err != nil {
			return err
		}
	}
	return nil
}
