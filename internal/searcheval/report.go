// The evaluation as text: a table of means, and on request each query with what
// it found.

package searcheval

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteTable prints the means for each category of judgments and overall, as a
// Markdown table.
func WriteTable(w io.Writer, results []Result) error {
	var categories []string
	for _, r := range results {
		if !slices.Contains(categories, r.Judgment.Category) {
			categories = append(categories, r.Judgment.Category)
		}
	}
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 1, ' ', 0)
	fmt.Fprintln(t, "| category\t| queries\t| nDCG@10\t| recall@10\t| wanted first\t|")
	fmt.Fprintln(t, "|---\t|--:\t|--:\t|--:\t|--:\t|")
	line := func(name string, s Scores) {
		fmt.Fprintf(t, "| %s\t| %d\t| %.3f\t| %.3f\t| %.0f %%\t|\n", name, s.Queries, s.NDCG, s.Recall, 100*s.First)
	}
	for _, category := range categories {
		line(category, Mean(results, func(j Judgment) bool { return j.Category == category }))
	}
	line("overall", Mean(results, nil))
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteQueries prints each query with its scores and the first vehicles found,
// worst first.
func WriteQueries(w io.Writer, results []Result) error {
	sorted := slices.Clone(results)
	slices.SortStableFunc(sorted, func(a, b Result) int {
		switch {
		case a.NDCG < b.NDCG:
			return -1
		case a.NDCG > b.NDCG:
			return 1
		}
		return 0
	})
	for _, r := range sorted {
		if _, err := fmt.Fprintf(w, "%.3f %.3f %s %q\n      %s\n", r.NDCG, r.Recall, r.Judgment.Key, r.Judgment.Query,
			strings.Join(r.Top, " ")); err != nil {
			return err
		}
	}
	return nil
}
