package gateway

// This file: from settings to a running server.

import (
	"context"
	"encoding/base64"
	"log/slog"

	"golang.org/x/sync/errgroup"

	"equipment-platform/gen/gatewayapi"
	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/telemetry"
)

// defaultScopes are asked for when the configuration names none; the
// provider's own API scope is configuration.
const defaultScopes = "openid profile email offline_access"

// maxInFlight bounds the requests that run at once; beyond it the answer is an
// immediate 503. Each waits for an upstream, not for this machine, and holds
// some 100 KiB while it does.
const maxInFlight = 4096

// maxBodies is room for two JSON bodies of the largest size at once. Each
// byte takes some five while its body is parsed, decoded and sent on: four
// messages of 63 MiB sent at once take 850 MB with a GOMEMLIMIT of 800 MiB.
const maxBodies = 128 << 20

// Serve runs the gateway until ctx ends.
func Serve(ctx context.Context, c config.Gateway, log *slog.Logger) error {
	tracing, err := telemetry.Start(ctx, "gateway", log)
	if err != nil {
		return err
	}
	defer tracing.Close()
	log = tracing.Logger(log)
	keys, err := auth.NewKeySet(c.JWKSURL, log)
	if err != nil {
		return err
	}
	verifier, err := auth.NewVerifier(keys, c.Verifier())
	if err != nil {
		return err
	}
	metrics := edge.NewMetrics()
	server, err := NewServer(c, verifier, map[string]func(context.Context) error{"jwks": keys.Ready}, metrics, tracing, log)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { keys.Run(ctx, c.JWKSRefresh); return nil })
	group.Go(func() error { return metrics.ServeAdmin(ctx, c.AdminAddr) })
	group.Go(func() error { return server.Serve(ctx, c.HTTPAddr, c.ShutdownTimeout) })
	return group.Wait()
}

// NewServer puts the gateway behind the shared edge. ready are the checks of
// /readyz; tracing may be nil.
func NewServer(c config.Gateway, verifier *auth.Verifier, ready map[string]func(context.Context) error, metrics *edge.Metrics, tracing *telemetry.Tracing, log *slog.Logger) (*edge.Server, error) {
	spec, err := Spec()
	if err != nil {
		return nil, err
	}
	settings := Settings{
		ProviderURL: c.ProviderURL, BoxID: c.BoxID,
		LogisticsURL: c.LogisticsURL, WaybillURL: c.WaybillURL, TransportURL: c.TransportURL,
		SignIn: SignIn{
			Issuer: c.OIDCIssuer, ClientID: c.ClientID, ClientSecret: c.ClientSecret,
			RedirectURI: c.RedirectURI, Scopes: c.Scopes,
		},
		Timeout: c.UpstreamTimeout, Log: log, Registry: metrics.Registry, Tracing: tracing,
	}
	if settings.SignIn.Scopes == "" {
		settings.SignIn.Scopes = defaultScopes
	}
	if c.StateKey != "" {
		if settings.SignIn.StateKey, err = base64.StdEncoding.DecodeString(c.StateKey); err != nil {
			return nil, err
		}
	}
	g, err := New(spec, settings)
	if err != nil {
		return nil, err
	}
	server, err := edge.New(edge.Options{
		Name: "gateway", Spec: spec, SpecYAML: gatewayapi.Spec,
		Verifier: verifier, Mappings: g.Mappings(), Check: g.Check,
		Log: log, Metrics: metrics, Tracing: tracing, Ready: ready, MaxInFlight: maxInFlight, Bodies: maxBodies,
		CORSDomain: c.CORSDomain, RateLimitRPS: c.RateLimitRPS, RateLimitBurst: c.RateLimitBurst,
		Docs: c.Docs(c.Process), DeprecatedSince: DeprecatedSince,
	})
	if err != nil {
		return nil, err
	}
	g.Register(server.Echo)
	return server, nil
}
