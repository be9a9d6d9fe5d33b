// Command lexicon makes internal/embedding/lexicon.bin from the lexicon's files in
// this folder; `make generate` runs it.
//
//	go run ./internal/embedding/lexicon internal/embedding/lexicon.bin
package main

import (
	"fmt"
	"os"

	"equipment-platform/internal/embedding"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: lexicon OUT")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "lexicon:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	packed, err := embedding.PackLexicon()
	if err != nil {
		return err
	}
	return os.WriteFile(out, packed, 0o644) //nolint:gosec // a source file
}
