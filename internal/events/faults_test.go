package events_test

// This file: crashes, outages and rebalances in the middle of the stream: every
// effect once, nothing lost (D6.3, D6.6, D6.7).

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"equipment-platform/internal/config"
	"equipment-platform/internal/database"
	"equipment-platform/internal/embedded"
	"equipment-platform/internal/events"
	"equipment-platform/internal/process"
	"equipment-platform/internal/testdb"
)

// countEffects has the database itself count what order events do.
func (f *fixture) countEffects() {
	f.t.Helper()
	f.exec(`CREATE TABLE effects (n bigserial, order_id uuid);
		CREATE FUNCTION note_effect() RETURNS trigger LANGUAGE plpgsql AS
			$$ BEGIN INSERT INTO effects (order_id) VALUES (NEW.order_id); RETURN NULL; END $$;
		CREATE TRIGGER note AFTER INSERT OR UPDATE ON order_entitlements FOR EACH ROW EXECUTE FUNCTION note_effect()`)
}

func (f *fixture) requireEachEffectOnce(orders int) {
	f.t.Helper()
	require.EqualValues(f.t, orders, f.queryInt("SELECT count(DISTINCT order_id) FROM effects"))
	require.EqualValues(f.t, orders, f.queryInt("SELECT count(*) FROM effects"))
}

// produceOrders spreads n orders over the partitions.
func (f *fixture) produceOrders(n int) {
	f.t.Helper()
	records := make([]*kgo.Record, 0, n)
	for i := range n {
		records = append(records, &kgo.Record{
			Topic: f.settings.TopicOrderEvents, Partition: int32(i % embedded.BrokerPartitions),
			Value: []byte(order(uuid.NewString(), uuid.New(), uuid.New(), "Done", "2026-03-01T10:00:00Z")),
		})
	}
	f.produceRecords(records...)
}

// The consumer is a process of its own here, killed again and again between
// effect and acknowledgement.
func TestCrashesInTheMiddle(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.countEffects()
	const orders, vehicles = 4000, 50
	f.produceOrders(orders)
	for range vehicles {
		vehicleID := f.vehicle()
		var files []uuid.UUID
		for range 20 {
			file := uuid.New()
			files = append(files, file)
			f.produceRecords(&kgo.Record{Topic: f.settings.TopicFileDeleted, Partition: rand.Int32N(embedded.BrokerPartitions), Value: []byte(fileDeleted(uuid.NewString(), file))})
		}
		f.link(vehicleID, "photo", files...)
	}
	var helper *process.Process
	start := func() {
		var err error
		helper, err = process.Start(process.Program{
			Path: os.Args[0], Args: []string{"-test.run=^TestHelperConsumerProcess$"},
			Env: process.Environment(os.Environ(), map[string]string{
				"EVENTS_TEST_URL": f.url, "KAFKA_BROKERS": f.settings.Brokers[0], "KAFKA_GROUP": f.settings.Group,
				"KAFKA_TOPIC_FILE_DELETED": f.settings.TopicFileDeleted, "KAFKA_TOPIC_FILE_DELETED_DLQ": f.settings.TopicFileDeletedDLQ,
				"KAFKA_TOPIC_ORDER_EVENTS": f.settings.TopicOrderEvents, "KAFKA_TOPIC_ORDER_EVENTS_DLQ": f.settings.TopicOrderEventsDLQ,
			}),
		})
		require.NoError(t, err)
		t.Cleanup(helper.Kill)
	}
	var unfinished []int64
	for _, threshold := range []int64{300, 1200, 2500, 4000} {
		start()
		f.eventually(func() bool { return f.queryInt("SELECT count(*) FROM handled_events") >= threshold }, "no progress to %d", threshold)
		helper.Kill()
		unfinished = append(unfinished, f.uncommitted(f.settings.TopicOrderEvents)+f.uncommitted(f.settings.TopicFileDeleted))
	}
	t.Logf("not acknowledged at each crash: %v of 5000", unfinished)
	require.Positive(t, unfinished[1], "the crashes came too late to mean anything")
	start()
	f.awaitCommitted(f.settings.TopicOrderEvents)
	f.awaitCommitted(f.settings.TopicFileDeleted)
	helper.Kill()

	f.requireEachEffectOnce(orders)
	require.EqualValues(t, orders+20*vehicles, f.queryInt("SELECT count(*) FROM handled_events"))
	require.Zero(t, f.queryInt("SELECT count(*) FROM vehicle_links"))

	// the whole topic once more, by a group that knows nothing
	f.settings.Group += "-again"
	again := f.start()
	f.awaitCommitted(f.settings.TopicOrderEvents)
	f.awaitCommitted(f.settings.TopicFileDeleted)
	f.requireEachEffectOnce(orders)
	require.EqualValues(t, orders+20*vehicles, again.metric(t, "events_processed_total"))
}

// TestHelperConsumerProcess is the process of the test above; by itself it does
// nothing. It dawdles where a crash hurts most.
func TestHelperConsumerProcess(t *testing.T) {
	if os.Getenv("EVENTS_TEST_URL") == "" {
		return
	}
	settings, err := config.Load[config.DLQ]()
	require.NoError(t, err)
	pool, err := database.Open(t.Context(), os.Getenv("EVENTS_TEST_URL"), 8, "events-test")
	require.NoError(t, err)
	var streams []events.Stream
	for _, stream := range events.Streams(settings.Kafka, pool) {
		streams = append(streams, stream.WithApply(func(_ context.Context, _ int, apply func() error) error {
			err := apply()
			time.Sleep(rand.N(200 * time.Millisecond))
			return err
		}))
	}
	options := events.Options{Kafka: settings.Kafka, Streams: streams, Log: testLog(t)}
	// The rebalance timeout, because the embedded broker waits it out for a member that was killed while the
	// group was forming; a real one drops it after its session.
	consumer, err := events.NewConsumer(options.WithClientOpts(
		kgo.SessionTimeout(time.Second), kgo.HeartbeatInterval(100*time.Millisecond), kgo.RebalanceTimeout(5*time.Second)))
	require.NoError(t, err)
	_ = consumer.Run(t.Context()) // until killed
}

// Consumers come and go while records flow. Partitions change hands in good
// order, so no record is even handled twice.
func TestRebalancesWhileRecordsFlow(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.countEffects()
	const orders = 5000
	var group sync.WaitGroup
	group.Go(func() {
		for range 50 {
			f.produceOrders(orders / 50)
			time.Sleep(50 * time.Millisecond)
		}
	})
	progress := func(n int64) {
		f.eventually(func() bool { return f.queryInt("SELECT count(*) FROM handled_events") >= n }, "no progress to %d", n)
	}
	first := f.start()
	progress(500)
	second := f.start()
	progress(1500)
	first.stop()
	progress(2500)
	third := f.start()
	fourth := f.start()
	progress(3500)
	second.stop()
	third.stop()
	group.Wait()
	f.awaitCommitted(f.settings.TopicOrderEvents)

	f.requireEachEffectOnce(orders)
	handled, shares := 0.0, []float64{}
	for _, consumer := range []*running{first, second, third, fourth} {
		share := consumer.metric(t, "events_processed_total")
		handled, shares = handled+share, append(shares, share)
	}
	t.Logf("shares: %v", shares)
	require.EqualValues(t, orders, handled, "a record was handled by two consumers")
}

// A member that the group has thrown out stops at once and joins again.
func TestThrownOutOfTheGroup(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.countEffects()
	f.start()
	for range 5 {
		f.broker.ControlKey(int16(kmsg.Heartbeat), func(request kmsg.Request) (kmsg.Response, error, bool) {
			answer := request.ResponseKind().(*kmsg.HeartbeatResponse)
			answer.ErrorCode = kerr.UnknownMemberID.Code
			return answer, nil, true
		})
		f.produceOrders(300)
		time.Sleep(200 * time.Millisecond)
	}
	f.awaitCommitted(f.settings.TopicOrderEvents)
	f.requireEachEffectOnce(1500)
}

// The database goes away for a while, with more records waiting than a worker
// holds. Nothing is acknowledged meanwhile, nothing is lost.
func TestDatabaseStopsForAWhile(t *testing.T) {
	t.Parallel()
	base, err := os.MkdirTemp("", "events-postgres-")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(base, 0o711))
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	options := embedded.PostgresOptions{Dir: filepath.Join(base, "pg"), Durable: true}
	stop := func(instance *embedded.Postgres) {
		require.NoError(t, instance.Stop(context.WithoutCancel(t.Context())))
	}
	postgres, err := embedded.StartPostgres(t.Context(), options)
	require.NoError(t, err)
	t.Cleanup(func() { stop(postgres) })
	require.NoError(t, database.MigrateUp(t.Context(), postgres.URL("postgres")))

	f := newFixtureOn(t, postgres.URL("postgres"), "")
	f.countEffects()
	consumer := f.start()
	f.produceOrders(100)
	f.awaitCommitted(f.settings.TopicOrderEvents)

	stop(postgres)
	const waiting = 15000 // more than the workers of three partitions hold
	f.produceOrders(waiting - 12)
	for i := range int32(12) { // and, of one partition, more bytes
		f.produceRecords(&kgo.Record{Topic: f.settings.TopicOrderEvents, Partition: i % 2, Value: []byte(strings.Replace(
			order(uuid.NewString(), uuid.New(), uuid.New(), "Done", "2026-03-01T10:00:00Z"), "{", `{"padding":"`+strings.Repeat("x", 900_000)+`",`, 1))})
	}
	f.eventually(func() bool { return consumer.metric(t, "events_retried_total") >= 6 }, "it is tried again")
	require.EqualValues(t, waiting, f.uncommitted(f.settings.TopicOrderEvents))
	require.NoError(t, consumer.consumer.Ready(t.Context()), "the broker answers")

	options.Port = postgres.Port()
	postgres, err = embedded.StartPostgres(t.Context(), options)
	require.NoError(t, err)
	f.awaitCommitted(f.settings.TopicOrderEvents)
	f.requireEachEffectOnce(100 + waiting)
	require.Empty(t, f.letters(f.settings.TopicOrderEventsDLQ))
}

// The broker goes away for a while: the consumer says so, waits, and goes on.
func TestBrokerStopsForAWhile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := newFixtureOn(t, testdb.New(t), dir)
	f.countEffects()
	consumer := f.start()
	f.produceOrders(200)
	f.awaitCommitted(f.settings.TopicOrderEvents)
	require.NoError(t, consumer.consumer.Ready(t.Context()))

	f.broker.Close()
	ready := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		return consumer.consumer.Ready(ctx)
	}
	require.ErrorContains(t, ready(), "does not answer")
	time.Sleep(time.Second)

	_, text, err := net.SplitHostPort(f.settings.Brokers[0])
	require.NoError(t, err)
	port, err := strconv.Atoi(text)
	require.NoError(t, err)
	f.broker = startBroker(t, dir, port)
	f.eventually(func() bool { return ready() == nil }, "the consumer does not see the broker again")
	f.produceOrders(200)
	f.awaitCommitted(f.settings.TopicOrderEvents)
	f.requireEachEffectOnce(400)

	f.broker.Close()
	started := time.Now()
	consumer.stop()
	require.Less(t, time.Since(started), 30*time.Second, "a broker that is down must not hold the shutdown")
	t.Logf("shutdown without a broker took %s", time.Since(started))
}

// At shutdown what is begun is finished and committed, and nothing more is begun.
func TestShutdownFinishesWhatIsBegun(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	begun, release := make(chan struct{}), make(chan struct{})
	var streams []events.Stream
	for _, stream := range events.Streams(f.settings, f.pool) {
		streams = append(streams, stream.WithApply(func(_ context.Context, _ int, apply func() error) error {
			close(begun) // a second transaction would panic here
			<-release
			return apply()
		}))
	}
	consumer := f.start(streams...)
	f.produce(f.settings.TopicOrderEvents, order("a", uuid.New(), uuid.New(), "Done", "2026-03-01T10:00:00Z"))
	<-begun
	f.produce(f.settings.TopicOrderEvents, order("b", uuid.New(), uuid.New(), "Done", "2026-03-01T10:00:00Z"))
	time.Sleep(300 * time.Millisecond) // it waits behind the first
	time.AfterFunc(300*time.Millisecond, func() { close(release) })
	consumer.stop()
	require.EqualValues(t, 1, f.queryInt("SELECT count(*) FROM handled_events"))
	require.EqualValues(t, 1, f.uncommitted(f.settings.TopicOrderEvents))
}

// What a producer took back has never happened.
func TestAbortedTransactionsAreNotSeen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	client, err := kgo.NewClient(kgo.SeedBrokers(f.settings.Brokers...), kgo.TransactionalID(f.settings.Group))
	require.NoError(t, err)
	defer client.Close()
	for i, end := range []kgo.TransactionEndTry{kgo.TryAbort, kgo.TryCommit} {
		require.NoError(t, client.BeginTransaction())
		require.NoError(t, client.ProduceSync(t.Context(), &kgo.Record{Topic: f.settings.TopicOrderEvents,
			Value: []byte(order(fmt.Sprint(i), uuid.New(), uuid.New(), "Done", "2026-03-01T10:00:00Z"))}).FirstErr())
		require.NoError(t, client.EndTransaction(t.Context(), end))
	}
	f.eventually(func() bool { return f.queryInt("SELECT count(*) FROM handled_events") > 0 }, "the committed one does not come")
	require.Equal(t, "id:1", one[string](f, "SELECT string_agg(event_key, ' ') FROM handled_events"))
}
