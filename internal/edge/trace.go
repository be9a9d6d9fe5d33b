package edge

// This file: the span of each request, when tracing is on.

import "github.com/labstack/echo/v4"

// trace comes before observe, so that its log line has the trace id. It is
// not there at all when tracing is off.
func (s *Server) trace(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if isProbe(c) {
			return next(c) // one every few seconds from each load balancer: nobody looks for those
		}
		ctx, span := s.options.Tracing.StartRequest(c.Request())
		c.SetRequest(c.Request().WithContext(ctx))
		defer func() {
			route := ""
			if w := answerOf(c); w != nil && w.operation != nil {
				route = w.operation.Path
			}
			span.End(OperationID(c), route, requestID(c), c.Response().Status, c.Response().Size)
		}()
		return next(c)
	}
}

// isProbe reports whether a request asks for the health of the process.
func isProbe(c echo.Context) bool {
	p := c.Request().URL.Path
	return p == "/healthz" || p == "/readyz"
}
