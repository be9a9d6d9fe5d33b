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
	packed, err := embedding.PackLexicon()
	if err == nil {
		err = os.WriteFile(os.Args[1], packed, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "lexicon:", err)
		os.Exit(1)
	}
}
