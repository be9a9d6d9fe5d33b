// Package sandbox is the exchange provider in memory, with the logistics,
// electronic waybill and transport upstreams and the identity host beside it:
// good enough for whole stories in development and tests, never for
// production. Its API is the strict server of openapi/provider.yaml.
//
// This file: putting the parts on one listener.
package sandbox

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"equipment-platform/gen/logisticsapi"
	"equipment-platform/gen/providerapi"
	"equipment-platform/gen/transportapi"
	"equipment-platform/gen/waybillapi"
)

// What callers need to know of the demo installation.
const (
	ClientID     = "sandbox-client"
	ClientSecret = "sandbox-secret"
	RedirectURI  = "http://127.0.0.1:8087/callback"
	APIKey       = "sandbox-apikey"
	// Token is a ready access token of the demo user.
	Token = "sandbox-token"
	// CounteragentToken is one of a user on the other side, to play both.
	CounteragentToken = "sandbox-counteragent-token"
	BoxID             = "00000000-0000-4000-8000-0000000000b1@exchange.example"
	CounteragentBoxID = "00000000-0000-4000-8000-0000000000b2@exchange.example"
)

// Sandbox is the whole state and its handlers. A handler runs with the lock
// held; what it returns is made for it and shared with nobody.
type Sandbox struct {
	mu    sync.Mutex
	store *store
	log   *slog.Logger
	now   func() time.Time

	beside map[string]http.Handler // by prefix
}

var _ providerapi.StrictServerInterface = (*Sandbox)(nil)

// New makes a sandbox with the demo organizations in it.
func New(log *slog.Logger) *Sandbox {
	s := &Sandbox{log: log, now: time.Now, beside: map[string]http.Handler{}}
	s.store = seeded(s.now())
	return s
}

// Mount serves another upstream of the platform under a prefix such as /files.
func (s *Sandbox) Mount(prefix string, h http.Handler) { s.beside[prefix] = h }

// Handler serves everything: the provider at `/`, the others at /logistics,
// /waybill, /transport and /identity, and what is mounted.
func (s *Sandbox) Handler() (http.Handler, error) {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.writeFailure
	e.Use(faults)
	providers, err := newGuard(providerapi.Spec, s.checkToken)
	if err != nil {
		return nil, fmt.Errorf("provider: %w", err)
	}
	providerapi.RegisterHandlersWithBaseURL(router{e, providers.check}, providerapi.NewStrictHandler(s, []providerapi.StrictMiddlewareFunc{
		func(next providerapi.StrictHandlerFunc, _ string) providerapi.StrictHandlerFunc {
			return func(c echo.Context, request any) (any, error) {
				s.mu.Lock()
				defer s.mu.Unlock()
				return next(c, request)
			}
		},
	}), "")
	p := newPassThrough(s.now)
	guards := map[string]*guard{}
	for name, raw := range map[string][]byte{"/logistics": logisticsapi.Spec, "/waybill": waybillapi.Spec, "/transport": transportapi.Spec} {
		if guards[name], err = newGuard(raw, checkKey); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		guards[name].prefix = name
	}
	logisticsapi.RegisterHandlersWithBaseURL(router{e, guards["/logistics"].check}, logisticsapi.NewStrictHandler(p, nil), "/logistics")
	waybillapi.RegisterHandlersWithBaseURL(router{e, guards["/waybill"].check}, waybillapi.NewStrictHandler(p, nil), "/waybill")
	transportapi.RegisterHandlersWithBaseURL(router{e, guards["/transport"].check}, transportapi.NewStrictHandler(p, nil), "/transport")
	newIdentity(s).register(e.Group("/identity"))
	for prefix, h := range s.beside {
		e.Any(prefix+"/*", echo.WrapHandler(http.StripPrefix(prefix, h)))
	}
	e.GET("/healthz", func(c echo.Context) error { return c.String(http.StatusOK, "ok") })
	return e, nil
}

// router registers the routes of one API with that API's guard in front.
type router struct {
	*echo.Echo
	guard echo.MiddlewareFunc
}

func (r router) GET(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return r.Echo.GET(path, h, append(m, r.guard)...)
}

func (r router) POST(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return r.Echo.POST(path, h, append(m, r.guard)...)
}

// Serve runs the sandbox on addr until ctx ends.
func (s *Sandbox) Serve(ctx context.Context, addr string, drain time.Duration) error {
	handler, err := s.Handler()
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	s.log.InfoContext(ctx, "listening", "service", "sandbox", "address", listener.Addr().String())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	return server.Shutdown(stop)
}

// newID makes an identifier as the provider does.
func newID() string { return uuid.NewString() }

// epochTicks is 1970-01-01 in the provider's 100-nanosecond steps.
const epochTicks = 621355968000000000

func ticks(t time.Time) int64 { return t.UnixNano()/100 + epochTicks }
