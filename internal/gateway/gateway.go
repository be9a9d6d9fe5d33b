// Package gateway is the document-exchange gateway: typed endpoints in front
// of the exchange provider, the logistics, electronic waybill and transport
// gateways, and the sign-in.
//
// A handler is one call of a generated client, to the operation that the spec
// names in x-provider-operation; one that does more has a comment that says what.
// What they share is in query.go, call.go, upstream.go, failure.go and answer.go.
//
// This file: putting the parts together.
package gateway

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"equipment-platform/gen/gatewayapi"
	"equipment-platform/gen/logisticsapi"
	"equipment-platform/gen/providerapi"
	"equipment-platform/gen/transportapi"
	"equipment-platform/gen/waybillapi"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/telemetry"
)

// DeprecatedSince is the Deprecation header (RFC 9745) of the forwarding
// endpoints (contract 8.11): the provider's library marks them since June 2026.
const DeprecatedSince = "@1780272000"

// Settings say where the upstreams are.
type Settings struct {
	ProviderURL string
	// BoxID is the box of the configuration. Empty: operations that need one
	// answer 503 box_not_configured.
	BoxID string
	// The pass-through upstreams. Empty: their operations answer 503
	// upstream_not_configured.
	LogisticsURL, WaybillURL, TransportURL string
	SignIn                                 SignIn
	// Timeout bounds each attempt as contract 8.7 says.
	Timeout time.Duration
	Log     *slog.Logger
	// Registry takes the gateway's own metrics.
	Registry prometheus.Registerer
	Tracing  *telemetry.Tracing // of the calls to upstreams; nil: off
}

// Gateway serves the generated strict interface.
type Gateway struct {
	box       string
	provider  *providerapi.Client
	logistics *logisticsapi.Client
	waybill   *waybillapi.Client
	transport *transportapi.Client
	identity  *upstream
	signIn    SignIn
	state     *sealer

	operations map[string]*operation
	metrics    *metrics
	log        *slog.Logger
}

var _ gatewayapi.StrictServerInterface = (*Gateway)(nil)

// New makes a gateway. spec is the parsed contract that the edge enforces.
func New(spec *openapi3.T, s Settings) (*Gateway, error) {
	operations, err := readOperations(spec)
	if err != nil {
		return nil, err
	}
	if s.SignIn.StateKey == nil {
		s.SignIn.StateKey = make([]byte, stateKeySize)
		_, _ = rand.Read(s.SignIn.StateKey) // never fails
	}
	state, err := newSealer(s.SignIn.StateKey)
	if err != nil {
		return nil, err
	}
	g := &Gateway{
		box: s.BoxID, signIn: s.SignIn, state: state, operations: operations,
		metrics: newMetrics(s.Registry), log: s.Log,
	}
	up := func(name, label, url string) *upstream {
		u := newUpstream(name, label, url != "", s.Timeout, g.metrics, s.Log)
		u.sender = s.Tracing.Transport(name, u.sender)
		return u
	}
	g.identity = up("identity", "identity host", s.SignIn.Issuer)
	if g.provider, err = providerapi.NewClient(s.ProviderURL, providerapi.WithHTTPClient(up("provider", "provider", s.ProviderURL)), providerapi.WithRequestEditorFn(carryToken)); err != nil {
		return nil, fmt.Errorf("provider: %w", err)
	}
	if g.logistics, err = logisticsapi.NewClient(s.LogisticsURL, logisticsapi.WithHTTPClient(up("logistics", "logistics gateway", s.LogisticsURL)), logisticsapi.WithRequestEditorFn(carryKey)); err != nil {
		return nil, fmt.Errorf("logistics: %w", err)
	}
	if g.waybill, err = waybillapi.NewClient(s.WaybillURL, waybillapi.WithHTTPClient(up("waybill", "waybill gateway", s.WaybillURL)), waybillapi.WithRequestEditorFn(carryKey)); err != nil {
		return nil, fmt.Errorf("waybill: %w", err)
	}
	if g.transport, err = transportapi.NewClient(s.TransportURL, transportapi.WithHTTPClient(up("transport", "transport gateway", s.TransportURL)), transportapi.WithRequestEditorFn(carryKey)); err != nil {
		return nil, fmt.Errorf("transport: %w", err)
	}
	return g, nil
}

// Register puts the 137 endpoints on an edge server. The server's options
// must have Mappings and Check of this gateway.
func (g *Gateway) Register(e *echo.Echo) {
	e.Use(g.begin) // inside the edge's own middleware, so after its validation
	gatewayapi.RegisterHandlers(e, gatewayapi.NewStrictHandler(g, []gatewayapi.StrictMiddlewareFunc{
		// The last is the outermost. passWaiting must be outside of NoNilResponse, which would take the nil
		// that is left when the answer has been written for a handler that forgot its answer.
		edge.NoNilResponse[gatewayapi.StrictHandlerFunc], passWaiting,
	}))
}

// passWaiting answers 204 to an upstream's "not yet" or "nothing there": on the
// operations whose contract has it, and on any other when the upstream says when
// to come again, for then it is an answer and not a fault (contract 8.6, contract 8.13).
func passWaiting(next gatewayapi.StrictHandlerFunc, _ string) gatewayapi.StrictHandlerFunc {
	return func(c echo.Context, request any) (any, error) {
		response, err := next(c, request)
		var empty *notYet
		if !errors.As(err, &empty) || empty.retryAfter == nil && !callOf(c.Request().Context()).operation.mayBeEmpty {
			return response, err
		}
		if empty.retryAfter != nil {
			c.Response().Header().Set(echo.HeaderRetryAfter, strconv.FormatInt(int64(*empty.retryAfter), 10))
		}
		return nil, c.NoContent(http.StatusNoContent)
	}
}

// Mappings turns errors of the standard library's form reader into problems.
func (g *Gateway) Mappings() []edge.Mapping {
	return []edge.Mapping{func(err error) *edge.Problem {
		if errors.Is(err, http.ErrMissingBoundary) || errors.Is(err, http.ErrNotMultipart) {
			return edge.InvalidField("Content-Type", "has no boundary")
		}
		return nil
	}}
}
