package config_test

// This file: every variable of every program: its default, its bad values, and
// its line in --help (contract 15.4).

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
)

// program is a kind of settings with what it needs at least.
type program struct {
	load     func(map[string]string) error
	describe func() string
	required map[string]string
}

func programOf[T any](required map[string]string) program {
	return program{
		load:     func(environment map[string]string) error { _, err := config.From[T](environment); return err },
		describe: func() string { var b bytes.Buffer; config.Describe[T](&b); return b.String() },
		required: required,
	}
}

const databaseURL, jwksURL = "postgres://u:secret@db:5432/catalog", "https://id.example/jwks"

var programs = map[string]program{
	"catalog": programOf[config.CatalogProgram](map[string]string{"DATABASE_URL": databaseURL, "AUTH_JWKS_URL": jwksURL}),
	"migrate": programOf[config.Migration](map[string]string{"DATABASE_URL": databaseURL}),
	"indexer": programOf[config.Indexer](map[string]string{"DATABASE_URL": databaseURL}),
	"gateway": programOf[config.Gateway](map[string]string{"AUTH_JWKS_URL": jwksURL, "PROVIDER_URL": "https://provider.example"}),
	"sandbox": programOf[config.Sandbox](nil),
	"token":   programOf[config.Token](nil),
}

// variables is the table of contract 15.4 with values that are refused.
var variables = []struct {
	name, fallback string
	programs       []string
	bad            []string
}{
	{"APP_ENV", "development", []string{"catalog", "indexer", "gateway", "sandbox"}, []string{"prod", "Production", "PRODUCTION", "production ", "prod?", "a b", "x\ny"}},
	{"HTTP_ADDR", "127.0.0.1:8080", []string{"catalog"}, []string{"8080", "localhost", "127.0.0.1:http", "127.0.0.1:65536", "127.0.0.1:-1", "a:b:c", "http://x:1"}},
	{"HTTP_ADDR", "127.0.0.1:8090", []string{"gateway"}, []string{"8090"}},
	{"HTTP_ADDR", "127.0.0.1:8091", []string{"sandbox"}, []string{"8091"}},
	{"ADMIN_ADDR", "empty", []string{"catalog", "gateway", "indexer"}, []string{"9090", "x:y"}},
	{"LOG_LEVEL", "info", []string{"catalog", "indexer", "gateway", "sandbox"}, []string{"loud", "1"}},
	{"LOG_FORMAT", "empty", []string{"catalog", "indexer", "gateway", "sandbox"}, []string{"xml", "JSON"}},
	{"SHUTDOWN_TIMEOUT", "20s", []string{"catalog", "indexer", "gateway", "sandbox"}, []string{"20", "x", "0s", "-1s"}},
	{"DATABASE_URL", "required", []string{"catalog", "indexer", "migrate"}, []string{"x", "mysql://x/y", "postgres://h:port/db", "postgres://h/db?sslmode=maybe", "postgres://h/db?pool_max_conns=x", "postgres://h/db?default_query_exec_mode=exec", "postgres://h/db?default_query_exec_mode=simple_protocol", "host=x"}},
	{"DATABASE_READ_URL", "empty", []string{"catalog"}, []string{"x", "http://x/y"}},
	{"DATABASE_MAX_CONNS", "0", []string{"catalog", "indexer"}, []string{"-1", "x", "1.5", "9999999999"}},
	{"KAFKA_BROKERS", "empty", []string{"catalog"}, []string{"x", "a:1,b", "a:1,,b:2", "a:1,", ",", "a:x"}},
	{"KAFKA_GROUP", "equipment-service-group", []string{"catalog"}, nil},
	{"KAFKA_TOPIC_FILE_DELETED", "platform.file.deleted.v1", []string{"catalog"}, []string{"bad topic!", "..", strings.Repeat("x", 250)}},
	{"KAFKA_TOPIC_FILE_DELETED_DLQ", "platform.equipment.file.deleted.v1.dlq", []string{"catalog"}, []string{"bad topic!", "..", strings.Repeat("x", 250)}},
	{"KAFKA_TOPIC_ORDER_EVENTS", "platform.order.events.v1", []string{"catalog"}, []string{"bad topic!", "..", strings.Repeat("x", 250)}},
	{"KAFKA_TOPIC_ORDER_EVENTS_DLQ", "platform.equipment.order.events.v1.dlq", []string{"catalog"}, []string{"bad topic!", "..", strings.Repeat("x", 250)}},
	{"KAFKA_TLS", "off", []string{"catalog"}, []string{"maybe", "2"}},
	{"KAFKA_SASL_MECHANISM", "empty", []string{"catalog"}, []string{"GSSAPI", "plain", "SCRAM-SHA-1"}},
	{"KAFKA_SASL_USERNAME", "empty", []string{"catalog"}, nil},
	{"KAFKA_SASL_PASSWORD", "empty", []string{"catalog"}, nil},
	{"AUTH_JWKS_URL", "required", []string{"catalog", "gateway"}, []string{"x", "/path", "ftp://x/y", "https://"}},
	{"AUTH_ISSUER", "empty", []string{"catalog", "gateway", "token"}, nil},
	{"AUTH_AUDIENCE", "empty", []string{"catalog", "gateway", "token"}, nil},
	{"AUTH_ROLES_CLAIM", "roles", []string{"catalog", "gateway"}, []string{".", "a..b", ".roles", "roles."}},
	{"AUTH_ALGORITHMS", "RS256,PS256,ES256,EdDSA", []string{"catalog", "gateway"}, []string{"none", "HS256", "RS256,HS256", "rs256", ","}},
	{"AUTH_JWKS_REFRESH", "5m", []string{"catalog", "gateway"}, []string{"5", "0s", "-5m", "x"}},
	{"AUTH_DEV_KEY", ".local/keys/dev.pem", []string{"catalog", "token"}, nil},
	{"CORS_PLATFORM_DOMAIN", "platform.localhost", []string{"catalog", "gateway"}, []string{"https://x.example", "x.example:443", "a b", "*", "*.x.example", ".x.example", "x..example", "-x.example"}},
	{"EMBEDDINGS_URL", "empty", []string{"catalog", "indexer"}, []string{"x", "ftp://x/v1", "http://", "localhost:1", "http://user:secret@[::1/v1"}},
	{"EMBEDDINGS_WEIGHTS", "empty", []string{"catalog", "indexer"}, nil},
	{"EMBEDDINGS_LEXICON", "empty", []string{"catalog", "indexer"}, nil},
	{"EMBEDDINGS_MODEL", "empty", []string{"catalog", "indexer"}, nil},
	{"EMBEDDINGS_API_KEY", "empty", []string{"catalog", "indexer"}, nil},
	{"EMBEDDINGS_QUERY_PREFIX", "empty", []string{"catalog", "indexer"}, nil},
	{"EMBEDDINGS_PASSAGE_PREFIX", "empty", []string{"catalog", "indexer"}, nil},
	{"EMBEDDINGS_LEXICAL_SHARE", "0", []string{"catalog", "indexer"}, []string{"-0.1", "1.1", "NaN", "x"}},
	{"RATE_LIMIT_RPS", "0", []string{"catalog", "gateway"}, []string{"-1", "NaN", "Inf", "x"}},
	{"RATE_LIMIT_BURST", "0", []string{"catalog", "gateway"}, []string{"-1", "1.5", "x"}},
	{"TRUSTED_PROXIES", "empty", []string{"catalog", "gateway"}, []string{"10.0.0.0", "proxy", "10.0.0.0/33", "10.0.0.0/8,", "10.0.0.0/8;::1/128", "10.0.0.0/8,x/8", "*"}},
	{"DOCS_ENABLED", "empty", []string{"catalog", "gateway"}, []string{"maybe"}},
	{"CATALOG_API", "on", []string{"catalog"}, []string{"maybe"}},
	{"CATALOG_CONSUMERS", "on", []string{"catalog"}, []string{"maybe"}},
	{"PROVIDER_URL", "required", []string{"gateway"}, []string{"x", "ftp://x", "http://x/?q=1", "http://x#f", "http://u:p@x"}},
	{"PROVIDER_BOX_ID", "empty", []string{"gateway"}, nil},
	{"PROVIDER_CLIENT_ID", "empty", []string{"gateway"}, nil},
	{"PROVIDER_CLIENT_SECRET", "empty", []string{"gateway"}, nil},
	{"PROVIDER_REDIRECT_URI", "empty", []string{"gateway"}, []string{"x"}},
	{"PROVIDER_OIDC_ISSUER", "empty", []string{"gateway"}, []string{"x"}},
	{"PROVIDER_SCOPES", "empty", []string{"gateway"}, nil},
	{"LOGISTICS_URL", "empty", []string{"gateway"}, []string{"x"}},
	{"WAYBILL_URL", "empty", []string{"gateway"}, []string{"x"}},
	{"TRANSPORT_URL", "empty", []string{"gateway"}, []string{"x"}},
	{"GATEWAY_STATE_KEY", "empty", []string{"gateway"}, []string{"x", "AAAA", "%%%"}},
	{"UPSTREAM_TIMEOUT", "30s", []string{"gateway"}, []string{"30", "0s", "-1s", "x"}},
}

func TestBadValuesNameTheirVariable(t *testing.T) {
	t.Parallel()
	for _, v := range variables {
		for _, name := range v.programs {
			p := programs[name]
			for _, bad := range v.bad {
				environment := map[string]string{v.name: bad}
				for required, value := range p.required {
					if required != v.name {
						environment[required] = value
					}
				}
				err := p.load(environment)
				require.Error(t, err, "%s: %s=%s", name, v.name, bad)
				require.True(t, strings.HasPrefix(err.Error(), v.name), "%s names %s: %s", name, v.name, err)
				require.NotContains(t, err.Error(), "\n", "one line")
			}
		}
	}
}

func TestRequiredVariables(t *testing.T) {
	t.Parallel()
	for name, p := range programs {
		require.NoError(t, p.load(p.required), name)
		for missing := range p.required {
			for _, value := range []string{"absent", "", "  "} {
				environment := map[string]string{missing: value}
				if value == "absent" {
					delete(environment, missing)
				}
				for other, v := range p.required {
					if other != missing {
						environment[other] = v
					}
				}
				require.EqualError(t, p.load(environment), missing+" is required")
			}
		}
	}
}

func TestHelpListsEveryVariable(t *testing.T) {
	t.Parallel()
	for _, v := range variables {
		for _, name := range v.programs {
			found := false
			for _, line := range strings.Split(programs[name].describe(), "\n") {
				fields := strings.Fields(line)
				if len(fields) > 2 && fields[0] == v.name {
					require.False(t, found, "%s lists %s twice", name, v.name)
					require.Equal(t, v.fallback, fields[1], "%s: default of %s", name, v.name)
					found = true
				}
			}
			require.True(t, found, "%s --help lacks %s", name, v.name)
		}
	}
}

func TestSecretsAreNotRepeated(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"postgres://u:secret@h:port/db", "mysql://u:secret@h/db", "postgres://u:secret@h/db?sslmode=x", "postgres://u:sec%ret@h/db"} {
		err := programs["migrate"].load(map[string]string{"DATABASE_URL": bad})
		require.Error(t, err)
		require.NotContains(t, err.Error(), "sec")
	}
	err := programs["gateway"].load(map[string]string{"AUTH_JWKS_URL": jwksURL, "PROVIDER_URL": "https://p.example", "GATEWAY_STATE_KEY": "secret"})
	require.NotContains(t, err.Error(), "secret")
}

func TestMeanings(t *testing.T) {
	t.Parallel()
	catalog := func(more map[string]string) config.Catalog {
		environment := map[string]string{"DATABASE_URL": databaseURL, "AUTH_JWKS_URL": jwksURL}
		for name, value := range more {
			environment[name] = value
		}
		c, err := config.From[config.Catalog](environment)
		require.NoError(t, err)
		return c
	}
	docs := func(environment map[string]string) bool { c := catalog(environment); return c.Edge.Docs(c.Process) }
	require.True(t, docs(nil))
	require.False(t, docs(map[string]string{"APP_ENV": "production"}))
	require.True(t, docs(map[string]string{"APP_ENV": "production", "DOCS_ENABLED": "true"}))
	require.False(t, docs(map[string]string{"DOCS_ENABLED": "off"}))
	for text, on := range map[string]bool{"on": true, "off": false, "true": true, "FALSE": false, "1": true, "0": false, "On": true} {
		require.Equal(t, on, bool(catalog(map[string]string{"KAFKA_TLS": text}).Kafka.TLS), text)
	}
	require.Equal(t, "query: ", catalog(map[string]string{"EMBEDDINGS_QUERY_PREFIX": "query: "}).Embeddings.QueryPrefix, "a space at its end counts")
	require.Equal(t, []string{"RS256", "EdDSA"}, catalog(map[string]string{"AUTH_ALGORITHMS": "RS256, EdDSA"}).Auth.AllowedAlgorithms())
	require.Len(t, catalog(map[string]string{"KAFKA_BROKERS": "a:9092,b:9092"}).Kafka.Brokers, 2)
	require.Equal(t, "[10.0.0.0/8 fd00::/8]", fmt.Sprint(catalog(map[string]string{"TRUSTED_PROXIES": "10.1.2.3/8, fd00::/8"}).Edge.TrustedProxies))
	require.ErrorContains(t, programs["catalog"].load(map[string]string{"DATABASE_URL": databaseURL, "AUTH_JWKS_URL": jwksURL, "CATALOG_API": "off", "CATALOG_CONSUMERS": "off"}), "CATALOG_API")
	for environment, named := range map[[2]string]string{
		{"KAFKA_TOPIC_ORDER_EVENTS_DLQ", "platform.order.events.v1"}:           "KAFKA_TOPIC_ORDER_EVENTS_DLQ is the same topic as KAFKA_TOPIC_ORDER_EVENTS",
		{"KAFKA_TOPIC_FILE_DELETED", "platform.equipment.order.events.v1.dlq"}: "KAFKA_TOPIC_ORDER_EVENTS_DLQ is the same topic as KAFKA_TOPIC_FILE_DELETED",
		{"KAFKA_SASL_MECHANISM", "PLAIN"}:                                      "KAFKA_SASL_USERNAME is required with KAFKA_SASL_MECHANISM",
	} {
		require.EqualError(t, programs["catalog"].load(map[string]string{"DATABASE_URL": databaseURL, "AUTH_JWKS_URL": jwksURL, environment[0]: environment[1]}), named)
	}
	for _, name := range []string{"staging", "test", "dev", "Development", "qa-2"} {
		require.False(t, catalog(map[string]string{"APP_ENV": name}).Process.Production(), name)
	}
	require.ErrorContains(t, programs["indexer"].load(map[string]string{"DATABASE_URL": databaseURL, "EMBEDDINGS_URL": "http://x/v1"}), "EMBEDDINGS_MODEL")
}

// A .env file in the working directory is read, and the environment wins.
func TestDotEnv(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("DATABASE_URL", "")
	require.NoError(t, os.WriteFile(".env", []byte("# comment\nDATABASE_URL='"+databaseURL+"'\nLOG_FORMAT=json\n"), 0o600))
	t.Setenv("LOG_FORMAT", "text")
	require.NoError(t, os.Unsetenv("DATABASE_URL"))
	c, err := config.Load[config.Migration]()
	require.NoError(t, err)
	require.Equal(t, databaseURL, c.Database.URL)
	require.Equal(t, "text", c.Process.LogFormat)
	require.NoError(t, os.WriteFile(filepath.Join(".", ".env"), []byte("A='"), 0o600))
	_, err = config.Load[config.Migration]()
	require.ErrorContains(t, err, ".env")
	require.NotContains(t, err.Error(), "\n")
}
