package catalog

// This file: which database a read asks. Reads go to the replica where there is
// one. A caller with a token may have written just now, through any process, so
// such a read is a fresh one: the replica answers only if it has everything that
// the primary had when the read came. An anonymous caller has written nothing;
// what it sees is at most five seconds old. The choice is made once for a
// request: two statements of one answer never see two servers. A read whose
// connection broke is run again, too.

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v4"

	"equipment-platform/gen/catalogapi"
	"equipment-platform/internal/auth"
	"equipment-platform/internal/database"
)

type readsKey struct{}

// reads is the database that the reads of a request ask.
func (s *Service) reads(ctx context.Context) *pgxpool.Pool {
	if s.replica != nil {
		if chosen, ok := ctx.Value(readsKey{}).(*pgxpool.Pool); ok {
			return chosen
		}
	}
	return s.db
}

// routeReads is the strict middleware that sends reads to the replica where there is
// one, and again to the primary when the replica, or a connection of the primary's,
// fails. A handler that reads has no other effect than the value that it returns, so
// running it twice is safe.
func (s *Service) routeReads(next catalogapi.StrictHandlerFunc, operation string) catalogapi.StrictHandlerFunc {
	return func(c echo.Context, request any) (answer any, err error) {
		original := c.Request()
		if original.Method != http.MethodGet && operation != "SearchVehicles" {
			return next(c, request)
		}
		ctx := original.Context()
		if s.replica != nil {
			stands, err := s.replica.Read(ctx, !auth.FromContext(ctx).Anonymous(), func(ctx context.Context, replica *pgxpool.Pool) (err error) {
				c.SetRequest(original.WithContext(context.WithValue(ctx, readsKey{}, replica)))
				answer, err = next(c, request)
				return err
			})
			c.SetRequest(original)
			if stands {
				return answer, err
			}
		}
		err = database.Read(ctx, s.db, func() (err error) {
			answer, err = next(c, request)
			return err
		})
		return answer, err
	}
}
