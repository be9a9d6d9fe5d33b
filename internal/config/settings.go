package config

// This file: the parts that programs are configured by, each with its variables,
// defaults, meaning and rules. The names are fixed, so that scripts and
// deployments can rely on them; which program has which part stands in
// programs.go.

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Switch is a boolean that is also written on and off.
type Switch bool

// UnmarshalText reads on, off, true, false, 1 or 0.
func (s *Switch) UnmarshalText(text []byte) error {
	switch strings.ToLower(string(text)) {
	case "on", "true", "1":
		*s = true
	case "off", "false", "0":
		*s = false
	default:
		return fmt.Errorf("%q is neither on nor off", text)
	}
	return nil
}

// Networks is a list of CIDRs.
type Networks []*net.IPNet

// UnmarshalText reads CIDRs with commas between them.
func (n *Networks) UnmarshalText(text []byte) error {
	for one := range strings.SplitSeq(string(text), ",") {
		_, network, err := net.ParseCIDR(strings.TrimSpace(one))
		if err != nil {
			return fmt.Errorf("%q is not a CIDR such as 10.0.0.0/8", strings.TrimSpace(one))
		}
		*n = append(*n, network)
	}
	return nil
}

// Process is what every program has.
type Process struct {
	AppEnv          string        `env:"APP_ENV" envDefault:"development" help:"production turns off docs, published spec, development tokens and demo data"`
	LogLevel        slog.Level    `env:"LOG_LEVEL" envDefault:"info" help:"debug, info, warn or error"`
	LogFormat       string        `env:"LOG_FORMAT" help:"json or text; empty: text on a terminal, else json"`
	ShutdownTimeout time.Duration `env:"SHUTDOWN_TIMEOUT" envDefault:"20s" help:"drain time on SIGTERM"`
	// internal/telemetry and the OpenTelemetry SDK read this one and its relatives themselves
	OTLPEndpoint string `env:"OTEL_EXPORTER_OTLP_ENDPOINT" help:"base URL of the collector of traces; the SDK's other OTEL_ variables hold too; empty: off"`
}

// Production reports whether development conveniences are off.
func (p Process) Production() bool { return p.AppEnv == "production" }

var environmentName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,32}$`)

func (p Process) validate() error {
	switch {
	case !environmentName.MatchString(p.AppEnv):
		return errors.New("APP_ENV is not a word")
	case !p.Production() && strings.HasPrefix(strings.ToLower(p.AppEnv), "prod"):
		// a slip here would publish what production keeps off
		return errors.New("APP_ENV is nearly production; write production")
	}
	if p.LogFormat != "" && p.LogFormat != "json" && p.LogFormat != "text" {
		return errors.New("LOG_FORMAT is neither json nor text")
	}
	if p.ShutdownTimeout <= 0 {
		return errors.New("SHUTDOWN_TIMEOUT must be positive")
	}
	return nil
}

// Admin is the separate listener for metrics and profiles.
type Admin struct {
	Addr string `env:"ADDR" help:"separate listener for /metrics and pprof; empty: off"`
}

func (a Admin) validate() error { return checkAddr("ADMIN_ADDR", a.Addr) }

// Auth says which tokens are accepted (contract 5.1, contract 5.2).
type Auth struct {
	JWKSURL     string        `env:"JWKS_URL,required" help:"https://…, http://… or file:///… of the JWKS"`
	Issuer      string        `env:"ISSUER" help:"required iss; empty: not checked"`
	Audience    string        `env:"AUDIENCE" help:"required aud; empty: not checked"`
	RolesClaim  string        `env:"ROLES_CLAIM" envDefault:"roles" help:"dotted path of the claim with the roles"`
	Algorithms  []string      `env:"ALGORITHMS" envDefault:"RS256,PS256,ES256,EdDSA" help:"allowed signature algorithms"`
	JWKSRefresh time.Duration `env:"JWKS_REFRESH" envDefault:"5m" help:"how often the JWKS is fetched again"`
}

// signatureAlgorithms are the ones that may be allowed. Symmetric ones and none
// are not among them: with them whoever knows the public key could sign.
var signatureAlgorithms = []string{"RS256", "PS256", "ES256", "EdDSA"}

func (a Auth) validate() error {
	u, err := url.Parse(a.JWKSURL)
	if err != nil || u.Scheme != "file" && (u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		return errors.New("AUTH_JWKS_URL is not an http, https or file URL")
	}
	if len(a.Algorithms) == 0 {
		return errors.New("AUTH_ALGORITHMS allows no algorithm")
	}
	for _, name := range a.AllowedAlgorithms() {
		if !slices.Contains(signatureAlgorithms, name) {
			return fmt.Errorf("AUTH_ALGORITHMS: %q is not one of %s", name, strings.Join(signatureAlgorithms, ", "))
		}
	}
	if slices.Contains(strings.Split(a.RolesClaim, "."), "") {
		return errors.New("AUTH_ROLES_CLAIM is not a path of names with dots between them")
	}
	if a.JWKSRefresh <= 0 {
		return errors.New("AUTH_JWKS_REFRESH must be positive")
	}
	return nil
}

// AllowedAlgorithms returns the names without the spaces that may stand around
// them in a list.
func (a Auth) AllowedAlgorithms() []string {
	names := make([]string, len(a.Algorithms))
	for i, name := range a.Algorithms {
		names[i] = strings.TrimSpace(name)
	}
	return names
}

// Edge is what both public services share.
type Edge struct {
	CORSDomain     string   `env:"CORS_PLATFORM_DOMAIN" envDefault:"platform.localhost" help:"apex whose https origins, subdomains included, may call from a browser"`
	RateLimitRPS   float64  `env:"RATE_LIMIT_RPS" envDefault:"0" help:"requests a second for each caller; 0: off"`
	RateLimitBurst int      `env:"RATE_LIMIT_BURST" envDefault:"0" help:"requests that may come at once; 0: the rate, at least 1"`
	TrustedProxies Networks `env:"TRUSTED_PROXIES" help:"comma-separated CIDRs whose X-Forwarded-For is believed; empty: a caller's address is the connection's"`
	DocsEnabled    *Switch  `env:"DOCS_ENABLED" help:"/docs and /openapi.yaml, /openapi.json; default true, in production false"`
}

// Docs reports whether the interactive docs and the published spec are served (contract 13.2).
func (e Edge) Docs(p Process) bool {
	if e.DocsEnabled != nil {
		return bool(*e.DocsEnabled)
	}
	return !p.Production()
}

var bareDomain = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)*$`)

func (e Edge) validate() error {
	if e.RateLimitRPS < 0 || e.RateLimitRPS != e.RateLimitRPS || e.RateLimitRPS > 1e9 {
		return errors.New("RATE_LIMIT_RPS must be a number from 0")
	}
	if e.RateLimitBurst < 0 {
		return errors.New("RATE_LIMIT_BURST must be a whole number from 0")
	}
	if !bareDomain.MatchString(e.CORSDomain) {
		return errors.New("CORS_PLATFORM_DOMAIN must be a bare domain")
	}
	return nil
}

// Database is PostgreSQL with pgvector.
type Database struct {
	URL      string `env:"URL,required" help:"PostgreSQL with pgvector 0.8 or newer"`
	MaxConns int32  `env:"MAX_CONNS" envDefault:"0" help:"pool size; 0: 4 for each core"`
}

func (d Database) validate() error {
	if d.MaxConns < 0 {
		return errors.New("DATABASE_MAX_CONNS must be a whole number from 0")
	}
	return checkDatabaseURL("DATABASE_URL", d.URL)
}

// Embeddings is where vectors come from (contract 4.3).
type Embeddings struct {
	URL           string  `env:"URL" help:"base URL up to /v1 of an OpenAI-compatible endpoint; empty: built-in embedder"`
	Weights       string  `env:"WEIGHTS" help:"file with the weights of the model that runs inside the program (scripts/install-model); unset: words alone"`
	Lexicon       string  `env:"LEXICON" help:"file or folder of an operator's own terms, beside those that come with the program"`
	Model         string  `env:"MODEL" help:"model to ask the endpoint for"`
	APIKey        string  `env:"API_KEY" help:"bearer key of the endpoint"`
	QueryPrefix   string  `env:"QUERY_PREFIX" help:"put before each query; E5 models want 'query: '"`
	PassagePrefix string  `env:"PASSAGE_PREFIX" help:"put before each passage; E5 models want 'passage: '"`
	LexicalShare  float64 `env:"LEXICAL_SHARE" envDefault:"0" help:"0..1: weight of lexical features in the dimensions that a shorter model leaves free"`
}

func (e Embeddings) validate() error {
	if e.URL != "" {
		if u, err := url.Parse(e.URL); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return errors.New("EMBEDDINGS_URL is not an http or https URL")
		}
		if strings.TrimSpace(e.Model) == "" {
			return errors.New("EMBEDDINGS_MODEL is required with EMBEDDINGS_URL")
		}
	}
	if !(e.LexicalShare >= 0 && e.LexicalShare <= 1) {
		return errors.New("EMBEDDINGS_LEXICAL_SHARE must be a number from 0 to 1")
	}
	return nil
}

// Kafka is the message broker (contract 6.8).
type Kafka struct {
	Brokers             []string `env:"BROKERS" help:"comma-separated; empty: consumers off"`
	Group               string   `env:"GROUP" envDefault:"equipment-service-group" help:"consumer group"`
	TopicFileDeleted    string   `env:"TOPIC_FILE_DELETED" envDefault:"platform.file.deleted.v1" help:"file deletions"`
	TopicFileDeletedDLQ string   `env:"TOPIC_FILE_DELETED_DLQ" envDefault:"platform.equipment.file.deleted.v1.dlq" help:"dead letters of file deletions"`
	TopicOrderEvents    string   `env:"TOPIC_ORDER_EVENTS" envDefault:"platform.order.events.v1" help:"order status changes"`
	TopicOrderEventsDLQ string   `env:"TOPIC_ORDER_EVENTS_DLQ" envDefault:"platform.equipment.order.events.v1.dlq" help:"dead letters of order status changes"`
	TLS                 Switch   `env:"TLS" envDefault:"off" help:"connect with TLS"`
	SASLMechanism       string   `env:"SASL_MECHANISM" help:"PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512; empty: none"`
	SASLUsername        string   `env:"SASL_USERNAME" help:"user of SASL"`
	SASLPassword        string   `env:"SASL_PASSWORD" help:"password of SASL"`
}

// Topics are the two event streams and their dead-letter topics.
func (k Kafka) Topics() []string {
	return []string{k.TopicFileDeleted, k.TopicFileDeletedDLQ, k.TopicOrderEvents, k.TopicOrderEventsDLQ}
}

func (k Kafka) validate() error {
	switch k.SASLMechanism {
	case "", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512":
	default:
		return errors.New("KAFKA_SASL_MECHANISM is not PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512")
	}
	if k.SASLMechanism != "" && k.SASLUsername == "" {
		return errors.New("KAFKA_SASL_USERNAME is required with KAFKA_SASL_MECHANISM")
	}
	for _, b := range k.Brokers {
		b = strings.TrimSpace(b)
		if b == "" {
			return errors.New("KAFKA_BROKERS has an empty address")
		}
		if err := checkAddr("KAFKA_BROKERS", b); err != nil {
			return err
		}
	}
	used := map[string]string{}
	for _, t := range []struct{ variable, topic string }{
		{"KAFKA_TOPIC_FILE_DELETED", k.TopicFileDeleted}, {"KAFKA_TOPIC_FILE_DELETED_DLQ", k.TopicFileDeletedDLQ},
		{"KAFKA_TOPIC_ORDER_EVENTS", k.TopicOrderEvents}, {"KAFKA_TOPIC_ORDER_EVENTS_DLQ", k.TopicOrderEventsDLQ},
	} {
		if !topicName.MatchString(t.topic) || strings.Trim(t.topic, ".") == "" {
			return fmt.Errorf("%s is not the name of a topic (1 to 249 letters, digits, dots, underscores, hyphens)", t.variable)
		}
		if other := used[t.topic]; other != "" {
			// dead letters in the topic that they came from would be consumed again without end
			return fmt.Errorf("%s is the same topic as %s", t.variable, other)
		}
		used[t.topic] = t.variable
	}
	return nil
}

var topicName = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,249}$`)

func checkAddr(name, addr string) error {
	if addr == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%s is not host:port", name)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%s has no port number from 0 to 65535", name)
	}
	return nil
}

func checkDatabaseURL(name, value string) error {
	// the value may hold a password: it is not repeated, nor what the parsers say
	u, err := url.Parse(value)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") {
		return fmt.Errorf("%s is not a postgres:// URL", name)
	}
	c, err := pgxpool.ParseConfig(value)
	if err != nil {
		return fmt.Errorf("%s has settings that PostgreSQL does not take", name)
	}
	switch c.ConnConfig.DefaultQueryExecMode {
	case pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol:
		// lists travel as arrays, whose types only a prepared statement tells
		return fmt.Errorf("%s: default_query_exec_mode must be cache_statement, cache_describe or describe_exec", name)
	}
	return nil
}
