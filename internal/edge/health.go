package edge

// This file: /healthz (the process runs) and /readyz (it can do its work), on the
// main listener and beside the metrics (contract 7.6).

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"equipment-platform/internal/build"
)

const (
	checkTimeout = 2 * time.Second
	// checkedFor is how long a look at what the process needs holds.
	checkedFor = time.Second
	// Probes are limited for each address, where anybody can ask: many times what
	// all the balancers of an installation ask together.
	probesRPS, probesBurst = 100, 200
)

// readiness is the body of /readyz when all is well: each check by name. What
// is wrong is an ApiErrorDto like every error (contract 7.1).
type readiness struct {
	Status string            `json:"status"`
	Checks map[string]string `json:"checks"`
}

// checks looks at what the process needs, once a second however many ask: those
// that come meanwhile wait for the look that is under way.
type checks struct {
	mu     sync.Mutex
	at     time.Time
	failed []string
}

func (s *Server) addHealth() {
	limited := func(answer echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if problem := s.probes.spend(addressKey(c)); problem != nil {
				return problem
			}
			return answer(c)
		}
	}
	s.handleGet("/healthz", limited(func(c echo.Context) error {
		return c.JSON(http.StatusOK, map[string]string{"status": "ok", "version": build.Version()})
	}))
	s.handleGet("/readyz", limited(s.ready))
}

// ReadyHandler answers /readyz on the listener of the metrics, which nobody outside
// reaches: the same, without the limit.
func (s *Server) ReadyHandler(w http.ResponseWriter, r *http.Request) {
	c := s.Echo.NewContext(r, w)
	if err := s.ready(c); err != nil {
		s.answerError(err, c, false)
	}
}

func (s *Server) ready(c echo.Context) error {
	if s.isDraining() {
		// load balancers must stop sending before the listener closes
		return notReady("draining")
	}
	if failed := s.failedChecks(c.Request().Context()); len(failed) > 0 {
		return notReady(strings.Join(failed, ", "))
	}
	body := readiness{Status: "ok", Checks: map[string]string{}}
	for name := range s.options.Ready {
		body.Checks[name] = "ok"
	}
	return c.JSON(http.StatusOK, body)
}

// failedChecks lists what the process lacks. All checks together have checkTimeout,
// so whoever waits for the look of another waits as long at most.
func (s *Server) failedChecks(ctx context.Context) []string {
	s.checks.mu.Lock()
	defer s.checks.mu.Unlock()
	if time.Since(s.checks.at) < checkedFor {
		return s.checks.failed
	}
	// whoever asked first may leave: the others want to know too
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkTimeout)
	defer cancel()
	var (
		group  sync.WaitGroup
		mu     sync.Mutex
		failed []string
	)
	for name, check := range s.options.Ready {
		group.Go(func() {
			if err := check(ctx); err != nil {
				s.options.Log.WarnContext(ctx, "not ready", "check", name, "error", err)
				mu.Lock()
				defer mu.Unlock()
				failed = append(failed, name)
			}
		})
	}
	group.Wait()
	slices.Sort(failed)
	s.checks.at, s.checks.failed = time.Now(), failed
	return failed
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
