package embedded

// This file: making and opening the data directory: initdb, the generated
// password, the lock on the instance's directory, and getting rid of what a
// killed run left behind.

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ErrInUse says that another running process holds the instance's directory.
var ErrInUse = errors.New("in use by another running process")

// lockDir takes the instance's directory for this process. The operating system
// frees the lock when the process ends, however it ends.
func lockDir(dir string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock directory %s: %w", dir, err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("directory %s: %w", dir, ErrInUse)
		}
		return nil, fmt.Errorf("lock directory %s: %w", dir, err)
	}
	return file, nil
}

// removeOrphan deals with the process id file of a run that was killed. The
// caller holds the lock, so a server that still runs belongs to nobody: it is
// stopped. An id that now belongs to some other program (after a reboot) would
// keep PostgreSQL from starting: the file is removed.
func removeOrphan(ctx context.Context, dir string, log *slog.Logger) error {
	data := filepath.Join(dir, "data")
	pidFile := filepath.Join(data, "postmaster.pid")
	content, err := os.ReadFile(pidFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the previous run's process id: %w", err)
	}
	first, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || pid <= 1 || !isServerOf(pid, data) {
		return os.Remove(pidFile)
	}
	log.Info("stopping the PostgreSQL server that a killed run left behind", "pid", pid)
	for _, step := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{{syscall.SIGINT, 20 * time.Second}, {syscall.SIGQUIT, 5 * time.Second}, {syscall.SIGKILL, 5 * time.Second}} {
		_ = syscall.Kill(pid, step.signal)
		for deadline := time.Now().Add(step.wait); time.Now().Before(deadline); {
			if !isServerOf(pid, data) {
				return nil
			}
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	return fmt.Errorf("PostgreSQL server %d of a killed run does not stop", pid)
}

// initData returns the programs that fit the data directory and the superuser's
// password, and makes both on the first start. The data is made under another
// name and then renamed: an interrupted initdb leaves nothing that looks usable.
func initData(ctx context.Context, dir string, owner owner, durable bool, log *slog.Logger) (Binaries, string, error) {
	data, passwordFile := filepath.Join(dir, "data"), filepath.Join(dir, "password")
	if version, err := os.ReadFile(filepath.Join(data, "PG_VERSION")); err == nil {
		major, err := strconv.Atoi(strings.TrimSpace(string(version)))
		if err != nil {
			return Binaries{}, "", fmt.Errorf("%s does not hold a PostgreSQL data directory", data)
		}
		binaries, err := FindPostgres(major)
		if err != nil {
			return Binaries{}, "", fmt.Errorf("%s: %w", data, err)
		}
		password, err := os.ReadFile(passwordFile)
		if err != nil {
			return Binaries{}, "", fmt.Errorf("read the database password: %w", err)
		}
		return binaries, string(password), nil
	}

	binaries, err := FindPostgres(0)
	if err != nil {
		return Binaries{}, "", err
	}
	log.Debug("making a new database", "dir", data, "postgres", binaries.Major)
	password, err := writePassword(passwordFile, owner)
	if err != nil {
		return Binaries{}, "", err
	}
	unfinished := data + ".unfinished"
	if err := os.RemoveAll(unfinished); err != nil {
		return Binaries{}, "", fmt.Errorf("remove an unfinished database: %w", err)
	}
	if err := owner.makeDir(filepath.Join(dir, "run")); err != nil {
		return Binaries{}, "", err
	}
	arguments := []string{
		"-D", unfinished, "--username=" + postgresSuperuser, "--pwfile=" + passwordFile,
		"--auth-local=scram-sha-256", "--auth-host=scram-sha-256", "--encoding=UTF8", "--no-instructions",
	}
	arguments = append(arguments, localeArguments()...)
	if !durable {
		arguments = append(arguments, "--no-sync")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(binaries.Dir, "initdb"), arguments...)
	cmd.Dir = dir
	cmd.Env = owner.environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: owner.credential()}
	if out, err := cmd.CombinedOutput(); err != nil {
		return Binaries{}, "", fmt.Errorf("initdb: %w\n%s", err, out)
	}
	if err := os.Rename(unfinished, data); err != nil {
		return Binaries{}, "", fmt.Errorf("put the new database in place: %w", err)
	}
	return binaries, password, nil
}

// localeArguments choose a locale with byte order for sorting (queries name their
// collation themselves, contract 1.11) that still knows letter case beyond ASCII, which
// case-insensitive filters need. macOS has no C.UTF-8 of its own.
func localeArguments() []string {
	if runtime.GOOS == "darwin" {
		return []string{"--locale=C", "--lc-ctype=en_US.UTF-8"}
	}
	return []string{"--locale=C.UTF-8"}
}

// writePassword makes a password of 192 random bits and keeps it in a file that
// only the server's user (and root) may read.
func writePassword(path string, owner owner) (string, error) {
	random := make([]byte, 24)
	if _, err := rand.Read(random); err != nil {
		return "", fmt.Errorf("make a database password: %w", err)
	}
	password := base64.RawURLEncoding.EncodeToString(random)
	if err := os.WriteFile(path, []byte(password), 0o600); err != nil {
		return "", fmt.Errorf("keep the database password: %w", err)
	}
	// An existing file keeps its mode when written again.
	if err := os.Chmod(path, 0o600); err != nil {
		return "", fmt.Errorf("keep the database password: %w", err)
	}
	if err := owner.take(path); err != nil {
		return "", err
	}
	return password, nil
}
