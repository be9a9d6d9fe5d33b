package catalog

// This file: names that stand in vehicles and types (params with units, tags),
// kept in the process. The database numbers every state of the dictionaries;
// a reader takes that number in the statement that reads its rows, so the
// names are exactly those of the same snapshot: no staleness, no messages.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/singleflight"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/database"
)

// maxReadings is how often a read is tried without a lock or transaction while
// the dictionaries change between its two statements.
const maxReadings = 3

// noNames is what a read reports that found no rows, so that no names are
// needed.
const noNames = -1

// dictionary is one state of the names. It never changes.
type dictionary struct {
	version int64
	units   map[uuid.UUID]*api.MeasurementUnit
	params  map[uuid.UUID]*paramName
	tags    map[uuid.UUID]*tagName
}

// paramName is a definition and the JSON around a value of it.
type paramName struct {
	param         api.Param
	before, after []byte
	bytes         int // of the definition as JSON
}

type tagName struct {
	ref     api.TagRef
	deleted bool // links of a deleted tag may still be there; nobody sees them
	json    []byte
}

// storedTag is a tag as it is read.
type storedTag struct {
	api.TagRef

	Deleted bool `json:"deleted"`
}

type dictionaryCache struct {
	newest atomic.Pointer[dictionary]
	loads  singleflight.Group // one for each database: who needs a state that is being loaded waits for it
}

func (c *dictionaryCache) at(version int64) *dictionary {
	if d := c.newest.Load(); d != nil && d.version == version {
		return d
	}
	return nil
}

func (c *dictionaryCache) put(d *dictionary) {
	for {
		old := c.newest.Load()
		if old != nil && old.version >= d.version || c.newest.CompareAndSwap(old, d) {
			return
		}
	}
}

// withNames runs read, which reports the dictionary version of its snapshot,
// until the names of that very version are at hand. It must not run in a
// transaction that changes the dictionaries: their state could be rolled back.
func (s *Service) withNames(ctx context.Context, db catalogdb.DBTX, read func(catalogdb.DBTX) (version int64, err error)) (names *dictionary, err error) {
	for range maxReadings {
		if names, err = s.namesOnce(ctx, db, read); names != nil || err != nil {
			return names, err
		}
	}
	// somebody changes the dictionaries without pause: hold one state of them
	if pool, ok := db.(*pgxpool.Pool); ok {
		snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
		err = database.Transact(ctx, pool, snapshot, func(tx pgx.Tx) error {
			names, err = s.namesOnce(ctx, tx, read)
			return err
		})
	} else if err = s.queries.DictionaryHold(ctx, db); err == nil {
		names, err = s.namesOnce(ctx, db, read)
	}
	if err == nil && names == nil {
		err = errors.New("the dictionaries changed although they were held")
	}
	return names, err
}

// namesOnce is one try of withNames; no names mean that the dictionaries
// changed meanwhile.
func (s *Service) namesOnce(ctx context.Context, db catalogdb.DBTX, read func(catalogdb.DBTX) (int64, error)) (*dictionary, error) {
	version, err := read(db)
	if err != nil {
		return nil, err
	}
	if version == noNames {
		return &dictionary{}, nil
	}
	if d := s.names.at(version); d != nil {
		return d, nil
	}
	d, err := s.nextDictionary(ctx, db)
	if err != nil {
		return nil, err
	}
	if d.version != version {
		return nil, nil
	}
	return d, nil
}

// dictionaryTimeout bounds a load, which goes on for others when one who waits
// for it leaves.
const dictionaryTimeout = 10 * time.Second

// nextDictionary loads the newest state and keeps it. Readers outside of
// transactions share one load: each change of a name would else make all of them
// read the same at once.
func (s *Service) nextDictionary(ctx context.Context, db catalogdb.DBTX) (*dictionary, error) {
	pool, ok := db.(*pgxpool.Pool)
	if !ok {
		return s.loadDictionary(ctx, db)
	}
	loading := s.names.loads.DoChan(fmt.Sprintf("%p", pool), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dictionaryTimeout)
		defer cancel()
		return s.loadDictionary(ctx, pool)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case loaded := <-loading:
		d, _ := loaded.Val.(*dictionary)
		return d, loaded.Err
	}
}

// loadDictionary reads what is new since the newest state at hand, or everything.
func (s *Service) loadDictionary(ctx context.Context, db catalogdb.DBTX) (*dictionary, error) {
	known, since := s.names.newest.Load(), int64(-1)
	if known != nil {
		since = known.version
	}
	row, err := s.queries.DictionaryLoad(ctx, db, since)
	if err != nil {
		return nil, err
	}
	var changed []uuid.UUID
	var units []api.MeasurementUnit
	var params []api.Param
	var tags []storedTag
	for text, into := range map[string]any{row.Changed: &changed, row.Units: &units, row.Params: &params, row.Tags: &tags} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			return nil, err
		}
	}
	if row.Complete || known == nil {
		known = &dictionary{}
	}
	d, err := known.with(row.Version, changed, units, params, tags)
	if err != nil {
		return nil, err
	}
	s.names.put(d)
	return d, nil
}

// with makes the next state: what changed is gone unless it is among the rows.
func (d *dictionary) with(version int64, changed []uuid.UUID, units []api.MeasurementUnit, params []api.Param, tags []storedTag) (*dictionary, error) {
	next := &dictionary{version: version, units: cloneOrMake(d.units, len(units)), params: cloneOrMake(d.params, len(params)), tags: cloneOrMake(d.tags, len(tags))}
	for _, id := range changed {
		delete(next.units, id)
		delete(next.params, id)
		delete(next.tags, id)
	}
	for i := range units {
		units[i].CreatedAt, units[i].UpdatedAt = utc(units[i].CreatedAt), utc(units[i].UpdatedAt)
		next.units[units[i].ID] = &units[i]
	}
	for _, p := range params {
		n, err := newParamName(p, next.units)
		if err != nil {
			return nil, err
		}
		next.params[p.ID] = n
	}
	for _, t := range tags {
		n := &tagName{ref: t.TagRef, deleted: t.Deleted}
		n.json = append(append(append(n.json, `{"id":"`...), t.ID.String()...), `","name":`...)
		n.json = append(appendString(n.json, t.Name), '}')
		next.tags[t.ID] = n
	}
	return next, nil
}

func cloneOrMake[V any](known map[uuid.UUID]V, size int) map[uuid.UUID]V {
	if known == nil {
		return make(map[uuid.UUID]V, size)
	}
	return maps.Clone(known)
}

func newParamName(p api.Param, units map[uuid.UUID]*api.MeasurementUnit) (*paramName, error) {
	p.CreatedAt, p.UpdatedAt = utc(p.CreatedAt), utc(p.UpdatedAt)
	n := &paramName{param: p, after: []byte("}")}
	if id, err := p.UnitID.Get(); err == nil {
		n.param.Unit = units[id]
		unit, err := json.Marshal(n.param.Unit)
		if err != nil {
			return nil, err
		}
		n.after = append(append([]byte(`,"unit":`), unit...), '}')
	}
	definition, err := json.Marshal(n.param)
	if err != nil {
		return nil, err
	}
	n.bytes = len(definition)
	n.before = append(n.before, `{"paramId":"`...)
	n.before = append(n.before, p.ID.String()...)
	n.before = append(n.before, `","name":`...)
	n.before = appendString(n.before, p.Name)
	n.before = append(n.before, `,"valueType":"`...)
	n.before = append(n.before, p.ValueType...)
	n.before = append(n.before, `","value":`...)
	return n, nil
}
