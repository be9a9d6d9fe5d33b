// Tests of the command: it runs without an endpoint and reports bad input.

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	t.Setenv("EMBEDDINGS_URL", "")
	file := filepath.Join(t.TempDir(), "own.json")
	text := `[{"key":"x","query":"mini excavator","category":"lexical","types":{"mini-excavator":2}}]`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(context.Background(), []string{"-queries", "-judgments", file}, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "| overall") || !strings.Contains(out.String(), `"mini excavator"`) {
		t.Errorf("printed %s", out.String())
	}
	if err := run(context.Background(), []string{"-judgments", file + ".missing"}, &out); err == nil {
		t.Error("a missing file is no error")
	}
	if err := run(context.Background(), []string{"-goals"}, &out); err == nil {
		t.Error("goals without a model are no error")
	}
	t.Setenv("EMBEDDINGS_URL", "http://127.0.0.1:1/v1")
	t.Setenv("EMBEDDINGS_LEXICAL_SHARE", "much")
	if err := run(context.Background(), []string{"-judgments", file}, &out); err == nil {
		t.Error("a bad share is no error")
	}
}
