package events_test

// This file: how fast one consumer is with durable effects in PostgreSQL,
// beside pgbench on the same statement with one event for each transaction.

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/embedded"
	"equipment-platform/internal/events"
)

// pgbenchScript is the order stream's transaction for one event.
const pgbenchScript = `WITH arrived AS (
    SELECT DISTINCT ON (event_key) * FROM (
        SELECT unnest(ARRAY['id:' || gen_random_uuid()]) AS event_key, unnest(ARRAY[gen_random_uuid()]) AS order_id,
               unnest(ARRAY['customer']) AS customer_id, unnest(ARRAY[gen_random_uuid()]) AS vehicle_id,
               unnest(ARRAY['Done']) AS status, unnest(ARRAY[now()]) AS event_timestamp, generate_series(1, 1) AS n) AS events
    ORDER BY event_key, n
), fresh AS (
    INSERT INTO handled_events (topic, event_key) SELECT 'bench', event_key FROM arrived ORDER BY event_key ON CONFLICT DO NOTHING RETURNING event_key
), newest AS (
    SELECT DISTINCT ON (order_id) arrived.* FROM arrived JOIN fresh USING (event_key) ORDER BY order_id, event_timestamp DESC, n DESC
)
INSERT INTO order_entitlements (order_id, customer_id, vehicle_id, status, event_timestamp)
SELECT order_id, customer_id, vehicle_id, status, event_timestamp FROM newest ORDER BY order_id
ON CONFLICT (order_id) DO UPDATE SET status = excluded.status, event_timestamp = excluded.event_timestamp, updated_at = clock_timestamp()
WHERE excluded.event_timestamp >= order_entitlements.event_timestamp;
`

var pgbenchRate = regexp.MustCompile(`tps = ([0-9.]+)`)

// BenchmarkConsumer reports events/s of one consumer on three partitions, the
// transactions/s of pgbench with as many clients, and the ratio of the two.
func BenchmarkConsumer(b *testing.B) {
	base, err := os.MkdirTemp("", "events-bench-")
	require.NoError(b, err)
	require.NoError(b, os.Chmod(base, 0o711))
	b.Cleanup(func() { _ = os.RemoveAll(base) })
	postgres, err := embedded.StartPostgres(b.Context(), embedded.PostgresOptions{Dir: filepath.Join(base, "pg"), Durable: true})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, postgres.Stop(context.WithoutCancel(b.Context()))) })
	url := postgres.URL("postgres")
	require.NoError(b, database.MigrateUp(b.Context(), url))
	broker, err := embedded.StartBroker(b.Context(), embedded.BrokerOptions{})
	require.NoError(b, err)
	b.Cleanup(broker.Stop)
	settings, err := config.From[config.DLQ](map[string]string{"KAFKA_BROKERS": broker.Address()})
	require.NoError(b, err)
	pool, err := database.Open(b.Context(), url, 8, "bench")
	require.NoError(b, err)
	b.Cleanup(pool.Close)
	client, err := kgo.NewClient(kgo.SeedBrokers(broker.Address()), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	require.NoError(b, err)
	b.Cleanup(client.Close)

	const count = 50_000
	rates, ceilings := 0.0, 0.0
	runs := 0
	for b.Loop() {
		runs++
		records := make([]*kgo.Record, 0, count)
		for i := range count {
			records = append(records, &kgo.Record{Topic: settings.Kafka.TopicOrderEvents, Partition: int32(i % embedded.BrokerPartitions),
				Value: []byte(order(uuid.NewString(), uuid.New(), uuid.New(), "Done", "2026-03-01T10:00:00Z"))})
		}
		require.NoError(b, client.ProduceSync(b.Context(), records...).FirstErr())
		rates += consumeAll(b, settings.Kafka, events.Streams(settings.Kafka, pool), count)
		ceilings += pgbench(b, base, url)
	}
	b.ReportMetric(rates/float64(runs), "events/s")
	b.ReportMetric(ceilings/float64(runs), "pgbench-tx/s")
	b.ReportMetric(rates/ceilings, "ratio")
	b.ReportMetric(0, "ns/op")
}

// consumeAll returns events/s until n more are handled.
func consumeAll(b *testing.B, settings config.Kafka, streams []events.Stream, n int64) float64 {
	b.Helper()
	done := make(chan struct{})
	var applied atomic.Int64
	for i, stream := range streams {
		streams[i] = stream.WithApply(func(_ context.Context, records int, apply func() error) error {
			err := apply()
			if err == nil && applied.Add(int64(records)) == n {
				close(done)
			}
			return err
		})
	}
	consumer, err := events.NewConsumer(events.Options{Kafka: settings, Streams: streams, Log: slog.New(slog.DiscardHandler)})
	require.NoError(b, err)
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	started := time.Now()
	go func() { ended <- consumer.Run(ctx) }()
	select {
	case <-done:
	case <-time.After(2 * patience):
		require.Fail(b, "the records are not handled")
	}
	took := time.Since(started)
	cancel()
	require.NoError(b, <-ended)
	return float64(n) / took.Seconds()
}

func pgbench(b *testing.B, dir, url string) float64 {
	b.Helper()
	binaries, err := embedded.FindPostgres(0)
	require.NoError(b, err)
	script := filepath.Join(dir, "script.sql")
	require.NoError(b, os.WriteFile(script, []byte(pgbenchScript), 0o600))
	out, err := exec.CommandContext(b.Context(), filepath.Join(binaries.Dir, "pgbench"), "-n", "-M", "prepared",
		"-c", fmt.Sprint(embedded.BrokerPartitions), "-j", "2", "-T", "5", "-f", script, url).CombinedOutput()
	require.NoError(b, err, string(out))
	rate, err := strconv.ParseFloat(pgbenchRate.FindStringSubmatch(string(out))[1], 64)
	require.NoError(b, err)
	return rate
}
