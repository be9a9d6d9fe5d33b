package catalog_test

// This file: creations with an Idempotency-Key (contract 1.15, contract 9.11).

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/catalog"
	"equipment-platform/internal/edge/edgetest"
	"equipment-platform/internal/embedding"
)

func key(value string) edgetest.Header { return edgetest.Header{Name: "Idempotency-Key", Value: value} }

func TestEveryCreationIsReplayed(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	creations := 0
	for _, s := range f.samples(t) {
		if s.status != 201 {
			continue
		}
		creations++
		const k = "the-same-key-for-every-operation" // scoped to the operation
		first := s.by.Do(t, s.method, s.path, s.body, key(k)).Is(201)
		require.Empty(t, first.Header.Get("Idempotency-Replayed"))
		for range 2 {
			again := s.by.Do(t, s.method, s.path, s.body, key(k)).Is(201)
			require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
			require.Equal(t, string(first.Body), string(again.Body))
			for _, name := range []string{"ETag", "Location", "Content-Type"} {
				require.Equal(t, first.Header.Get(name), again.Header.Get(name))
			}
			require.NotEqual(t, first.Header.Get("X-Request-Id"), again.Header.Get("X-Request-Id"))
		}
		// the same value in other bytes is another body
		s.by.Do(t, s.method, s.path, []byte(mustJSON(t, s.body)+" "), key(k)).Fails(422, "idempotency_key_reused")
		require.Equal(t, string(first.Body), string(s.by.Do(t, s.method, s.path, s.body, key(k)).Is(201).Body))
	}
	require.Equal(t, 10, creations)
}

func TestIdempotencyScope(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	body := m{"equipmentTypeId": f.equipmentType, "brandName": "B", "modelName": "M"}
	one := f.owner.Do(t, "POST", base+"/vehicles", body, key("k")).Is(201)
	two := f.other.Do(t, "POST", base+"/vehicles", body, key("k")).Is(201)
	require.NotEqual(t, one.ID(), two.ID(), "scoped to the caller")
	require.Equal(t, "other", two.Text("ownerUserId"))
	three := f.owner.Do(t, "POST", base+"/vehicles", body, key("K")).Is(201)
	require.NotEqual(t, one.ID(), three.ID(), "letter case matters")
	file := m{"fileId": uuid.NewString()}
	f.owner.Do(t, "POST", base+"/vehicles/"+one.ID()+"/photos", file, key("k")).Is(201)
	require.Equal(t, "true", f.owner.Do(t, "POST", base+"/vehicles/"+strings.ToUpper(one.ID())+"/photos", file, key("k")).Is(201).Header.Get("Idempotency-Replayed"),
		"the same UUID in another spelling")
	f.owner.Do(t, "POST", base+"/vehicles/"+three.ID()+"/photos", file, key("k")).Fails(422, "idempotency_key_reused")
	f.owner.Do(t, "POST", base+"/vehicles/"+one.ID()+"/docs", file, key("k")).Is(201) // another operation
	// a replay after deletion still gives the kept answer, and makes nothing
	f.owner.Do(t, "DELETE", base+"/vehicles/"+one.ID(), nil).Is(204)
	again := f.owner.Do(t, "POST", base+"/vehicles", body, key("k")).Is(201)
	require.Equal(t, one.ID(), again.ID())
	f.owner.Do(t, "GET", base+"/vehicles/"+one.ID(), nil).Fails(404, "not_found")
	// a change meanwhile does not show
	f.owner.Do(t, "PATCH", base+"/vehicles/"+three.ID(), m{"brandName": "C"}).Is(200)
	require.Equal(t, string(three.Body), string(f.owner.Do(t, "POST", base+"/vehicles", body, key("K")).Is(201).Body))
	// roles are asked again
	f.As(token(t, "owner", "OPERATOR")).Do(t, "POST", base+"/vehicles", body, key("k")).Fails(403, "forbidden")
	f.Do(t, "POST", base+"/vehicles", body, key("k")).Fails(401, "unauthorized")
}

func TestFailuresAreNotKept(t *testing.T) {
	t.Parallel()
	a := setup(t)
	tag := a.admin.Do(t, "POST", base+"/tags", m{"name": "taken"}).Is(201)
	a.admin.Do(t, "POST", base+"/tags", m{"name": "taken"}, key("k")).Fails(409, "duplicate")
	a.admin.Do(t, "POST", base+"/tags", m{"name": ""}, key("k")).Fails(400, "validation_failed")
	a.admin.Do(t, "DELETE", base+"/tags/"+tag.ID(), nil).Is(204)
	made := a.admin.Do(t, "POST", base+"/tags", m{"name": "taken"}, key("k")).Is(201)
	require.Empty(t, made.Header.Get("Idempotency-Replayed"))
	require.Equal(t, made.ID(), a.admin.Do(t, "POST", base+"/tags", m{"name": "taken"}, key("k")).Is(201).ID())
	missing := base + "/groups/" + uuid.NewString() + "/categories"
	a.admin.Do(t, "POST", missing, m{"name": "x"}, key("k")).Fails(404, "not_found")
	a.admin.Do(t, "POST", missing, m{"name": "y"}, key("k")).Fails(404, "not_found")
}

func TestIdempotencyKeysThatAreRefused(t *testing.T) {
	t.Parallel()
	a := setup(t)
	for _, bad := range []string{strings.Repeat("k", 256), "a b", "ключ", "a\tb", "\u00e9"} {
		a.admin.Do(t, "POST", base+"/groups", m{"name": "x"}, key(bad)).Fails(400, "validation_failed", "Idempotency-Key")
	}
	for _, values := range [][]string{{""}, {"  "}, {"a", "a"}, {"a", "b"}} {
		raw(t, a.admin, "POST", base+"/groups", `{"name":"x"}`, map[string][]string{"Idempotency-Key": values}).Fails(400, "validation_failed", "Idempotency-Key")
	}
	for _, good := range []string{"k", strings.Repeat("k", 255), "!~", `{"a":1}`, uuid.NewString(), "'; DROP TABLE groups; --x"[:1]} {
		a.admin.Do(t, "POST", base+"/groups", m{"name": "x"}, key(good)).Is(201)
	}
	require.EqualValues(t, 6, countOf(t, a.Client, base+"/groups/count"))
}

// The first request still runs: 409. Of many at once exactly one is made.
func TestIdempotencyInProgress(t *testing.T) {
	t.Parallel()
	a := setup(t)
	vehicle := a.newVehicle(t, a.owner, nil)
	path := base + "/vehicles/" + vehicle + "/photos"
	file := m{"fileId": uuid.NewString()}
	// hold the vehicle, so that the first request waits inside its transaction
	tx, err := a.db.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = tx.Exec(t.Context(), "SELECT FROM vehicles WHERE id = $1 FOR UPDATE", vehicle)
	require.NoError(t, err)
	first := make(chan edgetest.Answer, 1)
	go func() { first <- a.owner.Do(t, "POST", path, file, key("k")) }()
	waitForLock(t, a)
	a.owner.Do(t, "POST", path, file, key("k")).Fails(409, "request_in_progress")
	a.owner.Do(t, "POST", path, m{"fileId": uuid.NewString()}, key("k")).Fails(409, "request_in_progress")
	require.NoError(t, tx.Rollback(t.Context()))
	made := (<-first).Is(201)
	require.Equal(t, string(made.Body), string(a.owner.Do(t, "POST", path, file, key("k")).Is(201).Body))

	var group sync.WaitGroup
	answers := make([]edgetest.Answer, 16)
	for i := range answers {
		group.Go(func() { answers[i] = a.admin.Do(t, "POST", base+"/groups", m{"name": "once"}, key("k")) })
	}
	group.Wait()
	ids := map[string]bool{}
	for _, answer := range answers {
		if answer.Status == 201 {
			ids[answer.ID()] = true
		} else {
			answer.Fails(409, "request_in_progress")
		}
	}
	require.Len(t, ids, 1)
	made = a.admin.Do(t, "POST", base+"/groups", m{"name": "once"}, key("k")).Is(201)
	require.Equal(t, "true", made.Header.Get("Idempotency-Replayed"))
}

func TestIdempotencyKeysExpire(t *testing.T) {
	t.Parallel()
	a := setup(t)
	first := a.admin.Do(t, "POST", base+"/groups", m{"name": "x"}, key("k")).Is(201)
	age := func(interval string) {
		_, err := a.db.Exec(t.Context(), "UPDATE idempotency_keys SET created_at = now() - $1::interval", interval)
		require.NoError(t, err)
	}
	age("23 hours 59 minutes")
	require.Equal(t, first.ID(), a.admin.Do(t, "POST", base+"/groups", m{"name": "x"}, key("k")).Is(201).ID())
	age("24 hours 1 second")
	second := a.admin.Do(t, "POST", base+"/groups", m{"name": "y"}, key("k")).Is(201)
	require.NotEqual(t, first.ID(), second.ID())
	require.Equal(t, second.ID(), a.admin.Do(t, "POST", base+"/groups", m{"name": "y"}, key("k")).Is(201).ID())
}

func TestKeptAnswersArePurged(t *testing.T) {
	t.Parallel()
	a := setup(t)
	a.admin.Do(t, "POST", base+"/groups", m{"name": "x"}, key("young")).Is(201)
	_, err := a.db.Exec(t.Context(), `INSERT INTO idempotency_keys (caller, operation, key, request_hash, location, etag, body, created_at)
SELECT 'x', 'createGroup', n::text, '', '', '', '', now() - interval '25 hours' FROM generate_series(1, 2500) n`)
	require.NoError(t, err)
	service, err := catalog.New(catalog.Options{DB: a.db, Embedder: embedding.NewLexical(), Spec: contract().Spec, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var purge sync.WaitGroup
	purge.Go(func() { _ = service.Run(ctx) })
	require.Eventually(t, func() bool {
		var n int
		err := a.db.QueryRow(t.Context(), "SELECT count(*) FROM idempotency_keys").Scan(&n)
		return err == nil && n == 1
	}, 20*time.Second, 5*time.Millisecond)
	stop()
	purge.Wait()
	a.admin.Do(t, "POST", base+"/groups", m{"name": "x"}, key("young")).Is(201)
	require.EqualValues(t, 1, countOf(t, a.Client, base+"/groups/count"))
}
