// Command sandbox serves the exchange provider in memory, with the other
// upstreams, the identity host and the stand-in of the file service beside it,
// for development and tests. Flags and wiring only; internal/sandbox and
// internal/files do the work.
package main

import (
	"io"

	"github.com/spf13/cobra"

	"equipment-platform/internal/config"
	"equipment-platform/internal/demo/pictures"
	"equipment-platform/internal/files"
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
			log := program.Logger(settings.Process)
			server := sandbox.New(log)
			if settings.JWKSURL != "" {
				stored, err := files.New(files.Options{
					Dir: settings.FilesDir, Auth: settings.Auth(), Edge: settings.Edge, Kafka: settings.Kafka, Drawn: pictures.New(), Log: log,
				})
				if err != nil {
					return err
				}
				server.Mount("/files", stored)
				go stored.Run(c.Context())
			}
			return server.Serve(c.Context(), settings.HTTPAddr, settings.Process.ShutdownTimeout)
		},
	})
	program.Main(root)
}
