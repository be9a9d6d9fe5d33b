package config

// This file: what each program reads, made of the parts in settings.go.

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Catalog is `catalog serve`.
type Catalog struct {
	Process         Process
	HTTPAddr        string   `env:"HTTP_ADDR" envDefault:"127.0.0.1:8080" help:"listen address"`
	Admin           Admin    `envPrefix:"ADMIN_"`
	Database        Database `envPrefix:"DATABASE_"`
	DatabaseReadURL string   `env:"DATABASE_READ_URL" help:"replica for public reads; falls back to the primary when it is down"`
	API             Switch   `env:"CATALOG_API" envDefault:"on" help:"off: run the consumers without the API; HTTP_ADDR then has the probes only"`
	Consumers       Switch   `env:"CATALOG_CONSUMERS" envDefault:"on" help:"off: run the API without the consumers"`
	Kafka           Kafka    `envPrefix:"KAFKA_"`
	Auth            Auth     `envPrefix:"AUTH_"`
	Edge            Edge
	Embeddings      Embeddings `envPrefix:"EMBEDDINGS_"`
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
	Process  Process
	Database Database `envPrefix:"DATABASE_"`
}

// Development is what signs tokens outside of production.
type Development struct {
	DevKey string `env:"DEV_KEY" envDefault:".local/keys/dev.pem" help:"private key, made when missing, that signs development tokens"`
}

// CatalogProgram is what all commands of `catalog` together read, for its help.
type CatalogProgram struct {
	Catalog     Catalog
	Development Development `envPrefix:"AUTH_"`
}

// Token is `catalog token` and `catalog jwks`.
type Token struct {
	Process     Process
	Development Development `envPrefix:"AUTH_"`
	Issuer      string      `env:"AUTH_ISSUER" help:"iss of the token"`
	Audience    string      `env:"AUTH_AUDIENCE" help:"aud of the token"`
}

// DLQ is `catalog dlq`.
type DLQ struct {
	Process Process
	Kafka   Kafka `envPrefix:"KAFKA_"`
}

// Indexer is the program that writes the vectors.
type Indexer struct {
	Process    Process
	Admin      Admin      `envPrefix:"ADMIN_"`
	Database   Database   `envPrefix:"DATABASE_"`
	Embeddings Embeddings `envPrefix:"EMBEDDINGS_"`
}

// Evaluation is the measurement of the search's quality.
type Evaluation struct {
	Embeddings Embeddings `envPrefix:"EMBEDDINGS_"`
}

// Gateway is the document-exchange gateway.
type Gateway struct {
	Process         Process
	HTTPAddr        string `env:"HTTP_ADDR" envDefault:"127.0.0.1:8090" help:"listen address"`
	Admin           Admin  `envPrefix:"ADMIN_"`
	Auth            Auth   `envPrefix:"AUTH_"`
	Edge            Edge
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

// Sandbox is the provider in memory, with the stand-in of the file service.
type Sandbox struct {
	Process  Process
	HTTPAddr string `env:"HTTP_ADDR" envDefault:"127.0.0.1:8091" help:"listen address"`
	FilesDir string `env:"FILES_DIR" envDefault:".local/files" help:"where the stand-in of the file service keeps files (contract 9.16)"`
	JWKSURL  string `env:"AUTH_JWKS_URL" help:"https://…, http://… or file:///… of the JWKS whose tokens may upload; empty: no file service at /files"`
	Issuer   string `env:"AUTH_ISSUER" help:"required iss; empty: not checked"`
	Audience string `env:"AUTH_AUDIENCE" help:"required aud; empty: not checked"`
	Kafka    Kafka  `envPrefix:"KAFKA_"`
	Edge     Edge
}

func (s Sandbox) validate() error {
	if s.JWKSURL != "" {
		if err := s.Auth().validate(); err != nil {
			return err
		}
	}
	return checkAddr("HTTP_ADDR", s.HTTPAddr)
}

// Auth says which tokens the file service takes: signed and with roles as is usual.
func (s Sandbox) Auth() Auth {
	return Auth{
		JWKSURL: s.JWKSURL, Issuer: s.Issuer, Audience: s.Audience,
		RolesClaim: "roles", Algorithms: signatureAlgorithms, JWKSRefresh: 5 * time.Minute,
	}
}

// Devstack is what `make run` starts.
type Devstack struct {
	Process     Process
	Kafka       Kafka       `envPrefix:"KAFKA_"`
	Development Development `envPrefix:"AUTH_"`
	WebAddr     string      `env:"WEB_ADDR" envDefault:"127.0.0.1:8087" help:"listen address of the web app"`
	FilesURL    string      `env:"FILES_URL" envDefault:"http://127.0.0.1:8091/files" help:"base URL of the file service that the web app talks to"`
	UsersURL    string      `env:"USERS_URL" help:"address template of a user directory that gives display names, such as https://users.example/api/{sub}; empty: ids are shown"`
}

func (d Devstack) validate() error {
	for name, value := range map[string]string{"FILES_URL": d.FilesURL, "USERS_URL": d.UsersURL} {
		u, err := url.Parse(value)
		if value != "" && (err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "") {
			return fmt.Errorf("%s is not an http or https URL", name)
		}
	}
	if d.UsersURL != "" && !strings.Contains(d.UsersURL, "{sub}") {
		return errors.New("USERS_URL has no {sub}, which stands for a user's id")
	}
	return checkAddr("WEB_ADDR", d.WebAddr)
}
