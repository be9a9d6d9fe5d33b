package events_test

// This file: the parts that the tests of the consumers share: a broker, a
// database, running consumers, and small helpers to look at all three.

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/embedded"
	"equipment-platform/internal/events"
	"equipment-platform/internal/process"
	"equipment-platform/internal/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }

// realBroker names the variable with the address of a real broker; without it each
// test starts a fake one of its own.
const realBroker = "EVENTS_TEST_KAFKA"

// patience is far more than anything here takes; it bounds what would hang.
const patience = 60 * time.Second

type fixture struct {
	t        *testing.T
	broker   *kfake.Cluster // nil: a real one that all tests share
	settings config.Kafka
	url      string
	pool     *pgxpool.Pool
	client   *kgo.Client
	admin    *kadm.Client

	topicIDs map[[16]byte]string
}

// newFixture gives a broker and a database of the test's own.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	return newFixtureOn(t, testdb.New(t), "")
}

// newFixtureOn uses the database of that URL; a directory keeps the broker's data.
func newFixtureOn(t *testing.T, url, brokerDir string) *fixture {
	t.Helper()
	variables := map[string]string{}
	var broker *kfake.Cluster
	if real := os.Getenv(realBroker); real != "" {
		variables["KAFKA_BROKERS"] = real
		// one broker for all tests: everything on it has a name of the test's own
		own := strings.ToLower(rand.Text()[:8])
		for _, name := range []string{"KAFKA_GROUP", "KAFKA_TOPIC_FILE_DELETED", "KAFKA_TOPIC_FILE_DELETED_DLQ", "KAFKA_TOPIC_ORDER_EVENTS", "KAFKA_TOPIC_ORDER_EVENTS_DLQ"} {
			variables[name] = strings.ToLower(name) + "-" + own
		}
	} else {
		broker = startBroker(t, brokerDir, 0)
		variables["KAFKA_BROKERS"] = broker.ListenAddrs()[0]
	}
	settings, err := config.From[config.DLQ](variables)
	require.NoError(t, err)
	pool, err := database.Open(t.Context(), url, 8, "events-test")
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	client, err := kgo.NewClient(kgo.SeedBrokers(settings.Kafka.Brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerBatchMaxBytes(64<<20))
	require.NoError(t, err)
	t.Cleanup(client.Close)
	f := &fixture{t: t, broker: broker, settings: settings.Kafka, url: url, pool: pool, client: client, admin: kadm.NewClient(client)}
	names := f.settings.Topics()
	answers, err := f.admin.CreateTopics(t.Context(), embedded.BrokerPartitions, 1, nil, names...)
	require.NoError(t, err)
	require.NoError(t, answers.Error())
	f.eventually(func() bool { // a real broker needs a moment to serve what it made
		offsets, err := f.admin.ListEndOffsets(t.Context(), names...)
		return err == nil && offsets.Error() == nil && len(offsets) == len(names)
	}, "the topics do not come")
	topics, err := f.admin.ListTopics(t.Context())
	require.NoError(t, err)
	f.topicIDs = map[[16]byte]string{}
	for _, topic := range topics {
		f.topicIDs[topic.ID] = topic.Topic
	}
	return f
}

// startBroker starts a fake broker, which tests can make misbehave. A directory
// keeps what it holds for the next start; port 0 takes any that is free.
func startBroker(t *testing.T, dir string, port int) *kfake.Cluster {
	t.Helper()
	options := []kfake.Opt{kfake.NumBrokers(1), kfake.Ports(port), kfake.GroupMinSessionTimeout(100 * time.Millisecond)}
	if dir != "" {
		options = append(options, kfake.DataDir(dir), kfake.SyncWrites())
	}
	var broker *kfake.Cluster
	require.Eventually(t, func() (started bool) { // a connection of somebody else may have the port
		var err error
		broker, err = kfake.NewCluster(options...)
		return err == nil
	}, patience, 20*time.Millisecond)
	t.Cleanup(broker.Close)
	return broker
}

// running is a consumer at work.
type running struct {
	consumer *events.Consumer
	registry *prometheus.Registry
	log      *process.Log
	stop     func() // in good order; returns when it has stopped
}

// start runs a consumer until the end of the test or its stop.
func (f *fixture) start(streams ...events.Stream) *running {
	f.t.Helper()
	if streams == nil {
		streams = events.Streams(f.settings, f.pool)
	}
	registry, log := prometheus.NewRegistry(), &process.Log{}
	options := events.Options{Kafka: f.settings, Streams: streams, Log: testLog(f.t, log), Metrics: registry}
	consumer, err := events.NewConsumer(options.WithClientOpts(kgo.SessionTimeout(10*time.Second), kgo.HeartbeatInterval(100*time.Millisecond)))
	require.NoError(f.t, err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(f.t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- consumer.Run(ctx) }()
	stop := sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			require.NoError(f.t, err)
		case <-time.After(patience):
			require.Fail(f.t, "the consumer does not stop")
		}
	})
	f.t.Cleanup(stop)
	return &running{consumer: consumer, registry: registry, log: log, stop: stop}
}

// streams are those of the platform, with something around what each of them does.
func (f *fixture) streams(around func(apply func() error) error) (streams []events.Stream) {
	for _, stream := range events.Streams(f.settings, f.pool) {
		streams = append(streams, stream.WithApply(func(_ context.Context, _ int, apply func() error) error { return around(apply) }))
	}
	return streams
}

// testLog shows what was logged where a test failed.
func testLog(t *testing.T, log *process.Log) *slog.Logger {
	t.Cleanup(func() {
		if text := log.String(); t.Failed() && text != "" {
			t.Log(text[max(0, len(text)-6000):])
		}
	})
	return slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// says waits until the consumer has logged a line with the text.
func (r *running) says(t *testing.T, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	_, err := r.log.Await(ctx, text)
	require.NoError(t, err)
}

// metric is its value, summed over all label values that are not given.
func (r *running) metric(t testing.TB, name string, labels ...string) float64 {
	t.Helper()
	families, err := r.registry.Gather()
	require.NoError(t, err)
	sum := 0.0
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
	metrics:
		for _, metric := range family.Metric {
			for i := 0; i < len(labels); i += 2 {
				found := false
				for _, label := range metric.Label {
					found = found || label.GetName() == labels[i] && label.GetValue() == labels[i+1]
				}
				if !found {
					continue metrics
				}
			}
			sum += metric.GetCounter().GetValue() + metric.GetGauge().GetValue() + float64(metric.GetHistogram().GetSampleCount())
		}
	}
	return sum
}

// produce puts values on partition 0 of the topic, in order.
func (f *fixture) produce(topic string, values ...string) {
	f.t.Helper()
	records := make([]*kgo.Record, 0, len(values))
	for _, value := range values {
		records = append(records, &kgo.Record{Topic: topic, Value: []byte(value)})
	}
	f.produceRecords(records...)
}

func (f *fixture) produceRecords(records ...*kgo.Record) {
	f.t.Helper()
	require.NoError(f.t, f.client.ProduceSync(f.t.Context(), records...).FirstErr())
}

// awaitCommitted waits until the group has acknowledged everything on the topic.
func (f *fixture) awaitCommitted(topic string) {
	f.t.Helper()
	f.eventually(func() bool { return f.uncommitted(topic) == 0 }, "records of %s are not acknowledged", topic)
}

// uncommitted counts the records of the topic that are not acknowledged.
func (f *fixture) uncommitted(topic string) int64 {
	f.t.Helper()
	ends, err := f.admin.ListEndOffsets(f.t.Context(), topic)
	require.NoError(f.t, err)
	committed, err := f.admin.FetchOffsets(f.t.Context(), f.settings.Group)
	if !errors.Is(err, kerr.GroupIDNotFound) && !errors.Is(err, kerr.CoordinatorNotAvailable) { // nobody has joined yet
		require.NoError(f.t, err)
	}
	var missing int64
	ends.Each(func(end kadm.ListedOffset) {
		at, _ := committed.Lookup(topic, end.Partition)
		missing += end.Offset - max(at.At, 0)
	})
	return missing
}

func (f *fixture) eventually(condition func() bool, format string, arguments ...any) {
	f.t.Helper()
	// Not require.Eventually: that runs the condition on another goroutine, which
	// must not fail the test.
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(20 * time.Millisecond) {
		require.True(f.t, time.Now().Before(deadline), append([]any{format}, arguments...)...)
	}
}

// letters returns everything on a dead-letter topic.
func (f *fixture) letters(topic string) []events.Letter {
	f.t.Helper()
	access, err := events.NewDeadLetters(f.settings, testLog(f.t, &process.Log{}))
	require.NoError(f.t, err)
	defer access.Close()
	var all []events.Letter
	require.NoError(f.t, access.Read(f.t.Context(), topic, func(letter events.Letter) error {
		all = append(all, letter)
		return nil
	}))
	return all
}

// queryInt runs a query for one number.
func (f *fixture) queryInt(query string, arguments ...any) int64 {
	f.t.Helper()
	return one[int64](f, query, arguments...)
}

// one runs a query for one value.
func one[T any](f *fixture, query string, arguments ...any) T {
	f.t.Helper()
	rows, err := f.pool.Query(f.t.Context(), query, arguments...)
	require.NoError(f.t, err)
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	require.NoError(f.t, err, query)
	return value
}

func (f *fixture) exec(query string, arguments ...any) {
	f.t.Helper()
	_, err := f.pool.Exec(f.t.Context(), query, arguments...)
	require.NoError(f.t, err, query)
}

// vehicle makes a vehicle of a type of its own.
func (f *fixture) vehicle() uuid.UUID {
	f.t.Helper()
	return one[uuid.UUID](f, `WITH t AS (INSERT INTO types (title, created_by, updated_by) VALUES ('Crane', 'a', 'a') RETURNING id)
		INSERT INTO vehicles (type_id, brand_name, model_name, owner_user_id, created_by, updated_by)
		SELECT id, 'Brand', 'Model', 'owner', 'owner', 'owner' FROM t RETURNING id`)
}

func order(eventID string, orderID, vehicleID uuid.UUID, status, at string) string {
	return fmt.Sprintf(`{"eventId":%q,"orderId":%q,"customerId":"customer","vehicleId":%q,"status":%q,"eventTimestamp":%q}`,
		eventID, orderID, vehicleID, status, at)
}

func fileDeleted(eventID string, fileID uuid.UUID) string {
	return fmt.Sprintf(`{"eventId":%q,"entityType":"EQUIPMENT","fileId":%q}`, eventID, fileID)
}
