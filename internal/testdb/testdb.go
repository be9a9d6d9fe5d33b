// Package testdb gives tests databases of a real PostgreSQL with pgvector.
//
// One instance serves a whole `make test` (the withpostgres program starts it and
// sets TEST_DATABASE_URL); a single `go test` starts its own. Each test gets a
// database of its own, cloned from a template that has the current schema, so
// tests may run in parallel and commit what they like.
//
// This file: the databases that tests ask for. Where the server comes from is
// in instance.go, replicas of one in replica.go.
package testdb

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"equipment-platform/internal/database"
	"equipment-platform/sql"
)

// stepLimit bounds every single step (making, cloning, dropping a database), so
// that a fault is a message and not a test that hangs.
const stepLimit = time.Minute

// New returns the URL of a fresh database with the current schema and no rows,
// which is dropped when the test ends. It takes some 20 ms. Connections that the
// test leaves open are cut.
func New(t testing.TB) string {
	t.Helper()
	return newDatabase(t, func(ctx context.Context, server *server) (string, error) {
		return server.template(ctx, schemaTemplate)
	})
}

// Empty returns the URL of a fresh database without any schema, for tests of the
// migrations themselves. It is dropped when the test ends.
func Empty(t testing.TB) string {
	t.Helper()
	return newDatabase(t, func(context.Context, *server) (string, error) { return "template1", nil })
}

// Main runs the tests of a package and then stops the instance that New or Empty
// started for it, if they did. It does not return. Without it the instance is
// stopped too, by the end of the process, but its directory stays until the next
// run removes it.
func Main(m *testing.M) {
	exit(m.Run())
}

// newDatabase clones the database that source names.
func newDatabase(t testing.TB, source func(context.Context, *server) (string, error)) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*stepLimit) // the first call may start a server
	defer cancel()
	server, err := sharedServer(ctx)
	if err != nil {
		t.Fatalf("test database: %v", err)
	}
	template, err := source(ctx, server)
	if err != nil {
		t.Fatalf("test database: make the template: %v", err)
	}
	name := databaseName(t.Name())
	if err := server.clone(ctx, template, name); err != nil {
		t.Fatalf("test database: %v", err)
	}
	t.Cleanup(func() {
		// The test's own context has ended by now.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepLimit)
		defer cancel()
		if err := server.drop(ctx, name); err != nil {
			t.Errorf("test database: %v", err)
		}
	})
	return server.urlOf(name)
}

// templateSpec is a schema that databases are cloned with: a key that changes
// with the schema, and how to make it in an empty database.
type templateSpec struct {
	key   func() (string, error)
	build func(ctx context.Context, url string) error
}

// schemaTemplate is the schema of the project's migrations.
var schemaTemplate = &templateSpec{
	key:   sync.OnceValues(func() (string, error) { return hashFiles(sql.Migrations) }),
	build: database.MigrateUp,
}

// hashFiles is a digest of all names and contents.
func hashFiles(files fs.FS) (string, error) {
	digest := sha256.New()
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(digest, "%s %d\n%s", path, len(content), content)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("read the migrations: %w", err)
	}
	return hex.EncodeToString(digest.Sum(nil)[:8]), nil
}

// server is the PostgreSQL server in use, whoever started it.
type server struct {
	url   *url.URL
	admin *pgxpool.Pool // few connections: they limit how many clones run at once

	mutex     sync.Mutex
	templates map[*templateSpec]string // names of templates known to exist
}

func newServer(ctx context.Context, address string) (*server, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("TEST_DATABASE_URL: %w", err)
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("TEST_DATABASE_URL: %w", err)
	}
	config.MaxConns = 4
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	return &server{url: parsed, admin: pool, templates: map[*templateSpec]string{}}, nil
}

// urlOf returns the URL of a database on the server.
func (s *server) urlOf(name string) string {
	address := *s.url
	address.Path = "/" + name
	return address.String()
}

// template returns the name of the template database, which is made at the first
// call of the whole run: processes of other packages wait for each other on an
// advisory lock.
func (s *server) template(ctx context.Context, spec *templateSpec) (string, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if name, ok := s.templates[spec]; ok {
		return name, nil
	}
	key, err := spec.key()
	if err != nil {
		return "", err
	}
	name := "template_" + key
	conn, err := s.admin.Acquire(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtext($1))", name); err != nil {
		return "", err
	}
	defer func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(hashtext($1))", name)
	}()

	var finished bool
	err = conn.QueryRow(ctx, "SELECT count(*) > 0 FROM pg_database WHERE datname = $1 AND datistemplate", name).Scan(&finished)
	if err != nil {
		return "", err
	}
	if !finished {
		identifier := pgx.Identifier{name}.Sanitize()
		// A run that was stopped half-way leaves one that is not marked yet.
		for _, statement := range []string{"DROP DATABASE IF EXISTS " + identifier + " WITH (FORCE)", "CREATE DATABASE " + identifier} {
			if _, err := conn.Exec(ctx, statement); err != nil {
				return "", err
			}
		}
		if err := spec.build(ctx, s.urlOf(name)); err != nil {
			return "", err
		}
		// No connections: one inside a template keeps it from being cloned.
		if _, err := conn.Exec(ctx, "ALTER DATABASE "+identifier+" IS_TEMPLATE true ALLOW_CONNECTIONS false"); err != nil {
			return "", err
		}
	}
	s.templates[spec] = name
	return name, nil
}

func (s *server) clone(ctx context.Context, template, name string) error {
	_, err := s.admin.Exec(ctx, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s",
		pgx.Identifier{name}.Sanitize(), pgx.Identifier{template}.Sanitize()))
	if err != nil {
		return fmt.Errorf("clone %s: %w", template, err)
	}
	return nil
}

func (s *server) drop(ctx context.Context, name string) error {
	_, err := s.admin.Exec(ctx, fmt.Sprintf("DROP DATABASE IF EXISTS %s WITH (FORCE)", pgx.Identifier{name}.Sanitize()))
	if err != nil {
		return fmt.Errorf("drop %s: %w", name, err)
	}
	return nil
}

// databaseName is unique and says which test it belongs to.
func databaseName(test string) string {
	readable := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + ('a' - 'A')
		default:
			return '_'
		}
	}, test)
	// PostgreSQL cuts names at 63 bytes, which would cut the unique part.
	readable = readable[:min(len(readable), 40)]
	return "test_" + cmp.Or(readable, "unnamed") + "_" + strings.ToLower(rand.Text()[:12])
}
