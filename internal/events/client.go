package events

// This file: connecting to the broker: the settings of the Kafka client that
// every use of it shares (addresses, TLS, SASL, logging).

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"equipment-platform/internal/config"
)

// newClient makes a client. It does not connect: a broker that is down is waited
// for by whoever uses the client.
func newClient(settings config.Kafka, log *slog.Logger, opts ...kgo.Opt) (*kgo.Client, error) {
	common := []kgo.Opt{
		kgo.SeedBrokers(trimmed(settings.Brokers)...),
		kgo.ClientID("equipment-catalog"),
		// Records go out one at a time here, each waited for: there is nothing to wait
		// with. (The library's default is 10 ms, 95 dead letters a second.)
		kgo.ProducerLinger(0),
		kgo.WithLogger(clientLog{log}),
	}
	if settings.TLS {
		common = append(common, kgo.DialTLSConfig(&tls.Config{MinVersion: tls.VersionTLS12}))
	}
	switch settings.SASLMechanism {
	case "PLAIN":
		common = append(common, kgo.SASL(plain.Auth{User: settings.SASLUsername, Pass: settings.SASLPassword}.AsMechanism()))
	case "SCRAM-SHA-256":
		common = append(common, kgo.SASL(scram.Auth{User: settings.SASLUsername, Pass: settings.SASLPassword}.AsSha256Mechanism()))
	case "SCRAM-SHA-512":
		common = append(common, kgo.SASL(scram.Auth{User: settings.SASLUsername, Pass: settings.SASLPassword}.AsSha512Mechanism()))
	}
	client, err := kgo.NewClient(append(common, opts...)...)
	if err != nil {
		return nil, fmt.Errorf("kafka client: %w", err)
	}
	return client, nil
}

func trimmed(addresses []string) []string {
	out := make([]string, 0, len(addresses))
	for _, address := range addresses {
		out = append(out, strings.TrimSpace(address))
	}
	return out
}

// clientLog passes the client's warnings and errors on. Its chatter below that is
// about single requests.
type clientLog struct{ log *slog.Logger }

// Level implements kgo.Logger.
func (clientLog) Level() kgo.LogLevel { return kgo.LogLevelWarn }

// Log implements kgo.Logger.
func (l clientLog) Log(level kgo.LogLevel, message string, keyValues ...any) {
	severity := slog.LevelWarn
	if level == kgo.LogLevelError {
		severity = slog.LevelError
	}
	l.log.Log(context.Background(), severity, "kafka client: "+message, keyValues...)
}
