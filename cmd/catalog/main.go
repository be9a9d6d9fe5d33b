// Command catalog serves the equipment catalog and keeps its database. Flags
// and wiring only: the work is in internal.
package main

import (
	"io"

	"equipment-platform/internal/config"
	"equipment-platform/internal/program"
)

func main() {
	root := program.Root("catalog", "The equipment catalog: API, event consumers, database", func(w io.Writer) {
		config.Describe[config.CatalogProgram](w)
	})
	root.AddCommand(serveCommand(), migrateCommand(), seedCommand(), tokenCommand(), jwksCommand(), dlqCommand())
	program.Main(root)
}
