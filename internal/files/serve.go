package files

// This file: putting the service behind the shared edge.

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	api "equipment-platform/gen/filesapi"
	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/sampleevents"
	"equipment-platform/openapi"
)

// images is how many images may be in memory at once: 160 MB each at most.
const images = 2

// Options is what the stand-in needs.
type Options struct {
	Dir   string // where files are kept
	Auth  config.Auth
	Edge  config.Edge
	Kafka config.Kafka // where deletions are published; without brokers nobody is told
	Drawn Drawn        // nil: none
	Log   *slog.Logger
}

// New makes the server; Run has to run while it serves. A directory that cannot be
// written to is an error that names FILES_DIR (contract 15.1).
func New(o Options) (*Server, error) {
	if err := writable(o.Dir); err != nil {
		return nil, fmt.Errorf("FILES_DIR: %w", err)
	}
	keys, err := auth.NewKeySet(o.Auth.JWKSURL, o.Log)
	if err != nil {
		return nil, err
	}
	verifier, err := auth.NewVerifier(keys, auth.Settings{
		Issuer: o.Auth.Issuer, Audience: o.Auth.Audience, RolesClaim: o.Auth.RolesClaim, Algorithms: o.Auth.AllowedAlgorithms(),
	})
	if err != nil {
		return nil, err
	}
	spec, err := openapi.Load(openapi.Files)
	if err != nil {
		return nil, err
	}
	server, err := edge.New(edge.Options{
		Name: "files", Spec: spec, SpecYAML: openapi.Files, Verifier: verifier, Log: o.Log, Metrics: edge.NewMetrics(),
		CORSDomain: o.Edge.CORSDomain, Ready: map[string]func(context.Context) error{"jwks": keys.Ready}, Docs: true,
	})
	if err != nil {
		return nil, err
	}
	s := &service{store: store{o.Dir}, drawn: o.Drawn, log: o.Log, pixels: make(chan struct{}, images)}
	if len(o.Kafka.Brokers) > 0 {
		s.publisher = &sampleevents.Publisher{Brokers: o.Kafka.Brokers, TopicFileDeleted: o.Kafka.TopicFileDeleted}
	} else {
		o.Log.Warn("no brokers: nobody is told of deleted files")
	}
	api.RegisterHandlers(server.Echo, api.NewStrictHandler(s, nil))
	return &Server{Handler: server.Echo, run: func(ctx context.Context) { keys.Run(ctx, o.Auth.JWKSRefresh) }}, nil
}

// Server is the stand-in as a handler.
type Server struct {
	http.Handler
	run func(context.Context)
}

// Run keeps the keys fresh until ctx ends.
func (s *Server) Run(ctx context.Context) { s.run(ctx) }
