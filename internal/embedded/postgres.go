// Package embedded runs a PostgreSQL server and a Kafka-compatible broker for
// `make run` and the tests: nothing has to be set up, and no port, password or
// data directory is shared with others.
//
// This file: the PostgreSQL instance from start to stop: options, addresses,
// one instance in one directory. Making the data directory is in
// postgresinit.go, which operating system user owns it in postgresowner.go;
// that it ends with this process is process.Start's doing. The broker is in
// broker.go.
package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"equipment-platform/internal/backoff"
	"equipment-platform/internal/process"
)

// PostgresOptions say where and how an instance runs.
type PostgresOptions struct {
	// Dir is the instance's own directory (made when missing): data, password,
	// log, socket. One instance per directory.
	Dir string
	// Port on 127.0.0.1; 0 takes the port of the last run when it is free, else
	// any free one.
	Port int
	// Durable keeps every committed transaction through a crash of the machine.
	// Off is for throw-away test databases only: much faster, and a crash may
	// leave the data unusable.
	Durable bool
	// SharedBuffers are the MiB that the server keeps pages in; 0: 256.
	SharedBuffers int
	// Log gets one line per decision that a reader would not expect, such as
	// another data directory than the one asked for. Nil discards them.
	Log *slog.Logger
}

// Postgres is a running instance. Its methods may be called concurrently.
type Postgres struct {
	dir      string
	port     int
	password string
	durable  bool
	buffers  int // MiB
	lock     *os.File
	server   *process.Process
}

const (
	postgresSuperuser = "postgres"
	startAttempts     = 5
	// startLimit bounds the wait for the first answer. Replaying the write-ahead
	// log after a crash is included, and max_wal_size keeps that within it.
	startLimit = 2 * time.Minute
)

// errPortTaken makes a start try the next free port; errStillHeld makes it wait
// for the workers of a killed server, which need a moment to notice.
var (
	errPortTaken = errors.New("port is taken")
	errStillHeld = errors.New("workers of a killed server still hold the data")
)

// StartPostgres starts the instance of opts.Dir and returns when it answers
// queries. It makes the data directory on the first start; it recovers from a
// previous run that was killed, and stops a server that such a run left behind.
// The context bounds the start only; the instance runs until Stop, or until this
// process ends.
//
// The server listens on 127.0.0.1 only and asks for a password (scram-sha-256),
// which is generated on the first start and kept in a file that only its owner
// may read: other users of a shared machine get nothing.
//
// Errors: ErrNoPostgres when no server is installed, ErrInUse when another
// process runs the instance of this directory, else what the server said.
func StartPostgres(ctx context.Context, opts PostgresOptions) (*Postgres, error) {
	return startPostgres(ctx, opts, rootDataDir)
}

// startPostgres keeps data in elsewhere that the server could not reach in opts.Dir.
func startPostgres(ctx context.Context, opts PostgresOptions, elsewhere string) (_ *Postgres, err error) {
	log := opts.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	owner, err := instanceOwner()
	if err != nil {
		return nil, err
	}
	dir, err := owner.usableDir(opts.Dir, elsewhere, log)
	if err != nil {
		return nil, err
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = lock.Close()
		}
	}()
	if err := removeOrphan(ctx, dir, log); err != nil {
		return nil, err
	}
	binaries, password, err := initData(ctx, dir, owner, opts.Durable, log)
	if err != nil {
		return nil, err
	}
	instance := &Postgres{dir: dir, password: password, durable: opts.Durable, buffers: cmp.Or(opts.SharedBuffers, 256), lock: lock}
	for attempt := 1; ; attempt++ {
		instance.port, err = choosePort(dir, opts.Port, attempt)
		if err != nil {
			return nil, err
		}
		err = instance.launch(ctx, binaries, owner)
		if errors.Is(err, errPortTaken) && opts.Port == 0 && attempt < startAttempts {
			continue // another process took the free port between our look and the server's
		}
		if errors.Is(err, errStillHeld) && attempt < startAttempts {
			select {
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			case <-time.After(backoff.Delay(attempt, 400*time.Millisecond, time.Second)):
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		break
	}
	if err := os.WriteFile(filepath.Join(dir, "port"), []byte(strconv.Itoa(instance.port)), 0o600); err != nil {
		instance.kill()
		return nil, fmt.Errorf("keep the port for the next start: %w", err)
	}
	return instance, nil
}

// launch starts the server process and waits until it answers.
func (p *Postgres) launch(ctx context.Context, binaries Binaries, owner owner) error {
	server, err := process.Start(process.Program{
		Path: filepath.Join(binaries.Dir, "postgres"), Args: p.arguments(), Dir: p.dataDir(),
		Env: owner.environment(), Credential: owner.credential(), LogPath: p.LogPath(),
	})
	if err != nil {
		return err
	}
	p.server = server
	if err := p.awaitReady(ctx); err != nil {
		p.kill()
		said := server.Tail(12)
		if strings.Contains(said, "Address already in use") || strings.Contains(said, "could not create any TCP/IP sockets") {
			return fmt.Errorf("PostgreSQL on 127.0.0.1:%d: %w", p.port, errPortTaken)
		}
		if strings.Contains(said, "pre-existing shared memory block") {
			err = errStillHeld
		}
		return fmt.Errorf("PostgreSQL did not start: %w\n%s\n(whole log: %s)", err, said, p.LogPath())
	}
	return nil
}

// kill ends the server without any shutdown. The quit signal comes first: by it
// the server ends its workers too.
func (p *Postgres) kill() {
	_ = p.server.Signal(syscall.SIGQUIT) // unless it has ended already
	p.server.Kill()
}

// arguments are the server's settings. They go on the command line rather than
// into postgresql.conf so that a newer version of the program takes effect on an
// existing data directory.
func (p *Postgres) arguments() []string {
	settings := []string{
		"listen_addresses=127.0.0.1",
		"port=" + strconv.Itoa(p.port),
		"unix_socket_directories=" + p.socketDir(),
		"unix_socket_permissions=0700",
		"max_connections=200",
		"shared_buffers=" + strconv.Itoa(p.buffers) + "MB",
		"max_wal_size=1GB",
		"jit=off", // compiling costs more than it saves on queries of a few milliseconds
		"timezone=UTC",
		"log_timezone=UTC",
		"log_line_prefix=%m [%p] %q%d ",
	}
	if smallSharedMemory() {
		// Parallel index builds put their work area there; containers often have
		// 64 MB of it, and an index on vectors then fails half-way.
		settings = append(settings, "dynamic_shared_memory_type=mmap")
	}
	if p.durable {
		settings = append(settings, "fsync=on", "synchronous_commit=on", "full_page_writes=on", "wal_compression=on")
	} else {
		settings = append(settings,
			"fsync=off", "synchronous_commit=off", "full_page_writes=off",
			"wal_level=minimal", "max_wal_senders=0",
			"checkpoint_timeout=1h",
			// A worker inside a template database would make cloning wait for it.
			"autovacuum=off")
	}
	arguments := []string{"-D", p.dataDir()}
	for _, setting := range settings {
		arguments = append(arguments, "-c", setting)
	}
	return arguments
}

// awaitReady polls until a query is answered, the server ends, or ctx or the
// start limit runs out.
func (p *Postgres) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	// A connection attempt must not outlive the server: whoever holds a taken
	// port may accept it and never answer.
	go func() {
		select {
		case <-p.server.Done():
			cancel()
		case <-ctx.Done():
		}
	}()
	config, err := pgx.ParseConfig(p.URL("postgres"))
	if err != nil {
		return err
	}
	// Only a server that knows the password too will do: never send it in clear
	// to whoever else might listen there.
	config.RequireAuth = "scram-sha-256"
	for {
		conn, err := pgx.ConnectConfig(ctx, config)
		if err == nil {
			return conn.Close(ctx)
		}
		var refused *pgconn.PgError
		if errors.As(err, &refused) && refused.Code == "28P01" {
			return err // wrong password: waiting changes nothing
		}
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
		if p.server.Ended() {
			return errors.New("the server ended at once")
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%w (last answer: %w)", context.Cause(ctx), err)
		}
	}
}

// URL returns the connection URL of a database of the instance, with password.
func (p *Postgres) URL(database string) string {
	address := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(postgresSuperuser, p.password),
		Host:     net.JoinHostPort("127.0.0.1", strconv.Itoa(p.port)),
		Path:     "/" + database,
		RawQuery: "sslmode=disable",
	}
	return address.String()
}

// CreateDatabase makes an empty database of that name unless it exists. It may
// be called on every start.
func (p *Postgres) CreateDatabase(ctx context.Context, name string) error {
	conn, err := pgx.Connect(ctx, p.URL("postgres"))
	if err != nil {
		return fmt.Errorf("connect to the embedded PostgreSQL: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	_, err = conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize())
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "42P04" {
		return nil // duplicate_database
	}
	if err != nil {
		return fmt.Errorf("create database %s: %w", name, err)
	}
	return nil
}

// Dir returns the instance's directory, which is another one than asked for when
// the server's user could not enter that.
func (p *Postgres) Dir() string { return p.dir }

// Port returns the port on 127.0.0.1.
func (p *Postgres) Port() int { return p.port }

// LogPath returns the file that the server logs to.
func (p *Postgres) LogPath() string { return filepath.Join(p.dir, "postgres.log") }

// Done is closed when the server process has ended, by Stop or by itself.
func (p *Postgres) Done() <-chan struct{} { return p.server.Done() }

// Stop ends the instance and returns when it is down. A durable one finishes a
// fast shutdown (open transactions are rolled back, everything committed is on
// disk); when ctx ends first it is stopped at once, which costs a log replay at
// the next start but no data. One that is not durable is stopped at once.
// Stopping twice is fine.
func (p *Postgres) Stop(ctx context.Context) error {
	defer func() { _ = p.lock.Close() }()
	shutdown := syscall.SIGQUIT // immediate
	if p.durable {
		shutdown = syscall.SIGINT // fast
	}
	_ = p.server.Signal(shutdown) // unless it has ended already
	select {
	case <-p.server.Done():
		return nil
	case <-ctx.Done():
	}
	_ = p.server.Signal(syscall.SIGQUIT)
	select {
	case <-p.server.Done():
	case <-time.After(5 * time.Second):
		p.kill()
	}
	return fmt.Errorf("PostgreSQL did not shut down in time and was stopped at once: %w", context.Cause(ctx))
}

func (p *Postgres) dataDir() string { return filepath.Join(p.dir, "data") }

// socketDir is empty (no socket) where the path would be longer than the
// operating systems allow for a socket's address (104 bytes on macOS).
func (p *Postgres) socketDir() string {
	dir := filepath.Join(p.dir, "run")
	if len(dir)+len("/.s.PGSQL.65535.lock") > 100 || strings.ContainsAny(dir, `,"`) {
		return ""
	}
	return dir
}

// choosePort returns the given port, else that of the last run when it is free,
// else any free one.
func choosePort(dir string, given, attempt int) (int, error) {
	if given != 0 {
		return given, nil
	}
	if attempt == 1 {
		if port := keptPort(dir); port != 0 && portIsFree(port) {
			return port, nil
		}
	}
	address, err := process.FreeAddress()
	if err != nil {
		return 0, err
	}
	_, text, _ := net.SplitHostPort(address)
	return strconv.Atoi(text)
}

// keptPort is the port of the last run; 0: not known.
func keptPort(dir string) int {
	text, err := os.ReadFile(filepath.Join(dir, "port"))
	if err != nil {
		return 0
	}
	port, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return port
}

func portIsFree(port int) bool {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return false
	}
	return listener.Close() == nil
}
