package testdb

// This file: where the test server comes from: the one that TEST_DATABASE_URL
// names, or a throw-away instance.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"equipment-platform/internal/embedded"
)

// Variable names the environment variable with the URL of a running server on
// which the tests may make and drop databases.
const Variable = "TEST_DATABASE_URL"

const directoryPrefix = "equipment-platform-testdb-"

// Instance is a throw-away PostgreSQL: quick, and worth nothing after a crash.
type Instance struct {
	postgres *embedded.Postgres
	base     string
}

// StartInstance starts a throw-away PostgreSQL with an empty database. It ends
// with Stop, or with this process, however that ends.
func StartInstance(ctx context.Context) (*Instance, error) {
	parent := fastDirectory()
	removeLeftovers(parent)
	base, err := os.MkdirTemp(parent, directoryPrefix)
	if err != nil {
		return nil, fmt.Errorf("make a directory for the test database: %w", err)
	}
	// The server may run as another user than this process (root cannot) and must
	// be able to pass through; its own directory inside is closed to others.
	if err := os.Chmod(base, 0o711); err != nil {
		return nil, errors.Join(err, os.RemoveAll(base))
	}
	postgres, err := embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: filepath.Join(base, "pg")})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(base))
	}
	return &Instance{postgres: postgres, base: base}, nil
}

// URL returns the address of the instance's administrative database.
func (i *Instance) URL() string { return i.postgres.URL("postgres") }

// Stop ends the instance and removes everything of it.
func (i *Instance) Stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	err := i.postgres.Stop(ctx)
	return errors.Join(err, os.RemoveAll(i.postgres.Dir()), os.RemoveAll(i.base))
}

// fastDirectory is in memory where there is enough of it: cloning a database
// makes some 300 files, which costs 15 ms there and up to 400 ms on a disk.
func fastDirectory() string {
	const memory, enough = "/dev/shm", 2 << 30
	var stat syscall.Statfs_t
	if err := syscall.Statfs(memory, &stat); err != nil || stat.Bavail*uint64(stat.Bsize) < enough {
		return os.TempDir()
	}
	probe, err := os.MkdirTemp(memory, directoryPrefix)
	if err != nil {
		return os.TempDir()
	}
	_ = os.Remove(probe)
	return memory
}

// removeLeftovers removes the directories of runs that were killed: those whose
// lock nobody holds. Young ones may be about to be locked.
func removeLeftovers(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, entry := range entries {
		base := filepath.Join(parent, entry.Name())
		info, err := entry.Info()
		if err != nil || !entry.IsDir() || !strings.HasPrefix(entry.Name(), directoryPrefix) ||
			time.Since(info.ModTime()) < time.Minute || !ours(info) {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(base, "pg", "lock"), os.O_RDWR, 0)
		if err == nil {
			err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
			_ = lock.Close()
		} else if errors.Is(err, os.ErrNotExist) {
			err = nil // killed before it got that far
		}
		if err == nil {
			_ = os.RemoveAll(base)
		}
	}
}

// ours reports whether this user made the directory: others' are their business.
func ours(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// shared is the server of this process's tests and, when this process started
// it, the instance.
var shared struct {
	once     sync.Once
	server   *server
	instance *Instance
	err      error
}

// sharedServer returns the server that TEST_DATABASE_URL names, else one that it
// starts at the first call.
func sharedServer(ctx context.Context) (*server, error) {
	shared.once.Do(func() {
		address := os.Getenv(Variable)
		if address == "" {
			// The server must outlive the test that happens to ask first.
			shared.instance, shared.err = StartInstance(context.WithoutCancel(ctx))
			if shared.err != nil {
				return
			}
			address = shared.instance.URL()
		}
		shared.server, shared.err = newServer(context.WithoutCancel(ctx), address)
	})
	return shared.server, shared.err
}

// exit stops what sharedServer started and ends the process.
func exit(code int) {
	if shared.server != nil {
		shared.server.admin.Close()
	}
	if shared.instance != nil {
		if err := shared.instance.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "test database:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}
