package catalog

// This file: names that stand in vehicles and types (params with units, tags),
// kept in the process. The database numbers every state of the dictionaries;
// a reader takes that number in the statement that reads its rows, so the
// names are exactly those of the same snapshot: no staleness, no messages.

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
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
	params  map[uuid.UUID]*paramName
	tags    map[uuid.UUID]*tagName
}

// paramName is a definition and the JSON around a value of it.
type paramName struct {
	param         api.Param
	before, after []byte
}

type tagName struct {
	ref  api.TagRef
	json []byte
}

type dictionaryCache struct {
	newest atomic.Pointer[dictionary]
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
		err = pgx.BeginTxFunc(ctx, pool, snapshot, func(tx pgx.Tx) error {
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
	d, err := s.loadDictionary(ctx, db)
	if err != nil {
		return nil, err
	}
	s.names.put(d)
	if d.version != version {
		return nil, nil
	}
	return d, nil
}

func (s *Service) loadDictionary(ctx context.Context, db catalogdb.DBTX) (*dictionary, error) {
	row, err := s.queries.DictionaryLoad(ctx, db)
	if err != nil {
		return nil, err
	}
	var units []api.MeasurementUnit
	var params []api.Param
	var tags []api.TagRef
	for text, into := range map[string]any{row.Units: &units, row.Params: &params, row.Tags: &tags} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			return nil, err
		}
	}
	return newDictionary(row.Version, units, params, tags)
}

func newDictionary(version int64, units []api.MeasurementUnit, params []api.Param, tags []api.TagRef) (*dictionary, error) {
	d := &dictionary{version: version, params: make(map[uuid.UUID]*paramName, len(params)), tags: make(map[uuid.UUID]*tagName, len(tags))}
	unitByID := make(map[uuid.UUID]*api.MeasurementUnit, len(units))
	for i := range units {
		units[i].CreatedAt, units[i].UpdatedAt = utc(units[i].CreatedAt), utc(units[i].UpdatedAt)
		unitByID[units[i].ID] = &units[i]
	}
	for _, p := range params {
		p.CreatedAt, p.UpdatedAt = utc(p.CreatedAt), utc(p.UpdatedAt)
		n := &paramName{param: p, after: []byte("}")}
		if id, err := p.UnitID.Get(); err == nil {
			n.param.Unit = unitByID[id]
			unit, err := json.Marshal(n.param.Unit)
			if err != nil {
				return nil, err
			}
			n.after = append(append([]byte(`,"unit":`), unit...), '}')
		}
		n.before = append(n.before, `{"paramId":"`...)
		n.before = append(n.before, p.ID.String()...)
		n.before = append(n.before, `","name":`...)
		n.before = appendString(n.before, p.Name)
		n.before = append(n.before, `,"valueType":"`...)
		n.before = append(n.before, p.ValueType...)
		n.before = append(n.before, `","value":`...)
		d.params[p.ID] = n
	}
	for _, t := range tags {
		n := &tagName{ref: t}
		n.json = append(append(append(n.json, `{"id":"`...), t.ID.String()...), `","name":`...)
		n.json = append(appendString(n.json, t.Name), '}')
		d.tags[t.ID] = n
	}
	return d, nil
}
