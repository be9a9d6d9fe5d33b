// The evaluation as text: tables of means, on request each query with what it
// found, and what was to be reached beside what was.

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
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 1, ' ', 0)
	fmt.Fprintln(t, "| category\t| queries\t| nDCG@10\t| recall@10\t| wanted first\t|")
	fmt.Fprintln(t, "|---\t|--:\t|--:\t|--:\t|--:\t|")
	line := func(name string, s Scores) {
		fmt.Fprintf(t, "| %s\t| %d\t| %.3f\t| %.3f\t| %.0f %%\t|\n", name, s.Queries, s.NDCG, s.Recall, 100*s.First)
	}
	for _, category := range append(categoriesOf(results), overall) {
		line(category, Mean(results, in(category)))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// overall stands for all categories.
const overall = "overall"

func categoriesOf(results []Result) []string {
	var out []string
	for _, r := range results {
		if !slices.Contains(out, r.Judgment.Category) {
			out = append(out, r.Judgment.Category)
		}
	}
	return out
}

func in(category string) func(Judgment) bool {
	return func(j Judgment) bool { return category == overall || j.Category == category }
}

// Comparison is what the built-in embedder and a model scored on one set.
type Comparison struct {
	Set            string
	BuiltIn, Model []Result
}

// Together joins the sets of several comparisons into one.
func Together(sets []Comparison) Comparison {
	out := Comparison{Set: "all sets"}
	for _, set := range sets {
		out.BuiltIn, out.Model = append(out.BuiltIn, set.BuiltIn...), append(out.Model, set.Model...)
	}
	return out
}

// WriteComparison prints nDCG@10 for each category, both embedders side by side.
func WriteComparison(w io.Writer, c Comparison) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 1, ' ', 0)
	fmt.Fprintln(t, "| category\t| queries\t| built-in\t| model\t|")
	fmt.Fprintln(t, "|---\t|--:\t|--:\t|--:\t|")
	for _, category := range append(categoriesOf(c.BuiltIn), overall) {
		builtIn, model := Mean(c.BuiltIn, in(category)), Mean(c.Model, in(category))
		fmt.Fprintf(t, "| %s\t| %d\t| %.3f\t| %.3f\t|\n", category, builtIn.Queries, builtIn.NDCG, model.NDCG)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s, nDCG@10:\n\n%s", c.Set, b.String())
	return err
}

// What must hold: nDCG@10 on the judgments of the demo catalogue, and where the
// model has to be better than the built-in embedder.
const (
	builtInGoal = 0.65
	modelGoal   = 0.90
)

var modelBetter = []string{"need", "cross-lingual"}

// WriteGoals prints a line for each goal and says whether all are met. The first
// set is that of the demo catalogue.
func WriteGoals(w io.Writer, sets []Comparison) (bool, error) {
	var b strings.Builder
	all := true
	goal := func(met bool, format string, args ...any) {
		verdict := "met"
		if !met {
			verdict, all = "MISSED", false
		}
		fmt.Fprintf(&b, "%s: %s\n", fmt.Sprintf(format, args...), verdict)
	}
	given := sets[0]
	builtIn, model := Mean(given.BuiltIn, nil).NDCG, Mean(given.Model, nil).NDCG
	goal(builtIn >= builtInGoal, "%s: built-in %.3f, at least %.2f", given.Set, builtIn, builtInGoal)
	goal(model >= modelGoal, "%s: model %.3f, at least %.2f", given.Set, model, modelGoal)
	for _, set := range []Comparison{given, Together(sets)} {
		for _, category := range modelBetter {
			builtIn, model := Mean(set.BuiltIn, in(category)).NDCG, Mean(set.Model, in(category)).NDCG
			goal(model > builtIn, "%s, %s: model %.3f, above built-in %.3f", set.Set, category, model, builtIn)
		}
	}
	_, err := io.WriteString(w, b.String())
	return all, err
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
