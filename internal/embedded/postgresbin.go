package embedded

// This file: finding the machine's PostgreSQL server programs: where the
// binaries of the supported systems lie, their version, and whether pgvector is
// installed beside them. scripts/install looks at the same places.

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// minPostgresMajor is the oldest PostgreSQL that the schema works with.
const minPostgresMajor = 15

// ErrNoPostgres says that no usable PostgreSQL server is installed.
var ErrNoPostgres = errors.New("no PostgreSQL 15 or newer with pgvector was found: run scripts/install")

// ProgramsVariable names the environment variable with the directory of the server's programs
// that are used whatever else is installed: how tests and checks choose a version.
const ProgramsVariable = "POSTGRES_PROGRAMS"

// Binaries are the programs of one installed PostgreSQL server.
type Binaries struct {
	Dir    string // directory that holds postgres, initdb and pg_config
	Major  int    // major version, 15 or newer
	Vector bool   // whether the pgvector extension is installed for it
}

// binaryPatterns are the places where Debian, the PostgreSQL project's packages
// and Homebrew put the versioned server programs.
var binaryPatterns = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
	"/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",
}

// FindPostgres returns the newest installed PostgreSQL server that has pgvector, or
// that of ProgramsVariable. A major other than 0 asks for that very major version: a data directory can
// only be opened by the major version that made it. It returns ErrNoPostgres
// when nothing fits.
func FindPostgres(major int) (Binaries, error) {
	found := installedPostgres()
	for _, candidate := range found {
		if candidate.Vector && (major == 0 || candidate.Major == major) {
			return candidate, nil
		}
	}
	if major != 0 {
		return Binaries{}, fmt.Errorf("the data was made by PostgreSQL %d, which is no longer installed with pgvector: %w", major, ErrNoPostgres)
	}
	return Binaries{}, ErrNoPostgres
}

// installedPostgres lists all servers found, newest first.
func installedPostgres() []Binaries {
	if dir := os.Getenv(ProgramsVariable); dir != "" {
		if binaries, ok := inspectBinaries(dir); ok {
			return []Binaries{binaries}
		}
		return nil
	}
	var dirs []string
	for _, pattern := range binaryPatterns {
		matches, err := filepath.Glob(pattern)
		if err != nil {
			continue // only a malformed pattern fails, and the patterns are constants
		}
		dirs = append(dirs, matches...)
	}
	if config, err := exec.LookPath("pg_config"); err == nil {
		if out, err := exec.Command(config, "--bindir").Output(); err == nil {
			dirs = append(dirs, strings.TrimSpace(string(out)))
		}
	}
	var found []Binaries
	for _, dir := range dirs {
		if binaries, ok := inspectBinaries(dir); ok && !slices.Contains(found, binaries) {
			found = append(found, binaries)
		}
	}
	slices.SortStableFunc(found, func(a, b Binaries) int { return cmp.Compare(b.Major, a.Major) })
	return found
}

var majorPattern = regexp.MustCompile(`\d+`)

// inspectBinaries says what the directory holds; false when it is no server.
func inspectBinaries(dir string) (Binaries, bool) {
	for _, program := range []string{"postgres", "initdb", "pg_config"} {
		info, err := os.Stat(filepath.Join(dir, program))
		if err != nil || info.IsDir() {
			return Binaries{}, false
		}
	}
	version, err := exec.Command(filepath.Join(dir, "postgres"), "--version").Output()
	if err != nil {
		return Binaries{}, false
	}
	major, err := strconv.Atoi(majorPattern.FindString(string(version)))
	if err != nil || major < minPostgresMajor {
		return Binaries{}, false
	}
	share, err := exec.Command(filepath.Join(dir, "pg_config"), "--sharedir").Output()
	if err != nil {
		return Binaries{}, false
	}
	_, err = os.Stat(filepath.Join(strings.TrimSpace(string(share)), "extension", "vector.control"))
	return Binaries{Dir: dir, Major: major, Vector: err == nil}, true
}
