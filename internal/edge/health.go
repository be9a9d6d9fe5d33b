package edge

// This file: /healthz (the process runs) and /readyz (it can do its work).

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

const checkTimeout = 2 * time.Second

// readiness is the body of /readyz when all is well: each check by name. What
// is wrong is an ApiErrorDto like every error (D7.1).
type readiness struct {
	Status string            `json:"status"`
	Checks map[string]string `json:"checks"`
}

func (s *Server) addHealth() {
	s.handleGet("/healthz", func(c echo.Context) error {
		return c.JSON(http.StatusOK, map[string]string{"status": "ok"})
	})
	s.handleGet("/readyz", func(c echo.Context) error {
		body, failed := readiness{Status: "ok", Checks: map[string]string{}}, []string(nil)
		if s.isDraining() {
			// load balancers must stop sending before the listener closes
			return notReady("draining")
		}
		ctx, cancel := context.WithTimeout(c.Request().Context(), checkTimeout)
		defer cancel()
		for name, check := range s.options.Ready {
			body.Checks[name] = "ok"
			if err := check(ctx); err != nil {
				s.options.Log.WarnContext(ctx, "not ready", "check", name, "error", err)
				failed = append(failed, name)
			}
		}
		if len(failed) > 0 {
			slices.Sort(failed)
			return notReady(strings.Join(failed, ", "))
		}
		return c.JSON(http.StatusOK, body)
	})
}

func notReady(why string) *Problem {
	p := *ErrOverloaded
	p.Message = "Not ready: " + why + "."
	return &p
}

// isDraining reports whether the server has been told to stop.
func (s *Server) isDraining() bool {
	select {
	case <-s.draining:
		return true
	default:
		return false
	}
}
