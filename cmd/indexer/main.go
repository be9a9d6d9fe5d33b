// Command indexer writes the vectors of the semantic search. Flags and wiring
// only: internal/indexing does the work.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/indexing"
	"equipment-platform/internal/program"
	"equipment-platform/internal/telemetry"
)

func main() {
	root := program.Root("indexer", "Writes the vectors of the semantic search", func(w io.Writer) {
		config.Describe[config.Indexer](w)
	})
	root.AddCommand(runCommand(), rebuildCommand(), statusCommand(), pruneCommand(), retryCommand())
	program.Main(root)
}

// withIndexer opens what a command needs. model, when set, replaces
// EMBEDDINGS_MODEL.
func withIndexer(model *string, f func(context.Context, *cobra.Command, config.Indexer, *indexing.Indexer, *edge.Metrics) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		settings, err := config.Load[config.Indexer]()
		if err != nil {
			return err
		}
		if model != nil && *model != "" {
			settings.Embeddings.Model = *model
		}
		log := program.Logger(settings.Process)
		tracing, err := telemetry.Start(c.Context(), "indexer", log)
		if err != nil {
			return err
		}
		defer tracing.Close()
		log = tracing.Logger(log)
		db, err := database.Open(c.Context(), settings.Database.URL, settings.Database.MaxConns, "indexer", tracing.Database())
		if err != nil {
			return err
		}
		defer db.Close()
		if err := database.Verify(c.Context(), db, "DATABASE_URL"); err != nil {
			return err
		}
		embedder, err := embedding.New(settings.Embeddings, func(next http.RoundTripper) http.RoundTripper { return tracing.Transport("embeddings", next) })
		if err != nil {
			return err
		}
		metrics := edge.NewMetrics()
		metrics.Registry.MustRegister(database.Stats(db, "primary"))
		return f(c.Context(), c, settings, indexing.New(db, embedder, log, indexing.NewMetrics(metrics.Registry), tracing, newProgress()), metrics)
	}
}

func runCommand() *cobra.Command {
	return &cobra.Command{
		Use: "run", Short: "Follow vehicle changes until stopped", Args: cobra.NoArgs,
		RunE: withIndexer(nil, func(ctx context.Context, _ *cobra.Command, settings config.Indexer, x *indexing.Indexer, metrics *edge.Metrics) error {
			group, ctx := errgroup.WithContext(ctx)
			group.Go(func() error { return x.Run(ctx) })
			group.Go(func() error { return metrics.ServeAdmin(ctx, settings.Admin.Addr, nil) })
			return group.Wait()
		}),
	}
}

func rebuildCommand() *cobra.Command {
	var model string
	c := &cobra.Command{Use: "rebuild", Short: "Embed every public vehicle again, beside the vectors of other models", Args: cobra.NoArgs}
	c.Flags().StringVar(&model, "model", "", "model to rebuild for, in place of EMBEDDINGS_MODEL")
	c.RunE = withIndexer(&model, func(ctx context.Context, c *cobra.Command, _ config.Indexer, x *indexing.Indexer, _ *edge.Metrics) error {
		var bar *progressbar.ProgressBar
		err := x.Rebuild(ctx, func(total int64) { bar = newBar(total, "rebuild") }, func(n int) { _ = bar.Add(n) })
		if err != nil {
			return err
		}
		_ = bar.Finish()
		if err := x.Drain(ctx); err != nil {
			return err
		}
		return x.WriteStatus(ctx, c.OutOrStdout())
	})
	return c
}

func statusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Show what is indexed, what waits and what is parked", Args: cobra.NoArgs,
		RunE: withIndexer(nil, func(ctx context.Context, c *cobra.Command, _ config.Indexer, x *indexing.Indexer, _ *edge.Metrics) error {
			return x.WriteStatus(ctx, c.OutOrStdout())
		}),
	}
}

func pruneCommand() *cobra.Command {
	return &cobra.Command{
		Use: "prune", Short: "Remove the vectors of all models but the one in use", Args: cobra.NoArgs,
		RunE: withIndexer(nil, func(ctx context.Context, c *cobra.Command, _ config.Indexer, x *indexing.Indexer, _ *edge.Metrics) error {
			removed, err := x.Prune(ctx)
			if err == nil {
				_, err = fmt.Fprintf(c.OutOrStdout(), "%d vectors removed\n", removed)
			}
			return err
		}),
	}
}

func retryCommand() *cobra.Command {
	return &cobra.Command{
		Use: "retry", Short: "Try again what is parked: what the embedding endpoint rejected for good", Args: cobra.NoArgs,
		RunE: withIndexer(nil, func(ctx context.Context, c *cobra.Command, _ config.Indexer, x *indexing.Indexer, _ *edge.Metrics) error {
			n, err := x.RetryParked(ctx)
			if err == nil {
				_, err = fmt.Fprintf(c.OutOrStdout(), "%d rows are tried again\n", n)
			}
			return err
		}),
	}
}

// bar shows the backlog of `run` on a terminal.
type bar struct{ *progressbar.ProgressBar }

func newProgress() indexing.Progress {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil // metrics tell
	}
	return &bar{newBar(-1, "indexing")}
}

// Waiting implements indexing.Progress.
func (b *bar) Waiting(rows int64) { b.Describe(fmt.Sprintf("indexing, %d waiting", rows)) }

// Done implements indexing.Progress.
func (b *bar) Done(rows int) { _ = b.Add(rows) }

func newBar(total int64, what string) *progressbar.ProgressBar {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return progressbar.DefaultSilent(total, what)
	}
	return progressbar.Default(total, what)
}
