package sampleevents_test

// This file: what is published is what the catalog takes.

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/embedded"
	"equipment-platform/internal/events"
	"equipment-platform/internal/sampleevents"
	"equipment-platform/internal/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }

func TestSampleEventsHaveTheirEffect(t *testing.T) {
	t.Parallel()
	broker, err := embedded.StartBroker(t.Context(), embedded.BrokerOptions{})
	require.NoError(t, err)
	t.Cleanup(broker.Stop)
	settings, err := config.From[config.DLQ](map[string]string{"KAFKA_BROKERS": broker.Address()})
	require.NoError(t, err)
	pool, err := database.Open(t.Context(), testdb.New(t), 4, "test")
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	consumer, err := events.NewConsumer(events.Options{
		Kafka: settings.Kafka, Streams: events.Streams(settings.Kafka, pool), Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- consumer.Run(ctx) }()
	t.Cleanup(func() { cancel(); require.NoError(t, <-ended) })

	var vehicleID uuid.UUID
	file := uuid.New()
	require.NoError(t, pool.QueryRow(t.Context(), `WITH t AS (INSERT INTO types (title, created_by, updated_by) VALUES ('Crane', 'a', 'a') RETURNING id)
		INSERT INTO vehicles (type_id, brand_name, model_name, owner_user_id, created_by, updated_by)
		SELECT id, 'Brand', 'Model', 'owner', 'owner', 'owner' FROM t RETURNING id`).Scan(&vehicleID))
	_, err = pool.Exec(t.Context(), "INSERT INTO vehicle_links (vehicle_id, kind, file_id, position, created_by, updated_by) VALUES ($1, 'photo', $2, 0, 'a', 'a')", vehicleID, file)
	require.NoError(t, err)

	publisher := sampleevents.Publisher{Brokers: settings.Kafka.Brokers, TopicFileDeleted: settings.Kafka.TopicFileDeleted, TopicOrderEvents: settings.Kafka.TopicOrderEvents}
	_, orderID, err := publisher.Order(t.Context(), sampleevents.OrderEvent{CustomerID: "customer", VehicleID: vehicleID.String()})
	require.NoError(t, err)
	_, err = publisher.File(t.Context(), sampleevents.FileEvent{FileID: file.String(), EntityID: vehicleID.String()})
	require.NoError(t, err)

	require.Eventually(t, func() bool {
		eligible, err := catalogdb.New().EntitlementEligible(t.Context(), pool, catalogdb.EntitlementEligibleParams{
			OrderID: uuid.MustParse(orderID), CustomerID: "customer", VehicleID: vehicleID})
		return err == nil && eligible
	}, time.Minute, 20*time.Millisecond, "the order does not entitle")
	require.Eventually(t, func() bool {
		var links int
		return pool.QueryRow(t.Context(), "SELECT count(*) FROM vehicle_links").Scan(&links) == nil && links == 0
	}, time.Minute, 20*time.Millisecond, "the link is not removed")

	_, _, err = publisher.Order(t.Context(), sampleevents.OrderEvent{})
	require.ErrorContains(t, err, "needs a customer and a vehicle")
	_, err = publisher.File(t.Context(), sampleevents.FileEvent{})
	require.ErrorContains(t, err, "needs a file")
}
