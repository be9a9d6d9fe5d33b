package main

import (
	"github.com/spf13/cobra"

	"equipment-platform/internal/config"
	"equipment-platform/internal/events"
	"equipment-platform/internal/program"
)

// dlqCommand looks into the dead-letter topics; the work is in internal/events.
func dlqCommand() *cobra.Command {
	dlq := program.Parent("dlq", "List dead letters, and replay them after a fix")
	var listed string
	list := &cobra.Command{
		Use: "list", Short: "Show what is on the dead-letter topics", Args: cobra.NoArgs,
		RunE: withDeadLetters(func(c *cobra.Command, letters *events.DeadLetters) error {
			return letters.List(c.Context(), listed, c.OutOrStdout())
		}),
	}
	list.Flags().StringVar(&listed, "topic", "", "dead-letter topic, or the topic it belongs to; empty: all")
	var replayed string
	var offsets []string
	replay := &cobra.Command{
		Use: "replay", Short: "Put dead letters back on the topic that they came from", Args: cobra.NoArgs,
		Long: `Put dead letters back on the topic that they came from: all of a dead-letter
topic, or those that --offset names as list shows them. Replaying a record twice
has one effect. Letters stay on their topic; of a record that came back several
times only the last letter is replayed.`,
		RunE: withDeadLetters(func(c *cobra.Command, letters *events.DeadLetters) error {
			return letters.Replay(c.Context(), replayed, offsets, c.OutOrStdout())
		}),
	}
	replay.Flags().StringVar(&replayed, "topic", "", "dead-letter topic, or the topic it belongs to")
	replay.Flags().StringArrayVar(&offsets, "offset", nil, "`[PARTITION/]OFFSET` of a letter; may be given several times; empty: all of the topic")
	_ = replay.MarkFlagRequired("topic") // fails for a flag that is not there
	dlq.AddCommand(list, replay)
	return program.Describes(dlq, config.Describe[config.DLQ])
}

func withDeadLetters(f func(*cobra.Command, *events.DeadLetters) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		settings, err := config.Load[config.DLQ]()
		if err != nil {
			return err
		}
		letters, err := events.NewDeadLetters(settings.Kafka, program.Logger(settings.Process))
		if err != nil {
			return err
		}
		defer letters.Close()
		return f(c, letters)
	}
}
