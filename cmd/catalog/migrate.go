package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/program"
)

func migrateCommand() *cobra.Command {
	migrate := program.Parent("migrate", "Migrate the database: a step of its own, `serve` never does it")
	var steps int
	down := &cobra.Command{
		Use: "down", Short: "Take back migrations", Args: cobra.NoArgs,
		RunE: withDatabase(func(c *cobra.Command, url string, _ []string) error {
			return database.MigrateDown(c.Context(), url, steps)
		}),
	}
	down.Flags().IntVar(&steps, "steps", 1, "how many; 0: all")
	force := &cobra.Command{
		Use: "force VERSION", Short: "Set the version without running anything, after a repair by hand; 0: nothing is there", Args: cobra.ExactArgs(1),
		RunE: withDatabase(func(c *cobra.Command, url string, args []string) error {
			version, err := strconv.Atoi(args[0])
			if err != nil {
				return fmt.Errorf("VERSION is not a number: %q", args[0])
			}
			return database.Force(c.Context(), url, version)
		}),
	}
	force.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		// a negative number looks like a flag
		return fmt.Errorf("%w; VERSION is a number from 0 (nothing there) to %d", err, database.Latest())
	})
	migrate.AddCommand(
		&cobra.Command{
			Use: "up", Short: "Bring the schema to the newest version; safe with several at once", Args: cobra.NoArgs,
			RunE: withDatabase(func(c *cobra.Command, url string, _ []string) error {
				return database.MigrateUp(c.Context(), url)
			}),
		},
		down,
		&cobra.Command{
			Use: "version", Short: "Print the version of the schema and the newest one", Args: cobra.NoArgs,
			RunE: withDatabase(func(c *cobra.Command, url string, _ []string) error {
				version, dirty, err := database.Version(c.Context(), url)
				if err != nil {
					return err
				}
				state := ""
				if dirty {
					state = ", stopped half-way"
				}
				_, err = fmt.Fprintf(c.OutOrStdout(), "%d%s (newest: %d)\n", version, state, database.Latest())
				return err
			}),
		},
		force,
	)
	return migrate
}

func withDatabase(f func(c *cobra.Command, url string, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		settings, err := config.Load[config.Migration]()
		if err != nil {
			return err
		}
		return f(c, settings.Database.URL, args)
	}
}
