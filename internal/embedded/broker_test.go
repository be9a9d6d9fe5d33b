package embedded

// This file: the broker through the real client: round trips, and what a
// restart keeps.

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// platformTopics are the topics that the contract names (contract 6.8).
var platformTopics = []string{
	"platform.file.deleted.v1", "platform.equipment.file.deleted.v1.dlq", "platform.order.events.v1", "platform.equipment.order.events.v1.dlq",
}

func startBrokerForTest(t *testing.T, opts BrokerOptions) *Broker {
	t.Helper()
	broker, err := StartBroker(t.Context(), opts)
	require.NoError(t, err)
	t.Cleanup(broker.Stop)
	return broker
}

func kafkaClient(t *testing.T, broker *Broker, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	client, err := kgo.NewClient(append(opts, kgo.SeedBrokers(broker.Address()))...)
	require.NoError(t, err)
	t.Cleanup(client.CloseAllowingRebalance)
	return client
}

// consume returns the values of the next n records.
func consume(t *testing.T, client *kgo.Client, n int) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var values []string
	for len(values) < n {
		fetches := client.PollFetches(ctx)
		require.NoError(t, fetches.Err())
		fetches.EachRecord(func(record *kgo.Record) { values = append(values, string(record.Value)) })
	}
	return values
}

func TestBrokerMakesTheTopics(t *testing.T) {
	t.Parallel()
	broker := startBrokerForTest(t, BrokerOptions{})
	topics, err := kadm.NewClient(kafkaClient(t, broker)).ListTopics(t.Context())
	require.NoError(t, err)
	require.ElementsMatch(t, platformTopics, topics.Names())
	for _, topic := range topics {
		require.Len(t, topic.Partitions, BrokerPartitions, topic.Topic)
	}
}

func TestBrokerKeepsEverythingOverARestart(t *testing.T) {
	t.Parallel()
	opts := BrokerOptions{Dir: t.TempDir()}
	group := []kgo.Opt{
		kgo.ConsumerGroup("g"), kgo.ConsumeTopics("platform.order.events.v1"),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.DisableAutoCommit(),
	}
	first, err := StartBroker(t.Context(), opts)
	require.NoError(t, err)
	client := kafkaClient(t, first, group...)
	produce := func(client *kgo.Client, value string) {
		require.NoError(t, client.ProduceSync(t.Context(), &kgo.Record{Topic: "platform.order.events.v1", Value: []byte(value)}).FirstErr())
	}
	produce(client, "done")
	require.Equal(t, []string{"done"}, consume(t, client, 1))
	require.NoError(t, client.CommitUncommittedOffsets(t.Context()))
	produce(client, "waiting")
	client.CloseAllowingRebalance()
	first.Stop()
	first.Stop()

	opts.Topics = append(slices.Clone(platformTopics), "added.later")
	second := startBrokerForTest(t, opts)
	requireKept(t, first.Port(), second.Port())
	require.Equal(t, []string{"waiting"}, consume(t, kafkaClient(t, second, group...), 1))
	topics, err := kadm.NewClient(kafkaClient(t, second)).ListTopics(t.Context())
	require.NoError(t, err)
	require.True(t, topics.Has("added.later"))
}

func TestBrokerDirectoryHasOneOwner(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	broker := startBrokerForTest(t, BrokerOptions{Dir: dir})
	_, err := StartBroker(t.Context(), BrokerOptions{Dir: dir})
	require.ErrorIs(t, err, ErrInUse)
	_, err = StartBroker(t.Context(), BrokerOptions{Port: broker.Port()})
	require.ErrorContains(t, err, "address already in use")
}

// The port of the last run may belong to another process by now.
func TestBrokerTakesAnotherPort(t *testing.T) {
	t.Parallel()
	opts := BrokerOptions{Dir: t.TempDir()}
	first, err := StartBroker(t.Context(), opts)
	require.NoError(t, err)
	first.Stop()
	listener, err := net.Listen("tcp", first.Address())
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	second := startBrokerForTest(t, opts)
	require.NotEqual(t, first.Port(), second.Port())
	topics, err := kadm.NewClient(kafkaClient(t, second)).ListTopics(t.Context())
	require.NoError(t, err)
	require.ElementsMatch(t, platformTopics, topics.Names())
}

// What the broker acknowledged before its process was killed is there afterwards.
func TestBrokerKeepsAcknowledgedRecordsWhenKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	killed, log := helper(t, "TestHelperBrokerProcess", "EMBEDDED_TEST_BROKER_DIR", dir)
	_, err := log.Await(t.Context(), "acknowledged")
	require.NoError(t, err)
	killed.Kill()

	broker := startBrokerForTest(t, BrokerOptions{Dir: dir})
	client := kafkaClient(t, broker, kgo.ConsumeTopics("platform.file.deleted.v1"))
	require.Equal(t, strings.Split(strings.Repeat("kept ", 100), " ")[:100], consume(t, client, 100))
}

// TestHelperBrokerProcess is the process of the test above; by itself it does nothing.
func TestHelperBrokerProcess(t *testing.T) {
	dir := os.Getenv("EMBEDDED_TEST_BROKER_DIR")
	if dir == "" {
		return
	}
	broker, err := StartBroker(t.Context(), BrokerOptions{Dir: dir})
	require.NoError(t, err)
	client := kafkaClient(t, broker)
	for range 100 {
		require.NoError(t, client.ProduceSync(t.Context(), &kgo.Record{Topic: "platform.file.deleted.v1", Value: []byte("kept")}).FirstErr())
	}
	fmt.Println("acknowledged")
	select {} // until killed
}
