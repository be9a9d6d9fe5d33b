// Command gateway serves the document-exchange gateway. Flags and wiring only;
// internal/gateway does the work.
package main

import (
	"io"

	"github.com/spf13/cobra"

	"equipment-platform/internal/config"
	"equipment-platform/internal/gateway"
	"equipment-platform/internal/program"
)

func main() {
	root := program.Root("gateway", "The document-exchange gateway", func(w io.Writer) {
		config.Describe[config.Gateway](w)
	})
	root.AddCommand(&cobra.Command{
		Use: "serve", Short: "Serve the gateway", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			settings, err := config.Load[config.Gateway]()
			if err != nil {
				return err
			}
			return gateway.Serve(c.Context(), settings, program.Logger(settings.Process))
		},
	})
	program.Main(root)
}
