package indexing

// This file: the lists that many vectors are searched in. The migrations index the vectors
// as a graph (hnsw), which grows from nothing. Of many vectors whose machines are alike a walk
// through it can miss all that is near; lists (ivfflat) find it in less time, are built in a
// quarter of the time, and take insertions for a fraction (docs/scaling.md, Vectors). But
// their centres are learned from vectors that are there, so no migration can make them, and
// they are made anew when most of the vectors have come since.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/database"
)

const (
	// listsFrom is from how many vectors on they are in lists.
	listsFrom = 10_000
	// layOutEvery is how often it is looked whether they are well laid out; retryLayOut when
	// that failed, as it will again where the role may not make indexes.
	layOutEvery, retryLayOut = time.Minute, 10 * time.Minute
	// layOutLimit bounds the making of lists, which waits for transactions that began before.
	layOutLimit = "3h"
)

// errByHand is what LayOut fails with behind a pooler, whose sessions change hands.
var errByHand = errors.New(`a pooler stands between: it is done by hand (docs/operations.md, "Many vectors")`)

// keepLaidOut lays the vectors out whenever that is due.
func (x *Indexer) keepLaidOut(ctx context.Context) {
	for ctx.Err() == nil {
		wait := layOutEvery
		if err := LayOut(ctx, x.db, x.log); err != nil && ctx.Err() == nil {
			wait = retryLayOut
			x.log.WarnContext(ctx, "the vectors could not be laid out for the search, which goes on as before", "error", err, "wait", wait.String())
		}
		sleep(ctx, wait, nil)
	}
}

// LayOut puts the vectors into lists where there are many and most of them are in none or newer
// than theirs: as many lists as the square root of the number of vectors. Searches and writes go
// on meanwhile. Of several processes one does it; behind a pooler it fails.
// Only indexes that the migrations or an indexer have made are dropped.
func LayOut(ctx context.Context, db *pgxpool.Pool, log *slog.Logger) error {
	is, err := catalogdb.New().VectorsLaidOut(ctx, db)
	if dropsDue := is.LaidOut && is.Indexes > 1; err != nil || !listsDue(is) && !dropsDue {
		return err
	}
	lists := int64(math.Sqrt(float64(is.Vectors)))
	// a connection of its own, as the limits of the pool are for requests
	config := db.Config().ConnConfig.Copy()
	config.RuntimeParams["statement_timeout"], config.RuntimeParams["lock_timeout"] = layOutLimit, "0"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer closeSoon(ctx, conn)
	if between, err := database.Pooled(ctx, conn); err != nil {
		return err
	} else if between {
		return errByHand
	}
	// no startup parameter, as a pooler would refuse it
	if _, err := conn.Exec(ctx, fmt.Sprintf("SET maintenance_work_mem = '%dMB'", listsMemory(lists)>>20)); err != nil {
		return err
	}
	var first bool
	if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock(hashtextextended('vehicle_embeddings_lists', 0))").Scan(&first); err != nil || !first {
		return err
	}
	if err := dropOthers(ctx, conn); err != nil {
		return err
	}
	// another process may have done it meanwhile
	if is, err = catalogdb.New().VectorsLaidOut(ctx, conn); err != nil || !listsDue(is) {
		return err
	}
	begun := time.Now()
	log.InfoContext(ctx, "the vectors are being laid out for the search", "vectors", is.Vectors, "lists", lists)
	_, err = conn.Exec(ctx, fmt.Sprintf("CREATE INDEX CONCURRENTLY vehicle_embeddings_lists_%d ON vehicle_embeddings USING ivfflat ((embedding::halfvec(1024)) halfvec_cosine_ops) WITH (lists = %d)", is.Second, lists))
	if err != nil {
		return err // what it leaves is dropped before the next ones are made
	}
	log.InfoContext(ctx, "the vectors are laid out for the search", "vectors", is.Vectors, "lists", lists, "took", time.Since(begun).Round(time.Millisecond).String())
	return dropOthers(ctx, conn)
}

func listsDue(is catalogdb.VectorsLaidOutRow) bool {
	return is.Vectors >= listsFrom && is.Newer > is.Vectors/2
}

// listsMemory is what learning so many centres takes: a sample of 50 vectors for each, at least
// 10,000, of 16 bits, and the distance of each to all centres. With less than that PostgreSQL
// refuses to do it.
func listsMemory(lists int64) int64 {
	const vector, distance, besides = 2100, 4, 128 << 20
	return besides + max(50*lists, 10_000)*(vector+distance*lists)
}

// dropOthers drops what is left of lists that were not made to the end and, where there are
// lists, what the search used before.
func dropOthers(ctx context.Context, conn *pgx.Conn) error {
	indexes, err := catalogdb.New().VectorsIndexes(ctx, conn)
	if err != nil {
		return err
	}
	laidOut := len(indexes) > 0 && indexes[0].Valid && indexes[0].Lists
	for i, index := range indexes {
		left, replaced := index.Lists && !index.Valid, laidOut && i > 0
		if !left && !replaced {
			continue
		}
		if _, err := conn.Exec(ctx, "DROP INDEX CONCURRENTLY IF EXISTS "+pgx.Identifier{index.Name}.Sanitize()); err != nil {
			return err
		}
	}
	return nil
}
