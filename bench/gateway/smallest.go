package main

// This file: the smallest route, bare and behind the whole middleware.

import (
	"context"
	"net/http"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/process"
	"equipment-platform/internal/program"
)

const smallestRoute = "/api/v1/things"

// smallestSpec has one operation that wants a token, a role and a parameter of
// the right kind, as the services' operations do.
const smallestSpec = `
openapi: 3.0.3
info: {title: Things, version: '1'}
x-role-groups: {READ: {anyOf: [MANAGER], noneOf: [BANNED]}}
paths:
  /api/v1/things:
    get:
      operationId: listThings
      security: [{bearer: []}]
      x-roles: READ
      parameters:
        - {name: n, in: query, schema: {type: integer, format: int32, minimum: 1}}
      responses:
        '200': {description: ok}
        default: {description: error}
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}}
`

var smallestAnswer = []byte(`{"ok":true}`)

func handleSmallest(c echo.Context) error {
	return c.JSONBlob(http.StatusOK, smallestAnswer)
}

func beBare(address string) error {
	e := echo.New()
	e.GET(smallestRoute, handleSmallest)
	return http.ListenAndServe(address, e) //nolint:gosec // for one run on loopback
}

// beEdge is the same route with everything that a service has switched on.
func beEdge(address, jwks string) error {
	ctx := context.Background()
	log := program.Logger(config.Process{LogFormat: "json"})
	keys, err := auth.NewKeySet("file://"+jwks, log)
	if err != nil {
		return err
	}
	go keys.Run(ctx, time.Hour)
	verifier, err := auth.NewVerifier(keys, auth.Settings{RolesClaim: "roles", Algorithms: []string{"RS256"}})
	if err != nil {
		return err
	}
	spec, err := openapi3.NewLoader().LoadFromData([]byte(smallestSpec))
	if err != nil {
		return err
	}
	s, err := edge.New(edge.Options{
		Name: "things", Spec: spec, SpecYAML: []byte(smallestSpec), Verifier: verifier, Log: log, Metrics: edge.NewMetrics(),
		CORSDomain: "platform.example", RequestTimeout: 30 * time.Second, MaxInFlight: 512,
		Ready: map[string]func(context.Context) error{},
	})
	if err != nil {
		return err
	}
	s.Echo.GET(smallestRoute, handleSmallest)
	return s.Serve(ctx, address, time.Second)
}

// smallest starts both and measures.
func (b *bench) smallest(ctx context.Context, self string) error {
	for _, one := range []struct{ name, path string }{{"bare", smallestRoute}, {"edge", smallestRoute + "?n=3"}} {
		address, err := process.FreeAddress()
		if err != nil {
			return err
		}
		// both collect garbage as the services do (internal/program)
		if err := b.start(one.name, address, one.path, map[string]string{"GOGC": "300"}, self, "-"+one.name, address, b.jwks()); err != nil {
			return err
		}
	}
	b.size = "the smallest route"
	return b.measure(ctx, 32, []string{"bare"}, map[string]string{"bare": "≥ 0.7"})
}
