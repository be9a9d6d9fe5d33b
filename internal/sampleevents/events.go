// Package sampleevents publishes events as the platform's other services do, for
// development: what `devstack event` and `make event-order` put on the topics, and
// what the stand-in of the file service says of a deleted file.
package sampleevents

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/twmb/franz-go/pkg/kgo"
)

// OrderEvent is a change of an order (contract 6.2). Empty EventID, OrderID, Status and
// At stand for a new id, a new id, Done and now.
type OrderEvent struct {
	EventID    string
	OrderID    string
	CustomerID string // required: the `sub` of who ordered
	VehicleID  string // required
	Status     string
	At         time.Time
}

// FileEvent is a deleted file (contract 6.1). Empty EventID, EntityType and At stand for a
// new id, EQUIPMENT and now.
type FileEvent struct {
	EventID    string
	EntityType string
	EntityID   string
	FileID     string // required
	At         time.Time
}

// Publisher puts sample events on the topics.
type Publisher struct {
	Brokers          []string
	TopicFileDeleted string
	TopicOrderEvents string
}

// Order publishes an order event and returns its payload and its order's id.
func (p Publisher) Order(ctx context.Context, e OrderEvent) (payload []byte, orderID string, err error) {
	if e.CustomerID == "" || e.VehicleID == "" {
		return nil, "", errors.New("an order event needs a customer and a vehicle")
	}
	orderID = cmp.Or(e.OrderID, uuid.NewString())
	payload, err = json.Marshal(map[string]string{
		"eventId": cmp.Or(e.EventID, uuid.NewString()), "orderId": orderID, "customerId": e.CustomerID,
		"vehicleId": e.VehicleID, "status": cmp.Or(e.Status, "Done"), "eventTimestamp": rfc3339(e.At),
	})
	if err != nil {
		return nil, "", err
	}
	// Keyed by order: the events of one order stay in their order.
	return payload, orderID, p.publish(ctx, p.TopicOrderEvents, orderID, payload)
}

// File publishes the deletion of a file and returns the payload.
func (p Publisher) File(ctx context.Context, e FileEvent) ([]byte, error) {
	if e.FileID == "" {
		return nil, errors.New("a file event needs a file")
	}
	fields := map[string]string{
		"eventId": cmp.Or(e.EventID, uuid.NewString()), "entityType": cmp.Or(e.EntityType, "EQUIPMENT"),
		"fileId": e.FileID, "occurredAt": rfc3339(e.At),
	}
	if e.EntityID != "" {
		fields["entityId"] = e.EntityID
	}
	payload, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	return payload, p.publish(ctx, p.TopicFileDeleted, e.FileID, payload)
}

func (p Publisher) publish(ctx context.Context, topic, key string, payload []byte) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(p.Brokers...), kgo.ProducerLinger(0), kgo.RecordDeliveryTimeout(10*time.Second))
	if err != nil {
		return fmt.Errorf("kafka client: %w", err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	if err := client.ProduceSync(ctx, &kgo.Record{Topic: topic, Key: []byte(key), Value: payload}).FirstErr(); err != nil {
		return fmt.Errorf("publish to %s: %w", topic, err)
	}
	return nil
}

func rfc3339(at time.Time) string {
	if at.IsZero() {
		at = time.Now()
	}
	return at.UTC().Format(time.RFC3339Nano)
}
