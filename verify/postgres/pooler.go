package main

// This file: PgBouncer in transaction mode before the database: what it must be set to,
// and that the services work through it as without it.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"equipment-platform/internal/process"
	"equipment-platform/verify/handbook"
	"equipment-platform/verify/steady"
)

const (
	pooledRole = "equipment" // as on the page
	// poolSize is how many connections the pooler has, which is much fewer than the services ask it for.
	poolSize = 6
	working  = 15 * time.Second
)

// page is what docs/operations.md has for a pooler: its settings, and statements that
// give the role its limits.
type page struct{ settings, statements string }

func readPage() (page, error) {
	found, err := handbook.Blocks(handbook.Page, "Behind a pooler", 2)
	if err != nil {
		return page{}, err
	}
	if !strings.Contains(found[1], "ROLE "+pooledRole+" ") {
		return page{}, errors.New("docs/operations.md gives limits to another role")
	}
	return page{found[0], found[1]}, nil
}

// pooler is a running PgBouncer.
type pooler struct {
	dir, address string
	settings     map[string]string
	page         page
	version      string
	program      *process.Process
}

var versionOf = regexp.MustCompile(`PgBouncer (\d+)\.(\d+)\S*`)

func newPooler(s *stack) (*pooler, error) {
	p := &pooler{dir: filepath.Join(s.dir, "pooler")}
	var err error
	if p.page, err = readPage(); err != nil {
		return nil, err
	}
	program := os.Getenv("PGBOUNCER")
	said, err := exec.Command(program, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("PGBOUNCER=%s: %w", program, err)
	}
	match := versionOf.FindStringSubmatch(string(said))
	if match == nil {
		return nil, fmt.Errorf("no version: %s", said)
	}
	major, _ := strconv.Atoi(match[1])
	minor, _ := strconv.Atoi(match[2])
	if p.version = match[0]; major == 1 && minor < 21 {
		// it mixes prepared statements, and 1.18 ends itself where a caller leaves in the middle of a cancel request
		return nil, fmt.Errorf("%s: 1.21 or newer is needed", p.version)
	}
	if p.address, err = process.FreeAddress(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(p.address)
	if err != nil {
		return nil, err
	}
	// its user cannot get into every folder that a checkout may lie in
	binary, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(p.dir, "pgbouncer"), binary, 0o755); err != nil {
		return nil, err
	}
	p.settings = map[string]string{
		"listen_addr": host, "listen_port": port, "unix_socket_dir": "", "auth_type": "scram-sha-256", "auth_file": filepath.Join(p.dir, "users"),
		"pool_mode": "transaction", "default_pool_size": strconv.Itoa(poolSize), "max_client_conn": "200",
	}
	users := fmt.Sprintf("\"%s\" \"%s\"\n", pooledRole, pooledRole)
	return p, p.write("users", users, s)
}

// write makes a file that the database's user alone may read, as whom the pooler runs.
func (p *pooler) write(file, text string, s *stack) error {
	path := filepath.Join(p.dir, file)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	owner, err := p.owner(s)
	if err != nil {
		return err
	}
	return os.Chown(path, int(owner.Uid), int(owner.Gid))
}

func (p *pooler) owner(s *stack) (*syscall.Credential, error) {
	info, err := os.Stat(s.primary.Dir())
	if err != nil {
		return nil, err
	}
	is, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil, errors.New("the owner of a directory cannot be had here")
	}
	return &syscall.Credential{Uid: is.Uid, Gid: is.Gid}, nil
}

// start starts it with more settings than it has; it is stopped first where it runs.
func (p *pooler) start(ctx context.Context, s *stack, more string) error {
	p.stop()
	var b strings.Builder
	fmt.Fprintf(&b, "[databases]\n%s = host=127.0.0.1 port=%d\n[pgbouncer]\n", name, s.primary.Port())
	for key, value := range p.settings {
		fmt.Fprintf(&b, "%s = %s\n", key, value)
	}
	b.WriteString(more)
	if err := p.write("pgbouncer.ini", b.String(), s); err != nil {
		return err
	}
	owner, err := p.owner(s)
	if err != nil {
		return err
	}
	if os.Geteuid() != 0 {
		owner = nil
	}
	p.program, err = process.Start(process.Program{
		Path: filepath.Join(p.dir, "pgbouncer"), Args: []string{filepath.Join(p.dir, "pgbouncer.ini")}, Dir: p.dir, Credential: owner, LogPath: filepath.Join(s.dir, "pgbouncer.log"),
	})
	if err != nil {
		return err
	}
	for limit := time.Now().Add(startLimit); time.Now().Before(limit); steady.Pause(ctx, 20*time.Millisecond) {
		if conn, err := net.Dial("tcp", p.address); err == nil {
			return conn.Close()
		}
		if p.program.Ended() {
			return p.program.Failure()
		}
	}
	return fmt.Errorf("the pooler is not there after %s", startLimit)
}

func (p *pooler) stop() {
	if p.program != nil {
		p.program.Kill()
	}
}

// url is the database behind the pooler.
func (p *pooler) url(parameters string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(pooledRole, pooledRole), Host: p.address, Path: "/" + name, RawQuery: "sslmode=disable" + parameters}
	return u.String()
}

func runPooler(ctx context.Context, dir string) error {
	s, err := newStack(ctx, filepath.Join(dir, "pooler"))
	if err != nil {
		return err
	}
	defer s.stop()
	if err := execute(ctx, s.primary.URL(name),
		"CREATE ROLE "+pooledRole+" LOGIN PASSWORD '"+pooledRole+"'", "GRANT pg_read_all_data, pg_write_all_data TO "+pooledRole); err != nil {
		return err
	}
	p, err := newPooler(s)
	if err != nil {
		return err
	}
	defer p.stop()
	if err := p.refusals(ctx, s); err != nil {
		return err
	}
	for _, mode := range []string{"", "&default_query_exec_mode=cache_describe"} {
		if err := p.start(ctx, s, p.page.settings); err != nil {
			return err
		}
		if err := p.work(ctx, s, mode); err != nil {
			return fmt.Errorf("%s, %s: %w", p.version, mode, err)
		}
	}
	return nil
}

// refusals demands that programs end at once with a line that names the variable where
// something is missing, one after the other.
func (p *pooler) refusals(ctx context.Context, s *stack) error {
	refused := func(what, mode, said string, arguments ...string) error {
		limited, cancel := context.WithTimeout(ctx, startLimit)
		defer cancel()
		cmd := exec.CommandContext(limited, filepath.Join("bin", arguments[0]), arguments[1:]...)
		env := map[string]string{"DATABASE_URL": p.url(mode), "HTTP_ADDR": s.addr["catalog-1"], "ADMIN_ADDR": s.addr["indexer"]}
		cmd.Env = process.Environment(process.Environment(os.Environ(), s.env), env)
		out, err := cmd.CombinedOutput()
		last := strings.TrimSpace(string(out))
		last = last[strings.LastIndex(last, "\n")+1:]
		if err == nil || limited.Err() != nil || !strings.Contains(last, "DATABASE_URL") || !strings.Contains(last, said) {
			return fmt.Errorf("%s: %s was not refused with DATABASE_URL and %q: %w: %s", what, arguments[0], said, err, last)
		}
		fmt.Printf("  %s: %s\n", what, last)
		return nil
	}
	if err := p.start(ctx, s, ""); err != nil {
		return err
	}
	for _, program := range [][]string{{"catalog", "serve"}, {"indexer", "run"}} {
		if err := refused("parameters that the pooler does not take", "", "startup parameter", program...); err != nil {
			return err
		}
	}
	if err := p.start(ctx, s, p.page.settings); err != nil {
		return err
	}
	if err := refused("a role without limits", "", "statement_timeout", "catalog", "serve"); err != nil {
		return err
	}
	if err := execute(ctx, s.primary.URL(name), p.page.statements); err != nil {
		return err
	}
	if err := p.start(ctx, s, p.page.settings+"max_prepared_statements = 0\n"); err != nil { // the last one counts
		return err
	}
	if err := refused("a pooler that mixes prepared statements", "", "prepared statements", "catalog", "serve"); err != nil {
		return err
	}
	return refused("migrations through a pooler", "&default_query_exec_mode=cache_describe", "server itself", "catalog", "migrate", "up")
}

// work runs the steady load through the pooler.
func (p *pooler) work(ctx context.Context, s *stack, mode string) error {
	if err := s.launch(ctx, map[string]string{"DATABASE_URL": p.url(mode), "DATABASE_MAX_CONNS": "16"}); err != nil {
		return err
	}
	l, err := s.load(ctx)
	if err != nil {
		return err
	}
	loading, stopLoad := context.WithCancel(ctx)
	defer stopLoad()
	l.Start(loading)
	var leaving sync.WaitGroup
	for range 3 {
		leaving.Go(func() { s.leave(loading) })
	}
	steady.Pause(ctx, working)
	connections, err := count(ctx, s.primary, "SELECT count(*) FROM pg_stat_activity WHERE usename = '"+pooledRole+"'")
	if err != nil {
		return err
	}
	stopLoad()
	leaving.Wait()
	l.Wait()
	if p.program.Ended() {
		return p.program.Failure()
	}
	if _, err := account(ctx, l, s.primary.URL(name), nil); err != nil {
		return err
	}
	if failed := l.Failed(); len(failed) > 0 {
		return fmt.Errorf("requests failed: %v", failed)
	}
	if connections > poolSize {
		return fmt.Errorf("%d connections of the pooler at the database, not %d", connections, poolSize)
	}
	fmt.Printf("  through %s (%s): %s over %d connections\n", p.version, cmp.Or(strings.TrimPrefix(mode, "&"), "prepared statements"), l.Sum(), connections)
	return s.empty(ctx)
}

// leave makes requests whose callers do not wait for the answer, so that statements are
// cancelled through the pooler.
func (s *stack) leave(ctx context.Context) {
	for patience := time.Millisecond; ctx.Err() == nil; patience = patience%(15*time.Millisecond) + time.Millisecond {
		impatient, cancel := context.WithTimeout(ctx, patience)
		req, err := http.NewRequestWithContext(impatient, http.MethodGet, "http://"+s.addr["catalog-1"]+"/api/v1/vehicles?size=100", nil)
		if err != nil {
			panic(err)
		}
		if resp, err := http.DefaultClient.Do(req); err == nil {
			_ = resp.Body.Close()
		}
		cancel()
	}
}

// empty takes back what a load made, for the next one.
func (s *stack) empty(ctx context.Context) error {
	if err := s.halt(); err != nil {
		return err
	}
	return execute(ctx, s.primary.URL(name), "DELETE FROM ratings", "DELETE FROM vehicles", "DELETE FROM order_entitlements", "DELETE FROM handled_events",
		"DELETE FROM type_categories", "DELETE FROM types", "DELETE FROM categories", "DELETE FROM groups", "DELETE FROM index_outbox")
}
