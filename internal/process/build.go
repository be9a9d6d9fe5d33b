package process

// This file: building the project's programs for tests and measurements.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// Build builds programs of this project, such as "cmd/catalog", and returns the
// directory that holds them under the last part of their names. The directory is
// one for the whole checkout: of several tests that ask at once the first builds
// and the others find the programs up to date. They are built as they are
// shipped, without the race detector that a test may run under.
func Build(ctx context.Context, programs ...string) (dir string, err error) {
	module, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	root := filepath.Dir(strings.TrimSpace(string(module)))
	if root == "." {
		return "", errors.New("programs can be built below the project's directory only")
	}
	dir = filepath.Join(root, ".local", "programs")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return "", err
	}
	defer lock.Close() // which gives the lock back
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", fmt.Errorf("lock %s: %w", dir, err)
	}
	// the tag as in the Makefile
	arguments := []string{"build", "-tags", "grpcnotrace", "-o", dir + "/"}
	for _, program := range programs {
		arguments = append(arguments, "./"+program)
	}
	cmd := exec.CommandContext(ctx, "go", arguments...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return dir, nil
}
