package main

import (
	"github.com/spf13/cobra"

	"equipment-platform/internal/config"
	"equipment-platform/internal/events"
	"equipment-platform/internal/program"
)

// dlqCommand leaves its flags to the events package, which knows the topics.
func dlqCommand() *cobra.Command {
	return &cobra.Command{
		Use: "dlq", Short: "List dead letters, and replay them after a fix", DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := config.Load[config.DLQ]()
			if err != nil {
				return err
			}
			return events.DLQCommand(c.Context(), settings.Kafka, args, c.OutOrStdout(), program.Logger(settings.Process))
		},
	}
}
