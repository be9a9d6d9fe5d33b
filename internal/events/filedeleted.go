package events

// This file: the stream of deleted files (S6): what its events say and what
// they do.

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/database"
)

// entityEquipment is the one entity type whose files the catalog links to.
const entityEquipment = "EQUIPMENT"

// fileDeleted is a deleted file of this service's entities (D6.1).
type fileDeleted struct {
	fileID uuid.UUID
}

// decodeFileDeleted reads a payload. Deletions of other services' files are
// ignored by their entity type alone: their other fields are not our business.
// `entityId` and `occurredAt` are checked for their type and not used: the
// removal is not narrowed by them (D6.1).
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

// applyFileDeleted removes every link to the deleted files: icons of categories
// and types, photos and documents of vehicles. What it touches gets a new version
// and `updatedBy: system`. An event that was handled before removes nothing, not
// even what was linked again since (D6.3).
func applyFileDeleted(queries *catalogdb.Queries, pool *pgxpool.Pool, topic string) applyFunc[fileDeleted] {
	return func(ctx context.Context, batch []event[fileDeleted]) (repeated []int, err error) {
		err = database.InTx(ctx, pool, func(tx pgx.Tx) error {
			keys := make([]string, 0, len(batch))
			for _, e := range batch {
				keys = append(keys, e.key)
			}
			recorded, err := queries.EventsMarkHandled(ctx, tx, catalogdb.EventsMarkHandledParams{Topic: topic, EventKeys: keys})
			if err != nil {
				return fmt.Errorf("record the handled events: %w", err)
			}
			var files []uuid.UUID
			files, repeated = freshFiles(batch, recorded)
			if len(files) == 0 {
				return nil
			}
			return dropFiles(ctx, queries, tx, files)
		})
		return repeated, err
	}
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

func dropFiles(ctx context.Context, queries *catalogdb.Queries, tx pgx.Tx, files []uuid.UUID) error {
	if _, err := queries.CategoriesDropIcons(ctx, tx, files); err != nil {
		return fmt.Errorf("remove icons of categories: %w", err)
	}
	if _, err := queries.TypesDropIcons(ctx, tx, files); err != nil {
		return fmt.Errorf("remove icons of types: %w", err)
	}
	locked, err := queries.VehiclesLockByFiles(ctx, tx, files)
	if err != nil || len(locked) == 0 {
		return wrap("lock vehicles", err)
	}
	touched, err := queries.LinksDropFiles(ctx, tx, catalogdb.LinksDropFilesParams{VehicleIds: locked, FileIds: files})
	if err != nil || len(touched) == 0 {
		return wrap("remove links", err)
	}
	if err := queries.LinksCloseGaps(ctx, tx, touched); err != nil {
		return fmt.Errorf("close the gaps in positions: %w", err)
	}
	return wrap("mark vehicles as changed", queries.VehiclesTouchBySystem(ctx, tx, touched))
}

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
