package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"equipment-platform/internal/config"
	"equipment-platform/internal/sampleevents"
)

// eventCommand publishes sample events to the broker of the running stack, as
// the platform's other services would.
func eventCommand(dir *string) *cobra.Command {
	event := &cobra.Command{Use: "event", Short: "Publish a sample event to the running stack"}
	var order sampleevents.OrderEvent
	orderCommand := &cobra.Command{
		Use: "order", Short: "An order has changed its status", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return publish(c, *dir, func(ctx context.Context, p sampleevents.Publisher) ([]byte, error) {
				payload, _, err := p.Order(ctx, order)
				return payload, err
			})
		},
	}
	orderCommand.Flags().StringVar(&order.OrderID, "order", "", "order id; empty: a new one")
	orderCommand.Flags().StringVar(&order.CustomerID, "customer", "", "who ordered: the sub of the token")
	orderCommand.Flags().StringVar(&order.VehicleID, "vehicle", "", "vehicle id")
	orderCommand.Flags().StringVar(&order.Status, "status", "Done", "status of the order")
	var file sampleevents.FileEvent
	fileCommand := &cobra.Command{
		Use: "file", Short: "A file has been deleted", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return publish(c, *dir, func(ctx context.Context, p sampleevents.Publisher) ([]byte, error) { return p.File(ctx, file) })
		},
	}
	fileCommand.Flags().StringVar(&file.FileID, "file", "", "file id")
	fileCommand.Flags().StringVar(&file.EntityType, "entity-type", "EQUIPMENT", "entity type")
	event.AddCommand(orderCommand, fileCommand)
	return event
}

// publish finds the broker of the stack that runs in dir, unless KAFKA_BROKERS
// names another one, and prints the payload.
func publish(c *cobra.Command, dir string, send func(context.Context, sampleevents.Publisher) ([]byte, error)) error {
	settings, err := config.Load[config.Devstack]()
	if err != nil {
		return err
	}
	brokers := settings.Kafka.Brokers
	if len(brokers) == 0 {
		raw, err := os.ReadFile(filepath.Join(dir, "brokers"))
		if err != nil {
			return errors.New("the stack is not running here: start it with make run, or set KAFKA_BROKERS")
		}
		brokers = strings.Split(strings.TrimSpace(string(raw)), ",")
	}
	payload, err := send(c.Context(), sampleevents.Publisher{
		Brokers: brokers, TopicFileDeleted: settings.Kafka.TopicFileDeleted, TopicOrderEvents: settings.Kafka.TopicOrderEvents,
	})
	if err == nil {
		_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n", payload)
	}
	return err
}
