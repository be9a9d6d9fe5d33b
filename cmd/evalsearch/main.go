// Command evalsearch measures the search on the judged queries of the demo
// catalogue: the built-in embedder, and with EMBEDDINGS_URL the endpoint's model
// beside it. Flags and wiring only; internal/searcheval does the work.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"

	"equipment-platform/internal/config"
	"equipment-platform/internal/demo"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/searcheval"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "evalsearch:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("evalsearch", flag.ContinueOnError)
	queries := flags.Bool("queries", false, "print every query with what it found, worst first")
	goals := flags.Bool("goals", false, "fail unless the embedders reach their goals; needs EMBEDDINGS_URL")
	file := flags.String("judgments", "", "`file` of judgments in place of the built-in sets")
	if err := flags.Parse(args); err != nil {
		return err
	}
	catalogue, err := searcheval.ReadCatalogue(demo.Data)
	if err != nil {
		return err
	}
	sets, err := searcheval.ReadSets(demo.Data)
	if err != nil {
		return err
	}
	if *file != "" {
		raw, err := os.ReadFile(*file)
		if err != nil {
			return err
		}
		own := searcheval.Set{Name: *file}
		if err := json.Unmarshal(raw, &own.Judgments); err != nil {
			return fmt.Errorf("%s: %w", *file, err)
		}
		sets = []searcheval.Set{own}
	}
	configured, err := config.Load[config.Evaluation]()
	if err != nil {
		return err
	}
	settings := []config.Embeddings{{}}
	if configured.Embeddings.URL != "" {
		settings = append(settings, configured.Embeddings)
	}
	if *goals && (configured.Embeddings.URL == "" || *file != "") {
		return errors.New("the goals are of a model, set EMBEDDINGS_URL, on the built-in sets")
	}
	compared := make([]searcheval.Comparison, len(sets))
	for i, s := range settings {
		embedder, err := embedding.New(s, nil)
		if err != nil {
			return err
		}
		index, err := searcheval.NewIndex(ctx, embedder, catalogue)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n## %s\n", embedder.Model())
		for n, set := range sets {
			results, err := index.Run(ctx, set.Judgments)
			if err != nil {
				return err
			}
			compared[n].Set = set.Name
			if i == 0 {
				compared[n].BuiltIn = results
			} else {
				compared[n].Model = results
			}
			fmt.Fprintf(out, "\n%s:\n\n", set.Name)
			if err := searcheval.WriteTable(out, results); err != nil {
				return err
			}
			if *queries {
				fmt.Fprintln(out)
				if err := searcheval.WriteQueries(out, results); err != nil {
					return err
				}
			}
		}
	}
	if len(settings) == 1 {
		return nil
	}
	fmt.Fprint(out, "\n## side by side\n")
	for _, c := range append(slices.Clone(compared), searcheval.Together(compared)) {
		fmt.Fprintln(out)
		if err := searcheval.WriteComparison(out, c); err != nil {
			return err
		}
	}
	if !*goals {
		return nil
	}
	fmt.Fprintln(out)
	met, err := searcheval.WriteGoals(out, compared)
	if err == nil && !met {
		err = errors.New("not every goal is met")
	}
	return err
}
