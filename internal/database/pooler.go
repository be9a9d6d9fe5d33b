package database

// This file: a pooler between the programs and PostgreSQL (PgBouncer), and what of the
// programs' needs it does not pass on. docs/operations.md says how it must be set.

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// errPooler is what Verify fails with.
var errPooler = errors.New(`a pooler stands between and must be set otherwise (docs/operations.md, "Behind a pooler")`)

// limits are the settings without which a stuck statement would hold its connection for ever. It is not a startup parameter
// that switches the compilation of plans off, as a pooler that was set up for those before it would refuse it: that takes 40
// to 80 ms of each search, whose plan looks dear since it must not sort, and most servers do it.
const limits = `SELECT to_regtype('vector') IS NOT NULL, array_to_string(ARRAY(
	SELECT name FROM unnest(ARRAY['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) AS name WHERE current_setting(name) = '0'), ', ')
FROM set_config('jit', 'off', false)`

// prepare looks at a new connection: whether there are vectors, and whether the limits
// that were asked for are there.
func prepare(ctx context.Context, conn *pgx.Conn) (vectors bool, err error) {
	var missing string
	if err := conn.QueryRow(ctx, limits).Scan(&vectors, &missing); err != nil {
		return false, err
	}
	for name := range strings.SplitSeq(missing, ", ") {
		if asked := conn.Config().RuntimeParams[name]; name != "" && asked != "0" {
			return false, fmt.Errorf("%w: %s is %s and the connection has none", errPooler, name, asked)
		}
	}
	return vectors, nil
}

// Verify refuses a pooler that cannot be worked through; variable is what names the
// database. A database that cannot be reached in a few seconds passes: it is waited for.
func Verify(ctx context.Context, db *pgxpool.Pool, variable string) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	err := db.Ping(ctx)
	if err == nil {
		err = verifyStatements(ctx, db)
	}
	var refused *pgconn.PgError
	switch {
	case errors.Is(err, errPooler):
		return fmt.Errorf("%s: %w", variable, err)
	case errors.As(err, &refused) && refused.Code == "08P01" && strings.Contains(refused.Message, "startup parameter"):
		return fmt.Errorf("%s: %w: %s", variable, errPooler, refused.Message)
	default:
		return nil
	}
}

// verifyStatements demands that two clients of a pooler may prepare different
// statements under one name, as every connection does.
func verifyStatements(ctx context.Context, db *pgxpool.Pool) error {
	c := db.Config().ConnConfig
	if c.DefaultQueryExecMode != pgx.QueryExecModeCacheStatement {
		return nil
	}
	for n := range 2 {
		conn, err := pgx.ConnectConfig(ctx, c)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
		between, err := Pooled(ctx, conn)
		if err != nil || !between {
			return err
		}
		_, err = conn.Prepare(ctx, "verify", fmt.Sprintf("SELECT %d", n))
		var refused *pgconn.PgError
		if errors.As(err, &refused) && refused.Code == "42P05" {
			return fmt.Errorf("%w: it does not keep the prepared statements of its clients apart", errPooler)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Pooled reports whether a pooler stands between the connection and PostgreSQL, whose
// sessions are then not the connection's own: what a session has (LISTEN, locks that
// outlive a transaction) may go to somebody else.
func Pooled(ctx context.Context, conn *pgx.Conn) (bool, error) {
	var pid uint32
	err := conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&pid)
	return err == nil && pid != conn.PgConn().PID(), err
}
