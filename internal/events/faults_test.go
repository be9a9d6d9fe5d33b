package events_test

// This file: crashes, outages and rebalances in the middle of the stream: every
// effect once, nothing lost (contract 6.3, contract 6.6, contract 6.7).

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
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
	var unfinished []int64
	for _, records := range []int{300, 900, 1300, 1500} {
		helper, log := f.startHelper(records)
		_, err := log.Await(t.Context(), "holding")
		require.NoError(t, err)
		helper.Kill()
		unfinished = append(unfinished, f.uncommitted(f.settings.TopicOrderEvents)+f.uncommitted(f.settings.TopicFileDeleted))
		done := f.queryInt("SELECT count(*) FROM handled_events")
		require.Less(t, orders+20*vehicles-done, unfinished[len(unfinished)-1], "it was not killed between effect and acknowledgement")
	}
	t.Logf("not acknowledged at each crash: %v of 5000", unfinished)
	last, _ := f.startHelper(math.MaxInt)
	f.awaitCommitted(f.settings.TopicOrderEvents)
	f.awaitCommitted(f.settings.TopicFileDeleted)
	last.Kill()

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
	require.EqualValues(t, orders+20*vehicles, again.metric(t, "events_duplicates_total"))
}

// startHelper starts a consumer in a process of its own, which holds for good
// before it acknowledges what comes after so many records.
func (f *fixture) startHelper(records int) (*process.Process, *process.Log) {
	f.t.Helper()
	log := &process.Log{}
	helper, err := process.Start(process.Program{
		Path: os.Args[0], Args: []string{"-test.run=^TestHelperConsumerProcess$"}, Log: log,
		Env: process.Environment(os.Environ(), map[string]string{
			"EVENTS_TEST_URL": f.url, "EVENTS_TEST_HOLD": strconv.Itoa(records), "KAFKA_BROKERS": f.settings.Brokers[0], "KAFKA_GROUP": f.settings.Group,
			"KAFKA_TOPIC_FILE_DELETED": f.settings.TopicFileDeleted, "KAFKA_TOPIC_FILE_DELETED_DLQ": f.settings.TopicFileDeletedDLQ,
			"KAFKA_TOPIC_ORDER_EVENTS": f.settings.TopicOrderEvents, "KAFKA_TOPIC_ORDER_EVENTS_DLQ": f.settings.TopicOrderEventsDLQ,
		}),
	})
	require.NoError(f.t, err)
	f.t.Cleanup(helper.Kill)
	return helper, log
}

// TestHelperConsumerProcess is the process of the test above; by itself it does
// nothing.
func TestHelperConsumerProcess(t *testing.T) {
	if os.Getenv("EVENTS_TEST_URL") == "" {
		return
	}
	hold, err := strconv.ParseInt(os.Getenv("EVENTS_TEST_HOLD"), 10, 64)
	require.NoError(t, err)
	settings, err := config.Load[config.DLQ]()
	require.NoError(t, err)
	pool, err := database.Open(t.Context(), os.Getenv("EVENTS_TEST_URL"), 8, "events-test")
	require.NoError(t, err)
	var applied atomic.Int64
	var streams []events.Stream
	for _, stream := range events.Streams(settings.Kafka, pool) {
		streams = append(streams, stream.WithApply(func(_ context.Context, records int, apply func() error) error {
			err := apply()
			if err == nil && applied.Add(int64(records)) >= hold {
				fmt.Println("holding")
				select {}
			}
			return err
		}))
	}
	options := events.Options{Kafka: settings.Kafka, Streams: streams, Log: testLog(t, &process.Log{})}
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
	applied := make(chan struct{}, 1)
	streams := f.streams(func(apply func() error) error {
		err := apply()
		select {
		case applied <- struct{}{}:
		default:
		}
		return err
	})
	// one topic, with a partition for each consumer: of two, the group may give one
	// of them partitions of the topic only that has no records
	streams = slices.DeleteFunc(streams, func(s events.Stream) bool { return s.Topic != f.settings.TopicOrderEvents })
	// records come as fast as they are handled, until the last consumer has come and gone
	flowing, stopFlow := context.WithCancel(t.Context())
	produced := 0
	var flow sync.WaitGroup
	t.Cleanup(func() { stopFlow(); flow.Wait() })
	flow.Go(func() {
		for flowing.Err() == nil {
			f.produceOrders(100)
			produced += 100
			select {
			case <-applied:
			case <-flowing.Done():
			}
		}
	})
	works := func(consumers ...*running) {
		t.Helper()
		for _, consumer := range consumers {
			before := consumer.metric(t, "events_processed_total")
			f.eventually(func() bool { return consumer.metric(t, "events_processed_total") > before }, "a consumer gets no records")
		}
	}
	first := f.start(streams...)
	works(first)
	second := f.start(streams...)
	works(first, second)
	first.stop()
	works(second)
	third := f.start(streams...)
	fourth := f.start(streams...)
	works(second, third, fourth)
	second.stop()
	third.stop()
	works(fourth)
	stopFlow()
	flow.Wait()
	f.awaitCommitted(f.settings.TopicOrderEvents)

	f.requireEachEffectOnce(produced)
	handled, shares := 0.0, []float64{}
	for _, consumer := range []*running{first, second, third, fourth} {
		share := consumer.metric(t, "events_processed_total")
		handled, shares = handled+share, append(shares, share)
	}
	t.Logf("shares: %v", shares)
	require.EqualValues(t, produced, handled, "a record was handled by two consumers")
}

// A member that the group has thrown out stops at once and joins again.
func TestThrownOutOfTheGroup(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.countEffects()
	consumer := f.start()
	for round := range 3 {
		f.produceOrders(100)
		f.awaitCommitted(f.settings.TopicOrderEvents)
		f.throwOut(f.member())
		f.produceOrders(200)
		f.eventually(func() bool {
			return strings.Count(consumer.log.String(), "has thrown this consumer out") == round+1
		}, "the consumer does not notice")
	}
	f.awaitCommitted(f.settings.TopicOrderEvents)
	f.requireEachEffectOnce(900)
}

// member is the only member of the group.
func (f *fixture) member() string {
	f.t.Helper()
	groups, err := f.admin.DescribeGroups(f.t.Context(), f.settings.Group)
	require.NoError(f.t, err)
	members := groups[f.settings.Group].Members
	require.Len(f.t, members, 1)
	return members[0].MemberID
}

// throwOut takes a member out of the group, as an operator can.
func (f *fixture) throwOut(member string) {
	f.t.Helper()
	request := kmsg.NewPtrLeaveGroupRequest()
	request.Group = f.settings.Group
	leaving := kmsg.NewLeaveGroupRequestMember()
	leaving.MemberID = member
	request.Members = append(request.Members, leaving)
	answer, err := request.RequestWith(f.t.Context(), f.client)
	require.NoError(f.t, err)
	require.NoError(f.t, kerr.ErrorForCode(answer.ErrorCode))
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
	require.NoError(t, consumer.ready(t), "the broker answers")

	options.Port = postgres.Port()
	f.eventually(func() bool { // a connection of somebody else may have the port
		postgres, err = embedded.StartPostgres(t.Context(), options)
		return err == nil
	}, "the database does not start again")
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
	require.NoError(t, consumer.ready(t))

	f.broker.Close()
	require.ErrorContains(t, consumer.ready(t), "does not answer")
	consumer.says(t, "unable to open connection to broker")

	_, text, err := net.SplitHostPort(f.settings.Brokers[0])
	require.NoError(t, err)
	port, err := strconv.Atoi(text)
	require.NoError(t, err)
	f.broker = startBroker(t, dir, port)
	f.eventually(func() bool { return consumer.ready(t) == nil }, "the consumer does not see the broker again")
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
	consumer := f.start(f.streams(func(apply func() error) error {
		close(begun) // a second transaction would panic here
		<-release
		return apply()
	})...)
	f.produce(f.settings.TopicOrderEvents, order("a", uuid.New(), uuid.New(), "Done", "2026-03-01T10:00:00Z"))
	<-begun
	f.produce(f.settings.TopicOrderEvents, order("b", uuid.New(), uuid.New(), "Done", "2026-03-01T10:00:00Z"))
	f.eventually(func() bool { return consumer.metric(t, "events_consumer_lag") == 2 }, "the second does not wait behind the first")
	go func() {
		defer close(release)
		_, _ = consumer.log.Await(t.Context(), "given up after what has begun")
	}()
	consumer.stop()
	require.EqualValues(t, 1, f.queryInt("SELECT count(*) FROM handled_events"))
	require.EqualValues(t, 1, f.uncommitted(f.settings.TopicOrderEvents))
}

// What a producer took back has never happened. The marks at the end of its
// transactions are acknowledged too: nothing seems to wait when everything is done.
func TestAbortedTransactionsAreNotSeen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	consumer := f.start()
	client, err := kgo.NewClient(kgo.SeedBrokers(f.settings.Brokers...), kgo.TransactionalID(f.settings.Group), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	require.NoError(t, err)
	defer client.Close()
	number := 0
	transaction := func(end kgo.TransactionEndTry, records int) {
		t.Helper()
		require.NoError(t, client.BeginTransaction())
		for range records {
			number++
			require.NoError(t, client.ProduceSync(t.Context(), &kgo.Record{Topic: f.settings.TopicOrderEvents, Partition: int32(number % 2),
				Value: []byte(order(fmt.Sprint(number), uuid.New(), uuid.New(), "Done", "2026-03-01T10:00:00Z"))}).FirstErr())
		}
		require.NoError(t, client.EndTransaction(t.Context(), end))
	}
	transaction(kgo.TryAbort, 3)
	transaction(kgo.TryCommit, 2)
	f.awaitCommitted(f.settings.TopicOrderEvents)
	f.eventually(func() bool { return f.queryInt("SELECT count(*) FROM handled_events") == 2 }, "the committed ones do not come")
	transaction(kgo.TryCommit, 50)
	transaction(kgo.TryAbort, 50)
	f.awaitCommitted(f.settings.TopicOrderEvents)
	require.EqualValues(t, 52, f.queryInt("SELECT count(*) FROM handled_events"))
	require.EqualValues(t, 52, consumer.metric(t, "events_processed_total"))
	require.Zero(t, consumer.metric(t, "events_consumer_lag"))
	require.Equal(t, "id:4 id:5", one[string](f, "SELECT string_agg(event_key, ' ' ORDER BY event_key) FROM handled_events WHERE event_key IN ('id:1', 'id:2', 'id:3', 'id:4', 'id:5')"))

	// what no transaction has ended yet is not there for anybody, nor does it wait
	require.NoError(t, client.BeginTransaction())
	require.NoError(t, client.ProduceSync(t.Context(), &kgo.Record{Topic: f.settings.TopicOrderEvents, Value: []byte(goodOrder)}).FirstErr())
	f.produceRecords(&kgo.Record{Topic: f.settings.TopicOrderEvents, Partition: 2, Value: []byte(goodOrder)})
	f.eventually(func() bool { return f.queryInt("SELECT count(*) FROM handled_events WHERE event_key = 'id:good'") == 1 }, "it does not come")
	f.eventually(func() bool { return consumer.metric(t, "events_consumer_lag") == 0 }, "an open transaction counts as waiting")
	require.NoError(t, client.EndTransaction(t.Context(), kgo.TryCommit))
	f.awaitCommitted(f.settings.TopicOrderEvents)
	require.EqualValues(t, 1, consumer.metric(t, "events_duplicates_total"))
}
