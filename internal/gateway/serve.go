package gateway

// This file: from settings to a running server.

import (
	"context"
	"encoding/base64"
	"log/slog"

	"equipment-platform/gen/gatewayapi"
	"equipment-platform/internal/config"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/service"
	"equipment-platform/openapi"
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
	s, err := service.Start(ctx, "gateway", service.Config{Process: c.Process, HTTPAddr: c.HTTPAddr, Admin: c.Admin, Auth: c.Auth, Edge: c.Edge}, log)
	if err != nil {
		return err
	}
	defer s.Close()
	o, err := s.Edge()
	if err != nil {
		return err
	}
	o.MaxInFlight, o.Bodies = maxInFlight, maxBodies
	server, err := NewServer(c, o)
	if err != nil {
		return err
	}
	return s.Run(ctx, server)
}

// NewServer puts the gateway behind the shared edge, whose options say what the
// process adds to the contract: verifier, limits, log, metrics.
func NewServer(c config.Gateway, o edge.Options) (*edge.Server, error) {
	spec, err := openapi.Load(gatewayapi.Spec)
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
		Timeout: c.UpstreamTimeout, Log: o.Log, Registry: o.Metrics.Registry, Tracing: o.Tracing,
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
	o.Name, o.Spec, o.SpecYAML = "gateway", spec, gatewayapi.Spec
	o.Mappings, o.Check, o.DeprecatedSince, o.Answers = append(o.Mappings, g.Mappings()...), g.Check, DeprecatedSince, answerMemory
	server, err := edge.New(o)
	if err != nil {
		return nil, err
	}
	g.Register(server.Echo)
	return server, nil
}
