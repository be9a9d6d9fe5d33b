package catalog

// This file: creations, with or without an Idempotency-Key (contract 1.15, contract 9.11).

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5"

	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/edge"
)

// created is the answer 201 of every creation: the bytes are kept with an
// Idempotency-Key, so a replay answers the very same ones.
type created struct {
	location, etag string
	body           []byte
	replayed       bool
}

// Location is the path of the new resource.
func (r created) Location() string { return r.location }

func (r created) write(w http.ResponseWriter) error {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Location", r.location)
	h.Set("ETag", r.etag)
	if r.replayed {
		h.Set("Idempotency-Replayed", "true")
	}
	w.WriteHeader(http.StatusCreated)
	_, err := w.Write(r.body)
	return err
}

// The operations that create.
func (r created) VisitCreateGroupResponse(w http.ResponseWriter) error     { return r.write(w) }
func (r created) VisitCreateCategoryResponse(w http.ResponseWriter) error  { return r.write(w) }
func (r created) VisitCreateTagResponse(w http.ResponseWriter) error       { return r.write(w) }
func (r created) VisitCreateUnitResponse(w http.ResponseWriter) error      { return r.write(w) }
func (r created) VisitCreateParamResponse(w http.ResponseWriter) error     { return r.write(w) }
func (r created) VisitCreateTypeResponse(w http.ResponseWriter) error      { return r.write(w) }
func (r created) VisitCreateVehicleResponse(w http.ResponseWriter) error   { return r.write(w) }
func (r created) VisitCreateRatingResponse(w http.ResponseWriter) error    { return r.write(w) }
func (r created) VisitAddVehiclePhotoResponse(w http.ResponseWriter) error { return r.write(w) }
func (r created) VisitAddVehicleDocResponse(w http.ResponseWriter) error   { return r.write(w) }

// newCreated encodes a new resource.
func newCreated(location string, version int64, resource any) (created, error) {
	body, err := json.Marshal(resource)
	return created{location: location, etag: etag(version), body: append(body, '\n')}, err
}

// create runs do in a transaction. With a key, the answer is kept in the
// same transaction; the same request again gets it back. Answers other than
// 2xx are not kept: the transaction is rolled back with them.
func (s *Service) create(ctx context.Context, operation string, key *string, do func(pgx.Tx) (created, error)) (answer created, err error) {
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		if key == nil {
			answer, err = do(tx)
			return err
		}
		answer, err = s.createOnce(ctx, tx, operation, *key, do)
		return err
	})
	return answer, err
}

func (s *Service) createOnce(ctx context.Context, tx pgx.Tx, operation, key string, do func(pgx.Tx) (created, error)) (created, error) {
	caller := actor(ctx)
	path, raw := edge.RawRequest(ctx)
	// nothing but UUIDs can differ in letter case here, and these are compared by value (contract 1.1)
	hash := sha256.Sum256(append([]byte(strings.ToLower(path)+"\n"), raw...))
	free, err := s.queries.IdempotencyTryLock(ctx, tx, caller+"\x1f"+operation+"\x1f"+key)
	if err != nil {
		return created{}, err
	}
	if !free {
		return created{}, errRequestInProgress
	}
	kept, err := s.queries.IdempotencyGet(ctx, tx, catalogdb.IdempotencyGetParams{Caller: caller, Operation: operation, Key: key})
	switch {
	case err == nil && bytes.Equal(kept.RequestHash, hash[:]):
		return created{location: kept.Location, etag: kept.Etag, body: kept.Body, replayed: true}, nil
	case err == nil:
		return created{}, errIdempotencyReused
	case !errors.Is(err, pgx.ErrNoRows):
		return created{}, err
	}
	answer, err := do(tx)
	if err != nil {
		return created{}, err
	}
	return answer, s.queries.IdempotencyPut(ctx, tx, catalogdb.IdempotencyPutParams{
		Caller: caller, Operation: operation, Key: key, RequestHash: hash[:],
		Location: answer.location, Etag: answer.etag, Body: answer.body,
	})
}
