package main

// This file: every version of PostgreSQL that can be had: the schema up, down and up again, the demo
// catalogue, and all tests that need a database, on each.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"equipment-platform/internal/embedded"
	"equipment-platform/internal/testdb"
)

// version is a version of PostgreSQL, and what the tests said on it.
type version struct {
	embedded.Binaries
	server, vector          string
	passed, failed, skipped int
	took                    time.Duration
}

// versions are the installed one and those that POSTGRES_VERSIONS names the programs of, oldest first.
func versions() ([]version, error) {
	installed, err := embedded.FindPostgres(0)
	if err != nil {
		return nil, err
	}
	all := []version{{Binaries: installed}}
	for _, dir := range filepath.SplitList(os.Getenv("POSTGRES_VERSIONS")) {
		v := version{Binaries: embedded.Binaries{Dir: dir}}
		if err := v.use(func() error {
			v.Binaries, err = embedded.FindPostgres(0)
			return err
		}); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		if v.Major != installed.Major {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b version) int { return a.Major - b.Major })
	if len(all) < 2 {
		return nil, errors.New("POSTGRES_VERSIONS says where other versions are")
	}
	return all, nil
}

// use calls f with that version in use, for this program and for those that it starts.
func (v version) use(f func() error) error {
	for key, value := range map[string]string{embedded.ProgramsVariable: v.Dir, "PATH": v.Dir + ":" + os.Getenv("PATH")} {
		before, was := os.LookupEnv(key)
		if err := os.Setenv(key, value); err != nil {
			return err
		}
		defer func() {
			if !was {
				_ = os.Unsetenv(key)
				return
			}
			_ = os.Setenv(key, before)
		}()
	}
	return f()
}

func (v version) String() string {
	return fmt.Sprintf("PostgreSQL %s, pgvector %s: %d tests, %d failed, %d skipped, %.1f minutes",
		v.server, v.vector, v.passed+v.failed+v.skipped, v.failed, v.skipped, v.took.Minutes())
}

func runVersions(ctx context.Context) ([]version, error) {
	all, err := versions()
	if err != nil {
		return nil, err
	}
	failed := 0
	for i := range all {
		v := &all[i]
		if err := v.use(func() error { return v.test(ctx) }); err != nil {
			return nil, fmt.Errorf("PostgreSQL %d: %w", v.Major, err)
		}
		fmt.Println("  " + v.String())
		failed += v.failed
	}
	if failed > 0 {
		return nil, fmt.Errorf("%d tests failed", failed)
	}
	return all, nil
}

// test runs everything on a throw-away server of the version.
func (v *version) test(ctx context.Context) error {
	begun := time.Now()
	instance, err := testdb.StartInstance(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = instance.Stop() }()
	conn, err := pgx.Connect(ctx, instance.URL())
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	// what runs, not what was asked for
	if err := conn.QueryRow(ctx, "SELECT split_part(current_setting('server_version'), ' ', 1), default_version FROM pg_available_extensions WHERE name = 'vector'").Scan(&v.server, &v.vector); err != nil {
		return err
	}
	if !strings.HasPrefix(v.server, strconv.Itoa(v.Major)) {
		return fmt.Errorf("the server is %s", v.server)
	}
	programs := stack{env: map[string]string{"DATABASE_URL": instance.URL(), "LOG_LEVEL": "warn"}}
	for _, args := range [][]string{{"migrate", "up"}, {"migrate", "down", "--steps", "0"}, {"migrate", "up"}, {"seed"}} {
		if err := programs.program(ctx, "catalog", args...); err != nil {
			return err
		}
	}
	packages, err := databasePackages(ctx)
	if err != nil {
		return err
	}
	if err := v.goTest(ctx, instance.URL(), packages); err != nil {
		return err
	}
	v.took = time.Since(begun)
	return nil
}

// databasePackages are those whose tests ask for a database.
func databasePackages(ctx context.Context) ([]string, error) {
	listed, err := exec.CommandContext(ctx, "go", "list", "-f", `{{.ImportPath}}{{range .TestImports}} {{.}}{{end}}{{range .XTestImports}} {{.}}{{end}}`, "./internal/...").Output()
	if err != nil {
		return nil, err
	}
	found := []string{"./internal/testdb"}
	for line := range strings.Lines(string(listed)) {
		if path, imports, _ := strings.Cut(strings.TrimSpace(line), " "); slices.Contains(strings.Fields(imports), "equipment-platform/internal/testdb") {
			found = append(found, path)
		}
	}
	if len(found) < 5 {
		return nil, fmt.Errorf("only %v have tests with a database", found)
	}
	return found, nil
}

// goTest runs the tests of packages on a server and shows what failed.
func (v *version) goTest(ctx context.Context, url string, packages []string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-count=1", "-json"}, packages...)...)
	cmd.Env = append(os.Environ(), testdb.Variable+"="+url)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	said := map[string]string{} // by package and test
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var event struct{ Action, Package, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &event) != nil {
			fmt.Println(lines.Text())
			continue
		}
		test := event.Package + " " + event.Test
		switch event.Action {
		case "output":
			said[test] += event.Output
			continue
		case "fail":
			fmt.Printf("--- on PostgreSQL %d: %s\n%s", v.Major, test, said[test])
		}
		if event.Test != "" {
			switch event.Action {
			case "pass":
				v.passed++
			case "fail":
				v.failed++
			case "skip":
				v.skipped++
			}
		}
		if event.Action == "pass" || event.Action == "skip" {
			delete(said, test)
		}
	}
	err = errors.Join(lines.Err(), cmd.Wait())
	if v.failed > 0 {
		return nil // the others are of interest too
	}
	return err
}

func versionsTable(all []version) string {
	var b strings.Builder
	b.WriteString("| PostgreSQL | pgvector | tests | failed | skipped | minutes |\n|---|---|---|---|---|---|\n")
	for _, v := range all {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %.1f |\n", v.server, v.vector, v.passed+v.failed+v.skipped, v.failed, v.skipped, v.took.Minutes())
	}
	return b.String()
}
