package main

import (
	"errors"

	"github.com/spf13/cobra"

	"equipment-platform/internal/catalog"
	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/devstack"
	"equipment-platform/internal/embedding"
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
			if settings.Production() {
				return errors.New("demo data is refused in production")
			}
			db, err := database.Open(c.Context(), settings.DatabaseURL, settings.DatabaseMaxConns, "catalog seed")
			if err != nil {
				return err
			}
			defer db.Close()
			if err := database.Check(c.Context(), db); err != nil {
				return err
			}
			service, err := catalog.New(db, embedding.NewLexical(), program.Logger(settings.Process))
			if err != nil {
				return err
			}
			return devstack.Seed(c.Context(), db, service, c.ErrOrStderr())
		},
	}
}
