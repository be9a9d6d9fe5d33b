// Command sandbox serves the exchange provider in memory, with the other
// upstreams and the identity host beside it, for development and tests. Flags
// and wiring only; internal/sandbox does the work.
package main

import (
	"io"

	"github.com/spf13/cobra"

	"equipment-platform/internal/config"
	"equipment-platform/internal/program"
	"equipment-platform/internal/sandbox"
)

func main() {
	root := program.Root("sandbox", "The exchange provider in memory, for development and tests", func(w io.Writer) {
		config.Describe[config.Sandbox](w)
	})
	root.AddCommand(&cobra.Command{
		Use: "serve", Short: "Serve the sandbox", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			settings, err := config.Load[config.Sandbox]()
			if err != nil {
				return err
			}
			return sandbox.New(program.Logger(settings.Process)).Serve(c.Context(), settings.HTTPAddr, settings.Process.ShutdownTimeout)
		},
	})
	program.Main(root)
}
