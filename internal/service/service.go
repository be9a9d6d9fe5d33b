// Package service is what both services do alike when they start: traces,
// metrics, keys, the verifier of tokens, and what the shared edge is given.
package service

import (
	"context"
	"log/slog"
	"runtime/debug"

	"github.com/getkin/kin-openapi/openapi3"
	"golang.org/x/sync/errgroup"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/telemetry"
)

// An address may fail to authenticate as often as this. A page whose token has
// expired asks at most ten times (the most of the web app's is five) before its user
// signs in anew, so this is room for a hundred people behind one address at once; a
// signature takes 0.1 ms at most, so an address that only forges tokens costs a
// hundredth of a core.
const (
	failuresRPS   = 100
	failuresBurst = 1000
)

// Service is one process of a service.
type Service struct {
	Log     *slog.Logger // with trace ids
	Metrics *edge.Metrics
	Tracing *telemetry.Tracing // nil: off
	// Ready are the checks of /readyz by name; what the process needs is added
	// before the server is made.
	Ready map[string]func(context.Context) error

	name   string
	config Config
	keys   *auth.KeySet // nil: no tokens are checked
}

// Config is the part of the settings that services share.
type Config struct {
	Process  config.Process
	HTTPAddr string
	Admin    config.Admin
	Auth     config.Auth
	Edge     config.Edge
}

// Start begins a process of the service with this name. Close ends it.
func Start(ctx context.Context, name string, c Config, log *slog.Logger) (*Service, error) {
	tracing, err := telemetry.Start(ctx, name, log)
	if err != nil {
		return nil, err
	}
	return &Service{
		Log: tracing.Logger(log), Metrics: edge.NewMetrics(), Tracing: tracing,
		Ready: map[string]func(context.Context) error{}, name: name, config: c,
	}, nil
}

// Close sends the last spans.
func (s *Service) Close() { s.Tracing.Close() }

// Edge returns the options of a server that checks tokens. The process is not
// ready before keys were loaded: every caller with a token would be refused.
func (s *Service) Edge() (edge.Options, error) {
	keys, err := auth.NewKeySet(s.config.Auth.JWKSURL, s.Log)
	if err != nil {
		return edge.Options{}, err
	}
	verifier, err := auth.NewVerifier(keys, auth.Settings{
		Issuer: s.config.Auth.Issuer, Audience: s.config.Auth.Audience,
		RolesClaim: s.config.Auth.RolesClaim, Algorithms: s.config.Auth.AllowedAlgorithms(),
	})
	if err != nil {
		return edge.Options{}, err
	}
	s.keys = keys
	s.Metrics.Registry.MustRegister(keys)
	s.Ready["jwks"] = keys.Ready
	o := s.Probes()
	o.Verifier = verifier
	o.RateLimitRPS, o.RateLimitBurst = s.config.Edge.RateLimitRPS, s.config.Edge.RateLimitBurst
	o.FailuresRPS, o.FailuresBurst = failuresRPS, failuresBurst
	o.Docs = s.config.Edge.Docs(s.config.Process)
	return o, nil
}

// Probes returns the options of a server that has /healthz and /readyz alone.
func (s *Service) Probes() edge.Options {
	return edge.Options{
		Name: s.name, Spec: &openapi3.T{}, Log: s.Log, Metrics: s.Metrics, Tracing: s.Tracing,
		CORSDomain: s.config.Edge.CORSDomain, Ready: s.Ready, TrustedProxies: s.config.Edge.TrustedProxies,
	}
}

// Run serves until ctx ends, and keeps what Edge and the settings ask for
// running beside it. Beside gets what else runs as long; the first failure ends
// all of it. Metrics and probes are there until the last request is answered.
func (s *Service) Run(ctx context.Context, server *edge.Server, beside ...func(context.Context) error) error {
	// what reading the contract and the lexicon left behind is many times what stays
	go debug.FreeOSMemory()
	group, ctx := errgroup.WithContext(ctx)
	if s.keys != nil {
		group.Go(func() error { s.keys.Run(ctx, s.config.Auth.JWKSRefresh); return nil })
	}
	admin, stop := context.WithCancel(context.WithoutCancel(ctx))
	group.Go(func() error { return s.Metrics.ServeAdmin(admin, s.config.Admin.Addr, server.ReadyHandler) })
	for _, run := range beside {
		group.Go(func() error { return run(ctx) })
	}
	group.Go(func() error {
		defer stop()
		return server.Serve(ctx, s.config.HTTPAddr, s.config.Process.ShutdownTimeout)
	})
	return group.Wait()
}
