package events

// This file: the stream of order events (contract 6.10): what its events say and what they
// do.

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"equipment-platform/gen/catalogdb"
)

// orderChanged says who ordered which vehicle and how far the order is (contract 6.2).
type orderChanged struct {
	orderID, vehicleID uuid.UUID
	customerID, status string
	at                 time.Time
}

func decodeOrderChanged(fields payload) (orderChanged, error) {
	var order orderChanged
	var err error
	if order.orderID, err = fields.id("orderId"); err != nil {
		return orderChanged{}, err
	}
	if order.customerID, err = fields.text("customerId"); err != nil {
		return orderChanged{}, err
	}
	if order.vehicleID, err = fields.id("vehicleId"); err != nil {
		return orderChanged{}, err
	}
	if order.status, err = fields.text("status"); err != nil {
		return orderChanged{}, err
	}
	if order.at, err = fields.instant("eventTimestamp"); err != nil {
		return orderChanged{}, err
	}
	return order, nil
}

// applyOrderChanged keeps the newest state of each order as the entitlement to
// rate (contract 3.9). One statement, so one transaction and one round trip however long
// the batch is.
func applyOrderChanged(queries *catalogdb.Queries, pool *pgxpool.Pool, topic string) applyFunc[orderChanged] {
	return func(ctx context.Context, batch []event[orderChanged]) (done outcome, err error) {
		arguments := catalogdb.EventsApplyOrdersParams{Topic: topic}
		for _, e := range batch {
			arguments.EventKeys = append(arguments.EventKeys, e.key)
			arguments.OrderIds = append(arguments.OrderIds, e.value.orderID)
			arguments.CustomerIds = append(arguments.CustomerIds, e.value.customerID)
			arguments.VehicleIds = append(arguments.VehicleIds, e.value.vehicleID)
			arguments.Statuses = append(arguments.Statuses, e.value.status)
			arguments.EventTimestamps = append(arguments.EventTimestamps, e.value.at)
		}
		numbers, err := queries.EventsApplyOrders(ctx, pool, arguments)
		if err != nil {
			return outcome{}, fmt.Errorf("store the orders' state: %w", err)
		}
		for _, n := range numbers {
			done.repeated = append(done.repeated, int(n)-1)
		}
		return done, nil
	}
}
