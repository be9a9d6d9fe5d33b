package main

import (
	"errors"

	"github.com/spf13/cobra"

	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/demo"
	"equipment-platform/internal/program"
)

func seedCommand() *cobra.Command {
	return &cobra.Command{
		Use: "seed", Short: "Load the demo catalogue; what is there already stays as it is", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			settings, err := config.Load[config.Migration]()
			if err != nil {
				return err
			}
			if settings.Process.Production() {
				return errors.New("demo data is refused in production")
			}
			db, err := database.Open(c.Context(), settings.Database.URL, settings.Database.MaxConns, "catalog seed")
			if err != nil {
				return err
			}
			defer db.Close()
			if err := database.Check(c.Context(), db); err != nil {
				return err
			}
			return demo.LoadInto(c.Context(), db, c.ErrOrStderr(), program.Logger(settings.Process))
		},
	}
}
