package edge

// This file: /healthz (the process runs) and /readyz (it can do its work).

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

const checkTimeout = 2 * time.Second

// readiness is the body of /readyz: each check by name, "ok" or what is wrong.
type readiness struct {
	Status string            `json:"status"`
	Checks map[string]string `json:"checks"`
}

func (s *Server) addHealth() {
	s.Echo.GET("/healthz", func(c echo.Context) error {
		return c.JSON(http.StatusOK, map[string]string{"status": "ok"})
	})
	s.Echo.GET("/readyz", func(c echo.Context) error {
		body, status := readiness{Status: "ok", Checks: map[string]string{}}, http.StatusOK
		select {
		case <-s.draining:
			// load balancers must stop sending before the listener closes
			return c.JSON(http.StatusServiceUnavailable, readiness{Status: "draining", Checks: body.Checks})
		default:
		}
		ctx, cancel := context.WithTimeout(c.Request().Context(), checkTimeout)
		defer cancel()
		for name, check := range s.options.Ready {
			body.Checks[name] = "ok"
			if err := check(ctx); err != nil {
				s.options.Log.WarnContext(ctx, "not ready", "check", name, "error", err)
				body.Checks[name], body.Status, status = "failed", "not ready", http.StatusServiceUnavailable
			}
		}
		return c.JSON(status, body)
	})
}
