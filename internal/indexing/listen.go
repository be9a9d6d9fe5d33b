package indexing

// This file: the notifications that wake the loop.

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"equipment-platform/internal/database"
)

// closeLimit bounds the farewell to the server when notifications end.
const closeLimit = time.Second

// listen turns notifications into wake-ups; the poll covers the time in which
// the connection is down, and does all of it behind a pooler.
func (x *Indexer) listen(ctx context.Context, wake chan<- struct{}) {
	for ctx.Err() == nil {
		err := x.listenOnce(ctx, wake)
		if ctx.Err() == nil {
			x.log.DebugContext(ctx, "notifications are interrupted", "error", err)
			sleep(ctx, pollEvery, nil)
		}
	}
}

// listenOnce has a connection of its own: one from the pool would be missing
// there for good, and the only one of a pool of one.
func (x *Indexer) listenOnce(ctx context.Context, wake chan<- struct{}) error {
	conn, err := pgx.ConnectConfig(ctx, x.db.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer closeSoon(ctx, conn)
	if between, err := database.Pooled(ctx, conn); err != nil {
		return err
	} else if between {
		// what it listens to would come to whoever has the session then
		<-ctx.Done()
		return ctx.Err()
	}
	if _, err := conn.Exec(ctx, "LISTEN "+database.OutboxChannel); err != nil {
		return err
	}
	for {
		if _, err := conn.WaitForNotification(ctx); err != nil {
			return err
		}
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

// closeSoon closes a connection, also when ctx has ended.
func closeSoon(ctx context.Context, conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
	defer cancel()
	_ = conn.Close(ctx)
}
