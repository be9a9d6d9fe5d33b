package config

// This file: the variables of each program, with defaults and meaning. The
// names are fixed, so that scripts and deployments can rely on them.

import (
	"encoding/base64"
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

	"github.com/jackc/pgx/v5/pgxpool"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/embedding"
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

// Process is what every program has.
type Process struct {
	AppEnv          string        `env:"APP_ENV" envDefault:"development" help:"production turns off docs, published spec, development tokens and demo data"`
	LogLevel        slog.Level    `env:"LOG_LEVEL" envDefault:"info" help:"debug, info, warn or error"`
	LogFormat       string        `env:"LOG_FORMAT" help:"json or text; empty: text on a terminal, else json"`
	ShutdownTimeout time.Duration `env:"SHUTDOWN_TIMEOUT" envDefault:"20s" help:"drain time on SIGTERM"`
	// internal/telemetry and the OpenTelemetry SDK read this one and its relatives themselves
	OTLPEndpoint string `env:"OTEL_EXPORTER_OTLP_ENDPOINT" help:"base URL of the collector of traces; the SDK's other OTEL_ variables hold too; empty: off"`
}

// Production tells whether development conveniences are off.
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
	AdminAddr string `env:"ADMIN_ADDR" help:"separate listener for /metrics and pprof; empty: off"`
}

func (a Admin) validate() error { return checkAddr("ADMIN_ADDR", a.AdminAddr) }

// Auth says which tokens are accepted (D5.1, D5.2).
type Auth struct {
	JWKSURL     string        `env:"AUTH_JWKS_URL,required" help:"https://…, http://… or file:///… of the JWKS"`
	Issuer      string        `env:"AUTH_ISSUER" help:"required iss; empty: not checked"`
	Audience    string        `env:"AUTH_AUDIENCE" help:"required aud; empty: not checked"`
	RolesClaim  string        `env:"AUTH_ROLES_CLAIM" envDefault:"roles" help:"dotted path of the claim with the roles"`
	Algorithms  []string      `env:"AUTH_ALGORITHMS" envDefault:"RS256,PS256,ES256,EdDSA" help:"allowed signature algorithms"`
	JWKSRefresh time.Duration `env:"AUTH_JWKS_REFRESH" envDefault:"5m" help:"how often the JWKS is fetched again"`
}

func (a Auth) validate() error {
	if _, err := auth.NewKeySet(a.JWKSURL, slog.Default()); err != nil {
		return fmt.Errorf("AUTH_JWKS_URL: %w", err)
	}
	if _, err := auth.NewVerifier(nil, a.Verifier()); err != nil {
		return fmt.Errorf("AUTH_ALGORITHMS: %w", err)
	}
	if slices.Contains(strings.Split(a.RolesClaim, "."), "") {
		return errors.New("AUTH_ROLES_CLAIM is not a path of names with dots between them")
	}
	if a.JWKSRefresh <= 0 {
		return errors.New("AUTH_JWKS_REFRESH must be positive")
	}
	return nil
}

// Verifier returns the part that the token verifier takes.
func (a Auth) Verifier() auth.Settings {
	algorithms := make([]string, 0, len(a.Algorithms))
	for _, name := range a.Algorithms {
		algorithms = append(algorithms, strings.TrimSpace(name))
	}
	return auth.Settings{Issuer: a.Issuer, Audience: a.Audience, RolesClaim: a.RolesClaim, Algorithms: algorithms}
}

// Edge is what both public services share.
type Edge struct {
	CORSDomain     string  `env:"CORS_PLATFORM_DOMAIN" envDefault:"platform.localhost" help:"apex whose https origins, subdomains included, may call from a browser"`
	RateLimitRPS   float64 `env:"RATE_LIMIT_RPS" envDefault:"0" help:"requests a second for each caller; 0: off"`
	RateLimitBurst int     `env:"RATE_LIMIT_BURST" envDefault:"0" help:"requests that may come at once; 0: the rate, at least 1"`
	DocsEnabled    *Switch `env:"DOCS_ENABLED" help:"/docs and /openapi.yaml, /openapi.json; default true, in production false"`
}

// Docs tells whether the interactive docs and the published spec are served (S9).
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
	DatabaseURL      string `env:"DATABASE_URL,required" help:"PostgreSQL with pgvector 0.8 or newer"`
	DatabaseMaxConns int32  `env:"DATABASE_MAX_CONNS" envDefault:"0" help:"pool size; 0: 4 for each core"`
}

func (d Database) validate() error {
	if d.DatabaseMaxConns < 0 {
		return errors.New("DATABASE_MAX_CONNS must be a whole number from 0")
	}
	return checkDatabaseURL("DATABASE_URL", d.DatabaseURL)
}

// Embeddings is where vectors come from (D4.3).
type Embeddings struct {
	URL           string  `env:"EMBEDDINGS_URL" help:"base URL up to /v1 of an OpenAI-compatible endpoint; empty: built-in embedder"`
	Model         string  `env:"EMBEDDINGS_MODEL" help:"model to ask the endpoint for"`
	APIKey        string  `env:"EMBEDDINGS_API_KEY" help:"bearer key of the endpoint"`
	QueryPrefix   string  `env:"EMBEDDINGS_QUERY_PREFIX" help:"put before each query; E5 models want 'query: '"`
	PassagePrefix string  `env:"EMBEDDINGS_PASSAGE_PREFIX" help:"put before each passage; E5 models want 'passage: '"`
	LexicalShare  float64 `env:"EMBEDDINGS_LEXICAL_SHARE" envDefault:"0" help:"0..1: weight of lexical features in the dimensions that a shorter model leaves free"`
}

func (e Embeddings) validate() error {
	if e.URL != "" {
		if u, err := url.Parse(e.URL); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return errors.New("EMBEDDINGS_URL is not an http or https URL")
		}
		if e.Model == "" {
			return errors.New("EMBEDDINGS_MODEL is required with EMBEDDINGS_URL")
		}
	}
	if !(e.LexicalShare >= 0 && e.LexicalShare <= 1) {
		return errors.New("EMBEDDINGS_LEXICAL_SHARE must be a number from 0 to 1")
	}
	return nil
}

// Embedder returns the part that the embedder takes.
func (e Embeddings) Embedder() embedding.Settings {
	return embedding.Settings{
		URL: e.URL, Model: e.Model, APIKey: e.APIKey,
		QueryPrefix: e.QueryPrefix, PassagePrefix: e.PassagePrefix,
		LexicalShare: e.LexicalShare,
	}
}

// Kafka is the message broker (S6).
type Kafka struct {
	Brokers             []string `env:"KAFKA_BROKERS" help:"comma-separated; empty: consumers off"`
	Group               string   `env:"KAFKA_GROUP" envDefault:"equipment-service-group" help:"consumer group"`
	TopicFileDeleted    string   `env:"KAFKA_TOPIC_FILE_DELETED" envDefault:"platform.file.deleted.v1" help:"file deletions"`
	TopicFileDeletedDLQ string   `env:"KAFKA_TOPIC_FILE_DELETED_DLQ" envDefault:"platform.equipment.file.deleted.v1.dlq" help:"dead letters of file deletions"`
	TopicOrderEvents    string   `env:"KAFKA_TOPIC_ORDER_EVENTS" envDefault:"platform.order.events.v1" help:"order status changes"`
	TopicOrderEventsDLQ string   `env:"KAFKA_TOPIC_ORDER_EVENTS_DLQ" envDefault:"platform.equipment.order.events.v1.dlq" help:"dead letters of order status changes"`
	TLS                 Switch   `env:"KAFKA_TLS" envDefault:"off" help:"connect with TLS"`
	SASLMechanism       string   `env:"KAFKA_SASL_MECHANISM" help:"PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512; empty: none"`
	SASLUsername        string   `env:"KAFKA_SASL_USERNAME" help:"user of SASL"`
	SASLPassword        string   `env:"KAFKA_SASL_PASSWORD" help:"password of SASL"`
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

// Catalog is `catalog serve`.
type Catalog struct {
	Process
	HTTPAddr string `env:"HTTP_ADDR" envDefault:"127.0.0.1:8080" help:"listen address"`
	Admin
	Database
	DatabaseReadURL string `env:"DATABASE_READ_URL" help:"replica for public reads; falls back to the primary when it is down"`
	API             Switch `env:"CATALOG_API" envDefault:"on" help:"off: run the consumers without the API; HTTP_ADDR then has the probes only"`
	Consumers       Switch `env:"CATALOG_CONSUMERS" envDefault:"on" help:"off: run the API without the consumers"`
	Kafka
	Auth
	Edge
	Embeddings
}

func (c Catalog) validate() error {
	if c.DatabaseReadURL != "" {
		if err := checkDatabaseURL("DATABASE_READ_URL", c.DatabaseReadURL); err != nil {
			return err
		}
	}
	if !c.API && !c.Consumers {
		return errors.New("CATALOG_API and CATALOG_CONSUMERS are both off: nothing to run")
	}
	return checkAddr("HTTP_ADDR", c.HTTPAddr)
}

// Migration is `catalog migrate` and `catalog seed`.
type Migration struct {
	Process
	Database
}

// Development is what signs tokens outside of production.
type Development struct {
	DevKey string `env:"AUTH_DEV_KEY" envDefault:".local/keys/dev.pem" help:"private key, made when missing, that signs development tokens"`
}

// CatalogProgram is what all commands of `catalog` together read, for its help.
type CatalogProgram struct {
	Catalog
	Development
}

// Token is `catalog token` and `catalog jwks`.
type Token struct {
	Process
	Development
	Issuer   string `env:"AUTH_ISSUER" help:"iss of the token"`
	Audience string `env:"AUTH_AUDIENCE" help:"aud of the token"`
}

// DLQ is `catalog dlq`.
type DLQ struct {
	Process
	Kafka
}

// Indexer is the program that writes the vectors.
type Indexer struct {
	Process
	Admin
	Database
	Embeddings
}

// Evaluation is the measurement of the search's quality.
type Evaluation struct {
	Embeddings
}

// Gateway is the document-exchange gateway.
type Gateway struct {
	Process
	HTTPAddr string `env:"HTTP_ADDR" envDefault:"127.0.0.1:8090" help:"listen address"`
	Admin
	Auth
	Edge
	ProviderURL     string        `env:"PROVIDER_URL,required" help:"base URL of the exchange provider"`
	BoxID           string        `env:"PROVIDER_BOX_ID" help:"default box id; empty: operations that need one give 503"`
	ClientID        string        `env:"PROVIDER_CLIENT_ID" help:"OIDC client id"`
	ClientSecret    string        `env:"PROVIDER_CLIENT_SECRET" help:"OIDC client secret"`
	RedirectURI     string        `env:"PROVIDER_REDIRECT_URI" help:"registered OIDC redirect URI"`
	OIDCIssuer      string        `env:"PROVIDER_OIDC_ISSUER" help:"identity host of the provider"`
	Scopes          string        `env:"PROVIDER_SCOPES" help:"OIDC scopes, separated by spaces"`
	LogisticsURL    string        `env:"LOGISTICS_URL" help:"logistics upstream; empty: its operations give 503"`
	WaybillURL      string        `env:"WAYBILL_URL" help:"electronic waybill upstream; empty: its operations give 503"`
	TransportURL    string        `env:"TRANSPORT_URL" help:"state transport-document upstream; empty: its operations give 503"`
	StateKey        string        `env:"GATEWAY_STATE_KEY" help:"32 bytes in base64 that seal the sign-in state; empty: made at start"`
	UpstreamTimeout time.Duration `env:"UPSTREAM_TIMEOUT" envDefault:"30s" help:"wait for an upstream, for each attempt"`
}

func (g Gateway) validate() error {
	for name, value := range map[string]string{
		"PROVIDER_URL": g.ProviderURL, "PROVIDER_OIDC_ISSUER": g.OIDCIssuer, "PROVIDER_REDIRECT_URI": g.RedirectURI,
		"LOGISTICS_URL": g.LogisticsURL, "WAYBILL_URL": g.WaybillURL, "TRANSPORT_URL": g.TransportURL,
	} {
		u, err := url.Parse(value)
		if value != "" && (err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "") {
			return fmt.Errorf("%s is not an http or https URL", name)
		}
		if value != "" && name != "PROVIDER_REDIRECT_URI" && (u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.User != nil) {
			return fmt.Errorf("%s is a base URL: it has no query, fragment or credentials", name)
		}
	}
	if g.StateKey != "" {
		if key, err := base64.StdEncoding.DecodeString(g.StateKey); err != nil || len(key) != 32 {
			return errors.New("GATEWAY_STATE_KEY is not 32 bytes in base64")
		}
	}
	if g.UpstreamTimeout <= 0 {
		return errors.New("UPSTREAM_TIMEOUT must be positive")
	}
	return checkAddr("HTTP_ADDR", g.HTTPAddr)
}

// Sandbox is the provider in memory.
type Sandbox struct {
	Process
	HTTPAddr string `env:"HTTP_ADDR" envDefault:"127.0.0.1:8091" help:"listen address"`
}

func (s Sandbox) validate() error { return checkAddr("HTTP_ADDR", s.HTTPAddr) }

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
	if _, err := pgxpool.ParseConfig(value); err != nil {
		return fmt.Errorf("%s has settings that PostgreSQL does not take", name)
	}
	return nil
}

// Devstack is what `make run` starts.
type Devstack struct {
	Process
	Kafka
	Development
	WebAddr string `env:"WEB_ADDR" envDefault:"127.0.0.1:8087" help:"listen address of the web app"`
}

func (d Devstack) validate() error { return checkAddr("WEB_ADDR", d.WebAddr) }
