// Command evalsearch measures the search on judged catalogues: words alone, the
// model whose weights EMBEDDINGS_WEIGHTS names, and with EMBEDDINGS_URL the
// endpoint's model. Flags and wiring only; internal/searcheval does the work.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

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
	folder := flags.String("catalogue", "", "`folder` with a judged catalogue, in the format of the demo catalogue, in place of the built-in ones")
	queries := flags.Bool("queries", false, "print every query with what it found, worst first; not of the unseen catalogue and the held-out set")
	misspelt := flags.Bool("misspelt", false, "measure names of machines with a letter wrong, made by program, in place of the judged queries")
	goals := flags.Bool("goals", false, "fail unless words alone, and the model of EMBEDDINGS_WEIGHTS, reach their goals on what is unseen")
	if err := flags.Parse(args); err != nil {
		return err
	}
	sets, err := setsOf(*folder)
	if err != nil {
		return err
	}
	configured, err := config.Load[config.Evaluation]()
	if err != nil {
		return err
	}
	lexicon := configured.Embeddings.Lexicon
	settings := []config.Embeddings{{Lexicon: lexicon}}
	if configured.Embeddings.Weights != "" {
		settings = append(settings, config.Embeddings{Weights: configured.Embeddings.Weights, Lexicon: lexicon})
	}
	if configured.Embeddings.URL != "" {
		settings = append(settings, configured.Embeddings)
	}
	if *goals && configured.Embeddings.Weights == "" {
		return errors.New("the goals are those of the default: set EMBEDDINGS_WEIGHTS")
	}
	all := true
	for _, s := range settings {
		embedder, err := embedding.New(s, nil)
		if err != nil {
			return err
		}
		if *misspelt {
			if err := writeMisspelt(ctx, out, embedder, sets); err != nil {
				return err
			}
			continue
		}
		measured, err := searcheval.Measure(ctx, embedder, sets)
		if err != nil {
			return err
		}
		if *folder == "" {
			left, ok, err := searcheval.LeaveOneTypeOut(ctx, embedder, demoSets(sets))
			if err != nil {
				return err
			}
			if ok {
				measured = append(measured, left)
			}
		}
		fmt.Fprintf(out, "\n## %s\n\n", embedder.Model())
		if err := searcheval.WriteTable(out, measured); err != nil {
			return err
		}
		if *queries {
			if err := writeQueries(out, measured); err != nil {
				return err
			}
		}
		if *goals && s.URL == "" {
			fmt.Fprintln(out)
			wanted := searcheval.WordsGoals
			if s.Weights != "" {
				wanted = searcheval.ModelGoals
			}
			met, err := searcheval.WriteGoals(out, measured[:1], wanted, s.Weights != "")
			if err != nil {
				return err
			}
			all = all && met
		}
	}
	if !all {
		return errors.New("not every goal is met")
	}
	return nil
}

func writeMisspelt(ctx context.Context, out io.Writer, e embedding.Embedder, sets []searcheval.Set) error {
	measured, err := searcheval.MeasureMisspelt(ctx, e, sets)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n## %s\n\n", e.Model())
	return searcheval.WriteMisspelt(out, measured)
}

func setsOf(folder string) ([]searcheval.Set, error) {
	if folder == "" {
		return searcheval.ReadSets(demo.Data)
	}
	set, err := searcheval.ReadFolder(filepath.Base(folder), os.DirFS(folder))
	return []searcheval.Set{set}, err
}

func demoSets(sets []searcheval.Set) (out []searcheval.Set) {
	for _, s := range sets {
		if strings.HasPrefix(s.Name, "demo") {
			out = append(out, s)
		}
	}
	return out
}

func writeQueries(out io.Writer, measured []searcheval.Measured) error {
	for _, m := range measured {
		if m.Set.Unseen {
			continue // whoever has read these could no longer measure with them
		}
		fmt.Fprintf(out, "\n%s:\n\n", m.Set.Name)
		if err := searcheval.WriteQueries(out, m.Results); err != nil {
			return err
		}
	}
	return nil
}
