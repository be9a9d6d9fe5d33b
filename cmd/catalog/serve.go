package main

import (
	"github.com/spf13/cobra"

	"equipment-platform/internal/catalog"
	"equipment-platform/internal/config"
	"equipment-platform/internal/program"
)

func serveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "serve", Short: "Serve the API and consume the events", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			settings, err := config.Load[config.Catalog]()
			if err != nil {
				return err
			}
			return catalog.Serve(c.Context(), settings, program.Logger(settings.Process))
		},
	}
}
