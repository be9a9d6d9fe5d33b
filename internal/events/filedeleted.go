package events

// This file: the stream of deleted files (contract 6.9): what its events say and what
// they do.

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/database"
)

// entityEquipment is the one entity type whose files the catalog links to.
const entityEquipment = "EQUIPMENT"

// fileDeleted is a deleted file of this service's entities (contract 6.1).
type fileDeleted struct {
	fileID uuid.UUID
}

// decodeFileDeleted reads a payload. Deletions of other services' files are
// ignored by their entity type alone: their other fields are not our business.
// `entityId` and `occurredAt` are checked for their type and not used: the
// removal is not narrowed by them (contract 6.1).
func decodeFileDeleted(fields payload) (fileDeleted, error) {
	entity, err := fields.text("entityType")
	if err != nil {
		return fileDeleted{}, err
	}
	if entity != entityEquipment {
		return fileDeleted{}, errIgnored
	}
	file, err := fields.id("fileId")
	if err != nil {
		return fileDeleted{}, err
	}
	if _, _, err := fields.optionalID("entityId"); err != nil {
		return fileDeleted{}, err
	}
	if _, err := fields.optionalTime("occurredAt"); err != nil {
		return fileDeleted{}, err
	}
	return fileDeleted{fileID: file}, nil
}

// stepLinks is how many links one transaction removes: with some of them a vehicle
// each, that takes a fraction of a second, and their owners wait no longer.
const stepLinks = 1000

// applyFileDeleted removes every link to the deleted files: icons of categories
// and types, photos and documents of vehicles. What it touches gets a new version
// and `updatedBy: system`. An event that was handled before removes nothing, not
// even what was linked again since (contract 6.3).
//
// A file may be linked by any number of vehicles. The links of an event that has
// more than one transaction can take are removed in steps. The first one notes
// when that was; links made by requests that came later stay. The last one records
// that the event was handled.
func applyFileDeleted(queries *catalogdb.Queries, pool *pgxpool.Pool, topic string) applyFunc[fileDeleted] {
	return func(ctx context.Context, batch []event[fileDeleted]) (done outcome, err error) {
		err = database.InTx(ctx, pool, func(tx pgx.Tx) error {
			done = outcome{}
			d := deletion{queries: queries, tx: tx, topic: topic}
			if len(batch) == 1 {
				done, err = d.step(ctx, batch[0])
			} else {
				done.repeated, err = d.whole(ctx, batch)
			}
			return err
		})
		return done, err
	}
}

// deletion is the work of one transaction.
type deletion struct {
	queries *catalogdb.Queries
	tx      pgx.Tx
	topic   string
}

// noteKey is where the beginning of an effect is noted that takes several steps.
func noteKey(key string) string { return "begun:" + key }

// record records that events were handled and returns the keys that had not been.
func (d deletion) record(ctx context.Context, batch []event[fileDeleted]) (recorded []string, begun map[string]time.Time, err error) {
	keys, notes := make([]string, len(batch)), make([]string, len(batch))
	for i, e := range batch {
		keys[i], notes[i] = e.key, noteKey(e.key)
	}
	recorded, err = d.queries.EventsMarkHandled(ctx, d.tx, catalogdb.EventsMarkHandledParams{Topic: d.topic, EventKeys: keys})
	if err != nil {
		return nil, nil, fmt.Errorf("record the handled events: %w", err)
	}
	rows, err := d.queries.EventsBegun(ctx, d.tx, catalogdb.EventsBegunParams{Topic: d.topic, NoteKeys: notes})
	if err != nil {
		return nil, nil, fmt.Errorf("look for events that were begun: %w", err)
	}
	begun = map[string]time.Time{}
	for _, row := range rows {
		begun[row.EventKey] = row.BegunAt
	}
	return recorded, begun, nil
}

// whole makes the effects of several events.
func (d deletion) whole(ctx context.Context, batch []event[fileDeleted]) (repeated []int, err error) {
	recorded, begun, err := d.record(ctx, batch)
	if err != nil {
		return nil, err
	}
	if len(begun) > 0 {
		return nil, errTooMuch
	}
	files, repeated := freshFiles(batch, recorded)
	if len(files) == 0 {
		return repeated, nil
	}
	if err := d.dropIcons(ctx, files); err != nil {
		return nil, err
	}
	more, err := d.dropLinks(ctx, files, nil)
	if err == nil && more {
		err = errTooMuch
	}
	return repeated, err
}

// step makes the effect of an event, or the next part of it.
func (d deletion) step(ctx context.Context, e event[fileDeleted]) (done outcome, err error) {
	recorded, begun, err := d.record(ctx, []event[fileDeleted]{e})
	if err != nil {
		return outcome{}, err
	}
	if len(recorded) == 0 {
		return outcome{repeated: []int{0}}, nil
	}
	files, note := []uuid.UUID{e.value.fileID}, noteKey(e.key)
	var madeBefore *time.Time
	if at, is := begun[note]; is {
		madeBefore = &at
	} else if err := d.dropIcons(ctx, files); err != nil {
		return outcome{}, err
	}
	done.unfinished, err = d.dropLinks(ctx, files, madeBefore)
	switch {
	case err != nil:
	case done.unfinished:
		err = wrap("note what is begun", d.queries.EventSuspend(ctx, d.tx, catalogdb.EventSuspendParams{Topic: d.topic, EventKey: e.key, NoteKey: note}))
	case madeBefore != nil:
		err = wrap("remove the note of what was begun", d.queries.EventFinish(ctx, d.tx, catalogdb.EventFinishParams{Topic: d.topic, NoteKey: note}))
	}
	return done, err
}

// freshFiles are the files of the events whose keys were recorded now; the others
// had been handled before. Of an event that occurs twice in the batch only the
// first counts.
func freshFiles(batch []event[fileDeleted], recorded []string) (files []uuid.UUID, repeated []int) {
	unused := map[string]bool{}
	for _, key := range recorded {
		unused[key] = true
	}
	for i, e := range batch {
		if !unused[e.key] {
			repeated = append(repeated, i)
			continue
		}
		unused[e.key] = false
		files = append(files, e.value.fileID)
	}
	return files, repeated
}

func (d deletion) dropIcons(ctx context.Context, files []uuid.UUID) error {
	if _, err := d.queries.CategoriesDropIcons(ctx, d.tx, files); err != nil {
		return fmt.Errorf("remove icons of categories: %w", err)
	}
	_, err := d.queries.TypesDropIcons(ctx, d.tx, files)
	return wrap("remove icons of types", err)
}

// dropLinks removes at most stepLinks links of vehicles and reports whether there
// may be more.
func (d deletion) dropLinks(ctx context.Context, files []uuid.UUID, madeBefore *time.Time) (more bool, err error) {
	found, err := d.queries.VehiclesLockByFiles(ctx, d.tx, catalogdb.VehiclesLockByFilesParams{FileIds: files, MadeBefore: madeBefore, Most: stepLinks})
	if err != nil || len(found) == 0 {
		return false, wrap("lock vehicles", err)
	}
	more = found[0].Links == stepLinks
	locked := make([]uuid.UUID, len(found))
	for i, vehicle := range found {
		locked[i] = vehicle.ID
	}
	touched, err := d.queries.LinksDropFiles(ctx, d.tx, catalogdb.LinksDropFilesParams{VehicleIds: locked, FileIds: files, MadeBefore: madeBefore})
	if err != nil || len(touched) == 0 {
		return more, wrap("remove links", err)
	}
	if err := d.queries.LinksCloseGaps(ctx, d.tx, touched); err != nil {
		return more, fmt.Errorf("close the gaps in positions: %w", err)
	}
	return more, wrap("mark vehicles as changed", d.queries.VehiclesTouchBySystem(ctx, d.tx, touched))
}

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
