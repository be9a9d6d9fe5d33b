package main

// This file: three Apache Kafka brokers, each a controller too, and what is on them.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"equipment-platform/internal/process"
	"equipment-platform/verify/steady"
)

const (
	nodes      = 3
	partitions = 6 // of each topic, at first
)

// cluster is what runs on 127.0.0.1; nodes are numbered from 0, their ids from 1.
type cluster struct {
	dir, libraries string
	brokers        [nodes]string // addresses
	running        [nodes]*process.Process
	client         *kgo.Client
	admin          *kadm.Client
}

// startCluster starts the brokers and makes the topics, of which each record is on three
// brokers, and acknowledged when two have it.
func startCluster(ctx context.Context, dir string, topics []string) (_ *cluster, err error) {
	c := &cluster{dir: dir, libraries: os.Getenv("KAFKA_LIBRARIES")}
	if c.libraries == "" {
		return nil, errors.New("KAFKA_LIBRARIES says where the broker's artifacts are")
	}
	defer func() {
		if err != nil {
			c.stop()
		}
	}()
	var controllers [nodes]string
	var voters []string
	for n := range nodes {
		if c.brokers[n], err = process.FreeAddress(); err != nil {
			return nil, err
		}
		if controllers[n], err = process.FreeAddress(); err != nil {
			return nil, err
		}
		voters = append(voters, fmt.Sprintf("%d@%s", n+1, controllers[n]))
	}
	for n := range nodes {
		settings := c.file(n, "properties")
		text := fmt.Sprintf(`process.roles=broker,controller
node.id=%d
controller.quorum.voters=%s
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://%s,CONTROLLER://%s
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=%s
offsets.topic.replication.factor=3
offsets.topic.num.partitions=6
min.insync.replicas=2
auto.create.topics.enable=false
`, n+1, strings.Join(voters, ","), c.brokers[n], controllers[n], c.file(n, "data"))
		if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
			return nil, err
		}
		format := exec.CommandContext(ctx, "java", c.java("kafka.tools.StorageTool", "format", "-t", "AAAAAAAAAAAAAAAAAAAAAA", "-c", settings)...)
		if said, err := format.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("the storage of broker %d: %w: %s", n+1, err, said)
		}
		if err := c.start(n); err != nil {
			return nil, err
		}
	}
	if c.client, err = kgo.NewClient(kgo.SeedBrokers(c.brokers[:]...), kgo.MetadataMinAge(100*time.Millisecond)); err != nil {
		return nil, err
	}
	c.admin = kadm.NewClient(c.client)
	if err := c.await(ctx, "topics on three brokers", func() (bool, error) { // which must all be there
		made, err := c.admin.CreateTopics(ctx, partitions, nodes, nil, topics...)
		if err == nil {
			err = made.Error()
		}
		return err == nil || errors.Is(err, kerr.TopicAlreadyExists), err
	}); err != nil {
		return nil, err
	}
	return c, c.whole(ctx)
}

func (c *cluster) file(n int, what string) string {
	return filepath.Join(c.dir, fmt.Sprintf("broker-%d.%s", n+1, what))
}

func (c *cluster) java(args ...string) []string {
	return append([]string{"-Xmx512m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-Dorg.slf4j.simpleLogger.showDateTime=true", "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss", "-cp", filepath.Join(c.libraries, "*")}, args...)
}

func (c *cluster) start(n int) (err error) {
	c.running[n], err = process.Start(process.Program{
		Name: fmt.Sprintf("broker %d", n+1), Path: "java", Args: c.java("kafka.Kafka", c.file(n, "properties")), LogPath: c.file(n, "log"),
	})
	return err
}

func (c *cluster) stop() {
	if c.client != nil {
		c.client.Close()
	}
	for _, broker := range c.running {
		if broker != nil {
			broker.Kill()
		}
	}
}

// await waits until something is so. What cannot be asked now may be later.
func (c *cluster) await(ctx context.Context, what string, is func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, recovery)
	defer cancel()
	for {
		so, err := is()
		if so {
			return nil
		}
		for n, broker := range c.running {
			if broker != nil && broker.Ended() {
				return fmt.Errorf("broker %d ended: %s", n+1, broker.Tail(10))
			}
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s: not within %s: %w", what, recovery, err)
		}
		steady.Pause(ctx, 100*time.Millisecond)
	}
}

// each reports whether every partition of every topic is so, those of the group's offsets included.
func (c *cluster) each(ctx context.Context, is func(kadm.PartitionDetail) bool) (bool, error) {
	topics, err := c.admin.ListTopicsWithInternal(ctx)
	if err != nil || len(topics) == 0 {
		return false, err
	}
	for _, topic := range topics {
		if topic.Err != nil {
			return false, topic.Err
		}
		for _, one := range topic.Partitions {
			if one.Err != nil || !is(one) {
				return false, one.Err
			}
		}
	}
	return true, nil
}

// whole waits until every partition is on all brokers, each of which must answer: what one says
// of the others is of before while there is no quorum.
func (c *cluster) whole(ctx context.Context) error {
	for n := range nodes {
		if err := c.await(ctx, fmt.Sprintf("an answer of broker %d", n+1), func() (bool, error) {
			_, err := kmsg.NewPtrApiVersionsRequest().RequestWith(ctx, c.client.Broker(n+1))
			return err == nil, err
		}); err != nil {
			return err
		}
	}
	return c.await(ctx, "all partitions on all brokers", func() (bool, error) {
		return c.each(ctx, func(one kadm.PartitionDetail) bool { return len(one.ISR) == nodes })
	})
}

// without waits until every partition is led by another broker than these.
func (c *cluster) without(ctx context.Context, dead ...int) error {
	return c.await(ctx, "another broker for every partition", func() (bool, error) {
		return c.each(ctx, func(one kadm.PartitionDetail) bool {
			return one.Leader > 0 && !slices.Contains(dead, int(one.Leader)-1)
		})
	})
}

// coordinator is the broker that the group is at.
func (c *cluster) coordinator(ctx context.Context, group string) (int, error) {
	groups, err := c.admin.DescribeGroups(ctx, group)
	if err != nil {
		return 0, err
	}
	return int(groups[group].Coordinator.NodeID) - 1, groups[group].Err
}

// assigned counts the partitions of a topic that members of the group have.
func (c *cluster) assigned(ctx context.Context, group, topic string) (int, error) {
	groups, err := c.admin.DescribeGroups(ctx, group)
	if err != nil {
		return 0, err
	}
	of := groups[group]
	return len(of.AssignedPartitions()[topic]), of.Err
}

// unread counts the records of a topic that the group has not acknowledged, and its partitions
// on which there is nothing.
func (c *cluster) unread(ctx context.Context, group, topic string) (records int64, empty int, err error) {
	ends, err := c.admin.ListEndOffsets(ctx, topic)
	if err != nil {
		return 0, 0, err
	}
	committed, err := c.admin.FetchOffsets(ctx, group)
	if err != nil {
		return 0, 0, err
	}
	ends.Each(func(end kadm.ListedOffset) {
		at, _ := committed.Lookup(topic, end.Partition)
		records += end.Offset - max(at.At, 0)
		if end.Offset == 0 {
			empty++
		}
	})
	return records, empty, ends.Error()
}
