package events_test

// This file: the published description (openapi/events.yaml) and the code: the
// decoders take its examples and refuse what it says is refused, and so do its
// schemas.

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"equipment-platform/internal/config"
	"equipment-platform/internal/events"
)

const descriptionFile = "../../openapi/events.yaml"

type description struct {
	Channels map[string]struct {
		Address string
	}
	Components struct {
		Messages map[string]struct {
			Payload struct {
				Ref string `yaml:"$ref"`
			}
			Examples []struct {
				Name    string
				Payload map[string]any
			}
			Refused []struct {
				Reason  string
				Payload map[string]any
			} `yaml:"x-refused"`
		}
	}
}

func TestDescription(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(descriptionFile)
	require.NoError(t, err)
	var document any
	require.NoError(t, yaml.Unmarshal(text, &document))
	var described description
	require.NoError(t, yaml.Unmarshal([]byte(strings.ReplaceAll(string(text), "payload: '{", "x-text: '{")), &described))
	settings, err := config.From[config.DLQ](nil)
	require.NoError(t, err)
	streams := events.Streams(settings.Kafka, nil)

	var addresses []string
	for _, channel := range described.Channels {
		addresses = append(addresses, channel.Address)
	}
	require.ElementsMatch(t, []string{streams[0].Topic, streams[0].DeadLetterTopic, streams[1].Topic, streams[1].DeadLetterTopic}, addresses)

	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	asJSON, err := json.Marshal(document)
	require.NoError(t, err)
	schemas, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	require.NoError(t, err)
	require.NoError(t, compiler.AddResource("events.json", schemas))

	for message, stream := range map[string]events.Stream{"FileDeleted": streams[0], "OrderChanged": streams[1]} {
		text := described.Components.Messages[message]
		schema, err := compiler.Compile("events.json" + text.Payload.Ref)
		require.NoError(t, err)
		require.NotEmpty(t, text.Examples)
		require.NotEmpty(t, text.Refused)
		validate := func(value []byte) error {
			instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
			require.NoError(t, err)
			return schema.Validate(instance)
		}
		for _, example := range text.Examples {
			value, err := json.Marshal(example.Payload)
			require.NoError(t, err)
			ignored, err := stream.Prepare(value)
			require.NoError(t, err, "%s example %s", message, example.Name)
			require.Equal(t, example.Name == "otherService", ignored, "%s example %s", message, example.Name)
			require.NoError(t, validate(value), "%s example %s", message, example.Name)
		}
		for _, refused := range text.Refused {
			value, err := json.Marshal(refused.Payload)
			require.NoError(t, err)
			_, err = stream.Prepare(value)
			require.Error(t, err, "%s refused: %s", message, refused.Reason)
			require.Error(t, validate(value), "%s refused: %s", message, refused.Reason)
		}
	}
}

// Whatever the bytes are, reading them ends in a value or an error, and what is
// taken is valid text.
func FuzzPrepare(f *testing.F) {
	settings, err := config.From[config.DLQ](nil)
	require.NoError(f, err)
	streams := events.Streams(settings.Kafka, nil)
	f.Add([]byte(goodOrder))
	f.Add([]byte(`{"entityType":"EQUIPMENT","fileId":"8a6e0804-2bd0-4672-b79d-d97027f9071a"}`))
	f.Add([]byte(`{"eventTimestamp":1e99,"a":[[[]]]}`))
	f.Add([]byte("{\"a\":\"\\ud800\\u0000\xff\"}"))
	f.Fuzz(func(t *testing.T, value []byte) {
		for _, stream := range streams {
			_, first := stream.Prepare(value)
			_, second := stream.Prepare(value)
			require.Equal(t, first == nil, second == nil)
			if first != nil {
				require.NotContains(t, first.Error(), "\n")
			}
		}
	})
}
