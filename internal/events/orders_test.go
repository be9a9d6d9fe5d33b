package events_test

// This file: order events on a real database (contract 6.2, contract 6.3).

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/events"
	"equipment-platform/internal/process"
)

func TestOrderEventsKeepTheNewestState(t *testing.T) {
	t.Parallel()
	const early, middle, late = "2026-03-01T10:00:00Z", "2026-03-01T10:00:00.5Z", "2026-03-01T11:00:00+00:30"
	for name, test := range map[string]struct {
		events [][2]string // status and time
		want   string
	}{
		"one":                                {[][2]string{{"New", early}}, "New"},
		"in order":                           {[][2]string{{"New", early}, {"Done", middle}}, "Done"},
		"the older one changes nothing":      {[][2]string{{"Done", middle}, {"New", early}}, "Done"},
		"of equal times the last arrived":    {[][2]string{{"Done", early}, {"Cancelled", early}}, "Cancelled"},
		"times are compared as instants":     {[][2]string{{"Done", late}, {"New", middle}}, "Done"}, // 10:30 against 10:00:00.5
		"newest, then older ones in between": {[][2]string{{"New", early}, {"Paid", late}, {"Done", middle}}, "Paid"},
		"kept as sent":                       {[][2]string{{"  dOnE ", early}}, "  dOnE "},
	} {
		for _, together := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/together=%v", name, together), func(t *testing.T) {
				t.Parallel()
				f := newFixture(t)
				orderID, vehicleID := uuid.New(), uuid.New()
				var values []string
				for i, event := range test.events {
					values = append(values, order(fmt.Sprint("event-", i), orderID, vehicleID, event[0], event[1]))
				}
				if together { // all are there before the consumer starts: one transaction
					f.produce(f.settings.TopicOrderEvents, values...)
					f.start()
				} else {
					f.start()
					for _, value := range values {
						f.produce(f.settings.TopicOrderEvents, value)
						f.awaitCommitted(f.settings.TopicOrderEvents)
					}
				}
				f.awaitCommitted(f.settings.TopicOrderEvents)
				require.Equal(t, test.want, one[string](f, "SELECT status FROM order_entitlements WHERE order_id = $1", orderID))
				require.EqualValues(t, len(values), f.queryInt("SELECT count(*) FROM handled_events"))
			})
		}
	}
}

// An equal time and any difference wins by arrival (contract 9.12); the same event again
// never does.
func TestOrderEventAgainChangesNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	orderID, first, second := uuid.New(), uuid.New(), uuid.New()
	at := "2026-03-01T10:00:00Z"
	f.produce(f.settings.TopicOrderEvents,
		order("a", orderID, first, "Done", at),
		order("b", orderID, second, "Done", at),
		order("a", orderID, first, "Done", at))
	f.start()
	f.awaitCommitted(f.settings.TopicOrderEvents)
	require.Equal(t, second, one[uuid.UUID](f, "SELECT vehicle_id FROM order_entitlements"))
	f.produce(f.settings.TopicOrderEvents, order("a", orderID, first, "Done", at))
	f.awaitCommitted(f.settings.TopicOrderEvents)
	require.Equal(t, second, one[uuid.UUID](f, "SELECT vehicle_id FROM order_entitlements"))
	require.EqualValues(t, 2, f.queryInt("SELECT count(*) FROM handled_events"))
}

func TestOrderEventsEntitleInAnyLetterCase(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	vehicleID := uuid.New()
	eligible := map[uuid.UUID]bool{}
	var values []string
	for status, want := range map[string]bool{"Done": true, "DONE": true, "pAiD": true, "paid": true, "Cancelled": false, "Donee": false, "ГОТОВО": false, "PAİD": false} {
		orderID := uuid.New()
		eligible[orderID] = want
		values = append(values, order(uuid.NewString(), orderID, vehicleID, status, "2026-03-01T10:00:00Z"))
	}
	f.produce(f.settings.TopicOrderEvents, values...)
	f.awaitCommitted(f.settings.TopicOrderEvents)
	for orderID, want := range eligible {
		got, err := catalogdb.New().EntitlementEligible(t.Context(), f.pool, catalogdb.EntitlementEligibleParams{
			OrderID: orderID, CustomerID: "customer", VehicleID: vehicleID})
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestOrderEventForms(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	vehicleID := uuid.New()
	want := time.Date(2026, 3, 1, 10, 0, 0, 123_000_000, time.UTC)
	forms := map[string]string{
		"epoch milliseconds":         `1772359200123`,
		"milliseconds with exponent": `1.772359200123e12`,
		"RFC 3339 with offset":       `"2026-03-01T13:00:00.123+03:00"`,
		"RFC 3339 in lower case":     `"2026-03-01t10:00:00.123z"`,
		"below a microsecond":        `"2026-03-01T10:00:00.123000999Z"`,
	}
	for name, at := range forms {
		// upper-case ids, unknown fields of every kind, no event id
		f.produce(f.settings.TopicOrderEvents, fmt.Sprintf(
			`{"unknown":{"deep":[1,{"orderId":2}]},"ORDERID":5,"eventId":null,"orderId":%q,"customerId":%q,"vehicleId":%q,"status":"Done","eventTimestamp":%s} `,
			strings.ToUpper(uuid.NewString()), name, strings.ToUpper(vehicleID.String()), at))
	}
	f.awaitCommitted(f.settings.TopicOrderEvents)
	require.Empty(t, f.letters(f.settings.TopicOrderEventsDLQ))
	for name := range forms {
		require.Equal(t, want, one[time.Time](f, "SELECT event_timestamp FROM order_entitlements WHERE customer_id = $1", name).UTC(), name)
		require.Equal(t, vehicleID, one[uuid.UUID](f, "SELECT vehicle_id FROM order_entitlements WHERE customer_id = $1", name), name)
	}
	require.EqualValues(t, len(forms), f.queryInt("SELECT count(*) FROM handled_events WHERE topic = $1 AND event_key LIKE 'at:'||$1||'/0/%'", f.settings.TopicOrderEvents))
}

// An event id cannot pass for the position of another record.
func TestEventIDIsNoPosition(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first, second := uuid.New(), uuid.New()
	f.produce(f.settings.TopicOrderEvents,
		order(f.settings.TopicOrderEvents+"/0/1", first, uuid.New(), "Done", "2026-03-01T10:00:00Z"),
		strings.Replace(order("", second, uuid.New(), "Done", "2026-03-01T10:00:00Z"), `"eventId":"",`, "", 1))
	f.start()
	f.awaitCommitted(f.settings.TopicOrderEvents)
	require.EqualValues(t, 2, f.queryInt("SELECT count(*) FROM order_entitlements"))
}

func TestTwoStreamsOfOneTopicAreRefused(t *testing.T) {
	t.Parallel()
	stream := events.Stream{Topic: "one"}
	_, err := events.NewConsumer(events.Options{Streams: []events.Stream{stream, stream}, Log: testLog(t, &process.Log{})})
	require.ErrorContains(t, err, "two streams")
}
